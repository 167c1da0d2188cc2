//! The tests of the typed API, in one program.

mod generate;
mod methods;
mod moves;
