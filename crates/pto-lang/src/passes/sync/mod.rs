//! Synchronization: inserts the flags and barriers that a program leaves to its assembler.
//!
//! Every two accesses to the same bytes on one core, one of which writes, are ordered: on every path, for any number
//! of rounds of each loop. The pass depends only on the effects of the operations (`analysis/accesses.rs`):
//!
//! 1. `tree.rs`: the instruction stream of each kind of core as a tree of bodies, without operations that access no
//!    bytes.
//! 2. `resolve.rs`: walks through the bodies, and inserts a flag or a barrier wherever an access follows an unordered
//!    one.
//! 3. `coalesce.rs`, `prune.rs`: joins flags, and removes operations that later insertions have made superfluous.
//! 4. `events.rs`: assigns an event id to each flag; if none is left, the scalar unit waits instead, and steps 2 and
//!    3 follow again.
//! 5. `emit.rs`: puts the operations into the function.
//!
//! Synchronization that the program already has is kept and relied on. Exchanges between cores are never changed.

mod coalesce;
mod conflicts;
mod emit;
mod events;
mod plan;
mod price;
mod prune;
mod reason;
mod regions;
mod resolve;
mod state;
mod tokens;
mod tree;
mod widen;

pub use coalesce::Joins;
pub use emit::{Order, operation};
pub(super) use prune::MOST_WORK;

use crate::analysis::accesses::Accesses;
use crate::analysis::{Facts, Storage};
use crate::ir::flow::Flow;
use crate::ir::{FunctionId, Module};
use plan::{Plan, Reaches};
use pto_isa::diag::Span;
use pto_isa::meaning::Core;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use tree::Planter;

/// Mechanisms that order instructions of different pipes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SynchronizeBy {
    /// Flags: `set_flag` and `wait_flag`.
    #[default]
    Flags,
    /// Buffer tokens: `get_buf` and `rls_buf`. Flags if no token is left, or if a token would order too little.
    Tokens,
    /// Flags, and a barrier of all pipes if it replaces several of them: fewer operations, less overlap of pipes.
    Fewest,
}

/// A flag or a barrier that was inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Insertion {
    /// The function.
    pub function: FunctionId,
    /// A flag from the first pipe to the second with an event id, or a token with a number; a barrier if `None`.
    pub flag: Option<(Pipe, Pipe, u8)>,
    /// Whether a token was inserted, which both pipes take.
    pub is_token: bool,
    /// The pipe of a barrier; the waiting pipe of a flag.
    pub pipe: Pipe,
    /// The accesses that the insertion orders: the earlier one, the later one.
    pub accesses: [Option<Reasoned>; 2],
    /// Whether the later access is in a later round of a loop than the earlier one. Such a flag is also set once before the
    /// loop, and awaited once after it.
    pub carried: bool,
}

/// An access for which a flag or a barrier was inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reasoned {
    /// The operation, in the text from which the module was parsed.
    pub span: Span,
    /// Name of the operation without dialect.
    pub operation: String,
    /// The accessed value, without `%`; empty for a call.
    pub value: String,
    /// Whether the access writes.
    pub writes: bool,
}

/// Inserts flags and barriers into every function of a module, until all accesses of each core are ordered.
///
/// Tiles without addresses are assumed to share no bytes with others. `profile` is the profile of a function. Returns
/// the insertions by function, in the order of their reasons. A second call changes nothing.
pub fn synchronize(
    module: &mut Module,
    profile: impl Fn(FunctionId) -> Profile,
    by: SynchronizeBy,
) -> Vec<Insertion> {
    let strategy = Strategy { by, joins: Joins::default(), search: MOST_WORK };
    synchronize_by(module, profile, strategy).insertions
}

/// Operations to insert, and the effort to find few of them.
#[derive(Clone, Copy)]
pub(super) struct Strategy {
    pub(super) by: SynchronizeBy,
    /// Flags to join.
    pub(super) joins: Joins,
    /// Maximum work of each search for superfluous operations.
    pub(super) search: usize,
}

/// Result of synchronization.
#[derive(Default)]
pub(super) struct Synchronized {
    pub(super) insertions: Vec<Insertion>,
    /// Number of steps taken.
    pub(super) steps: usize,
    /// The estimated time of the functions, in cycles.
    pub(super) price: f64,
}

/// [`synchronize`] by a strategy.
pub(super) fn synchronize_by(
    module: &mut Module,
    profile: impl Fn(FunctionId) -> Profile,
    strategy: Strategy,
) -> Synchronized {
    let with_body = module.functions.iter().filter(|(_, function)| function.body.is_some());
    let functions: Vec<FunctionId> = with_body.map(|(id, _)| id).collect();
    let mut all = Synchronized::default();
    for id in functions {
        for core in tree::cores(module, id) {
            let one = one_core(module, id, core, profile(id), strategy);
            all.insertions.extend(one.insertions);
            all.steps += one.steps;
            all.price += one.price;
        }
    }
    all
}

/// Maximum number of times that the choice of event ids is followed by further changes.
const MOST_REPAIRS: usize = 8;

/// Orders the accesses of one core.
fn one_core(
    module: &mut Module,
    id: FunctionId,
    core: Option<Core>,
    profile: Profile,
    strategy: Strategy,
) -> Synchronized {
    let function = &module.functions[id];
    let (facts, flow) = (Facts::of(function, &module.types), Flow::of(function));
    let storage = Storage::of(module);
    let accesses = Accesses::of(module, id, &facts, &flow, &storage, profile);
    let tree = Planter::plant(module, id, &accesses, core, profile);
    let chosen = |reaches: Reaches| {
        let mut plan = Plan::new(&tree, &accesses, profile, reaches, strategy.search);
        plan.resolve();
        plan.coalesce(strategy.joins);
        plan.prune();
        match strategy.by {
            SynchronizeBy::Flags => {}
            SynchronizeBy::Tokens => plan.use_tokens(),
            SynchronizeBy::Fewest => plan.use_barriers(),
        }
        plan
    };
    let (mut plan, mut steps) = (chosen(Reaches::new()), 0);
    while let Some(reaches) = plan.shortened() {
        steps += plan.work.get();
        plan = chosen(reaches);
    }
    let mut is_final = plan.choose_events();
    // A flag without an event id became something else, which orders less, or so much that other flags are superfluous.
    for _ in 0..MOST_REPAIRS {
        let is_ordered = plan.is_ordered();
        match is_ordered {
            true if is_final => break,
            true => plan.prune(),
            false => plan.resolve(),
        }
        is_final = plan.choose_events() && is_ordered;
    }
    if !plan.is_ordered() {
        plan.fence_all();
    }
    let insertions = emit::insertions(&plan, module, id);
    let edits = emit::edits(&plan);
    steps += plan.work.get();
    let price = plan.price(&facts, function, &module.types);
    emit::apply(module, id, edits);
    Synchronized { insertions, steps, price }
}
