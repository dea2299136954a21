//! The players of `tengen-propnet` behind [`Player`](super::Player).
