//! The bytes of an operand that an effect covers.

/// A number of rows or of columns of a tile, in elements. A role names another tile of the same use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Count {
    /// The rows or columns of the tile's own valid region.
    Valid,
    /// All declared rows or columns of the tile.
    Declared,
    /// A fixed number.
    Fixed(u32),
    /// The valid rows of another tile.
    Rows(&'static str),
    /// The valid columns of another tile.
    Cols(&'static str),
    /// Half the valid rows of another tile.
    HalfRows(&'static str),
    /// Half the valid columns of another tile.
    HalfCols(&'static str),
    /// The declared rows of another tile.
    DeclaredRows(&'static str),
    /// The declared columns of another tile.
    DeclaredCols(&'static str),
    /// The valid columns of another tile, rounded up to a multiple, at most the declared ones.
    Blocks(&'static str, u32),
    /// The tile's own valid rows or columns, rounded up to a multiple, at most the declared ones.
    RoundedUp(u32),
    /// The valid rows of another tile, rounded up to a multiple.
    RoundedRows(&'static str, u32),
    /// The valid columns of another tile, rounded up to a multiple.
    RoundedCols(&'static str, u32),
    /// The sum of the valid columns of two other tiles, at most the declared ones.
    ColsOfBoth(&'static str, &'static str),
    /// The tile's own valid rows or columns, at most the valid rows of another tile.
    SharedRows(&'static str),
    /// The tile's own valid rows or columns, at most the valid columns of another tile.
    SharedCols(&'static str),
}

/// The accessed bytes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Extent {
    /// Rows x columns of a tile, from its first element.
    Rect(Count, Count),
    /// Rows x columns of a tile; the operands in the two roles give the first row and column, 0 if a use lacks
    /// them.
    Window(Count, Count, [&'static str; 2]),
    /// One bit per valid element of another tile; each row starts at a new byte.
    Bits(&'static str),
    /// The first elements of a tile in memory order; the count refers to another tile.
    Leading(Count),
    /// All bytes of the storage of a tile or convolution tile.
    Storage,
    /// This number of bytes after the storage of a tile.
    Behind(u32),
    /// One element of a tile; the operand in this role is its index in memory order.
    Element(&'static str),
    /// A whole view.
    View,
    /// Contiguous elements from the first one of a view, as many as the view has.
    Flat,
    /// The part of a view that the valid region of another tile covers.
    Covered(&'static str),
    /// The elements that a transfer between this operand and the operand in the role moves; see
    /// [`Transfer`](crate::op::memory::moved::Transfer).
    Moved(&'static str),
    /// The element at a pointer plus the offset in this role, in elements.
    Pointed(&'static str),
}

impl Extent {
    /// The valid region of a tile.
    pub const VALID: Extent = Extent::Rect(Count::Valid, Count::Valid);
    /// The declared shape of a tile.
    pub const DECLARED: Extent = Extent::Rect(Count::Declared, Count::Declared);
    /// The first row of the valid region of a tile.
    pub const FIRST_ROW: Extent = Extent::Rect(Count::Fixed(1), Count::Valid);
    /// The first column of the valid region of a tile.
    pub const FIRST_COL: Extent = Extent::Rect(Count::Valid, Count::Fixed(1));

    /// As many rows and columns as the valid region of the tile in `role`.
    pub const fn like(role: &'static str) -> Extent {
        Extent::Rect(Count::Rows(role), Count::Cols(role))
    }

    /// The phrase for the manual, such as `the valid region`.
    pub fn describe(self) -> String {
        let count = |count: Count, what: &str| match count {
            Count::Valid => format!("valid {what}"),
            Count::Declared => format!("all declared {what}"),
            Count::Fixed(1) => format!("the first {}", what.trim_end_matches('s')),
            Count::Fixed(number) => format!("the first {number} {what}"),
            Count::Rows(role) => format!("as many {what} as `{role}` has valid rows"),
            Count::Cols(role) => format!("as many {what} as `{role}` has valid columns"),
            Count::HalfRows(role) => format!("half as many {what} as `{role}` has valid rows"),
            Count::HalfCols(role) => format!("half as many {what} as `{role}` has valid columns"),
            Count::DeclaredRows(role) => format!("as many {what} as `{role}` has declared rows"),
            Count::DeclaredCols(role) => format!("as many {what} as `{role}` has declared columns"),
            Count::Blocks(role, _) => {
                format!("as many {what} as `{role}` has valid columns, rounded up to whole blocks")
            }
            Count::RoundedUp(unit) => format!("valid {what} rounded up to a multiple of {unit}"),
            Count::RoundedRows(role, unit) => {
                format!("as many {what} as `{role}` has valid rows, rounded up to a multiple of {unit}")
            }
            Count::RoundedCols(role, unit) => {
                format!("as many {what} as `{role}` has valid columns, rounded up to a multiple of {unit}")
            }
            Count::ColsOfBoth(a, b) => {
                format!("as many {what} as `{a}` and `{b}` have valid columns together")
            }
            Count::SharedRows(role) => format!("valid {what}, no more than `{role}` has valid rows"),
            Count::SharedCols(role) => format!("valid {what}, no more than `{role}` has valid columns"),
        };
        match self {
            Extent::VALID => "the valid region".to_owned(),
            Extent::DECLARED => "the declared shape".to_owned(),
            Extent::Rect(rows, cols) => format!("{}, {}", count(rows, "rows"), count(cols, "columns")),
            Extent::Window(rows, cols, [row, col]) => {
                format!("{}, {} from (`{row}`, `{col}`) on", count(rows, "rows"), count(cols, "columns"))
            }
            Extent::Bits(role) => format!("one bit for each valid element of `{role}`"),
            Extent::Leading(number) => format!("{} in memory order", count(number, "elements")),
            Extent::Storage => "its whole storage".to_owned(),
            Extent::Behind(bytes) => format!("{bytes} bytes after its storage"),
            Extent::Element(role) => format!("the element with the number `{role}`"),
            Extent::View => "the whole view".to_owned(),
            Extent::Flat => {
                "as many contiguous elements as the view has, from its first element on".to_owned()
            }
            Extent::Covered(role) => format!("the part of the view that the valid region of `{role}` covers"),
            Extent::Moved(role) => format!("the elements that the transfer with `{role}` moves"),
            Extent::Pointed(role) => format!("the element at offset `{role}`"),
        }
    }
}
