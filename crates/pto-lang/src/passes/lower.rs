//! Lowering of an automatic program to a manual one: the passes decide everything that the program leaves to its
//! assembler.

use super::multi_buffer::multi_buffer;
use super::place::{Rounds, place_rounds};
use super::slots::take_apart;
use super::sync::{MOST_WORK, Strategy, Synchronized, synchronize_by};
use super::{BufferPlan, Canonicalized, Insertion, Joins, Reuse, SynchronizeBy, canonicalize};
use crate::check::Checked;
use crate::ir::Module;
use pto_isa::diag::Diagnostic;
use pto_isa::registry::Op;

/// Maximum number of operations of a program that is lowered by several choices.
const MOST_OPERATIONS: usize = 2_000;

/// Choices of passes, all of them correct: the fastest one depends on program and device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Choices {
    /// Synchronization of slots that a loop uses in rotation.
    pub slots: Slots,
    /// Bytes that are reused.
    pub reuse: Reuse,
    /// Flags that are joined.
    pub joins: Joins,
}

/// Synchronization of the slots of multi-tiles that a loop uses in rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Slots {
    /// Each slot separately: the body of the loop is repeated until the slots recur.
    #[default]
    Apart,
    /// All slots as one.
    Together,
}

impl Choices {
    /// The usual choice, and the choices that differ from it in one respect.
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

/// The passes that [`lower`] runs. By default: placement, then synchronization by flags.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LowerOptions {
    /// Fold constants and known branches first, and remove unused operations.
    pub canonicalize: bool,
    /// Maximum number of buffers for each tile of a loop, so that iterations overlap; 1 changes nothing.
    pub multi_buffer: u32,
    /// Assign addresses to tiles and reserved buffers that have none.
    pub place: bool,
    /// Insert operations that order the accesses of each core.
    pub synchronize: Option<SynchronizeBy>,
    /// Maximum work of each search for superfluous operations, in steps as [`Lowered::steps`] counts them; 0 keeps all. What
    /// a long program needs for all of its operations grows with the square of its length.
    pub search: usize,
}

impl Default for LowerOptions {
    fn default() -> LowerOptions {
        LowerOptions {
            canonicalize: false,
            multi_buffer: 1,
            place: true,
            synchronize: Some(SynchronizeBy::Flags),
            search: MOST_WORK,
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

    /// Sets [`search`](Self::search).
    #[must_use]
    pub fn search(self, search: usize) -> Self {
        LowerOptions { search, ..self }
    }
}

/// A lowered program with the results of the passes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lowered {
    /// The program.
    pub module: Module,
    /// Result of canonicalization.
    pub canonicalized: Canonicalized,
    /// Loops whose tiles have several buffers.
    pub multi_buffered: usize,
    /// The memory of each function and buffer; empty without placement.
    pub buffers: Vec<BufferPlan>,
    /// Inserted flags and barriers.
    pub insertions: Vec<Insertion>,
    /// Steps of the synchronization, each of bounded time: a measure of its work that is the same on every host.
    pub steps: usize,
    /// Estimated time in cycles, from the costs on the pages, the extents of tiles and the iterations of loops. An
    /// unknown extent counts as the largest possible one, an unknown number of iterations as a few. Only prices of
    /// programs made from one source program are comparable. 0 without synchronization.
    pub price: f64,
}

/// The programs that the passes make of one source program by [`Choices::ALL`], each once, with its choice. The first
/// is the result of the usual choice.
///
/// # Errors
/// If tiles do not fit their buffers by the usual choice.
pub fn candidates(
    checked: &Checked,
    options: &LowerOptions,
) -> Result<Vec<(Choices, Lowered)>, Vec<Diagnostic>> {
    let usual = lower_by(checked, options, Choices::default())?;
    let mut texts = vec![crate::text::print(&usual.module, &Default::default())];
    let matters = matters(checked, options, &usual);
    let mut candidates = vec![(Choices::default(), usual)];
    for choices in Choices::ALL.into_iter().filter(matters) {
        // Tiles that fit by the usual choice may not fit by another one.
        let Ok(lowered) = lower_by(checked, options, choices) else { continue };
        let text = crate::text::print(&lowered.module, &Default::default());
        if !texts.contains(&text) {
            candidates.push((choices, lowered));
            texts.push(text);
        }
    }
    Ok(candidates)
}

/// The choices that may make another program than the usual one. Long programs are made once.
fn matters(checked: &Checked, options: &LowerOptions, usual: &Lowered) -> impl Fn(&Choices) -> bool + use<> {
    let functions = || checked.module().functions.iter().map(|(_, function)| function);
    let is_short =
        functions().map(|function| function.operations.iter().count()).sum::<usize>() <= MOST_OPERATIONS;
    let has_slots =
        functions().any(|function| function.operations.iter().any(|(_, it)| it.is(Op::MULTI_TILE_GET)));
    let shares = usual.buffers.iter().any(|plan| {
        let bytes: u64 = plan.places.iter().map(|place| place.bytes).sum();
        bytes > plan.peak
    });
    // With the fewest flags both choices insert the same.
    let joins = options.synchronize.is_some_and(|by| by != SynchronizeBy::Fewest);
    move |choices: &Choices| {
        let usual = Choices::default();
        is_short
            && (choices.slots != usual.slots && has_slots
                || choices.reuse != usual.reuse && shares
                || choices.joins != usual.joins && joins)
    }
}

/// The index of the least of some costs; the first of equal ones.
pub fn least(costs: &[f64]) -> usize {
    (0..costs.len()).fold(0, |best, at| if costs[at] < costs[best] { at } else { best })
}

/// Lowers a program and returns the candidate ([`candidates`]) with the lowest price. It computes the same bits as
/// the source in program order.
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
    let mut candidates = candidates(checked, options)?;
    let prices: Vec<f64> = candidates.iter().map(|(_, lowered)| lowered.price).collect();
    Ok(candidates.swap_remove(least(&prices)).1)
}

/// Lowers a program by one choice of the passes.
fn lower_by(checked: &Checked, options: &LowerOptions, choices: Choices) -> Result<Lowered, Vec<Diagnostic>> {
    let mut module = checked.module().clone();
    let profile = |function| checked.profile(function);
    let mut canonicalized = Canonicalized::default();
    if options.canonicalize {
        canonicalized = canonicalize(&mut module);
    }
    let Choices { slots, reuse, joins } = choices;
    let mut repeated = match (options.synchronize, slots) {
        (Some(_), Slots::Apart) => take_apart(&mut module),
        _ => 0,
    };
    let (mut multi_buffered, mut rounds) = (0, Rounds::default());
    if options.multi_buffer > 1 {
        let fits = |module: &Module, rounds: &Rounds| {
            let plans = place_rounds(&mut module.clone(), profile, rounds, reuse);
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
        true => place_rounds(&mut module, profile, &rounds, reuse)?,
        false => Vec::new(),
    };
    let Synchronized { insertions, steps, price } = match options.synchronize {
        Some(by) => {
            let joins = if by == SynchronizeBy::Fewest { Joins::Near } else { joins };
            synchronize_by(&mut module, profile, Strategy { by, joins, search: options.search })
        }
        None => Synchronized::default(),
    };
    Ok(Lowered { module, canonicalized, multi_buffered, buffers, insertions, steps, price })
}
