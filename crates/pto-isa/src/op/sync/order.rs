//! Code shared by the synchronization instructions.

use super::queue::EntryPipes;
use crate::meaning::{EntryAction, Meaning};
use crate::op::acc_pitch::{self, PitchUse};
use crate::op::effect::{Effect, Extent, Target};
use crate::op::form::Syntax;
use crate::op::otherwise::{Here, Otherwise};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::NPU;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare},
    crate::op::Compute,
};

/// The document of the dialect's memory model.
pub(super) const MEMORY: &str = "docs/designs/ptoas-memory-consistency-design.md of the public assembler";
/// The file that declares the dialect's operations.
pub(super) const DECLARATIONS: &str = "include/PTO/IR/PTOOps.td of the public assembler";
/// The file that verifies the dialect's operations.
pub(super) const VERIFIER: &str = "lib/PTO/IR/PTO.cpp of the public assembler";

/// The page of a synchronization instruction; `formula` states the order that it establishes.
pub(super) const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    syntax: Syntax,
    rules: &'static [&'static Rule],
) -> Page {
    Page::of(Set::Sync, name, summary, formula, source, syntax, rules)
}

/// The pipe that runs a synchronization instruction.
pub(super) enum By {
    /// The scalar unit.
    Scalar,
    /// The pipe that an attribute names, directly or as a class of instructions.
    Named(&'static str),
    /// The pipes of an operation on an entry of a queue.
    Queue,
}

/// A synchronization instruction.
pub(super) struct Order {
    pub(super) page: Page,
    pub(super) by: By,
    pub(super) meaning: Meaning,
    pub(super) check: fn(&mut Check<'_>),
}

/// The error message if a synchronization instruction is prepared like one with a formula.
const NO_FORMULA: &str = "it orders other instructions and has no formula";

impl Instruction for Order {
    fn page(&self) -> &Page {
        &self.page
    }

    fn meaning(&self) -> Meaning {
        self.meaning
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        match self.by {
            By::Scalar => Pipe::Scalar,
            By::Named(attribute) => {
                let word = site.word(attribute).unwrap_or_default();
                Pipe::of_word(word).unwrap_or(Pipe::Scalar)
            }
            By::Queue => self.entry_pipes(site).map_or(Pipe::Scalar, EntryPipes::usual),
        }
    }

    /// An operand that may be a tile or a slot in global memory has one effect for each case; only the matching
    /// one applies.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let mut effects = site.held(self.page.effects);
        effects.retain(|effect| {
            let is_view = effect.role().is_some_and(|role| site.view(role).is_some());
            match effect.target {
                Target::Operand(_, Extent::View) => is_view,
                Target::Operand(_, Extent::Rect(..)) => !is_view,
                _ => true,
            }
        });
        effects
    }

    fn pipe_attribute(&self) -> Option<&'static str> {
        match self.by {
            By::Named(attribute) => Some(attribute),
            By::Scalar | By::Queue => None,
        }
    }

    fn entry_pipes(&self, site: &Site<'_>) -> Option<EntryPipes> {
        let Meaning::Entry { action, to } = self.meaning else { return None };
        Some(EntryPipes::at(site, action, to))
    }

    fn otherwise(&self) -> Vec<Otherwise> {
        const PACKED: Otherwise = Otherwise::of(
            NPU,
            "A slot holds the rows of an entry without gaps: the valid columns in memory, the declared columns on chip.",
            Here::Reported("queue::packing"),
            "include/pto/npu/{a2a3,a5}/TPush.hpp, TPop.hpp",
        );
        match self.meaning {
            Meaning::Entry { action: EntryAction::Pop, .. } => vec![PACKED],
            Meaning::Entry { action: EntryAction::Push, .. } => vec![acc_pitch::otherwise()],
            _ => Vec::new(),
        }
    }

    fn accumulators(&self, site: &Site<'_>) -> Vec<PitchUse> {
        match self.meaning {
            Meaning::Entry { action: EntryAction::Push, .. } => {
                acc_pitch::of_reader(site, "value", |tile| acc_pitch::pushed(site, tile))
            }
            _ => Vec::new(),
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        (self.check)(check);
    }
}

#[cfg(feature = "run")]
impl Compute for Order {
    fn reference(&self, _: &mut Reference<'_>) -> Result<(), Fault> {
        Err(Fault::Other(NO_FORMULA.to_owned()))
    }

    fn prepare(&self, _: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        Err(NO_FORMULA.to_owned())
    }
}
