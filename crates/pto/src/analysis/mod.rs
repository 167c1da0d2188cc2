//! What can be said of a program from its text alone.

mod storage;

pub(crate) use storage::Storage;
