//! Code shared by the instructions that transfer tensors through staging tiles, to one rank or among a group of
//! ranks.

use super::staging::{self, agree, five, shape_text, views};
use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::op::memory::ATOMIC_TYPE;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::Rule;
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    super::staging::Staging,
    super::tensor::{Tensor, TensorSlot},
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::op::Compute,
};

const GROUPS: &str = "docs/isa/comm/TBROADCAST.md, Constraints";

pub(super) const GROUP: Rule =
    Rule::new("group", "The tensors of the group, one for each rank, have one shape.", GROUPS)
        .because("Each rank transfers the same number of elements to the same positions.")
        .instead("Give all tensors of the group the same extents.");
pub(super) const ROOT: Rule =
    Rule::new("root", "The root is the number of a tensor of the group, counted from 0.", GROUPS)
        .because("A root outside of the group has no tensor to read or write.")
        .instead("Write a root from 0 to the number of tensors minus 1.");
pub(super) const ROWS: Rule = Rule::new(
    "rows",
    "In dimension 3 the root's tensor has the rows of all ranks, one rank below the other; its other dimensions agree with \
     those of the ranks.",
    "docs/isa/comm/TGATHER.md, Constraints",
)
.because("The part of each rank is a block of rows of the root's tensor.")
.instead("Give the root's tensor the sum of the ranks' rows in dimension 3, and equal other extents.");

/// The attribute `root`: the root's number in its group.
pub(super) const ROOT_ATTRIBUTE: AttributeSpec =
    AttributeSpec::integer("root", "The number of the root's tensor in the group, counted from 0.");

/// The reason why an access may cover only a part of the root's tensor.
pub(super) const BEYOND: &str = "rows after those of the last rank are not accessed";

/// The syntax of the instructions of a group.
pub(super) const SYNTAX: Syntax = Syntax::Own(
    &["( %tensor , recv ( %receive* ) , group ( %group* ) : :tensor , :receive* , :group* ) {}"],
    &[("tensor", Kind::View), ("receive", Kind::Tile), ("group", Kind::View)],
);

/// The page of an instruction between ranks.
pub(super) const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    syntax: Syntax,
    rules: &'static [&'static Rule],
) -> Page {
    Page::of(Set::Communication, name, summary, formula, source, syntax, rules)
}

/// A transfer between ranks, ready to run: tensors, staging tiles and the reduction.
#[cfg(feature = "run")]
pub(super) struct Transfer {
    tensors: Vec<(&'static str, Vec<TensorSlot>)>,
    pub(super) staging: Staging,
    /// The tile that accumulates sums.
    pub(super) accumulator: Option<Tile>,
    /// Whether received data are added to the destination.
    pub(super) add: bool,
    pub(super) root: usize,
    pub(super) op: BinaryOp,
}

#[cfg(feature = "run")]
impl Transfer {
    fn of(prepare: &Prepare<'_>, staging: &'static str, by_formula: bool) -> Result<Transfer, String> {
        let tensors = |role| (role, TensorSlot::all(prepare, role));
        Ok(Transfer {
            tensors: ["dst", "src", "tensor", "group"].map(tensors).into(),
            staging: Staging::of(prepare, staging, by_formula)?,
            accumulator: prepare.tile_if("accumulator"),
            add: adds(prepare.site),
            root: usize::try_from(root(prepare.site).unwrap_or(0)).unwrap_or(0),
            op: reduce_op(prepare.site).unwrap_or(BinaryOp::Add),
        })
    }

    /// The tensors in a role.
    fn slots(&self, role: &str) -> &[TensorSlot] {
        self.tensors.iter().find(|(name, _)| *name == role).map_or(&[], |(_, slots)| slots.as_slice())
    }

    /// A tensor in a role.
    ///
    /// # Errors
    /// If it is outside its buffer.
    pub(super) fn tensor(&self, state: &State<'_>, role: &str, index: usize) -> Result<Tensor, Fault> {
        self.slots(role).get(index).ok_or(Fault::Rule)?.open(state)
    }

    /// The tensors of all ranks of the group.
    ///
    /// # Errors
    /// If one is outside its buffer, or they differ in shape.
    pub(super) fn group(&self, state: &State<'_>) -> Result<Vec<Tensor>, Fault> {
        let group: Result<Vec<_>, Fault> = self.slots("group").iter().map(|slot| slot.open(state)).collect();
        let group = group?;
        let same = group.windows(2).all(|pair| pair[0].shape == pair[1].shape);
        if same && self.root < group.len() { Ok(group) } else { Err(Fault::Rule) }
    }

    /// Rows per rank in the root's tensor.
    ///
    /// # Errors
    /// If the shapes of the root's tensor and the group do not match.
    pub(super) fn rows(&self, whole: &Tensor, group: &[Tensor]) -> Result<usize, Fault> {
        let part = group[0].shape;
        let others = [0, 1, 2, 4].into_iter().all(|at| whole.shape[at] == part[at]);
        let fits = others && part[3].checked_mul(group.len()).is_some_and(|rows| rows <= whole.shape[3]);
        if fits { Ok(part[3]) } else { Err(Fault::Rule) }
    }
}

/// Whether received data are added to the destination.
pub(super) fn adds(site: &Site<'_>) -> bool {
    site.listed_word(ATOMIC_TYPE.name) == Some("atomic_add")
}

/// The root's number in its group, for instructions with a root.
fn root(site: &Site<'_>) -> Option<i128> {
    site.listed_attribute(ROOT_ATTRIBUTE.name).and_then(crate::attribute::Attribute::as_integer)
}

/// The operation of a reduction.
pub(super) fn reduce_op(site: &Site<'_>) -> Option<BinaryOp> {
    match site.listed_word("reduceOp")? {
        "sum" => Some(BinaryOp::Add),
        "max" => Some(BinaryOp::Max),
        "min" => Some(BinaryOp::Min),
        _ => None,
    }
}

/// Checks the rules of a group and of its staging tiles. Returns the number of ranks.
pub(super) fn check_group(check: &mut Check<'_>, tiles: &[&str]) -> usize {
    staging::check(check, &["group", "tensor"], tiles, "group");
    let group = views(check, "group");
    let shapes: Vec<_> = group.iter().filter_map(|view| five(view)).collect();
    check.require(&GROUP, "group", shapes.iter().all(|shape| agree(shape, &shapes[0])), |_| {
        let words: Vec<_> = shapes.iter().map(|shape| shape_text(shape)).collect();
        format!("the tensors of the group are {}", words.join(", "))
    });
    let root = root(check.site);
    let inside = root.is_some_and(|root| root >= 0 && root < group.len() as i128);
    check.require(&ROOT, "group", inside, |_| match root {
        Some(root) => format!("the root is {root}, but the group has {} tensors", group.len()),
        None => "say which tensor is the root's: {root = 0 : i32}".to_owned(),
    });
    group.len()
}

/// Checks that the root's tensor has the shape of each tensor of the group.
pub(super) fn check_same_shape(check: &mut Check<'_>) {
    let shape = |role| views(check, role).first().and_then(|view| five(view));
    if let Some((whole, part)) = shape("tensor").zip(shape("group")) {
        check.require(&staging::SHAPE, "tensor", agree(&whole, &part), |check| {
            let (whole_name, part_name) = (check.name("tensor"), check.name("group"));
            format!("{whole_name} is {}, {part_name} is {}", shape_text(&whole), shape_text(&part))
        });
    }
}

/// Checks that the root's tensor has the rows of all ranks.
pub(super) fn check_rows(check: &mut Check<'_>, ranks: usize) {
    let shape = |role| views(check, role).first().and_then(|view| five(view));
    let Some((whole, part)) = shape("tensor").zip(shape("group")) else { return };
    let same = |at: usize| whole[at].zip(part[at]).is_none_or(|(a, b)| a == b);
    let all = part[3].and_then(|rows| rows.checked_mul(ranks as u64));
    let enough = whole[3].zip(all).is_none_or(|(have, need)| have >= need);
    check.require(&ROWS, "tensor", enough && [0, 1, 2, 4].into_iter().all(same), |check| {
        format!(
            "{} is {}, each of {ranks} ranks has {}",
            check.name("tensor"),
            shape_text(&whole),
            shape_text(&part)
        )
    });
}

/// An instruction that transfers tensors through staging tiles.
pub(super) struct Move {
    pub(super) page: Page,
    /// The role of the staging tiles.
    #[cfg(feature = "run")]
    pub(super) staging: &'static str,
    pub(super) check: fn(&mut Check<'_>),
    #[cfg(feature = "run")]
    pub(super) run: fn(&mut State<'_>, &Transfer) -> Result<(), Fault>,
}

impl Instruction for Move {
    fn page(&self) -> &Page {
        &self.page
    }

    /// Data are loaded by MTE2 and stored by MTE3; the instruction ends on MTE3.
    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Mte3
    }

    /// An atomic add also reads the destination.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let mut effects = site.held(self.page.effects);
        if adds(site) {
            effects.retain(|effect| effect.role() != Some("dst"));
            let added = Extent::View;
            effects.push(Effect::reads("dst").of(added).atomically(true));
            effects.push(Effect::writes("dst").of(added).atomically(true));
        }
        effects
    }

    fn check(&self, check: &mut Check<'_>) {
        (self.check)(check);
    }
}

#[cfg(feature = "run")]
impl Compute for Move {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let transfer = Transfer::of(reference.prepare(), self.staging, true).map_err(Fault::Other)?;
        (self.run)(reference.state(), &transfer)
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let transfer = Transfer::of(prepare, self.staging, false)?;
        let run = self.run;
        Ok(Box::new(move |state: &mut State<'_>| run(state, &transfer)))
    }
}
