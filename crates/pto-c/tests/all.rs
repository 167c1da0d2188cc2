//! The tests of the C++ headers and of the library behind them, in one program.

mod announced;
mod generate;
mod header;
mod headers;
mod kernels;
mod lines;
mod outsiders;
mod ranks;
mod recorded;
mod run;
