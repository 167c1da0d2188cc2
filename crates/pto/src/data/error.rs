//! Errors in data that the user named.

use std::fmt;

/// An error in a file, a value or a flag that the user gave, with an optional remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The error; names the file or the flag.
    pub message: String,
    /// The remedy, if known.
    pub help: Option<String>,
    /// Whether the command was used wrongly (a flag, an argument or a path); else the data is wrong.
    pub misuse: bool,
    /// The number of the argument whose contents are wrong, if it is about one.
    pub argument: Option<usize>,
}

impl DataError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> DataError {
        DataError { message: message.into(), help: None, misuse: false, argument: None }
    }

    /// An error in the use of the command.
    pub fn misuse(message: impl Into<String>) -> DataError {
        DataError { misuse: true, ..DataError::new(message) }
    }

    /// Says which argument of the kernel the error is about.
    pub fn of_argument(self, argument: usize) -> DataError {
        DataError { argument: Some(argument), ..self }
    }

    /// Adds a remedy.
    pub fn with_help(mut self, help: impl Into<String>) -> DataError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DataError {}

/// `text` cut to at most `limit` characters, with `...` if it was cut.
///
/// Messages quote user input, which may be long.
pub fn clip(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_follows_the_message() {
        let error = DataError::new("x.npy holds f64").with_help("convert it");
        assert_eq!(error.to_string(), "x.npy holds f64\nhelp: convert it");
    }

    #[test]
    fn a_clip_ends_on_a_character() {
        assert_eq!(clip("aéb", 2), "aé...");
        assert_eq!(clip("aéb", 3), "aéb");
    }
}
