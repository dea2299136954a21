//! When the games of a vector environment start again.

/// When a game that ended starts again, by Gymnasium's names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// By the step after: its action is ignored, its reward 0.
    #[default]
    NextStep,
    /// At once: the step that ends a game shows the start of the next.
    SameStep,
    /// Not before a reset.
    Disabled,
}
