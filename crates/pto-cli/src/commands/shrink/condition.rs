//! Conditions on candidates.

use pto::data::DataError;

/// A condition.
pub(super) trait Condition {
    /// Whether a candidate fulfils it.
    ///
    /// # Errors
    /// If no candidate can be judged.
    fn holds(&mut self, text: &str) -> Result<bool, DataError>;

    /// Behaviour of the last candidate that failed the condition.
    fn reason(&self) -> String;
}
