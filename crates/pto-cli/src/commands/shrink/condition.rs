//! What a candidate must fulfil.

use pto::data::DataError;

/// A condition.
pub(super) trait Condition {
    /// Whether a candidate fulfils it.
    ///
    /// # Errors
    /// If no candidate can be judged.
    fn holds(&mut self, text: &str) -> Result<bool, DataError>;

    /// What the last candidate did instead.
    fn reason(&self) -> String;
}
