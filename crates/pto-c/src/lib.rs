//! The library behind the C++ headers in `cpp/include`.

pub mod lines;
