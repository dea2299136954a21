//! Says when the games of a vector environment start again. A vector environment plays many games at once.

/// When a finished game starts again. The names are those of Gymnasium.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autoreset {
    /// The next step starts the game again. That step ignores the action, and its reward is 0.
    #[default]
    NextStep,
    /// The game starts again at once: the step that ends a game shows the start of the next one.
    SameStep,
    /// Only a reset starts the game again.
    Disabled,
}
