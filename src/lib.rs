//! Tengen.
