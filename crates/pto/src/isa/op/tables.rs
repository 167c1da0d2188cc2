//! How a folder lists its instructions, and a family its members.

/// The instructions of a folder, `module::NAME` by name: their list and their handles, which follow those of the
/// folder before it.
macro_rules! list {
    ($first:expr; $($module:ident :: $name:ident),* $(,)?) => {
        /// The instructions of this set, by name.
        pub(in crate::isa::op) const LIST: &[&dyn $crate::isa::op::Instruction] = &[$(&$module::$name),*];

        crate::isa::registry::handles!($first; $($name),*);
    };
}
pub(super) use list;

/// Instructions that differ from the others of their family in facts alone, one row each:
///
/// ```text
/// TADD = "tadd", "Adds two tiles.",
///     "dst[i, j] = src0[i, j] + src1[i, j]", BinaryOp::Add,
///     page.written(TWO_TMP),
///     a2a3 [I32, I16, F16, F32] header [Bf16], a5 [F16, F32];
/// ```
///
/// These are the handle, the mnemonic and the summary; the formula and the operation; how the page differs from that
/// of the family, if it does; the element types of each profile and, after `header`, those that only one of header and
/// pages takes. The source is the page of the mnemonic in the folder `manual`.
///
/// The family is a type with the fields `page`, `op` and `types`; `page` is the function that makes its pages.
macro_rules! rows {
    (
        family $family:ident, page $page:ident, manual $manual:literal;
        $(
            $name:ident = $mnemonic:literal, $summary:literal,
            $formula:literal, $op:expr,
            $(page $(. $change:ident ( $with:expr ))+,)?
            a2a3 [$($a2a3:ident),*] $(header [$($a2a3_header:ident),*])?,
            a5 [$($a5:ident),*] $(header [$($a5_header:ident),*])?;
        )*
    ) => {
        $(
            #[doc = $summary]
            pub(super) static $name: $family = $family {
                page: $page($mnemonic, $summary, $formula, concat!($manual, $mnemonic, ".md"))
                    $($(.$change($with))+)?,
                op: $op,
                types: $crate::isa::op::common::Types {
                    a2a3: &[$($crate::isa::element::Element::$a2a3),*],
                    a5: &[$($crate::isa::element::Element::$a5),*],
                    a2a3_header: &[$($($crate::isa::element::Element::$a2a3_header),*)?],
                    a5_header: &[$($($crate::isa::element::Element::$a5_header),*)?],
                },
            };
        )*
    };
}
pub(super) use rows;
