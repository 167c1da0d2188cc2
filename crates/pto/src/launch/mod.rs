//! A launch as data: the function, the number of blocks and ranks, the arguments with their sources, the order of execution,
//! the watchers.
//!
//! A [`Spec`] describes a launch, for flags, manifests, comments of programs and keywords alike. [`Spec::prepare`] makes the
//! arguments for a program, [`Launch::run`] runs it, and the result is a [`Report`]. All front ends call these
//! functions, so that a launch means the same in each of them. Nothing here opens files: they come through
//! [`Files`](crate::data::Files).
//!
//! ```
//! use pto::data::NoFiles;
//! use pto::launch::Spec;
//!
//! let text = "func.func @one(%x: !pto.ptr<i32>, %n: i32) {
//!   %c0 = arith.constant 0 : index
//!   pto.store_scalar %n, %x[%c0] : !pto.ptr<i32>, i32
//!   return
//! }";
//! let checked = pto::check(pto::parse(text).expect("well-formed text").module, None).expect("a legal program");
//! let program = pto::Program::decode(&checked, None).expect("a program that runs");
//! let inputs = vec![("x".into(), "zeros:4".into()), ("n".into(), "7".into())];
//! let spec = Spec { inputs, ..Spec::default() };
//! let mut report = spec.prepare(&program, &NoFiles)?.run(&mut [])?;
//! assert_eq!(report.results()?[0].array.full(), "[7 0 0 0]");
//! # Ok::<(), pto::data::Failure>(())
//! ```

pub mod live;

mod lints;
mod prepared;
mod report;
mod spec;
#[cfg(test)]
mod tests;
mod words;
#[cfg(feature = "serde")]
mod written;

pub use lints::{lints, unfit};
pub use prepared::Launch;
pub use pto_machine::observe::is_found;
pub use report::{ArgumentResult, RankArgument, Report};
pub use spec::{ArgumentSource, Missing, Spec};
pub use words::Word;
