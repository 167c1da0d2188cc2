//! The known name nearest to a mistyped one.

use super::{Diagnostic, Span};

/// The candidate with the smallest edit distance, if that is small relative to the length of the word.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    nearest_all(word, candidates).first().copied()
}

/// The candidates with the smallest edit distance, each once, if that is small relative to the length of the word.
fn nearest_all<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    if word.len() > LONGEST {
        return Vec::new();
    }
    let limit = (word.len() / 3).clamp(1, MOST_EDITS);
    // A word of one letter with another letter is another word.
    let most = if word.len() == 1 { SLIP } else { limit * EDIT };
    let (mut best, mut found) = (most, Vec::new());
    for candidate in candidates.filter(|candidate| candidate.len().abs_diff(word.len()) <= limit) {
        let score = distance(word.as_bytes(), candidate.as_bytes(), best);
        if score < best {
            (best, found) = (score, Vec::new());
        }
        if score == best && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// Adds to a finding on a mistyped word the names that may be meant, unless many are equally near. If there is only
/// one name, also adds a fix that replaces the word at `span`. A value (`%...`) gets no fix from a name that differs
/// in digits only: it is a different value.
pub fn suggest<'a>(
    mut finding: Diagnostic,
    span: Option<Span>,
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    const MOST: usize = 3;
    let near = nearest_all(word, candidates);
    let names: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    if (1..=MOST).contains(&names.len()) {
        finding = finding.with_help(format!("did you mean {}?", names.join(" or ")));
    }
    let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    if let (&[only], Some(span)) = (near.as_slice(), span)
        && !(word.starts_with('%') && letters(only) == letters(word))
    {
        finding = finding.with_edit(span, only);
    }
    finding
}

/// Longest word for which names are suggested, in bytes.
const LONGEST: usize = 64;
/// Maximum number of edits between a word and a suggestion.
const MOST_EDITS: usize = 3;
/// Longest name that can be suggested, in bytes.
const MOST_LETTERS: usize = LONGEST + MOST_EDITS;

/// Cost of one insertion, deletion or substitution.
const EDIT: usize = 2;
/// Cost of a likely slip: two neighbours exchanged, or a letter doubled or not doubled.
const SLIP: usize = 1;

/// Edit distance of words of at most `LONGEST` and `MOST_LETTERS` bytes, in units of half an edit; some number above
/// `most` if it is greater than that.
///
/// A long text may have many mistyped words, each of which is compared with every name: nothing is allocated here.
pub fn distance(a: &[u8], b: &[u8], most: usize) -> usize {
    let skip = |word: &[u8], at: usize| if at > 0 && word[at] == word[at - 1] { SLIP } else { EDIT };
    // The rows of the last two prefixes of `a`, and the next one.
    let [mut before, mut row, mut next] = [[0; MOST_LETTERS + 1]; 3];
    for at in 0..b.len() {
        row[at + 1] = row[at] + skip(b, at);
    }
    for (i, x) in a.iter().enumerate() {
        next[0] = row[0] + skip(a, i);
        let mut least = next[0];
        for (j, y) in b.iter().enumerate() {
            let substituted = row[j] + if x == y { 0 } else { EDIT };
            let mut score = substituted.min(row[j + 1] + skip(a, i)).min(next[j] + skip(b, j));
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                score = score.min(before[j - 1] + SLIP);
            }
            next[j + 1] = score;
            least = least.min(score);
        }
        // An exchange reaches back to the row before this one, at the cost of a slip.
        if least > most + EDIT {
            return least;
        }
        (before, row, next) = (row, next, before);
    }
    row[b.len()]
}
