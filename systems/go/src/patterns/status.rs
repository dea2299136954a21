//! The statuses of dragons as the numbers that constraints use.

/// The matcher status of a dead dragon.
pub const DEAD: i32 = 0;
/// The matcher status of a living dragon.
pub const ALIVE: i32 = 1;
/// The matcher status of a dragon whose life depends on who moves first.
pub const CRITICAL: i32 = 2;
/// That of one of which this is not known.
pub const UNKNOWN: i32 = 3;
