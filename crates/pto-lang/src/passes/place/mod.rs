//! Placement: assigns addresses to the tiles and reserved buffers for which a program leaves this to its assembler.
//!
//! Two allocations share bytes only if they are never alive at the same time (`analysis/live.rs`). Allocations
//! between which values pass, such as the tiles that a loop exchanges, never do. Given addresses stay unchanged.
//!
//! 1. `demand.rs`: the allocations of each buffer and their live ranges.
//! 2. `pack.rs`, `rest.rs`, `exact.rs`, `in_place.rs`: offsets.
//! 3. `emit.rs`: the addresses in the program.
//! 4. `full.rs`: messages if tiles do not fit.
//!
//! Memory that is alive during a call is reserved in the called function. `leaving.rs`: tiles that a function
//! returns.

mod demand;
mod emit;
mod exact;
mod full;
mod in_place;
mod leaving;
pub mod pack;
pub mod rest;

use crate::analysis::{Facts, Storage};
use crate::ir::flow::Flow;
use crate::ir::{Function, FunctionId, Module, Names, OperationId};
use demand::Need;
use full::{Full, beside_computed};
use in_place::Joined;
use leaving::Leaving;
use pack::{Item, Packing, Problem};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::meaning::Meaning;
use pto_isa::memory::{Buffer, TMP_WINDOW};
use pto_isa::op::effect::Target;
use pto_isa::profile::Profile;
use rest::Rests;
use std::collections::{BTreeMap, HashMap};

/// Maximum number of allocations of a buffer placed without shared bytes. The synchronization of a loop visits all
/// bytes used in the loop: with separate bytes for each of many tiles its time grows with their number.
const MOST_APART: usize = 512;

/// Minimum alignment of addresses in bytes; a profile may require more.
const LEAST_ALIGNMENT: u64 = 32;

/// The memory of one buffer in one function.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BufferPlan {
    /// The function.
    pub function: FunctionId,
    /// The buffer.
    pub buffer: Buffer,
    /// Allocations of the buffer, in text order.
    pub places: Vec<Place>,
    /// The end of the last allocation, in bytes.
    pub peak: u64,
    /// The most bytes that are alive at one time.
    pub bound: u64,
    /// The bytes of the buffer that may be used.
    pub capacity: u64,
    /// The operations of the function in text order when it was placed, to which [`Place::alive`] refers.
    pub operations: Vec<Span>,
}

/// Address and live range of an allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// Name of the value, without `%`.
    pub name: String,
    /// The operation that allocates the tile or buffer.
    pub span: Span,
    /// First byte.
    pub address: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Whether the address was chosen here.
    pub is_chosen: bool,
    /// The operations during which the allocation is alive: ranges, first and last included, of indices into
    /// [`BufferPlan::operations`].
    pub alive: Vec<(usize, usize)>,
}

/// The bytes that are reused if a buffer does not suffice otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reuse {
    /// Bytes that were free longest; bytes of operands of the same instruction last.
    #[default]
    Late,
    /// Bytes of operands that end where the result begins, wherever pages allow it; then bytes that were free
    /// longest.
    InPlace,
}

/// Memory that callers of a function keep while it runs: first byte and bytes, by buffer.
type Kept = BTreeMap<Buffer, Vec<(u64, u64)>>;

/// Gives addresses to all allocations of a module that have none. `profile` is the profile of a function.
///
/// Returns the memory of each function and buffer in which something is allocated.
///
/// # Errors
/// For each buffer in which the allocations do not fit: the tiles alive at the fullest point. Then the module is
/// unchanged.
pub fn place(
    module: &mut Module,
    profile: impl Fn(FunctionId) -> Profile,
) -> Result<Vec<BufferPlan>, Vec<Diagnostic>> {
    place_rounds(module, profile, &Rounds::default(), Reuse::default())
}

/// The rounds of repeated loops to which tiles belong: the loop and the round, by function and name of the tile.
pub(super) type Rounds = HashMap<(FunctionId, String), (usize, u32)>;

/// Does the work of [`place`], with separate bytes for tiles of different iterations of a loop.
pub(super) fn place_rounds(
    module: &mut Module,
    profile: impl Fn(FunctionId) -> Profile,
    rounds: &Rounds,
    reuse: Reuse,
) -> Result<Vec<BufferPlan>, Vec<Diagnostic>> {
    let decided = decide(module, profile, rounds, reuse);
    if !decided.problems.is_empty() {
        return Err(decided.problems);
    }
    decided.edits.into_iter().for_each(|(id, addresses)| emit::apply(module, id, addresses));
    Ok(decided.plans)
}

/// The memory of each function and buffer as [`place`] would choose it, also of buffers in which tiles do not fit:
/// then `peak` is above `capacity`. Buffers in which the program computes a tile's address are omitted if they
/// contain tiles without addresses.
pub fn plan(module: &Module, profile: impl Fn(FunctionId) -> Profile) -> Vec<BufferPlan> {
    decide(module, profile, &Rounds::default(), Reuse::default()).plans
}

/// Decisions of placement.
struct Decided {
    plans: Vec<BufferPlan>,
    /// The chosen addresses.
    edits: Vec<(FunctionId, Vec<(OperationId, u64)>)>,
    /// Reasons why some of the decisions cannot be used.
    problems: Vec<Diagnostic>,
}

fn decide(
    module: &Module,
    profile: impl Fn(FunctionId) -> Profile,
    rounds: &Rounds,
    reuse: Reuse,
) -> Decided {
    let (window, storage) = (uses_window(module, &profile), Storage::of(module));
    let mut decided = Decided { plans: Vec::new(), edits: Vec::new(), problems: Vec::new() };
    let mut kept: HashMap<FunctionId, Kept> = HashMap::new();
    let mut leaving = Leaving::default();
    for id in callers_first(module) {
        let limits = Limits { profile: profile(id), window, rounds, reuse };
        let mut above = kept.remove(&id).unwrap_or_default();
        let leaves = leaving::tiles(module, id, &storage);
        leaving.keep(&mut above, !leaves.is_empty());
        let all = Need::all(module, id, &storage, limits.profile);
        let (mut of_function, mut chosen) = (Vec::new(), Vec::new());
        for buffer in Buffer::ALL {
            let needs: Vec<&Need> = all.iter().filter(|need| need.buffer == buffer).collect();
            if needs.is_empty() {
                continue;
            }
            let around = above.get(&buffer).map_or(&[][..], Vec::as_slice);
            let (placed, problem) = one_buffer(module, id, buffer, &needs, around, &limits);
            decided.problems.extend(problem);
            if let Some((plan, addresses)) = placed {
                chosen.extend(addresses);
                of_function.push(plan);
            }
        }
        keep_in_callees(module, id, &above, &of_function, &mut kept);
        leaving.placed(&of_function, &leaves);
        decided.edits.push((id, chosen));
        decided.plans.extend(of_function);
    }
    decided
}

/// Limits of the addresses of a function.
struct Limits<'a> {
    profile: Profile,
    /// Whether an instruction of the program uses the window at the end of UB.
    window: bool,
    rounds: &'a Rounds,
    reuse: Reuse,
}

impl Limits<'_> {
    /// Limits of a buffer for tiles in bytes: first the bytes that compilers use, then all.
    fn capacities(&self, buffer: Buffer) -> [u64; 2] {
        let all = self.profile.capacity(buffer);
        let all = if buffer == Buffer::Ub && self.window { all.min(TMP_WINDOW.start) } else { all };
        let reserved = if buffer == Buffer::Ub { self.profile.compiler_ub } else { 0 };
        [all.saturating_sub(reserved), all]
    }
}

/// Whether an instruction of a module uses the window of UB as its workspace.
fn uses_window(module: &Module, profile: &impl Fn(FunctionId) -> Profile) -> bool {
    module.functions.iter().any(|(id, function)| {
        let profile = profile(id);
        let facts = crate::analysis::Facts::of(function, &module.types);
        profile.uses_ub_window
            && function.operations.iter().any(|(_, operation)| {
                let site = facts.site(function, &module.types, operation, profile);
                site.is_some_and(|site| {
                    let effects = site.instruction.effects(&site);
                    effects.iter().any(|effect| effect.target == Target::Window)
                })
            })
    })
}

/// The functions with bodies in an order in which callers precede their callees; recursion leaves the order open.
fn callers_first(module: &Module) -> Vec<FunctionId> {
    let names = Names::of(module);
    let mut callers: HashMap<FunctionId, usize> = HashMap::new();
    let mut callees: HashMap<FunctionId, Vec<FunctionId>> = HashMap::new();
    for (id, function) in module.functions.iter() {
        for (_, operation) in function.operations.iter().filter(|(_, it)| it.meaning() == Meaning::Call) {
            let Some(callee) = operation.symbol("callee").and_then(|name| names.find(function, name)) else {
                continue;
            };
            callees.entry(id).or_default().push(callee);
            *callers.entry(callee).or_default() += 1;
        }
    }
    let with_body = module.functions.iter().filter(|(_, function)| function.body.is_some());
    let all: Vec<FunctionId> = with_body.map(|(id, _)| id).collect();
    let mut open: Vec<FunctionId> =
        all.iter().copied().filter(|id| !callers.contains_key(id)).rev().collect();
    let mut order = Vec::new();
    while let Some(id) = open.pop() {
        order.push(id);
        for callee in callees.get(&id).into_iter().flatten() {
            if let Some(left) = callers.get_mut(callee) {
                *left -= 1;
                if *left == 0 {
                    open.push(*callee);
                }
            }
        }
    }
    let rest = all.into_iter().filter(|id| !order.contains(id)).collect::<Vec<_>>();
    order.extend(rest);
    order.retain(|id| module.functions[*id].body.is_some());
    order
}

/// Tells the functions that a function calls which memory is alive during the calls.
fn keep_in_callees(
    module: &Module,
    id: FunctionId,
    above: &Kept,
    plans: &[BufferPlan],
    kept: &mut HashMap<FunctionId, Kept>,
) {
    let (function, names) = (&module.functions[id], Names::of(module));
    for (position, operation) in Flow::of(function).operations().iter().enumerate() {
        let operation = &function.operations[*operation];
        let callee = operation.symbol("callee").filter(|_| operation.meaning() == Meaning::Call);
        let Some(callee) = callee.and_then(|name| names.find(function, name)) else { continue };
        let of_callee = kept.entry(callee).or_default();
        for (buffer, places) in above {
            of_callee.entry(*buffer).or_default().extend(places);
        }
        for plan in plans {
            let alive = plan
                .places
                .iter()
                .filter(|place| place.alive.iter().any(|(first, last)| (*first..=*last).contains(&position)));
            let places = alive.map(|place| (place.address, place.bytes));
            of_callee.entry(plan.buffer).or_default().extend(places);
        }
    }
}

/// The memory of one buffer, and the addresses of the allocations that had none.
type Placed = (BufferPlan, Vec<(OperationId, u64)>);

/// The operations of a function in text order.
fn spans(function: &Function) -> Vec<Span> {
    Flow::of(function).operations().iter().map(|id| function.operations[*id].span).collect()
}

/// Places the allocations of one buffer, or returns the finding that explains why they do not fit.
fn one_buffer(
    module: &Module,
    id: FunctionId,
    buffer: Buffer,
    needs: &[&Need],
    around: &[(u64, u64)],
    limits: &Limits<'_>,
) -> (Option<Placed>, Option<Diagnostic>) {
    if let Some(computed) = needs.iter().find(|need| need.is_computed)
        && let Some(open) = needs.iter().find(|need| need.address.is_none() && !need.is_computed)
    {
        return (None, Some(beside_computed(buffer, open, computed)));
    }
    let alignment = limits.profile.address_alignment.max(LEAST_ALIGNMENT);
    let end = needs.iter().flat_map(|need| need.alive.iter().map(|(_, last)| *last)).max().unwrap_or(0);
    let items = needs.iter().map(|need| Item {
        bytes: need.bytes.next_multiple_of(alignment),
        fixed: if need.is_computed { Some(0) } else { need.address },
        alive: need.alive.clone(),
        group: need.group,
        round: limits.rounds.get(&(id, need.name.clone())).copied(),
    });
    let outside = around.iter().enumerate().map(|(at, (start, bytes))| Item {
        bytes: bytes.next_multiple_of(alignment),
        fixed: Some(*start),
        alive: vec![(0, end)],
        group: u32::MAX - at as u32,
        round: None,
    });
    let items: Vec<Item> = items.chain(outside).collect();
    let capacities = limits.capacities(buffer);
    let [usual, all] = capacities;
    let packing = Some(pack::apart(&items)).filter(|apart| apart.peak <= usual && items.len() <= MOST_APART);
    let packing = packing.unwrap_or_else(|| shared(module, id, &items, needs, limits, capacities));
    let is_open = needs.iter().any(|need| need.address.is_none() && !need.is_computed);
    let full = (is_open && packing.peak > all).then(|| {
        let (problem, packing) = (&Problem::new(items.clone()), &packing);
        Full { module, function: id, buffer, needs, problem, packing, capacity: all }.diagnostic()
    });
    let capacity = if packing.peak <= usual { usual } else { all };
    let places = needs.iter().zip(&packing.offsets).map(|(need, offset)| Place {
        name: need.name.clone(),
        span: need.span,
        address: *offset,
        bytes: need.bytes,
        is_chosen: need.address.is_none() && !need.is_computed,
        alive: need.alive.clone(),
    });
    let plan = BufferPlan {
        function: id,
        buffer,
        places: places.collect(),
        peak: packing.peak,
        bound: pack::bound(&items).0,
        capacity,
        operations: spans(&module.functions[id]),
    };
    let chosen =
        needs.iter().zip(&packing.offsets).filter(|(need, _)| need.address.is_none() && !need.is_computed);
    let addresses = chosen.map(|(need, offset)| (need.operation, *offset)).collect();
    (Some((plan, addresses)), full)
}

/// Packs items that do not fit without shared bytes.
fn shared(
    module: &Module,
    id: FunctionId,
    items: &[Item],
    needs: &[&Need],
    limits: &Limits<'_>,
    capacities: [u64; 2],
) -> Packing {
    let (flow, facts) = (Flow::of(&module.functions[id]), Facts::of(&module.functions[id], &module.types));
    let rests = Rests::of(module, id, &flow, &facts, limits.profile);
    let late = || Problem::new(items.to_vec()).pack(capacities, &rests);
    let in_place = || {
        let found = in_place::find(module, id, &flow, &facts, limits.profile);
        let joined = Joined::of(items, needs, &found);
        let packing = Problem::new(joined.items.clone()).pack(capacities, &rests);
        Packing { offsets: joined.offsets(&packing.offsets), ..packing }
    };
    let first = match limits.reuse {
        Reuse::InPlace => in_place(),
        Reuse::Late => late(),
    };
    if first.peak <= capacities[0] {
        return first;
    }
    let second = match limits.reuse {
        Reuse::InPlace => late(),
        Reuse::Late => in_place(),
    };
    if second.peak < first.peak { second } else { first }
}
