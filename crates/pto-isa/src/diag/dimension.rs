//! Dimensions of views in messages: rows and columns of a matrix, elements of a line, indices of more dimensions.

fn word(dimension: usize, rank: usize) -> Option<&'static str> {
    match (rank, dimension) {
        (2, 0) => Some("row"),
        (2, 1) => Some("column"),
        (1, _) => Some("element"),
        _ => None,
    }
}

/// `rows 40 to 47`.
pub fn range(dimension: usize, rank: usize, first: u64, size: u64) -> String {
    let last = first.saturating_add(size).saturating_sub(1);
    match word(dimension, rank) {
        Some(word) => format!("{word}s {first} to {last}"),
        None => format!("indices {first} to {last} of dimension {dimension}"),
    }
}

/// `row 47`.
pub fn index(dimension: usize, rank: usize, index: u64) -> String {
    match word(dimension, rank) {
        Some(word) => format!("{word} {index}"),
        None => format!("index {index} of dimension {dimension}"),
    }
}

/// `40 rows`, after "has".
pub fn extent(dimension: usize, rank: usize, extent: u64) -> String {
    match word(dimension, rank) {
        Some(word) => format!("{extent} {word}{}", if extent == 1 { "" } else { "s" }),
        None => format!("extent {extent} there"),
    }
}
