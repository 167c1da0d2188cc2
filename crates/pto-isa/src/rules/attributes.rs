//! Rules of attributes: their keys, and the kinds and words of their values.

use crate::profile::Profile;
use crate::rule::{Rule, Severity, Weight};

const ATTRIBUTES: &str = "include/PTO/IR/PTOAttrs.td of the public assembler";
const SHELL: &str = "https://mlir.llvm.org/docs/LangRef";

/// An error where a known key is probably meant, else a lint.
const ERROR_OR_LINT: &[Weight] = &[(Severity::Error, &Profile::ALL), (Severity::Lint, &Profile::ALL)];

family! {
    /// A value of another kind.
    KIND = Rule::of("", "attribute-kind",
        "The value of an attribute has the kind that its page lists: a word, a number, a string, a list.", ATTRIBUTES)
        .because("A value of another kind does not parse in MLIR; if it were ignored, the default would hold instead.")
        .instead("Write the value as the help shows it.");

    /// An unknown word.
    WORD = Rule::of("", "attribute-word",
        "The word of an attribute belongs to the attribute's enumeration, and is written with the name of the enumeration.", ATTRIBUTES)
        .because("An unknown word has no meaning, and the default would hold instead.")
        .instead("Write one of the words that the message lists.");

    /// An attribute with a place in the syntax that is not written.
    MISSING = Rule::of("", "attribute-missing",
        "The generic form has every attribute for which the operation's own syntax has a place.", ATTRIBUTES)
        .because("Without the attribute the operation has no meaning, and cannot be written in its own syntax.")
        .instead("Write the attribute that the message names.");

    /// A key that the page does not list.
    UNKNOWN = Rule::of("", "unknown-attribute",
        "An operation has only attributes that its page lists; keys with a dot belong to other tools.", SHELL)
        .because("An unknown attribute is ignored; if its name is misspelt, the default of the intended attribute holds.")
        .instead("Write an attribute that `pto explain` lists for the operation, or remove it.")
        .weighing(ERROR_OR_LINT);
}
