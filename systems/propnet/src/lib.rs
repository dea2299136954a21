//! General game playing for Tengen: rulesheets in the Game Description Language, compiled to propositional networks,
//! propagated many ways, and played.
//!
//! The pipeline, one module each:
//!
//! 1. [`gdl`] reads and checks a rulesheet;
//! 2. [`program`] turns it into clauses over numbered predicates, [`term`] holds the ground terms;
//! 3. [`review`] finds everything that is wrong with it, from the text to random games;
//! 4. [`prover`] answers questions about a state straight from the clauses (the oracle, and the fallback);
//!
//! Terms: S. Draper and A. Rose, "Propnet basics" (2014); M. Genesereth and M. Thielscher, "General Game Playing"
//! (2014); N. Love et al., "General Game Playing: Game Description Language Specification" (2008).

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
pub mod term;
