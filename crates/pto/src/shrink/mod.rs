//! Shrinking: the smallest program that keeps a property, such as a finding or the failure of a tool.
//!
//! [`shrink`] takes a program and a [`Judge`], which decides whether a candidate still has the property. It applies
//! [`reductions()`] until none of them gives a smaller program with the property: it erases operations, inlines loops and
//! branches, replaces values by constants, makes shapes and numbers smaller. As in delta debugging, each reduction is
//! tried on many places at once, then on fewer, at last on each place alone. Every candidate is printed and parsed before
//! it is judged, and every accepted one has a smaller [`Size`], so shrinking ends. The result depends on the program and
//! the verdicts only.
//!
//! A text that does not parse, or loses the property when it is printed in canonical form, is shrunk as plain text: by
//! lines, then by words.
//!
//! ```
//! use pto::shrink::{Limits, shrink};
//!
//! let text = "func.func @f(%x: f32, %n: index) {
//!   %c0 = arith.constant 0 : index
//!   %c1 = arith.constant 1 : index
//!   %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
//!   scf.for %i = %c0 to %n step %c1 {
//!     pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
//!     pto.barrier <PIPE_V>
//!   }
//!   return
//! }";
//! let shrunk = shrink(text, &Limits::default(), &mut |text: &str| text.contains("pto.barrier")).unwrap();
//! assert_eq!(shrunk.text, "func.func @f() {\n  pto.barrier <PIPE_V>\n  return\n}\n");
//! assert!(shrunk.is_minimal());
//! ```

mod lines;
mod reductions;
mod search;
mod size;

pub use size::Size;

use std::fmt;

/// Decides whether candidates have the property that shrinking keeps.
///
/// A closure from text to verdict is a judge.
pub trait Judge {
    /// Whether a candidate has the property. Called with the original first.
    fn is_interesting(&mut self, text: &str) -> bool;

    /// Whether to stop with the best program so far; asked before each candidate.
    fn must_stop(&mut self) -> bool {
        false
    }

    /// Reports progress, after each candidate.
    fn tried(&mut self, progress: &Progress<'_>) {
        let _ = progress;
    }
}

impl<F: FnMut(&str) -> bool> Judge for F {
    fn is_interesting(&mut self, text: &str) -> bool {
        self(text)
    }
}

/// The state after a candidate.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The smallest program so far.
    pub best: &'a str,
    /// Size of the program in `best`.
    pub size: Size,
    /// Number of judged candidates, including the original.
    pub tries: u64,
    /// Whether the last candidate became the smallest program.
    pub improved: bool,
}

/// Bounds of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Maximum number of candidates that are judged, the original included.
    pub max_tries: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_tries: 100_000 }
    }
}

impl Limits {
    /// Sets [`Limits::max_tries`].
    pub fn max_tries(self, max_tries: u64) -> Limits {
        Limits { max_tries }
    }
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// No reduction, applied at one place, keeps the property.
    Minimal,
    /// [`Limits::max_tries`] was reached.
    Tries,
    /// [`Judge::must_stop`] returned true.
    Stopped,
}

/// Material of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// Parsed programs.
    Program,
    /// Lines and words of plain text.
    Text,
}

/// The result of [`shrink`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shrunk {
    /// The smallest text that has the property.
    pub text: String,
    /// Material of the candidates.
    pub mode: Mode,
    /// Size of the original.
    pub from: Size,
    /// Size of the result.
    pub to: Size,
    /// Candidates that were judged, the original included.
    pub tries: u64,
    /// Accepted candidates of each reduction that had any, in the order of [`reductions()`].
    pub accepted: Vec<(&'static str, u64)>,
    /// Why the search ended.
    pub end: End,
}

impl Shrunk {
    /// Whether no reduction, applied at one place, gives a smaller program with the property.
    pub fn is_minimal(&self) -> bool {
        self.end == End::Minimal
    }
}

/// The original does not have the property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInteresting;

impl fmt::Display for NotInteresting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the program does not fulfil the condition, so there is nothing to keep")
    }
}

impl std::error::Error for NotInteresting {}

/// Finds a small text for which the judge returns true.
///
/// # Errors
/// If it returns false for the original.
pub fn shrink(text: &str, limits: &Limits, judge: &mut dyn Judge) -> Result<Shrunk, NotInteresting> {
    let mut search = search::Search::of(text, limits, judge)?;
    let end = match search.is_program() {
        true => search.by(&reductions::all()),
        false => lines::reduce(&mut search),
    };
    Ok(search.finish(end))
}

/// A reduction as users see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// Name of the reduction.
    pub name: &'static str,
    /// Action of the reduction, as a clause without a subject.
    pub does: &'static str,
}

/// The reductions of programs, in the order in which they are tried.
pub fn reductions() -> Vec<Description> {
    reductions::all()
        .iter()
        .map(|reduction| Description { name: reduction.name(), does: reduction.does() })
        .collect()
}

#[cfg(test)]
mod tests;
