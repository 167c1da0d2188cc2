//! From automatic to manual: everything that a program leaves to its assembler, decided here.

use super::multi_buffer::multi_buffer;
use super::place::{Rounds, place_rounds};
use super::slots::take_apart;
use super::sync::synchronize_joining;
use super::{BufferPlan, Canonicalized, Insertion, Joins, Reuse, SynchronizeBy, canonicalize};
use crate::check::Checked;
use crate::ir::Module;
use pto_isa::diag::Diagnostic;

/// What passes may do in several ways, all of them right: which is the fastest depends on program and device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Choices {
    /// Slots that a loop takes in turn.
    pub slots: Slots,
    /// Bytes that are used again.
    pub reuse: Reuse,
    /// Flags that are joined.
    pub joins: Joins,
}

/// How slots of multi-tiles that a loop takes in turn are synchronized.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Slots {
    /// Each for itself: the body of the loop is repeated until the slots are there again.
    #[default]
    Apart,
    /// All as one.
    Together,
}

impl Choices {
    /// The usual choice, and those that differ from it in one respect.
    pub const ALL: [Choices; 4] = {
        let usual = Choices { slots: Slots::Apart, reuse: Reuse::Late, joins: Joins::Free };
        [
            usual,
            Choices { slots: Slots::Together, ..usual },
            Choices { reuse: Reuse::InPlace, ..usual },
            Choices { joins: Joins::Near, ..usual },
        ]
    };
}

/// Which passes [`lower`] runs. By default: placement, then synchronization by flags.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LowerOptions {
    /// Fold constants and known branches first, and remove what is unused.
    pub canonicalize: bool,
    /// Most buffers that each tile of a loop gets, so that rounds overlap; 1 changes nothing.
    pub multi_buffer: u32,
    /// Give addresses to tiles and reserved buffers that have none.
    pub place: bool,
    /// Insert what orders the accesses of each core.
    pub synchronize: Option<SynchronizeBy>,
    /// How passes do it that may do it in several ways.
    pub choices: Choices,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            canonicalize: false,
            multi_buffer: 1,
            place: true,
            synchronize: Some(SynchronizeBy::Flags),
            choices: Choices::default(),
        }
    }
}

impl LowerOptions {
    /// No pass at all.
    pub fn none() -> LowerOptions {
        LowerOptions { place: false, synchronize: None, ..LowerOptions::default() }
    }

    /// Sets [`canonicalize`](Self::canonicalize).
    #[must_use]
    pub fn canonicalize(self, canonicalize: bool) -> Self {
        LowerOptions { canonicalize, ..self }
    }

    /// Sets [`multi_buffer`](Self::multi_buffer).
    #[must_use]
    pub fn multi_buffer(self, multi_buffer: u32) -> Self {
        LowerOptions { multi_buffer, ..self }
    }

    /// Sets [`place`](Self::place).
    #[must_use]
    pub fn place(self, place: bool) -> Self {
        LowerOptions { place, ..self }
    }

    /// Sets [`synchronize`](Self::synchronize).
    #[must_use]
    pub fn synchronize(self, synchronize: Option<SynchronizeBy>) -> Self {
        LowerOptions { synchronize, ..self }
    }

    /// Sets [`choices`](Self::choices).
    #[must_use]
    pub fn choices(self, choices: Choices) -> Self {
        LowerOptions { choices, ..self }
    }
}

/// A lowered program, and what the passes did.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lowered {
    /// The program.
    pub module: Module,
    /// What canonicalization did.
    pub canonicalized: Canonicalized,
    /// Loops whose tiles have several buffers.
    pub multi_buffered: usize,
    /// The memory of each function and buffer; empty without placement.
    pub buffers: Vec<BufferPlan>,
    /// Inserted flags and barriers.
    pub insertions: Vec<Insertion>,
    /// Steps of the synchronization, each of bounded time: a measure of its work that is the same on every host.
    pub steps: usize,
}

/// Lowers a program: the result computes the same bits as the program in program order.
///
/// # Errors
/// If tiles do not fit their buffers.
///
/// ```
/// use pto::passes::{LowerOptions, lower};
///
/// let text = "func.func @main(%x: f32) {
///   %t = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
///   %u = pto.alloc_tile : !pto.tile_buf<vec, 8x16xf32>
///   pto.texpands ins(%x : f32) outs(%t : !pto.tile_buf<vec, 8x16xf32>)
///   pto.texp ins(%t : !pto.tile_buf<vec, 8x16xf32>) outs(%u : !pto.tile_buf<vec, 8x16xf32>)
///   return
/// }";
/// let checked = pto::check(pto::parse(text).expect("well-formed text").module, Some(pto::isa::Profile::A2A3));
/// let lowered = lower(&checked.expect("a legal program"), &LowerOptions::default()).expect("tiles that fit");
/// let printed = pto::text::print(&lowered.module, &Default::default());
/// assert!(printed.contains("addr = %c512_i64") && printed.contains("pto.barrier <PIPE_V>"));
/// ```
pub fn lower(checked: &Checked, options: &LowerOptions) -> Result<Lowered, Vec<Diagnostic>> {
    let mut module = checked.module().clone();
    let profile = |function| checked.profile(function);
    let mut canonicalized = Canonicalized::default();
    if options.canonicalize {
        canonicalized = canonicalize(&mut module);
    }
    let Choices { slots, reuse, joins } = options.choices;
    let mut repeated = match (options.synchronize, slots) {
        (Some(_), Slots::Apart) => take_apart(&mut module),
        _ => 0,
    };
    let (mut multi_buffered, mut rounds) = (0, Rounds::default());
    if options.multi_buffer > 1 {
        let fits = |module: &Module, rounds: &Rounds| {
            let plans = place_rounds(&mut module.clone(), profile, (rounds, reuse));
            plans.is_ok_and(|plans| plans.iter().all(|plan| plan.peak <= plan.capacity))
        };
        (multi_buffered, rounds) = multi_buffer(&mut module, options.multi_buffer, profile, fits);
        repeated += multi_buffered;
    }
    if repeated > 0 {
        // The number of rounds is often known, and so are the slots that each round takes.
        canonicalize(&mut module);
    }
    let buffers = match options.place {
        true => place_rounds(&mut module, profile, (&rounds, reuse))?,
        false => Vec::new(),
    };
    let by = options.synchronize;
    let joins = if by == Some(SynchronizeBy::Fewest) { Joins::Near } else { joins };
    let (insertions, steps) =
        by.map_or((Vec::new(), 0), |by| synchronize_joining(&mut module, profile, (by, joins)));
    Ok(Lowered { module, canonicalized, multi_buffered, buffers, insertions, steps })
}
