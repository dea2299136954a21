//! The key stack as a detector. It walks back over the keys at every query.
//!
//! # Source
//! Bruce Moreland, *Repetition Detection* (2001): "a first-in last-out stack of keys in the current line, plus keys
//! from the game history". The stack itself is [`Line`].
//!
//! # Cost
//! One comparison for every two plies since the last irreversible move.

use super::detect::{Detect, OpenMarks};
use crate::history::Line;
use std::sync::Arc;

/// The key stack alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyStack;

impl Detect for KeyStack {
    fn new(_marks: &Arc<dyn OpenMarks>, _owner: usize) -> Self {
        Self
    }

    fn begin(&mut self, _line: &Line) {}

    #[inline]
    fn draw(&mut self, line: &Line) -> Option<i16> {
        line.repetition()
    }

    #[inline]
    fn enter(&mut self, _line: &Line) {}

    #[inline]
    fn leave(&mut self, _line: &Line) {}
}
