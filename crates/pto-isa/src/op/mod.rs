//! The instructions, in one folder per instruction set: each has a file, or a row of its family's table.
//!
//! An instruction's file contains its page of the manual, its rules, its formula (`Compute::reference`, element by
//! element) and its fast path (`Compute::prepare`).
//! Instructions that differ only in data, such as formula, operator and element types, are rows of one table, and the
//! family's file holds their shared code. To add an instruction, add its file or row, and one line to the list in its
//! folder's `mod.rs`.

pub mod acc_pitch;
mod accumulator;
pub mod attribute;
mod columns;
mod comm;
mod common;
pub mod cost;
pub mod effect;
pub mod empty;
pub mod epilogue;
mod fixpipe;
pub mod form;
mod labels;
pub mod origin;
pub mod otherwise;
mod padding;
pub mod picture;
mod room;
mod scalar_unit;
pub mod site;
mod subtile;
mod tables;
mod unit_flag;
mod view_layout;
mod workspace;

mod elementwise;
mod expand;
pub mod irregular;
mod layout;
mod matmul;
pub mod memory;
mod reduce;
mod scalar;
pub mod sync;
mod view;

use crate::attribute::NamedAttribute;
use crate::element::Element;
use crate::meaning::Meaning;
use crate::pipe::Pipe;
use crate::profile::Profile;
use crate::rule::Rule;
use attribute::AttributeSpec;
use cost::Cost;
use effect::{Access, Effect, Extent, Target};
use form::Syntax;
use origin::Origin;
use picture::Picture;
use site::Check;
pub use sync::queue::{EntryPipes, QueueFact, Slots, pushes_that_wait};
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare},
};

/// An instruction's page of the manual: everything except the code of its rules and its formula.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Mnemonic in lower case, such as `tinsert`.
    pub name: &'static str,
    /// Other mnemonics of the same instruction, such as `tmov.m2l`.
    pub aliases: &'static [&'static str],
    /// The instruction set of the page.
    pub set: Set,
    /// A one-sentence summary.
    pub summary: &'static str,
    /// The result as a formula over `i` (row) and `j` (column) of the destination's valid region.
    pub formula: &'static str,
    /// The page of the public manual.
    pub source: &'static str,
    /// Syntax of the operation.
    pub syntax: Syntax,
    /// Attributes, in all forms and on all profiles.
    pub attributes: &'static [AttributeSpec],
    /// Rules of the operation.
    pub rules: &'static [&'static Rule],
    /// Effects, in all forms and on all profiles.
    pub effects: &'static [Effect],
    /// Time on the operation's pipe.
    pub cost: Cost,
    /// Pictures; empty if the formula suffices.
    pub pictures: &'static [Picture],
    /// The storage to which the results refer; `None` if no result is a tile, a view or a pointer.
    pub origin: Option<Origin>,
}

impl Page {
    /// A page with one name, without effects, attributes and pictures.
    pub(crate) const fn of(
        set: Set,
        name: &'static str,
        summary: &'static str,
        formula: &'static str,
        source: &'static str,
        syntax: Syntax,
        rules: &'static [&'static Rule],
    ) -> Page {
        Page {
            name,
            aliases: &[],
            set,
            summary,
            formula,
            source,
            syntax,
            attributes: &[],
            rules,
            effects: &[],
            cost: Cost::Issue,
            pictures: &[],
            origin: Origin::of_syntax(&syntax),
        }
    }

    /// Whether a form of the page has an operand or a result in a role.
    pub fn has_role(&self, role: &str) -> bool {
        let listed = match self.syntax {
            Syntax::Destination(forms) => {
                forms.iter().any(|form| form.roles().any(|known| known.name == role))
            }
            Syntax::Own(_, kinds) | Syntax::Code(_, kinds) => kinds.iter().any(|(known, _)| *known == role),
        };
        listed || role == "result"
    }

    /// Whether a role is in `ins(...)` of one of its forms.
    pub fn takes(&self, role: &str) -> bool {
        match self.syntax {
            Syntax::Destination(forms) => {
                forms.iter().flat_map(|form| form.ins).any(|known| known.name == role)
            }
            Syntax::Own(..) | Syntax::Code(..) => false,
        }
    }

    /// Whether the result may take the bytes of the operand in a role, if both have the same shape, layout and width
    /// of elements. By the formula each element of the result depends only on the operand's element at the same
    /// position, and no rule of the profile forbids the overlap.
    pub fn allows_in_place(&self, role: &str, profile: Profile) -> bool {
        let mentions = self.formula.matches(role).count();
        let at_own_place = self.formula.matches(&format!("{role}[i, j]")).count();
        let is_only_read = self
            .effects
            .iter()
            .all(|effect| effect.role() != Some(role) || matches!(effect.access, Access::Read));
        self.formula.starts_with("dst[i, j] = ")
            && mentions > 0
            && mentions == at_own_place
            && is_only_read
            && !self.rules.iter().any(|rule| **rule == workspace::APART && rule.profiles.contains(&profile))
    }

    /// Effects on roles that occur in the page's forms; families of pages share one list of effects.
    pub fn own_effects(&self) -> impl Iterator<Item = &'static Effect> {
        self.effects.iter().filter(|effect| effect.role().is_none_or(|role| self.has_role(role)))
    }

    /// Whether the operand in a role keeps some old contents, or they influence a result.
    pub fn keeps(&self, role: &str) -> bool {
        let mut effects = self.effects.iter().filter(|effect| effect.role() == Some(role));
        effects.any(|effect| match (effect.access, effect.target) {
            (Access::Write, Target::Operand(_, Extent::Window(..))) => true,
            (access, _) => access != Access::Write,
        })
    }

    /// Sets the syntax.
    pub(crate) const fn written(self, syntax: Syntax) -> Page {
        Page { origin: Origin::of_syntax(&syntax), syntax, ..self }
    }

    /// Sets the rules.
    pub(crate) const fn ruled(self, rules: &'static [&'static Rule]) -> Page {
        Page { rules, ..self }
    }

    /// Sets the attributes.
    pub(crate) const fn with(self, attributes: &'static [AttributeSpec]) -> Page {
        Page { attributes, ..self }
    }

    /// Sets the effects.
    pub(crate) const fn touching(self, effects: &'static [Effect]) -> Page {
        Page { effects, ..self }
    }

    /// Sets the cost.
    pub(crate) const fn costing(self, cost: Cost) -> Page {
        Page { cost, ..self }
    }

    /// Sets the storage to which its results refer.
    pub(crate) const fn from(self, origin: Origin) -> Page {
        Page { origin: Some(origin), ..self }
    }

    /// Sets the pictures.
    pub(crate) const fn pictured(self, pictures: &'static [Picture]) -> Page {
        Page { pictures, ..self }
    }
}

/// An instruction set of the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Set {
    /// Elementwise operations on tiles.
    Elementwise,
    /// Operations on a tile and a scalar.
    TileScalar,
    /// Reductions of rows or columns to one element each.
    Reduce,
    /// Expansions: operations on a tile and a row or column.
    Expand,
    /// Transfers between global memory and tiles.
    Memory,
    /// Matrix products.
    Matmul,
    /// Changes of layout and rearrangements.
    Layout,
    /// Gather, scatter, sequences, and tiles of different valid regions.
    Irregular,
    /// Access to single elements, valid regions and parts of tiles.
    View,
    /// Communication between ranks.
    Communication,
    /// Synchronization of pipes, cores and blocks.
    Sync,
    /// Scalar arithmetic, `arith`.
    Arith,
    /// Control flow: `scf`, `cf`, `func`, sections.
    Control,
    /// Creation and use of tiles, views, pointers, structs and arrays as values.
    Value,
    /// Facts about the launch, and the state of a core.
    Launch,
    /// Memory references of the dialect `memref`.
    Memref,
}

impl Set {
    /// The name in tables.
    pub fn word(self) -> &'static str {
        match self {
            Set::Elementwise => "elementwise",
            Set::TileScalar => "tile-scalar",
            Set::Reduce => "reduce",
            Set::Expand => "expand",
            Set::Memory => "memory",
            Set::Matmul => "matmul",
            Set::Layout => "layout",
            Set::Irregular => "irregular",
            Set::View => "view",
            Set::Communication => "communication",
            Set::Sync => "sync",
            Set::Arith => "arith",
            Set::Control => "control",
            Set::Value => "value",
            Set::Launch => "launch",
            Set::Memref => "memref",
        }
    }

    /// Whether the instructions of the set have formulas; the other sets synchronize, or contain no instructions.
    pub fn has_formulas(self) -> bool {
        self < Set::Sync
    }
}

/// Without the feature `run`, instructions have no formula and no fast path.
#[cfg(not(feature = "run"))]
#[doc(hidden)]
pub trait Compute {}

#[cfg(not(feature = "run"))]
impl<T> Compute for T {}

/// An instruction.
pub trait Instruction: Sync + Compute {
    /// The instruction's page of the manual.
    fn page(&self) -> &Page;

    /// Semantics of the instruction, for checker and decoder.
    fn meaning(&self) -> Meaning {
        Meaning::Compute
    }

    /// The pipe that runs the instruction. It may depend on the locations of the operands.
    fn pipe(&self, site: &site::Site<'_>) -> Pipe;

    /// The attribute that names the instruction's pipe; `None` if the operands determine the pipe.
    fn pipe_attribute(&self) -> Option<&'static str> {
        None
    }

    /// The pipes of an operation on an entry of a queue; `None` for other instructions.
    fn entry_pipes(&self, _site: &site::Site<'_>) -> Option<EntryPipes> {
        None
    }

    /// Number of transfers into which a use with these attributes divides its columns of boxes.
    fn transfers(&self, _attributes: &[NamedAttribute]) -> usize {
        1
    }

    /// The effects of one use, in the order of its page: reads, then destroyed operands, then writes.
    fn effects(&self, site: &site::Site<'_>) -> Vec<Effect> {
        site.held(self.page().effects)
    }

    /// The differences of devices from the formula of its page.
    fn otherwise(&self) -> Vec<otherwise::Otherwise> {
        Vec::new()
    }

    /// The accumulators that one use accesses, with the pitch that it assumes, on profiles that have one.
    fn accumulators(&self, _site: &site::Site<'_>) -> Vec<acc_pitch::PitchUse> {
        Vec::new()
    }

    /// Element types of the instruction on a profile, if a single list describes them; empty if the rules are more
    /// complex.
    fn element_types(&self, _profile: Profile) -> &'static [Element] {
        &[]
    }

    /// Checks the instruction's rules against the known facts about the operands; rules that need unknown facts are
    /// checked at run time.
    fn check(&self, check: &mut Check<'_>);
}

/// An instruction's computation; only the machine needs it.
#[cfg(feature = "run")]
#[doc(hidden)]
pub trait Compute {
    /// The formula, element by element.
    ///
    /// # Errors
    /// A run-time error, such as an integer division by zero.
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault>;

    /// The instruction at one site of a program, prepared to run.
    ///
    /// # Errors
    /// The reason why it cannot run with these operands, as a sentence.
    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String>;
}

/// The handle one past the last instruction.
pub(crate) const END: u16 = sync::queue::END;

/// Every instruction, by instruction set and then by name.
pub fn all() -> impl Iterator<Item = &'static dyn Instruction> {
    [
        elementwise::LIST,
        scalar::LIST,
        reduce::LIST,
        expand::LIST,
        memory::LIST,
        matmul::LIST,
        layout::LIST,
        irregular::LIST,
        view::LIST,
        comm::LIST,
        sync::LIST,
        sync::queue::LIST,
    ]
    .into_iter()
    .flatten()
    .copied()
}
