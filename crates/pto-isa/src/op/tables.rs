//! Macros for the list of a folder's instructions and the table of a family's members.

/// The list of a folder's instructions, `module::NAME` sorted by name, and their handles, numbered after those of
/// the previous folder.
macro_rules! list {
    ($first:expr; $($module:ident :: $name:ident),* $(,)?) => {
        /// The instructions of this set, by name.
        pub(in crate::op) const LIST: &[&dyn $crate::op::Instruction] = &[$(&$module::$name),*];

        crate::registry::handles!($first; $($name),*);
    };
}
pub(super) use list;

/// Instructions that differ from their family only in data, one row each:
///
/// ```text
/// TADD = "tadd", "Adds two tiles.",
///     "dst[i, j] = src0[i, j] + src1[i, j]", BinaryOp::Add,
///     page.written(TWO_TMP),
///     a2a3 [I32, I16, F16, F32] header [Bf16], a5 [F16, F32];
/// ```
///
/// A row consists of the handle, the mnemonic and the summary; the formula and the operation; changes to the
/// family's page, if any; the element types of each profile and, after `header`, the extensions that only header
/// or only pages accept. The source is the page of the mnemonic in the folder `manual`.
///
/// The family is a type with the fields `page`, `op` and `types`; the function `page` builds its pages.
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
                types: $crate::op::common::Types {
                    a2a3: &[$($crate::element::Element::$a2a3),*],
                    a5: &[$($crate::element::Element::$a5),*],
                    a2a3_header: &[$($($crate::element::Element::$a2a3_header),*)?],
                    a5_header: &[$($($crate::element::Element::$a5_header),*)?],
                },
            };
        )*
    };
}
pub(super) use rows;
