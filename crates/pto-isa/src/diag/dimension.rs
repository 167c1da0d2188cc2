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

/// A dimension in which a partition ends beyond its view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    /// The dimension, from the outermost.
    pub dimension: usize,
    /// The index after the last one of the partition.
    pub end: u64,
    /// The extent of the view, in elements.
    pub extent: u64,
}

/// The message on a partition that ends beyond a view with `rank` dimensions.
pub fn beyond(partition: &str, view: &str, rank: usize, excess: Excess) -> String {
    let Excess { dimension, end, extent } = excess;
    format!(
        "{partition} ends with {}, but `%{view}` has {}: elements beyond belong to another row, or to none",
        index(dimension, rank, end.saturating_sub(1)),
        self::extent(dimension, rank, extent)
    )
}
