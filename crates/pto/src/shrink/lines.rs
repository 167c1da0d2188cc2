//! Delta debugging of plain text: lines, then words.

use super::End;
use super::search::Search;

/// Removes lines, then words, until no single one can be removed.
pub(super) fn reduce(search: &mut Search<'_>) -> End {
    loop {
        let round = [("lines", lines as fn(&str) -> Vec<&str>), ("words", words)]
            .into_iter()
            .try_fold(false, |changed, (what, split)| Ok(reduce_by(search, what, split)? | changed));
        match round {
            Ok(true) => {}
            Ok(false) => return End::Minimal,
            Err(end) => return end,
        }
    }
}

fn reduce_by(search: &mut Search<'_>, what: &'static str, split: fn(&str) -> Vec<&str>) -> Result<bool, End> {
    let mut changed = false;
    let mut size = split(search.text()).len();
    while size > 0 {
        let mut to = split(search.text()).len();
        while to > 0 {
            let parts = split(search.text());
            let from = to.saturating_sub(size);
            let text = [&parts[..from], &parts[to.min(parts.len())..]].concat().concat();
            changed |= search.try_text(text, what)?;
            to = from;
        }
        size /= 2;
    }
    Ok(changed)
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Splits a text into words and other single characters, each with the blanks after it. Removing a word never joins its
/// neighbours.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let blanks = rest[length..].find(|c: char| !c.is_whitespace()).unwrap_or(rest.len() - length);
        let (word, after) = rest.split_at(length + blanks);
        words.push(word);
        rest = after;
    }
    words
}
