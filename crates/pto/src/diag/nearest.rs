//! The known name nearest to a mistyped one.

use super::{Diagnostic, Span};

/// The candidate with the smallest edit distance, if that is small relative to the length of the word.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    nearest_all(word, candidates).first().copied()
}

/// The candidates with the smallest edit distance, each once, if that is small relative to the length of the word.
fn nearest_all<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    if word.len() > 64 {
        return Vec::new();
    }
    let limit = (word.len() / 3).clamp(1, 3);
    let (mut best, mut found) = (limit * EDIT, Vec::new());
    for candidate in candidates.filter(|candidate| candidate.len().abs_diff(word.len()) <= limit) {
        let score = distance(word.as_bytes(), candidate.as_bytes());
        if score < best {
            (best, found) = (score, Vec::new());
        }
        if score == best && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// Adds to a finding on a mistyped word the names that may be meant; and the replacement of the word, written at
/// `span`, if there is only one. A value whose name differs in a number is another value,
/// so it is no replacement.
pub(crate) fn suggest<'a>(
    mut finding: Diagnostic,
    span: Option<Span>,
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Diagnostic {
    const MOST: usize = 3;
    let near = nearest_all(word, candidates);
    let names: Vec<String> = near.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if !names.is_empty() {
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

/// Cost of one insertion, deletion or substitution.
const EDIT: usize = 2;
/// Cost of a likely slip: two neighbours exchanged, or a letter doubled or not doubled.
const SLIP: usize = 1;

/// Edit distance, in units of half an edit.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let skip = |word: &[u8], at: usize| if at > 0 && word[at] == word[at - 1] { SLIP } else { EDIT };
    let mut first = vec![0];
    for at in 0..b.len() {
        first.push(first[at] + skip(b, at));
    }
    // The rows of the last two prefixes of `a`.
    let (mut before, mut row) = (Vec::new(), first);
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![row[0] + skip(a, i)];
        for (j, y) in b.iter().enumerate() {
            let substituted = row[j] + if x == y { 0 } else { EDIT };
            let mut score = substituted.min(row[j + 1] + skip(a, i)).min(next[j] + skip(b, j));
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                score = score.min(before[j - 1] + SLIP);
            }
            next.push(score);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        let names = ["tadd", "tadds", "tconcat"];
        assert_eq!(nearest("tcocnat", names.into_iter()), Some("tconcat"));
        assert_eq!(nearest("tad", names.into_iter()), Some("tadd"));
        assert_eq!(nearest("matmul", names.into_iter()), None);
        assert_eq!(nearest("tmlus", ["tmul", "tmuls"].into_iter()), Some("tmuls"), "an exchange is a slip");
        assert_eq!(nearest("taddd", ["tadds", "tadd"].into_iter()), Some("tadd"), "so is a doubled letter");
    }
}
