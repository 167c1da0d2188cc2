//! Rules, attributes, syntax and effects shared by the instructions that transfer entries of queues.

use super::super::order::VERIFIER;
use super::ends::{MANUAL, MANY, number, within};
use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::op::site::{Check, Fact, Site};
use crate::rule::Rule;
use crate::tile::Location;

pub(super) const ID: Rule = Rule::new("id", "The number of a queue is 0 or more.", VERIFIER)
    .because("Both ends find the queue by this number.")
    .instead("Write a number of 0 or more.");
pub(super) const SPLIT: Rule = Rule::new(
    "split",
    "split is 0 (not split), 1 (rows) or 2 (columns); for accumulator tiles also 3 (rows) or 4 (columns), for odd numbers.",
    MANUAL,
)
.because("The split decides which part each vector core receives.")
.instead("Write `split` as 0, 1 or 2; 3 or 4 for an odd extent of an accumulator.");
pub(super) const ENTRY: Rule = Rule::new(
    "entry",
    "An entry is a tensor view, an acc tile that the cube core pushes and a vector core pops as a vec tile, or a vec tile \
     that a vector core pushes and the cube core pops as a mat tile.",
    "docs/isa/TPUSH.md, docs/isa/TPOP.md, Constraints",
)
.because("The queue copies between these buffers only.")
.instead("Push an acc or vec tile, pop a vec or mat tile, or use tensor views.");
pub(super) const VIEW: Rule =
    Rule::new("entry", "The entry is a tensor view: a slot in global memory.", "docs/isa/TALLOC.md")
        .because("Only slots in global memory are allocated and named.")
        .instead("Use a tensor view with the type of the slot.");
pub(super) const HALVES: Rule = Rule::new(
    "halves",
    "An entry that is split with 1 or 2 has an even number of valid rows or columns; with 3 or 4, an odd number.",
    VERIFIER,
)
.because("Each vector core receives one half; an odd extent has a separate mode.")
.instead("Write `split` 1 or 2 for an even extent, 3 or 4 for an odd one.");
/// Checked with all operations of a function: `check::queues`.
pub const NOSPLIT: Rule = Rule::new(
    "nosplit",
    "All uses of one queue are split, or none is: none if nosplit is true, all if it is false.",
    MANUAL,
)
.because("The flags of a queue are those of one vector core or of both.")
.instead("Write the same kind of `split` in all uses, and `nosplit` accordingly.");

/// Checked with the queue that the function opens: `check::queues`.
pub const ODD: Rule = Rule::new(
    "odd-split",
    "An odd extent is split (3 or 4) only in a queue that leads through global memory from the cube core to the vector cores \
     alone, and is popped with valid operands.",
    MANUAL,
)
.because("The halves differ, and only a load from memory takes the extents that a vector core asks for.")
.instead("Split an even extent, or write `dir_mask = 1`, slots in global memory, and rows and columns of the popped tile.");
pub(super) const VALID: Rule =
    Rule::new("valid", "A tile that is popped with rows and columns has a type with `valid=?x?`.", MANUAL)
        .because("Operands give the valid region, and extents in the type would give it twice.")
        .instead("Write `valid=?x?` in the type, or leave the operands out.");
pub(super) const SUBBLOCK: Rule =
    Rule::new("subblock", "`aiv_subblockid` names the vector core of an entry that is split.", MANUAL)
        .because("An entry that is not split belongs to vector core 0.")
        .instead("Remove `aiv_subblockid`, or split the entry.");

/// The entry operand, if the instruction has one: role and facts.
fn entry<'a>(site: &'a Site<'_>) -> Option<(&'static str, &'a Fact)> {
    let role = ["value", "result"].into_iter().find(|role| site.operand(role).is_some())?;
    Some((role, &site.operand(role)?.fact))
}

/// Checks the rules of a transfer; tiles must be in one of `locations`. No tile is legal if `locations` is empty.
pub(super) fn check_transfer(check: &mut Check<'_>, locations: &[Location]) {
    if check.site.instruction.page().attribute("id").is_some() {
        within(check, &ID, "id", [0, MANY]);
    }
    let site = check.site;
    let Some((role, fact)) = entry(site) else {
        return within(check, &SPLIT, "split", [0, 4]);
    };
    let (fits, odd) = match fact {
        Fact::Tile(tile) => (
            locations.contains(&tile.location()),
            tile.location() == Location::Acc || role == "result" && tile.location() == Location::Vec,
        ),
        Fact::View(_) => (true, false),
        _ => (false, false),
    };
    if let Fact::Tile(tile) = fact
        && site.operand("rows").is_some()
    {
        let open = tile.ty.valid_rows.is_none() && tile.ty.valid_cols.is_none();
        check.require(&VALID, role, open, |check| format!("{} is {}", check.name(role), tile.ty.brief()));
    }
    let split = number(check, "split").unwrap_or(0);
    check.require(&SUBBLOCK, "subblock", split != 0 || site.operand("subblock").is_none(), |_| {
        "the entry is not split".to_owned()
    });
    let rule = if locations.is_empty() { &VIEW } else { &ENTRY };
    check.require(rule, role, fits, |check| {
        let words: Vec<_> = locations.iter().map(|location| format!("a {} tile", location.word())).collect();
        let words: Vec<_> = words.into_iter().chain(["a tensor view".to_owned()]).collect();
        format!("{} is not {}", check.name(role), words.join(" or "))
    });
    // TPOP of a queue value receives its tile as an operand; the producer may have split an odd extent.
    let unseen = site.spelling.ends_with("tpop");
    within(check, &SPLIT, "split", [0, if odd || unseen { 4 } else { 2 }]);
}

/// Checks that the split extent of an entry is even, or odd for split 3 and 4.
pub(super) fn check_halves(check: &mut Check<'_>) {
    let Some(tile) = check.site.tile("value") else { return };
    let split = number(check, "split").unwrap_or(0);
    let extent = match split {
        1 | 3 => tile.rows,
        2 | 4 => tile.cols,
        _ => None,
    };
    let fits = extent.is_none_or(|extent| (extent % 2 == 1) == (split > 2));
    check.require(&HALVES, "value", fits, |check| {
        format!(
            "{} has {} valid, which split = {split} does not divide",
            check.name("value"),
            tile.valid_text()
        )
    });
}

const HOW: AttributeSpec = AttributeSpec::integer(
    "split",
    "How an entry is split between the vector cores: 0 not at all, 1 by rows, 2 by columns, 3 by an odd number of rows, 4 by an \
     odd number of columns.",
);
/// The attributes of transfers of a queue value.
pub(super) const OF_VALUE: &[AttributeSpec] = &[HOW];
/// The attributes of transfers of a numbered queue.
pub(super) const OF_NUMBERED: &[AttributeSpec] =
    &[AttributeSpec::integer("id", "The number of the queue.").or_integer(0), HOW];
/// A slot in global memory is passed on without access.
const SLOT: Effect = Effect::names("value").of(Extent::View);
/// Effects of an instruction that pushes an entry.
pub(super) const PUSHED: &[Effect] = &[Effect::reads("value"), SLOT];
/// Effects of an instruction that pops an entry of a queue value.
pub(super) const POPPED_VALUE: &[Effect] = &[SLOT, Effect::writes("value")];
/// Effects of an instruction that pops an entry of a numbered queue.
pub(super) const POPPED_RESULT: &[Effect] =
    &[Effect::names("result").of(Extent::View), Effect::writes("result")];
/// Effects of an instruction that returns a slot as its result.
pub(super) const TAKEN_RESULT: &[Effect] = &[Effect::names("result").of(Extent::View)];
/// Effects of an instruction that allocates or frees the slot in an operand.
pub(super) const NAMED_VALUE: &[Effect] = &[Effect::names("value")];
pub(super) const PUSH: Syntax = Syntax::Own(
    &["( %value : :value ) {} [? aiv_subblockid ( %subblock ) ?] {}"],
    &[("value", Kind::TileOrView), ("subblock", Kind::Index)],
);
pub(super) const POP: Syntax = Syntax::Own(
    &[
        "( %rows , %cols ) {} [? aiv_subblockid ( %subblock ) ?] {} -> !type",
        "{} [? aiv_subblockid ( %subblock ) ?] {} -> !type",
    ],
    &[("rows", Kind::Index), ("cols", Kind::Index), ("subblock", Kind::Index)],
);
pub(super) const ALLOCATE: Syntax = Syntax::Own(&["{} {} -> !type"], &[]);
pub(super) const FREE: Syntax =
    Syntax::Own(&["[? ( %value : :value ) ?] {} {}"], &[("value", Kind::TileOrView)]);
pub(super) const BY_VALUE: Syntax = Syntax::Own(
    &["( %value , %pipe : :value , :pipe ) {}"],
    &[("value", Kind::TileOrView), ("pipe", Kind::Other)],
);
