//! Tests of the program `tengen` and of its library. They are one test program, because each program links everything
//! again.
//!
//! | module | tests |
//! | --- | --- |
//! | [`cli`] | Tests of the command line: help, errors, exit codes and output formats |
//! | [`completions_and_man`] | Tests of shell completions and man pages |
//! | [`determinism`] | Tests that the same scenes give the same bytes |
//! | [`dialogues`] | Replays the dialogues of `tests/dialogues` |
//! | [`example`] | Tests of `tengen example`, which writes embedded examples for a new user without a clone of the repository |
//! | [`exit_codes`] | Tests every row of docs/exit-codes.md |
//! | [`fields`] | Tests the table `tests/go/fields.toml`, which lists the fields that the documents about Go define |
//! | [`finished_boards`] | Tests that a finished board has the same score in all eight symmetries, and with exchanged colours |
//! | [`gdl_lsp`] | Tests the language server with a client that types a rulesheet from an empty text on |
//! | [`gdl_match`] | Tests of `tengen gdl match` with the game manager: processes as players, records, resuming, and the end of all processes |
//! | [`gdl_review`] | Tests that `tengen gdl check` and `tengen run` agree about every rulesheet: valid rulesheets, samples and mutations |
//! | [`gdl_traces`] | Replays recorded playouts of the open rulesheets with every propagator |
//! | [`ggp_match`] | Plays a match between two `tengen ggp` players under a small game manager over HTTP, by the protocol of `docs/ggp.md` |
//! | [`hostile_names`] | Tests that hostile names do no harm in the output of any command |
//! | [`inputs`] | Tests of inputs without a scene: game records, positions and rulesheets |
//! | [`judge_turnings`] | Tests that the embedded judge gives the same answer in all eight symmetries and with exchanged colours, to the last printed digit |
//! | [`katago_driver`] | Tests `tengen analyse` and live analysis over GTP with a client that was written only from KataGo's documentation |
//! | [`katago_judge`] | Tests another program as the judge: a scripted KataGo that follows the analysis protocol, or violates it in one way |
//! | [`katrain_driver`] | Tests `tengen analyse` with `KaTrain`'s own classes |
//! | [`kills`] | Kills runs with SIGKILL at random moments and resumes them |
//! | [`limits`] | Tests that nothing blocks a run: limits of a case, interruptions, and the records that they leave |
//! | [`locks`] | Tests that no command writes where another process writes |
//! | [`mixed_batch`] | Tests cases of all games and tasks in one World |
//! | [`one_answer`] | Tests that `tengen run`, `tengen show` and `tengen gtp` agree about worms, dragons, regions, moves and the score |
//! | [`people_files`] | Tests files as other programs write them |
//! | [`people_letters`] | Tests that other programs read letters of many charsets correctly in Tengen's output: reports, exports, saved records, games of self-play |
//! | [`people_packed`] | Tests packed files, and files with more games than memory could hold at once |
//! | [`people_siblings`] | Tests files as other programs write them |
//! | [`programs`] | Tests runs with other programs that misbehave |
//! | [`record_schema`] | Tests that `docs/record.schema.json` and `docs/records.md` describe every field of every kind of record correctly |
//! | [`run_folder`] | Tests the folder of a run: no finished record is lost, and no altered record is kept |
//! | [`sabaki_driver`] | Tests the GTP front end with Sabaki's own client, the npm package `@sabaki/gtp` |
//! | [`scenes`] | Tests that a fault of a scene is reported with file, line, column and one line of help, and that nothing panics |
//! | [`security`] | Tests that every promise of SECURITY.md names existing tests |
//! | [`selfplay`] | Tests that `tengen selfplay` plays the same games at any number of threads, and after a killed run is resumed |
//! | [`shards`] | Tests that a run that is split among processes and merged has the same bytes as the run of a single process |
//! | [`small_things`] | Tests the messages in special cases: counts of one, faults that many cases share, missing engines |
//! | [`tables`] | Tests that the tables of `tengen export` agree with the records, and that export overwrites nothing |
//! | [`uci_driver`] | Tests the UCI front end with python-chess as the GUI |
//! | [`viewer`] | Tests the viewer's server: long and broken records, two people at once, browsers that go away, a thousand requests at once, foreign pages |
//! | [`warnings`] | Tests every kind of warning of `docs/warnings.md`: a file that gives the warning, its place, and the effect of `--strict` |

#[path = "../common/mod.rs"]
mod common;

mod cli;
mod completions_and_man;
mod determinism;
mod dialogues;
mod example;
mod exit_codes;
mod fields;
mod finished_boards;
mod gdl_lsp;
mod gdl_match;
mod gdl_review;
mod gdl_traces;
mod ggp_match;
mod hostile_names;
mod inputs;
mod judge_turnings;
mod katago_driver;
mod katago_judge;
mod katrain_driver;
mod kills;
mod limits;
mod locks;
mod mixed_batch;
mod one_answer;
mod people_files;
mod people_letters;
mod people_packed;
mod people_siblings;
mod programs;
mod record_schema;
mod run_folder;
mod sabaki_driver;
mod scenes;
mod security;
mod selfplay;
mod shards;
mod small_things;
mod tables;
mod uci_driver;
mod viewer;
mod warnings;
