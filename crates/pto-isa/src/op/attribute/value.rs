//! The value of an attribute, compared with the kind and the words that its page lists.
//!
//! Only this code judges the kinds and words of attributes, for operations, functions and modules alike. Rules of
//! instructions apply to values of the right kind: they judge numbers, combinations and profiles.

use super::{AttributeKind, AttributeSpec, Spellings};
use crate::attribute::{Attribute, EnumSpelling, NamedAttribute};
use crate::diag::{Diagnostic, Span, nearest, suggest};
use crate::rules::attributes;

impl AttributeSpec {
    /// The finding about an attribute as written at `owner`, an operation or a `module`; `None` if its value is one that the page lists.
    pub fn judge(&self, owner: &str, written: &NamedAttribute) -> Option<Diagnostic> {
        let (key, value) = (&written.name, &written.value);
        let finding = match (self.kind, value) {
            (AttributeKind::Words(..), Attribute::Enum { name, value, spelling }) => {
                if !name.is_empty() && !self.enumerations().any(|(known, _)| known == name) {
                    self.wrong_enumeration(key, name)
                } else if self.has_word(name, value) {
                    return None;
                } else {
                    self.wrong_word(key, value, word_span(written, *spelling))
                }
            }
            (AttributeKind::Fields(known, _), Attribute::Enum { name, .. }) => {
                if name == known {
                    return None;
                }
                self.wrong_enumeration(key, name)
            }
            (AttributeKind::Strings(words), Attribute::String(word)) => {
                if words.contains(&word.as_str()) {
                    return None;
                }
                self.wrong_word(key, word, None)
            }
            (AttributeKind::Words(_, words), Attribute::Integer(number, _)) if self.spellings.numbered => {
                if usize::try_from(*number).is_ok_and(|number| number < words.len()) {
                    return None;
                }
                let message = format!(
                    "`{key}` has no word with the number {number}: it is one of {}",
                    words.join(", ")
                );
                Diagnostic::error(&attributes::WORD, message)
            }
            (kind, value) if kind.holds(value) => return None,
            (_, value) => {
                let message =
                    format!("`{key}` of `{owner}` takes {}, not {}", self.phrase(), value.describe());
                let error = Diagnostic::error(&attributes::KIND, message);
                match value {
                    // A word in quotation marks.
                    Attribute::String(word) if !key.contains('.') && written.span != Span::default() => {
                        let meant =
                            self.meant(word).map(|(name, word)| format!("{key} = #pto<{name} {word}>"));
                        let text = meant.clone().unwrap_or_else(|| self.example());
                        let error = error.with_help(format!("write `{text}`"));
                        meant.into_iter().fold(error, |error, text| error.with_edit(written.span, text))
                    }
                    _ => error.with_help(format!("write `{}`", self.example())),
                }
            }
        };
        Some(if written.span == Span::default() { finding } else { finding.at(written.span) })
    }

    /// The enumerations whose words the attribute accepts: name and words.
    fn enumerations(&self) -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        let own = match self.kind {
            AttributeKind::Words(name, words) => Some((name, words)),
            _ => None,
        };
        own.into_iter().chain(self.spellings.others.iter().copied())
    }

    /// Words of the enumeration `name`, or of all enumerations if `name` is empty.
    fn words_of(&self, name: &str) -> impl Iterator<Item = &'static str> {
        let named = self.enumerations().filter(move |(known, _)| name.is_empty() || *known == name);
        named.flat_map(|(_, words)| words.iter().copied())
    }

    /// Whether the enumeration `name` has a word, or any enumeration if `name` is empty.
    pub fn has_word(&self, name: &str, word: &str) -> bool {
        let Spellings { any_case, prefix, .. } = self.spellings;
        let same =
            |known: &str, word: &str| if any_case { known.eq_ignore_ascii_case(word) } else { known == word };
        let start = word.get(..prefix.len()).filter(|start| same(prefix, start));
        let inner = start.map_or(word, |_| &word[prefix.len()..]);
        self.words_of(name).any(|known| same(known, inner))
    }

    /// The enumeration and the word that a mistaken word means: itself, one that differs in capitals, one that ends in it, such as
    /// `PIPE_V` for `V` and `EVENT_ID0` for `0`, or the nearest one.
    pub fn meant(&self, word: &str) -> Option<(&'static str, String)> {
        let AttributeKind::Words(name, words) = self.kind else { return None };
        if self.has_word(name, word) {
            return Some((name, word.to_owned()));
        }
        if let Some((other, _)) = self.spellings.others.iter().find(|(_, words)| words.contains(&word)) {
            return Some((other, word.to_owned()));
        }
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let ends = |known: &str| {
            let at = known.len().checked_sub(word.len()).filter(|at| known.is_char_boundary(*at));
            let (start, end) = known.split_at(at.unwrap_or(known.len()));
            let is_whole =
                if is_number { start.ends_with(|c: char| !c.is_ascii_digit()) } else { start.ends_with('_') };
            is_whole && end.eq_ignore_ascii_case(word)
        };
        let known = words.iter().find(|known| known.eq_ignore_ascii_case(word));
        let known = known.or_else(|| words.iter().find(|known| ends(known))).copied();
        let known = known.or_else(|| nearest(word, words.iter().copied()))?;
        Some((name, known.to_owned()))
    }

    fn wrong_enumeration(&self, key: &str, name: &str) -> Diagnostic {
        let own = match self.kind {
            AttributeKind::Words(own, _) | AttributeKind::Fields(own, _) => own,
            _ => "",
        };
        let message = format!("`{key}` takes `#pto.{own}<...>`, not `#pto.{name}<...>`");
        Diagnostic::error(&attributes::WORD, message).with_help(format!("write `{}`", self.example()))
    }

    fn wrong_word(&self, key: &str, word: &str, span: Option<Span>) -> Diagnostic {
        let meaningless = self.spellings.without_meaning.contains(&word);
        let message = if meaningless {
            format!("`{word}` of `{key}` is a word of the dialect to which no page gives a meaning")
        } else {
            format!("`{key}` has no word `{word}`: it is one of {}", self.kind.describe())
        };
        let finding = Diagnostic::error(&attributes::WORD, message);
        if meaningless {
            return finding.with_help(format!("write one of {}", self.kind.describe()));
        }
        let listed = match self.kind {
            AttributeKind::Strings(words) => words,
            _ => &[],
        };
        let ending = self.meant(word).filter(|(_, known)| known.len() > word.len() && known.ends_with(word));
        if let Some((_, known)) = ending {
            let finding = finding.with_help(format!("did you mean `{known}`?"));
            return match span {
                Some(span) => finding.with_edit(span, known),
                None => finding,
            };
        }
        suggest(finding, span, word, self.words_of("").chain(listed.iter().copied()))
    }

    /// Phrase for the attribute's values in messages, such as "an integer".
    fn phrase(&self) -> String {
        match self.kind {
            AttributeKind::Words(_, words) => format!("a word ({})", words.join(", ")),
            AttributeKind::Strings(_) => format!("one of the strings {}", self.kind.describe()),
            AttributeKind::Fields(..) => format!("`{}`", self.kind.describe()),
            AttributeKind::Integer => "an integer".to_owned(),
            AttributeKind::Bool => "`true` or `false`".to_owned(),
            AttributeKind::Number => "a number".to_owned(),
            AttributeKind::Constant => "a constant".to_owned(),
            AttributeKind::String => "a string".to_owned(),
            AttributeKind::Symbol => "a symbol".to_owned(),
            AttributeKind::Integers => "a list of integers".to_owned(),
            AttributeKind::Unit => "no value".to_owned(),
        }
    }

    /// The attribute with an example value, such as `rmode = #pto<round_mode RINT>`.
    pub fn example(&self) -> String {
        let value = match self.kind {
            AttributeKind::Words(name, words) => {
                let word = self.default_value().map(|word| word.to_string());
                let first = words.first().copied().unwrap_or_default();
                format!("#pto<{name} {}>", word.as_deref().unwrap_or(first))
            }
            AttributeKind::Strings(words) => format!("\"{}\"", words.first().copied().unwrap_or_default()),
            AttributeKind::Fields(..) => self.kind.describe(),
            AttributeKind::Integer => match self.default_value() {
                Some(number) => format!("{number} : i32"),
                None => "1 : i32".to_owned(),
            },
            AttributeKind::Bool => "true".to_owned(),
            AttributeKind::Number | AttributeKind::Constant => "1.0 : f32".to_owned(),
            AttributeKind::String => "\"name\"".to_owned(),
            AttributeKind::Symbol => "@name".to_owned(),
            AttributeKind::Integers => "[1, 1]".to_owned(),
            AttributeKind::Unit => return self.name.to_owned(),
        };
        format!("{} = {value}", self.name)
    }
}

impl AttributeKind {
    /// Whether a value is of this kind; `false` for words of enumerations, strings and fields, which are checked
    /// separately.
    fn holds(self, value: &Attribute) -> bool {
        match self {
            AttributeKind::Words(..) | AttributeKind::Strings(_) | AttributeKind::Fields(..) => false,
            AttributeKind::Integer => matches!(value, Attribute::Integer(..)),
            AttributeKind::Bool => matches!(value, Attribute::Bool(_)),
            AttributeKind::Number => matches!(value, Attribute::Integer(..) | Attribute::Float(..)),
            AttributeKind::Constant => {
                use Attribute::*;
                matches!(value, Integer(..) | Float(..) | Bool(_) | Opaque(_))
            }
            AttributeKind::String => matches!(value, Attribute::String(_)),
            AttributeKind::Symbol => matches!(value, Attribute::Symbol(_)),
            AttributeKind::Integers => match value {
                Attribute::Array(list) => list.iter().all(|one| matches!(one, Attribute::Integer(..))),
                Attribute::Opaque(text) => text.starts_with("array<i"),
                _ => false,
            },
            AttributeKind::Unit => matches!(value, Attribute::Unit),
        }
    }
}

/// The span of an enumeration's word, if the attribute is nothing else: between angle brackets or without.
fn word_span(written: &NamedAttribute, spelling: EnumSpelling) -> Option<Span> {
    let Attribute::Enum { value, .. } = &written.value else { return None };
    let Span { start, end } = written.span;
    match (spelling, (end.checked_sub(start)?).checked_sub(value.len() as u32)?) {
        (EnumSpelling::Bare, 0) => Some(written.span),
        (EnumSpelling::Elided, 2) => Some(Span::new(start + 1, end - 1)),
        // The word is the last part of `key = #pto<name word>` and `#pto.name<word>`.
        (EnumSpelling::Dotted | EnumSpelling::Spaced, _) => {
            Some(Span::new(end - 1 - value.len() as u32, end - 1))
        }
        _ => None,
    }
}
