//! Game records in SGF.
