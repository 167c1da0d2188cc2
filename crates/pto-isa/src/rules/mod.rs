//! The rules that do not belong to instructions, one file per family, and the list of all rules.
//!
//! `family!` declares the rules of a file and their list together, so that no rule is missing from [`all`].

/// Declares rules as statics, and their list `LIST`.
macro_rules! family {
    ($($(#[$doc:meta])* $name:ident = $rule:expr;)+) => {
        $($(#[$doc])* pub static $name: Rule = $rule;)+

        /// The rules of this family.
        pub(super) static LIST: &[&Rule] = &[$(&$name),+];
    };
}

pub mod alloc_tile;
pub mod attributes;
pub mod cores;
pub mod init;
pub mod kernel;
pub mod mem;
pub mod names;
pub mod place;
pub mod queue;
pub mod race;
pub mod run;
pub mod sequence;
pub mod structure;
pub mod sync;
pub mod text;
pub mod values;
pub mod verify;

use super::rule::{Rule, RuleId};
use crate::op::effect::{Effect, Extent, Target};
use crate::op::{self, Page};

const FAMILIES: [&[&Rule]; 17] = [
    text::LIST,
    names::LIST,
    attributes::LIST,
    structure::LIST,
    alloc_tile::LIST,
    values::LIST,
    cores::LIST,
    queue::LIST,
    run::LIST,
    race::LIST,
    sync::LIST,
    init::LIST,
    mem::LIST,
    kernel::LIST,
    sequence::LIST,
    place::LIST,
    verify::LIST,
];

/// Former ids and groups of rules with their current ones. [`find`] accepts a former id for one release after the
/// renaming.
pub const RENAMED: [(&str, &str); 71] = [
    ("pipe", "queue"),
    ("pipe::peer", "queue::peer"),
    ("pipe::slots", "queue::slots"),
    ("pipe::initialize", "queue::initialize"),
    ("pipe::entry", "queue::entry"),
    ("pipe::split", "queue::split"),
    ("pipe::epilogue", "queue::epilogue"),
    ("pipe::epilogue-type", "queue::epilogue-type"),
    ("pipe::epilogue-layout", "queue::epilogue-layout"),
    ("pipe::quantization", "queue::quantization"),
    ("pipe::agreement", "queue::agreement"),
    ("pipe::capacity", "queue::capacity"),
    ("pipe::slot-size", "queue::slot-size"),
    ("pipe::element-type", "queue::element-type"),
    ("pipe::shape", "queue::shape"),
    ("pipe::free", "queue::free"),
    ("pipe::allocate", "queue::allocate"),
    ("pipe::deadlock", "cores::deadlock"),
    ("pipe::flag", "cores::flag"),
    ("set_quant_scalar::queue", "attribute-kind"),
    ("set_quant_vector::queue", "attribute-kind"),
    ("aic_initialize_pipe::core", "cores::kind"),
    ("aiv_initialize_pipe::core", "cores::kind"),
    ("talloc_to_aic::core", "cores::kind"),
    ("talloc_to_aiv::core", "cores::kind"),
    ("tpush_to_aic::core", "cores::kind"),
    ("tpush_to_aiv::core", "cores::kind"),
    ("tpop_from_aic::core", "cores::kind"),
    ("tpop_from_aiv::core", "cores::kind"),
    ("tfree_from_aic::core", "cores::kind"),
    ("tfree_from_aiv::core", "cores::kind"),
    ("tci::direction", "attribute-kind"),
    ("tgather::offset", "attribute-kind"),
    ("tmrgsort::exhausted", "attribute-kind"),
    ("tcmp::mode", "attribute-word"),
    ("tcmps::mode", "attribute-word"),
    ("tcvt::rounding-mode", "attribute-word"),
    ("tcvt::saturation-mode", "attribute-word"),
    ("tstore::relu-mode", "attribute-word"),
    ("tstore_fp::relu-mode", "attribute-word"),
    ("textract::mode", "attribute-word"),
    ("textract::relu-mode", "attribute-word"),
    ("textract_fp::mode", "attribute-word"),
    ("textract_fp::relu-mode", "attribute-word"),
    ("tinsert::mode", "attribute-word"),
    ("tinsert::relu-mode", "attribute-word"),
    ("tinsert_fp::mode", "attribute-word"),
    ("tinsert_fp::relu-mode", "attribute-word"),
    ("tmov::mode", "attribute-word"),
    ("tmov::relu-mode", "attribute-word"),
    ("tmov_fp::mode", "attribute-word"),
    ("tmov_fp::relu-mode", "attribute-word"),
    ("timg2col::mode", "attribute-word"),
    ("mscatter::mode", "attribute-word"),
    ("tprint::format", "attribute-word"),
    ("barrier::pipe", "attribute-word"),
    ("fence.barrier_all::scope", "attribute-word"),
    ("get_buf::operation", "attribute-word"),
    ("rls_buf::operation", "attribute-word"),
    ("record_event::operation", "attribute-word"),
    ("record_event::event", "attribute-word"),
    ("wait_event::operation", "attribute-word"),
    ("wait_event::event", "attribute-word"),
    ("set_flag::pipe", "attribute-word"),
    ("set_flag::event", "attribute-word"),
    ("wait_flag::pipe", "attribute-word"),
    ("wait_flag::event", "attribute-word"),
    ("set_flag_dyn::pipe", "attribute-word"),
    ("wait_flag_dyn::pipe", "attribute-word"),
    ("syncall::core-type", "attribute-word"),
    ("tsync::operation", "attribute-word"),
];

/// Every id that a diagnostic can carry: first the instructions' rules, by page, then the others, by family.
pub fn all() -> impl Iterator<Item = RuleId> {
    let others = FAMILIES.into_iter().flatten().map(|rule| RuleId::from(*rule));
    op::all().flat_map(|instruction| of(instruction.page())).chain(others)
}

/// The ids of an instruction: the rules of its page, then the rules that can stop it at run time.
pub fn of(page: &'static Page) -> impl Iterator<Item = RuleId> {
    let stops = [(reaches_global(page), &run::OUT_OF_BOUNDS), (page.set.has_formulas(), &run::RUN)];
    let stops = stops.into_iter().filter_map(|(can_stop, rule)| can_stop.then_some(rule));
    page.rules.iter().copied().chain(stops).map(|rule| rule.owned_by(page.name))
}

/// The rule with an id such as `race::read-after-write`, current or former.
pub fn find(id: &str) -> Option<RuleId> {
    let id = renamed(id).unwrap_or(id);
    all().find(|known| *known == id)
}

/// The current name of a renamed rule or group; `None` for other names.
pub fn renamed(former: &str) -> Option<&'static str> {
    RENAMED.into_iter().find_map(|(old, new)| (old == former).then_some(new))
}

/// Whether an instruction accesses global memory through a view or a pointer.
fn reaches_global(page: &Page) -> bool {
    let is_global = |extent| matches!(extent, Extent::View | Extent::Covered(_) | Extent::Pointed(_));
    let reaches = |effect: &Effect| match effect.target {
        Target::Operand(_, extent) => is_global(extent),
        Target::Register(_) | Target::Window | Target::Pipes(_) => false,
    };
    page.set.has_formulas() && page.effects.iter().any(reaches)
}
