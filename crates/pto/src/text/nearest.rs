//! The known name nearest to a mistyped one.

/// The candidate with the smallest edit distance, if that is small relative to the length of the word.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let limit = (word.len() / 3).clamp(1, 3);
    let scored = candidates.filter(|candidate| candidate.len().abs_diff(word.len()) <= limit);
    let scored = scored.map(|candidate| (distance(word.as_bytes(), candidate.as_bytes()), candidate));
    scored
        .filter(|(score, _)| *score <= limit)
        .min_by_key(|(score, _)| *score)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein distance.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + (x != y) as usize;
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
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
    }
}
