-- Goes into ~/.config/nvim/plugin/gdl.lua. Neovim 0.11 or later.
vim.filetype.add({ extension = { kif = "gdl", gdl = "gdl" } })

vim.lsp.config("tengen_gdl", {
  cmd = { "tengen", "gdl", "lsp" },
  filetypes = { "gdl" },
  root_markers = { ".git" },
})
vim.lsp.enable("tengen_gdl")

vim.api.nvim_create_autocmd("FileType", {
  pattern = "gdl",
  callback = function(event)
    vim.bo[event.buf].commentstring = "; %s"
    vim.bo[event.buf].lisp = true
    vim.cmd([[
      syntax match gdlComment /;.*/
      syntax match gdlVariable /?[^ \t();]\+/
      syntax match gdlNumber /\<\d\+\>/
      syntax match gdlConnective /(\s*\zs\(<=\|not\|or\|and\|distinct\)\ze[ \t()]/
      syntax match gdlKeyword /(\s*\zs\(role\|init\|true\|does\|next\|legal\|goal\|base\|input\|sees\)\ze[ \t()]/
      syntax match gdlKeyword /\<terminal\>/
      highlight default link gdlComment Comment
      highlight default link gdlVariable Identifier
      highlight default link gdlNumber Number
      highlight default link gdlConnective Conditional
      highlight default link gdlKeyword Keyword
    ]])
  end,
})
