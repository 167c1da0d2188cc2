//! Diagnostics as text for a terminal, as JSON, and in the formats of CI systems: SARIF, commands of GitHub Actions, JUnit.
//!
//! Lines and columns count from 1; a column is a character. Unusual spans (past the end, inside a character, over many
//! lines, on a line of a megabyte) are clipped to a readable size.

mod authored;
mod github;
mod junit;
mod position;
mod sarif;
mod shorten;
mod teach;
mod text;
mod waits;

pub use authored::{Authored, all_authored, authored, authored_at, place_in_words};
pub use github::to_github;
pub use junit::to_junit;
pub use position::{Joined, Position, SourceText};
pub use sarif::to_sarif;
pub use teach::{explained, for_reading};
pub use text::to_text;

#[cfg(test)]
mod tests;
