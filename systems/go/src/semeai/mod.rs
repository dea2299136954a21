//! Capturing races.
