// Starts `tengen gdl lsp` for rulesheets and speaks the Language Server Protocol with it over stdio.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate() {
  const command = workspace.getConfiguration("tengen").get("path", "tengen");
  const server = { command, args: ["gdl", "lsp"] };
  client = new LanguageClient("tengen-gdl", "GDL by Tengen", server, { documentSelector: [{ language: "gdl" }] });
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
