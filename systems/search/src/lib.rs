//! The job scheduler for parallel node expansion. Knows no game.
