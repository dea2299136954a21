//! General game playing. The crate reads rulesheets in the Game Description Language (GDL), compiles them to
//! propositional networks, and plays their games.
//!
//! # Modules
//! Each module imports only modules above it. `tests/architecture.rs` reads this table and checks the imports.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`scc`] | strongly connected components of a graph |
//! | [`gdl`] | reads and checks a rulesheet |
//! | [`term`] | ground terms, each stored once |
//! | `relation` | sets of tuples of ground terms, with indexes |
//! | [`program`] | a rulesheet as clauses over numbered predicates |
//! | `lookup` | how a literal finds its tuples |
//! | [`prover`] | answers about a state directly from the clauses: for games without a net, and as the reference of the tests |
//! | [`ground`] | turns clauses into ground clauses |
//! | [`numbering`] | the meaning of the numbers of facts and moves; states |
//! | [`machine`] | states, moves and goals of a game |
//! | [`net`] | the net and its passes |
//! | [`propagate`] | the ways to propagate values through a net, and playouts on a net |
//! | [`game`] | a loaded game: the main entry point of this crate |
//! | [`information`] | hidden information (GDL-II): percepts, and the states that a role thinks possible |
//! | [`players`] | players, which choose moves by search |
//! | [`world`] | searches in the World: nets, states, legal moves, trees and playouts as components and entities |
//! | [`perft`] | counts of sequences of joint moves |
//! | [`random_games`] | random games, and the counts of their results |
//! | [`environment`] | many games at once, whose moves the caller chooses |
//! | [`inspect`] | a net as data for pictures and pages |
//! | [`explain`] | why a move is legal or illegal in a state, down to the rules |
//! | [`review`] | all that is wrong with a rulesheet, from its text to random games |
//!
//! # Source
//! The terms are those of S. Draper and A. Rose, "Propnet basics" (2014); M. Genesereth and M. Thielscher, "General
//! Game Playing" (2014); N. Love et al., "General Game Playing: Game Description Language Specification" (2008).

pub mod environment;
pub mod explain;
pub mod game;
pub mod gdl;
pub mod ground;
pub mod information;
pub mod inspect;
mod lookup;
pub mod machine;
pub mod net;
pub mod numbering;
pub mod perft;
pub mod players;
pub mod program;
pub mod propagate;
pub mod prover;
pub mod random_games;
mod relation;
pub mod review;
pub mod scc;
pub mod term;
pub mod world;

pub use world::PropnetPlugins;
