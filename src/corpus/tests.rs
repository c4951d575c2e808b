//! A corpus from end to end.
