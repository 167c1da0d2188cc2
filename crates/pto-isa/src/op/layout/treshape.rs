//! TRESHAPE: creates an alias of a tile's bytes with another shape.

use super::transfer_rules::{PROFILE_TYPE, profile_types};
use crate::attribute::Attribute;
use crate::diag::Severity;
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::cost::Cost;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::origin::Origin;
use crate::op::picture::{Cells, Paint, Panel, Patch, Picture};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::op::Compute,
};

const SOURCE: &str = "docs/isa/tile/ops/layout-and-rearrangement/treshape.md";

const LOCATION: Rule = Rule::new("location", "Source and result have one location.", SOURCE)
    .because("A view of bytes stays in its buffer.")
    .instead("Declare the result with the source's location, or move it with TMOV.");
const BYTES: Rule = Rule::new("bytes", "The declared shapes take the same number of bytes.", SOURCE)
    .because("A larger result would contain bytes of other tiles.")
    .instead("Declare the result with a shape and element type of the same size in bytes.");
const BOXES: Rule = Rule::new("boxes", "Both tiles have boxes, or neither has.", SOURCE)
    .because("Reading boxes as rows mixes up the elements.")
    .instead("Declare both tiles with boxes or both without, or convert with TMOV.");
const VALID: Rule = Rule::new(
    "valid-elements",
    "Source and result have the same number of valid elements, if the type of the result fixes its valid region.",
    "seed Layout And Rearrangement, Constraints: src.Rv x src.Cv == dst.Rv x dst.Cv",
)
.because("Elements of a larger valid region were not valid before.")
.instead("Declare the result with as many valid elements as the source, or with `valid=?x?` and `pto.set_validshape`.")
.extension();
const GIVEN: Rule = Rule::new(
    "given-shape",
    "A shape in an attribute or in operands equals the rows and columns of the result's type.",
    "seed Layout And Rearrangement: TRESHAPE(dst, src, newShape)",
)
.because("Two different shapes contradict each other.")
.instead("Write the rows and columns of the result's type, or leave the shape out.");

/// The instruction TRESHAPE.
pub(super) struct Treshape {
    page: Page,
}

const PICTURE: Picture = Picture::tiles(
    "the same bytes under another shape",
    &[
        Panel::source(
            "src",
            (4, 6),
            &[Patch::new((0, 0), (4, 6), Paint::First, "in order of memory").with(Cells::Along)],
        ),
        Panel::destination(
            "result",
            (3, 8),
            &[Patch::new((0, 0), (3, 8), Paint::First, "in order of memory").with(Cells::Along)],
        ),
    ],
    &[],
)
.noted("No element moves: the result is the storage of src. Drawn for two tiles in rows (ND).");

pub(super) static TRESHAPE: Treshape = Treshape {
    page: Page {
        name: "treshape",
        // `docs/isa/tile/ops/sync-and-config/talias.md` only states that the result is a view of the source's
        // storage, which TRESHAPE implements.
        aliases: &["bitcast", "talias"],
        set: Set::Layout,
        summary: "Names the bytes of a tile as a tile of another shape or element type; no element moves.",
        formula: "result has the bytes of src, and the valid region of its type, where `?` is the declared extent until \
                  set_validshape changes it; rows and cols are the declared extents",
        source: SOURCE,
        syntax: Syntax::Own(
            &["%src [? , %rows , %cols ?] {} : :src -> !type", "ins ( %src : :src ) outs ( %dst : :dst ) {}"],
            &[("src", Kind::Tile), ("rows", Kind::Index), ("cols", Kind::Index), ("dst", Kind::Tile)],
        ),
        attributes: &[AttributeSpec::new(
            "shape",
            AttributeKind::Integers,
            "Declared rows and columns of the result, not the valid ones.",
        )
        .or_means("those of the result's type")],
        rules: &[&PROFILE_TYPE, &LOCATION, &BYTES, &BOXES, &VALID, &GIVEN],
        effects: &[Effect::names("src"), Effect::names("dst")],
        cost: Cost::Issue,
        pictures: &[PICTURE],
        origin: Some(Origin::Names(&["src"])),
    },
};

impl Instruction for Treshape {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Scalar
    }

    fn check(&self, check: &mut Check<'_>) {
        let given = check.site.tile("dst").or(check.site.tile("result"));
        let (Some(src), Some(result)) = (check.site.tile("src"), given) else { return };
        let (a, b) = (src.ty, result.ty);
        profile_types(check);
        check.require(&LOCATION, "src", a.location == b.location, |check| {
            format!(
                "{} is a {} tile, the result a {} tile",
                check.name("src"),
                a.location.word(),
                b.location.word()
            )
        });
        check.require(&BYTES, "src", a.bytes() == b.bytes(), |check| {
            format!("{} takes {} bytes, the result {}", check.name("src"), a.bytes(), b.bytes())
        });
        check_given(check, [b.rows, b.cols]);
        check.require(&BOXES, "src", a.is_boxed() == b.is_boxed(), |check| {
            format!("{} is {}, the result {}", check.name("src"), a.slayout.word(), b.slayout.word())
        });
        let count = |rows: Option<u32>, cols: Option<u32>| {
            rows.zip(cols).map(|(rows, cols)| u64::from(rows) * u64::from(cols))
        };
        // An existing destination tile keeps its own valid region.
        let exists = check.site.tile("dst").is_some();
        let extents = if exists { (result.rows, result.cols) } else { (b.valid_rows, b.valid_cols) };
        let (have, want) = (count(src.rows, src.cols), count(extents.0, extents.1));
        let same = have.zip(want).is_none_or(|(have, want)| have == want);
        check.judge(Severity::Extension, &VALID, "src", same, |check| {
            format!(
                "{} has {} valid elements, the result {}",
                check.name("src"),
                have.unwrap_or(0),
                want.unwrap_or(0)
            )
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Treshape {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let execute = self.prepare(reference.prepare()).map_err(Fault::Other)?;
        execute.execute(reference.state())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let src = prepare.tile("src")?;
        let into = prepare.tile_if("dst");
        let exists = into.is_some();
        let result = into.map_or_else(|| prepare.tile("result"), Ok)?;
        let given = [("rows", result.ty.rows), ("cols", result.ty.cols)];
        let given = given.map(|(role, extent)| (prepare.scalar_if(role).map(|(slot, _)| slot), extent));
        Ok(Box::new(move |state: &mut State<'_>| {
            if given
                .iter()
                .any(|(slot, extent)| slot.is_some_and(|slot| state.scalars[slot] != u64::from(*extent)))
            {
                return Err(Fault::Rule);
            }
            let mut live = state.tiles[src.slot as usize];
            // An existing destination tile keeps its valid region.
            let kept = state.tiles[result.slot as usize];
            live.rows = if exists { kept.rows } else { result.ty.valid_rows.unwrap_or(result.ty.rows) };
            live.cols = if exists { kept.cols } else { result.ty.valid_cols.unwrap_or(result.ty.cols) };
            state.tiles[result.slot as usize] = live;
            Ok(())
        }))
    }
}

/// Checks that the extents in the attribute and in operands equal the result's.
fn check_given(check: &mut Check<'_>, declared: [u32; 2]) {
    let [rows, cols] = declared;
    let given = check.site.attribute("shape").map(|shape| shape_of(shape).unwrap_or_default());
    let same = given.as_ref().is_none_or(|given| given[..] == declared.map(u64::from));
    check.require(&GIVEN, "src", same, |_| {
        format!("the shape is {:?}, the result is declared {rows}x{cols}", given.unwrap_or_default())
    });
    for (role, extent) in [("rows", rows), ("cols", cols)] {
        let value = check.site.scalar(role).and_then(|(_, value)| value);
        check.require(&GIVEN, role, value.is_none_or(|value| value == i64::from(extent)), |_| {
            format!("{} {role} are given, the result is declared {rows}x{cols}", value.unwrap_or(0))
        });
    }
}

/// The extents in `shape = [rows, cols]`.
fn shape_of(attribute: &Attribute) -> Option<Vec<u64>> {
    match attribute {
        Attribute::Array(list) => Some(
            list.iter()
                .map(|extent| extent.as_integer().and_then(|e| u64::try_from(e).ok()).unwrap_or(0))
                .collect(),
        ),
        _ => None,
    }
}
