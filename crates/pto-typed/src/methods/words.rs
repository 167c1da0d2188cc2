//! Words of attributes as enumerations.

/// Declares an enumeration whose values are words of the text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $value:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $value,)*
        }

        impl $name {
            pub(super) fn word(self) -> &'static str {
                match self {
                    $($name::$value => $word,)*
                }
            }
        }
    };
}

words!(
    /// The elements that a mask pattern selects of each two or four.
    MaskPattern {
        /// The first of two.
        P0101 = "P0101",
        /// The second of two.
        P1010 = "P1010",
        /// The first of four.
        P0001 = "P0001",
        /// The second of four.
        P0010 = "P0010",
        /// The third of four.
        P0100 = "P0100",
        /// The fourth of four.
        P1000 = "P1000",
        /// All.
        P1111 = "P1111",
    }
);
words!(
    /// The direction along which a mask pattern selects.
    Axis {
        /// Columns of each row.
        Row = "row",
        /// Whole rows.
        Col = "col",
    }
);
words!(
    /// Unit that an index of MGATHER and MSCATTER names.
    Coalesce {
        /// A row of the table.
        Row = "row",
        /// An element of the table.
        Elem = "elem",
    }
);
words!(
    /// Meaning of an index beyond the table.
    Beyond {
        /// Not allowed: the program is wrong.
        Undefined = "undefined",
        /// The last row or element.
        Clamp = "clamp",
        /// The row or element at the index modulo their number.
        Wrap = "wrap",
        /// Nothing: a gather reads zero.
        Zero = "zero",
        /// Nothing: a scatter skips the element.
        Skip = "skip",
    }
);
words!(
    /// Operation of MSCATTER on the old contents.
    Atomic {
        /// Nothing: the old contents are overwritten.
        None = "none",
        /// The sum.
        Add = "add",
        /// The larger.
        Max = "max",
        /// The smaller.
        Min = "min",
    }
);
words!(
    /// The writer that wins if several write to one place on A5.
    Conflict {
        /// The last.
        Last = "last",
        /// Any.
        Default = "default",
    }
);
words!(
    /// The comparison of TCMP, TCMPS, TGATHER and of waits for signals.
    Comparison {
        /// Equal.
        Eq = "eq",
        /// Not equal.
        Ne = "ne",
        /// Less.
        Lt = "lt",
        /// Less or equal.
        Le = "le",
        /// Greater.
        Gt = "gt",
        /// Greater or equal.
        Ge = "ge",
    }
);
words!(
    /// The rounding mode of TCVT and of products.
    RoundMode {
        /// To nearest, ties to even.
        Rint = "RINT",
        /// To nearest, ties away from zero.
        Round = "ROUND",
        /// Down.
        Floor = "FLOOR",
        /// Up.
        Ceil = "CEIL",
        /// Towards zero.
        Trunc = "TRUNC",
        /// To odd.
        Odd = "ODD",
    }
);
words!(
    /// The result of TCVT for a value beyond the destination's range.
    Saturation {
        /// The largest or smallest value.
        On = "ON",
        /// The low bits of an integer; infinity for a float.
        Off = "OFF",
    }
);
