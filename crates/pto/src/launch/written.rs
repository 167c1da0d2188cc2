//! Fields of a launch as files spell them: choices and watchers as words, inputs as an object of texts.

use super::{ArgumentSource, Word};
use crate::data::{Given, Source};
use pto_isa::watcher::{Watcher, Watchers};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Error as _, Serialize, Serializer};
use std::collections::BTreeMap;

/// The choice with a name.
fn named<T: Word, E: Error>(word: &str) -> Result<T, E> {
    T::of_word(word).ok_or_else(|| {
        let words: Vec<_> = T::WORDS.iter().map(|(word, ..)| format!("`{word}`")).collect();
        E::custom(format_args!("`{word}` is none of {}", words.join(", ")))
    })
}

/// A choice as its name.
pub(super) mod choice {
    use super::*;

    pub(crate) fn serialize<S: Serializer, T: Word>(choice: &T, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(choice.word())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Word>(from: D) -> Result<T, D::Error> {
        named(&String::deserialize(from)?)
    }
}

/// A choice as its name, or none.
pub(super) mod optional {
    use super::*;

    pub(crate) fn serialize<S: Serializer, T: Word>(choice: &Option<T>, to: S) -> Result<S::Ok, S::Error> {
        choice.map(T::word).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Word>(from: D) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(from)?.map(|word| named(&word)).transpose()
    }
}

/// Watchers as a list of words, `all` among them.
pub(super) mod watchers {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(watchers: &Watchers, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(Watcher::ALL.into_iter().filter(|one| watchers.has(*one)).map(Watcher::word))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Watchers, D::Error> {
        let words = Vec::<String>::deserialize(from)?;
        Watchers::named(words.iter().map(String::as_str))
            .map_err(|word| D::Error::custom(format_args!("`{word}` is no watcher")))
    }
}

/// Serializes inputs as an object: the source of each argument. Contents without a text form cannot be written.
pub(super) mod inputs {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        inputs: &[(String, ArgumentSource)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let text = |source: &ArgumentSource| match source {
            ArgumentSource::Text(text) | ArgumentSource::Known(Given::Source(Source::Scalar(text))) => {
                Ok(text.clone())
            }
            ArgumentSource::Known(_) => Err(S::Error::custom("contents of an argument that are no text")),
        };
        let texts = inputs.iter().map(|(name, source)| Ok((name, text(source)?)));
        to.collect_map(texts.collect::<Result<Vec<_>, _>>()?)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(String, ArgumentSource)>, D::Error> {
        let texts = BTreeMap::<String, String>::deserialize(from)?;
        Ok(texts.into_iter().map(|(name, text)| (name, ArgumentSource::Text(text))).collect())
    }
}
