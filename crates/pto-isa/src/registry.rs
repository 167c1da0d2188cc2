//! Every operation of every dialect, in one list: the instructions of [`crate::op`] and the pages of
//! [`crate::dialect`].
//!
//! An operation is a handle into the list, [`Op`]. Its names, syntax, semantics and rules are on its [`Page`];
//! code that builds or matches an operation uses a constant such as [`Op::TADD`]. The constants are generated from
//! the lists, so a new instruction needs no line here.

use super::dialect;
use super::meaning::Meaning;
use super::op::{self, Instruction, Page};
use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

/// An operation: its number in the registry.
///
/// Every operation has a constant, named like the full name without `pto.`: [`Op::TMATMUL_ACC`] is
/// `pto.tmatmul.acc`, `Op::SCF_FOR` is `scf.for`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Op(u16);

/// Defines the handles of a list's operations, numbered after those of the previous list.
macro_rules! handles {
    ($first:expr; $($name:ident),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u16)]
        enum Index { $($name),* }

        /// The handle one past the last one of this list.
        pub(crate) const END: u16 = $first + [$(stringify!($name)),*].len() as u16;

        impl $crate::registry::Op {
            $(
                #[doc = concat!("The handle of ", stringify!($name), ".")]
                pub const $name: $crate::registry::Op =
                    $crate::registry::Op::at($first + Index::$name as u16);
            )*
        }
    };
}
pub(crate) use handles;

/// The registry's entry of an operation.
struct Entry {
    page: &'static Page,
    instruction: Option<&'static dyn Instruction>,
    meaning: Meaning,
    /// Full names of the operation: the page's name, then the aliases.
    names: Vec<String>,
}

impl Entry {
    fn of(page: &'static Page, instruction: Option<&'static dyn Instruction>, meaning: Meaning) -> Entry {
        let foreign = is_foreign(page.name);
        let full = |name: &&str| if foreign { (*name).to_owned() } else { format!("pto.{name}") };
        let names = std::iter::once(&page.name).chain(page.aliases).map(full).collect();
        Entry { page, instruction, meaning, names }
    }
}

/// Whether a page's name is a full name of a dialect other than `pto`.
fn is_foreign(name: &str) -> bool {
    let dialect = name.split_once('.').map(|(dialect, _)| dialect);
    dialect.is_some_and(|dialect| dialect::FOREIGN.contains(&dialect))
}

/// Every operation, in the order of the handles.
fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let instructions = op::all()
            .map(|instruction| Entry::of(instruction.page(), Some(instruction), instruction.meaning()));
        let rows = dialect::all().map(|row| Entry::of(&row.page, None, row.meaning));
        instructions.chain(rows).collect()
    })
}

/// Operations by full name, with the index of the spelling.
fn by_name() -> &'static HashMap<&'static str, (Op, u8)> {
    static NAMES: OnceLock<HashMap<&'static str, (Op, u8)>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let spelled = Op::all().flat_map(|op| (0..).zip(op.names()).map(move |(at, name)| (name, (op, at))));
        spelled.collect()
    })
}

impl Op {
    /// The handle of a position in the list.
    pub(crate) const fn at(index: u16) -> Op {
        Op(index)
    }

    /// The position in the list.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    fn entry(self) -> &'static Entry {
        &entries()[self.index()]
    }

    /// Every operation: the instructions by set and name, then the other dialects' operations.
    pub fn all() -> impl Iterator<Item = Op> {
        (0..dialect::END).map(Op)
    }

    /// The operation with a full name such as `pto.tadd` or `arith.addi`, or an alias.
    pub fn find(name: &str) -> Option<Op> {
        Some(by_name().get(name)?.0)
    }

    /// The operation with a full name, or with a name without `pto.`, as in the short spelling.
    pub fn find_spelling(name: &str) -> Option<Op> {
        static SHORT: OnceLock<HashMap<&'static str, Op>> = OnceLock::new();
        let short = SHORT.get_or_init(|| {
            let names = by_name().iter().map(|(name, (op, _))| (*name, *op));
            names.filter_map(|(name, op)| Some((name.strip_prefix("pto.")?, op))).collect()
        });
        Op::find(name).or_else(|| short.get(name).copied())
    }

    /// The operation with a full name, and the index of that name.
    pub fn spelled(name: &str) -> Option<(Op, u8)> {
        by_name().get(name).copied()
    }

    /// The full name, such as `pto.tadd` or `arith.addi`.
    pub fn name(self) -> &'static str {
        &self.entry().names[0]
    }

    /// The full names: the page's name, then the aliases.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        self.entry().names.iter().map(String::as_str)
    }

    /// The name with index `spelling` in [`Op::names`].
    pub fn spelling(self, spelling: u8) -> &'static str {
        &self.entry().names[usize::from(spelling)]
    }

    /// The page of the manual.
    pub fn page(self) -> &'static Page {
        self.entry().page
    }

    /// The instruction; `None` for operations without rules and pipes of their own.
    pub fn instruction(self) -> Option<&'static dyn Instruction> {
        self.entry().instruction
    }

    /// Semantics of the operation, for checker, decoder and printer.
    pub fn meaning(self) -> Meaning {
        self.entry().meaning
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
