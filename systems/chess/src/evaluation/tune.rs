//! Tuning of the weights.
