//! The General Game Playing protocol over HTTP, player and game manager.
