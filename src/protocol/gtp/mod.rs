//! The Go Text Protocol, version 2, and GNU Go's analysis commands.
