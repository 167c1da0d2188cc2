//! MSCATTER: stores rows or elements to a table in global memory, by index.

use super::index::word_of;
use super::table::{Beyond, COALESCE, WALKING, WHOLE, table_extent, walking_effects, walking_pipe};
use super::table_rules::{RULES as TABLE_RULES, TYPES, check_indices, check_table};
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::attribute::AttributeSpec;
use crate::op::cost::Cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::memory::VIEW_LAYOUT;
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, PerProfile, Profile};
use crate::rule::{Rule, join};
use pto_num::BinaryOp;
#[cfg(feature = "run")]
use {
    super::table::Coalesce,
    super::table::{Open, Table, row_of},
    super::table_rules::{INDEX_RANGE, PACKED},
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::map::BinaryFormula,
    pto_kernels::transfer,
    pto_num::get_element,
};

const SOURCE: &str = "docs/isa/MSCATTER.md";

const ATOMIC: Rule = Rule::new(
    "atomic",
    "Atomic add takes signed integers and floats of 16 and 32 bits on A2/A3, 32-bit integers and the same floats on A5. Max \
     and min take 32-bit integers and f32, on A5 only.",
    "docs/isa/MSCATTER.md, Atomic Type Support",
)
.because("Global memory has atomic operations for these formats only.")
.instead("Use a format in the statement, or write `scatterAtomicOp` none.");
const CONFLICT: Rule = Rule::new(
    "conflict",
    "Only A5 has conflict modes; on A2/A3 the last of several writers always wins.",
    "docs/isa/MSCATTER.md, Conflict Resolution",
)
.because("A2/A3 has no setting for conflicts.")
.instead("Remove `scatterConflict`; the last writer wins.")
.only(A2A3_ONLY);
const ORDER: Rule = Rule::new(
    "conflict-order",
    "Indices are distinct, or `scatterConflict` is last; `default` leaves the winner of several writers to the device.",
    "docs/isa/MSCATTER.md, Conflict Resolution",
)
.because("With `default` a device may keep either value, so results differ from run to run.")
.instead("Write `scatterConflict` as last, or make the indices distinct.")
.lint();

const RULES: &[&Rule] = join!(TABLE_RULES, &[&ATOMIC, &CONFLICT, &ORDER]);

/// The instruction MSCATTER.
pub(super) struct Mscatter {
    page: Page,
}

pub(super) static MSCATTER: Mscatter = Mscatter {
    page: Page {
        name: "mscatter",
        aliases: &[],
        set: Set::Irregular,
        summary: "Scatters rows or single elements to a table in global memory by their indices.",
        formula: "dst[idx[i], j] = src[i, j] by rows, or element idx[i, j] of dst = src[i, j]; an atomic mode writes the sum, \
                  maximum or minimum with the old element; of several elements for one place the last stays; `scatterOob` \
                  decides whether an index beyond the table is clamped, wrapped or skipped",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile, idx: Tile) outs(dst: View))
            .asking(&["coalesce", "scatterOob", "scatterAtomicOp", "scatterConflict"])]),
        attributes: &[
            COALESCE.or_means(
                "elem if the index tile has the shape of the data and is no row or column with an index for each row of the \
                 data, else row",
            ),
            AttributeSpec::words(
                "scatterOob",
                "scatter_oob",
                &["undefined", "skip", "clamp", "wrap"],
                "The effect of an index beyond the table: an error (undefined), no write (skip), or a write to the last row or \
                 element (clamp), or to the one at the index modulo their number (wrap).",
            )
            .or_word("undefined"),
            AttributeSpec::words(
                "scatterAtomicOp",
                "scatter_atomic_op",
                &["none", "add", "max", "min"],
                "The operation that combines an element with the one in memory, atomically.",
            )
            .or_word("none"),
            AttributeSpec::words(
                "scatterConflict",
                "scatter_conflict",
                &["last", "default"],
                "The element that stays of several for one place (A5): the last, or one that the device chooses.",
            )
            .or_means("the last"),
            VIEW_LAYOUT,
        ],
        rules: RULES,
        cost: Cost::Transfer,
        effects: &[
            Effect::reads("src"),
            Effect::reads("idx").by(Pipe::Scalar).on(WALKING),
            Effect::reads("idx").on(WHOLE),
            Effect::writes_parts("dst", NAMED).of(Extent::View),
            WALK,
        ],
        pictures: super::pictures::MSCATTER,
        origin: Some(Origin::WRITTEN),
    },
};

const NAMED: &str = "the indices select the elements that are written";

/// The scalar unit reads the indices, and MTE3 stores the selected rows. Source: `docs/isa/MSCATTER.md`, Pipe /
/// Synchronisation Model.
const WALK: Effect = Effect::orders(
    &[(Pipe::Vector, Pipe::Scalar), (Pipe::Mte2, Pipe::Scalar), (Pipe::Scalar, Pipe::Mte3)],
    &[(Pipe::Mte3, Pipe::Vector), (Pipe::Mte3, Pipe::Mte2)],
)
.on(WALKING);

fn beyond(site: &Site<'_>) -> Option<Beyond> {
    Beyond::of(site, "scatterOob", "skip")
}

/// The atomic operation: outer `None` for an unknown mode, inner `None` for a plain store.
fn atomic(site: &Site<'_>) -> Option<Option<BinaryOp>> {
    match word_of(site, "scatterAtomicOp").ok()? {
        Some("none") => Some(None),
        Some("add") => Some(Some(BinaryOp::Add)),
        Some("max") => Some(Some(BinaryOp::Max)),
        Some("min") => Some(Some(BinaryOp::Min)),
        _ => None,
    }
}

/// Element types of atomic additions, and of atomic maxima and minima, on a device; `cpu` has every type for which
/// the operation is defined.
const ATOMIC_FORMATS: PerProfile<[&[Element]; 2]> = {
    use Element::{Bf16, F16, F32, I8, I16, I32, U32};
    PerProfile::new(
        [&[], &[]],
        [&[I8, I16, I32, F16, Bf16, F32], &[]],
        [&[I32, U32, F32, F16, Bf16], &[I32, U32, F32]],
    )
};

/// Whether a profile has an atomic operation on an element type.
fn has_atomic(profile: Profile, op: BinaryOp, element: Element) -> bool {
    let [additions, others] = ATOMIC_FORMATS.of(profile);
    let list = if op == BinaryOp::Add { additions } else { others };
    list.contains(&element) || !profile.is_device() && op.applies_to(element)
}

impl Instruction for Mscatter {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        walking_pipe(site, "src", Pipe::Mte3)
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    /// An atomic mode also reads the table.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        let combines = matches!(atomic(site), Some(Some(_)));
        let mut effects = site.held(self.page.effects);
        for effect in effects.iter_mut().filter(|effect| effect.role() == Some("dst")) {
            *effect = effect.of(table_extent(site, ["dst", "src"])).atomically(combines);
        }
        walking_effects(site, "src", effects)
    }

    fn check(&self, check: &mut Check<'_>) {
        check_table(check, "dst", "src", false);
        check_indices(check, "src");
        let op = atomic(check.site);
        let element = check.tile("src").element();
        if let Some(Some(op)) = op {
            let fits = has_atomic(check.profile(), op, element);
            check.require(&ATOMIC, "src", fits, |check| {
                let word = check.site.word("scatterAtomicOp").unwrap_or("");
                format!(
                    "there is no atomic {word} of {} on {}",
                    element_word(element),
                    check.profile().word()
                )
            });
        }
        let conflict = word_of(check.site, "scatterConflict");
        check.require(&CONFLICT, "dst", conflict == Ok(None), |check| {
            format!("{} has no `scatterConflict`", check.profile().word())
        });
        let open = conflict == Ok(Some("default")) && op == Some(None);
        check.judge(Severity::Lint, &ORDER, "dst", !open, |_| {
            "of two elements with one index either may win on a device; here it is the last".into()
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Mscatter {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let scatter = Scatter::of(reference.prepare()).map_err(Fault::Other)?;
        let Size { rows, cols } = reference.valid(&scatter.src);
        let table = scatter.table.open(reference.state(), &[])?;
        for i in 0..rows {
            for j in 0..cols {
                let value = reference.get(&scatter.src, i, j);
                let state = reference.state();
                if let Some(index) = table.named(state, i, j)? {
                    scatter.put(state, &table, table.place(index, j)?, value);
                }
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let scatter = Scatter::of(prepare)?;
        Ok(Box::new(move |state: &mut State<'_>| scatter.run(state)))
    }
}

/// The operands of MSCATTER.
#[cfg(feature = "run")]
struct Scatter {
    src: Tile,
    table: Table,
    atomic: Option<BinaryOp>,
}

#[cfg(feature = "run")]
impl Scatter {
    fn of(prepare: &Prepare<'_>) -> Result<Scatter, String> {
        let rules = [&INDEX_RANGE, &PACKED];
        let table = Table::of(prepare, ["dst", "src"], beyond(prepare.site), rules)?;
        let atomic = atomic(prepare.site).ok_or("there is no such atomic mode")?;
        Ok(Scatter { src: prepare.tile("src")?, table, atomic })
    }

    fn put(&self, state: &mut State<'_>, table: &Open<'_>, place: usize, value: u64) {
        let element = self.table.element;
        let buffer = state.global.writing(table.buffer);
        let value = match self.atomic {
            Some(op) => {
                let old = buffer.get(table.start, place, element);
                op.apply(element, old, value).unwrap_or(value)
            }
            None => value,
        };
        buffer.set(table.start, place, element, value);
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let (src, live) = (&self.src, state.live(&self.src));
        let table = self.table.open(state, &[])?;
        let cols = live.cols as usize;
        for i in 0..live.rows as usize {
            let mut named = None;
            if cols > 0 && self.table.coalesce == Coalesce::Row {
                named = table.named(state, i, 0)?;
                let area = named.filter(|_| self.atomic.is_none()).and_then(|index| table.row(index, cols));
                if let Some(area) = area {
                    let target = state.global.writing(table.buffer).write(&area);
                    let row = row_of(src, live.address, i);
                    transfer(target, &area.placement, state.memory, &row, 1, cols, area.bits);
                    continue;
                }
            }
            for j in 0..cols {
                if let Coalesce::Elem = self.table.coalesce {
                    named = table.named(state, i, j)?;
                }
                if let Some(index) = named {
                    let place = table.place(index, j)?;
                    let value =
                        get_element(state.memory, live.address, src.layout.offset(i, j), src.ty.element);
                    self.put(state, &table, place, value);
                }
            }
        }
        Ok(())
    }
}
