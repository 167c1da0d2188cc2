//! The tests of the C++ headers and of their library, in one program.

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
