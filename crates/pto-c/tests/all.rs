//! The tests of the library behind the C++ headers, in one program.

mod lines;
