//! Words of the language other than operations, as data: keywords, types and their parameters, attributes of modules
//! and functions, pipes, concepts.
//!
//! A [`Chapter`] groups the words and the operations of one subject. `pto explain WORD` and the pages in
//! `docs/language` print this data; operations have pages of their own in the registry. Tests compare the words with
//! those of the parser and the tables of the instruction set, so a new word without an entry fails.

mod control;
mod elements;
mod layouts;
mod program;
mod queues;
mod ranks;
mod runs;
mod sync;
mod tiles;
mod types;
mod views;

use super::op::{Page, Set};
use super::registry::Op;

/// A word of the language.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The word as programs spell it, or the name of a concept.
    pub name: &'static str,
    /// Other spellings, and other names of the concept.
    pub aliases: &'static [&'static str],
    /// Meaning of the word, in one sentence.
    pub summary: &'static str,
    /// Further sentences; may be empty.
    pub text: &'static str,
    /// Lines of example syntax; empty for concepts.
    pub syntax: &'static [&'static str],
    /// The program in `examples/language` or `examples/instructions` that uses it, without `.pto`; may be empty.
    pub example: &'static str,
    /// Related words, operations and rules.
    pub see: &'static [&'static str],
}

/// One subject of the language.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// File name of the chapter's page, without `.md`.
    pub name: &'static str,
    /// Title of the chapter's page.
    pub title: &'static str,
    /// Text of the chapter, a paragraph per entry.
    pub intro: &'static [&'static str],
    /// Words of the chapter, in the order of explanation.
    pub words: &'static [Word],
    /// Sets whose operations all belong to the chapter, except operations that another chapter lists.
    pub sets: &'static [Set],
    /// Operations of other sets.
    pub operations: &'static [Op],
}

/// A word without further parts.
const fn word(name: &'static str, summary: &'static str) -> Word {
    Word { name, aliases: &[], summary, text: "", syntax: &[], example: "", see: &[] }
}

impl Word {
    /// Sets other spellings.
    const fn or(self, aliases: &'static [&'static str]) -> Word {
        Word { aliases, ..self }
    }

    /// Sets further sentences.
    const fn more(self, text: &'static str) -> Word {
        Word { text, ..self }
    }

    /// Sets the lines that show how it is written.
    const fn spelled(self, syntax: &'static [&'static str]) -> Word {
        Word { syntax, ..self }
    }

    /// Sets the example.
    const fn shown(self, example: &'static str) -> Word {
        Word { example, ..self }
    }

    /// Sets related words.
    const fn see(self, see: &'static [&'static str]) -> Word {
        Word { see, ..self }
    }

    /// The name, then the aliases.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl Chapter {
    /// The operations of the chapter, in the order of the handles.
    pub fn operations(&self) -> impl Iterator<Item = Op> {
        Op::all().filter(|op| chapter_of(*op).is_some_and(|chapter| chapter.name == self.name))
    }
}

/// The chapters, in the order of explanation.
pub fn chapters() -> &'static [Chapter] {
    const CHAPTERS: &[Chapter] = &[
        program::CHAPTER,
        types::CHAPTER,
        elements::CHAPTER,
        tiles::CHAPTER,
        layouts::CHAPTER,
        views::CHAPTER,
        control::CHAPTER,
        sync::CHAPTER,
        queues::CHAPTER,
        ranks::CHAPTER,
        runs::CHAPTER,
    ];
    CHAPTERS
}

/// Every word, by chapter.
pub fn words() -> impl Iterator<Item = &'static Word> {
    chapters().iter().flat_map(|chapter| chapter.words)
}

/// Chapter of an operation: the chapter that lists it, else the chapter of its set. `None` for compute instructions,
/// which `docs/instructions.md` lists.
pub fn chapter_of(op: Op) -> Option<&'static Chapter> {
    let Page { set, .. } = op.page();
    let listed = chapters().iter().find(|chapter| chapter.operations.contains(&op));
    listed.or_else(|| chapters().iter().find(|chapter| chapter.sets.contains(set)))
}

/// Finds a word by its spelling in any case: as listed, with other signs between the words of a concept, or with or
/// without sigils and the prefix of the dialect, such as `!pto.tile_buf`, `#pto.kernel_kind` and
/// `%__pypto_spmd_block_idx`.
pub fn find(spelling: &str) -> Option<&'static Word> {
    let spelling = spelling.trim().trim_matches('`');
    let listed = words().find(|word| word.names().any(|name| name.eq_ignore_ascii_case(spelling)));
    let same = |name: &str| !name.starts_with('!') && bare(name).eq_ignore_ascii_case(bare(spelling));
    // `valid_region` and `valid-region` are the concept `valid region`.
    let spaced = spelling.replace(['_', '-'], " ");
    let concept = |word: &&Word| word.names().any(|name| name.eq_ignore_ascii_case(&spaced));
    listed.or_else(|| words().find(|word| word.names().any(same))).or_else(|| words().find(concept))
}

/// A spelling without quotes, sigils, brackets and the prefix of the dialect.
pub fn bare(spelling: &str) -> &str {
    let quoted = |c: char| c == '`' || c == '"' || c.is_whitespace();
    let word = spelling.trim_matches(quoted).trim_start_matches(['!', '#', '%', '@', '^', '<']);
    let word = word.split(['<', '>', '=', '(']).next().unwrap_or(word).trim();
    match word.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("pto.") => &word[4..],
        _ => word,
    }
}
