//! The tests of the C++ headers.

mod generate;
mod headers;
