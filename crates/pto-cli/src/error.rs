//! What can be wrong with data that the user named.

use std::fmt;

/// Something wrong with a file, a value or a flag that the user gave: what, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// What is wrong, naming the file or the flag.
    pub message: String,
    /// What to do, if that is known.
    pub help: Option<String>,
    /// Whether the command was misused: a flag, an argument or a path that cannot be meant. Else data was found wrong.
    pub misuse: bool,
}

impl DataError {
    /// An error that says what is wrong.
    pub fn new(message: impl Into<String>) -> DataError {
        DataError { message: message.into(), help: None, misuse: false }
    }

    /// An error of whoever wrote the command: says what cannot be meant.
    pub fn misuse(message: impl Into<String>) -> DataError {
        DataError { misuse: true, ..DataError::new(message) }
    }

    /// Adds what to do about the error.
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

/// `text` cut to at most `limit` characters, with `...` where something was cut.
///
/// Messages quote what the user wrote; a quote of a megabyte helps nobody.
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
