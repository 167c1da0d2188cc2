//! The tests of the C++ headers and of the library behind them, in one program.

mod generate;
mod headers;
mod lines;
