//! TFILLPAD: copies a tile and fills the rest of the destination with a padding value.

use super::transfer_rules::{self as transfer, FILL, PROFILE_TYPE};
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::layout::LayoutName;
use crate::op::cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Form, Syntax, form};
use crate::op::origin::Origin;
use crate::op::picture::{Paint, Panel, Patch, Picture, Span, arrow};
use crate::op::site::{Check, Site, TileFact};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::NPU;
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule};
use crate::tile::{Location, Pad, TileType};
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::Size,
    crate::op::Compute,
    crate::op::padding::fill_outside,
    crate::types::Scalar,
    pto_kernels::copy_matrix,
};

const SOURCE: &str = "docs/isa/TFILLPAD.md";

const SIZE: Rule = Rule::new(
    "element-size",
    "Source and destination have elements of one size: 1, 2 or 4 bytes, in mat tiles also 4 bits; only the page of the set \
     names 8 bytes.",
    "docs/isa/TFILLPAD.md; seed Layout And Rearrangement, Type Support by Target Profile",
)
.because("Elements are copied as bits, without conversion.")
.instead("Declare both tiles with elements of one size, or convert with TCVT first.")
.weighing(ERROR_OR_NPU_EXTENSION);
const PAD: Rule = Rule::new(
    "pad",
    "A vec destination has a padding value in its type, or the instruction gives a fill value.",
    SOURCE,
)
.because("Without a value the fill is undefined on devices.")
.instead("Declare the destination with `pad=`, or pass a fill value.")
.only(NPU);
const SHAPE: Rule = Rule::new(
    "shape",
    "The destination declares at least the rows and columns of the source; in place, exactly these.",
    "docs/isa/TFILLPAD.md, TFILLPAD_INPLACE.md, TFILLPAD_EXPAND.md",
)
.because("Elements of a larger source would have no place; in place both tiles are one.")
.instead("Declare the destination at least as large as the source; in place, exactly as large.");
const STORAGE: Rule = Rule::new(
    "storage",
    "In place, source and destination have one address.",
    "seed Layout And Rearrangement: the INPLACE variant modifies the source tile directly",
)
.because("A device fills in the source's storage and leaves the destination's address as it is.")
.instead("Give both tiles the same address.")
.lint();
const ROWS: Rule = Rule::new(
    "rows",
    "All declared rows of a vec destination are valid: `pto run` fills the other rows, a device leaves them unchanged.",
    "seed Layout And Rearrangement, Fill; include/pto/npu/*/TFillPad.hpp",
)
.because("The device fills valid rows only; the other rows keep their old contents.")
.instead("Make all declared rows valid, or do not read the others.")
.lint()
.only(NPU);
const LOCATION: Rule = Rule::new(
    "location",
    "Source and destination are vec tiles, or mat tiles.",
    "docs/isa/TFILLPAD.md; include/pto/npu/*/TFillPad.hpp",
)
.because("The device fills within UB, or within L1.")
.instead("Use two vec tiles or two mat tiles.")
.only(NPU);
const MAT: Rule =
    Rule::new("mat", "A mat tile is NZ and is filled with zeros.", "include/pto/npu/*/TFillPad.hpp")
        .because("L1 is filled in boxes, with zeros.")
        .instead("Declare the mat tile as NZ with `pad=zero` or without `pad`.")
        .only(NPU);

const MAT_TYPE: Rule = Rule::new(
    "mat-type",
    "Mat tiles have the same valid region and the same padding.",
    "include/pto/npu/*/TFillPad.hpp",
)
.because("The device takes two mat tiles of one type, and fills outside of the destination's valid region.")
.instead("Declare source and destination with one type.")
.only(NPU);

/// The relation of the shapes of source and destination.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Equal, or a larger destination: the public assembler infers which.
    Inferred,
    InPlace,
    Expand,
}

/// The instruction TFILLPAD and its variants.
pub(super) struct Tfillpad {
    page: Page,
    kind: Kind,
}

const FORMS: &[Form] = &[
    form!(ins(src: Tile) outs(dst: Tile)),
    form!(ins(src: Tile, fill: Scalar) outs(dst: Tile)),
    form!(ins(src: Tile, fp => fill: Scalar) outs(dst: Tile)),
];

const VALID: &[Patch] = &[Patch::new((0, 0), (3, 4), Paint::First, "valid region")];
const EXTENT: &[Span] = &[Span::Rows(0, 3, "src valid rows"), Span::Columns(0, 4, "src valid columns")];
const COPIED: &[Patch] = &[Patch::new((0, 0), (3, 4), Paint::First, "src")];
const PICTURE: Picture = Picture::tiles(
    "elements outside the valid region of src become the fill value",
    &[
        Panel::source("src", (5, 7), VALID).measured(EXTENT),
        Panel::destination("dst", (5, 7), COPIED).filled(),
    ],
    &[arrow((0, 0), (1, 0))],
);
const EXPANDED: Picture = Picture::tiles(
    "the same into a larger tile",
    &[
        Panel::source("src", (4, 6), VALID).measured(EXTENT),
        Panel::destination("dst", (6, 9), COPIED).filled(),
    ],
    &[arrow((0, 0), (1, 0))],
);
const IN_PLACE: Picture =
    Picture { caption: "in place: src and dst are one storage", note: "Nothing is copied.", ..PICTURE };

pub(super) static TFILLPAD: Tfillpad = Tfillpad {
    page: Page {
        name: "tfillpad",
        aliases: &[],
        set: Set::Layout,
        summary: "Copies the valid region of a tile and fills the rest of the destination with its padding value.",
        formula: "dst[i, j] = src[i, j] inside the valid region of src, else the padding value of dst, or the given value",
        source: SOURCE,
        syntax: Syntax::Destination(FORMS),
        attributes: &[],
        rules: &[&PROFILE_TYPE, &LOCATION, &SIZE, &PAD, &SHAPE, &ROWS, &MAT, &MAT_TYPE, &FILL],
        effects: &[Effect::reads("src"), Effect::writes("dst").of(Extent::DECLARED), Effect::uses_flags()],
        cost: cost::COPY,
        pictures: &[PICTURE, EXPANDED],
        origin: Some(Origin::WRITTEN),
    },
    kind: Kind::Inferred,
};

pub(super) static TFILLPAD_INPLACE: Tfillpad = Tfillpad {
    page: Page {
        name: "tfillpad_inplace",
        summary: "Fills the elements outside the valid region of a tile, in place.",
        source: "docs/isa/TFILLPAD_INPLACE.md",
        rules: &[&PROFILE_TYPE, &LOCATION, &SIZE, &PAD, &SHAPE, &STORAGE, &ROWS, &MAT, &MAT_TYPE, &FILL],
        pictures: &[IN_PLACE],
        origin: Some(Origin::WRITTEN),
        ..TFILLPAD.page
    },
    kind: Kind::InPlace,
};

pub(super) static TFILLPAD_EXPAND: Tfillpad = Tfillpad {
    page: Page {
        name: "tfillpad_expand",
        summary: "Copies the valid region of a tile into a larger one and fills the rest.",
        source: "docs/isa/TFILLPAD_EXPAND.md",
        pictures: &[EXPANDED],
        origin: Some(Origin::WRITTEN),
        ..TFILLPAD.page
    },
    kind: Kind::Expand,
};

/// The fill value: the operand, or else the destination's padding.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
enum Fill {
    Given(usize, Scalar),
    Padding(u64),
}

#[cfg(feature = "run")]
impl Fill {
    fn of(prepare: &Prepare<'_>, dst: &Tile) -> Fill {
        match prepare.scalar_if("fill") {
            Some((slot, ty)) => Fill::Given(slot, ty),
            None => Fill::Padding(dst.ty.pad.bits(dst.ty.element)),
        }
    }

    fn bits(self, state: &State<'_>, element: Element) -> u64 {
        match self {
            Fill::Given(slot, ty) => scalar_bits(state.scalars[slot], ty, element),
            Fill::Padding(bits) => bits,
        }
    }
}

impl Tfillpad {
    /// Checks restrictions of the devices.
    fn check_device(&self, check: &mut Check<'_>, src: &TileFact, dst: &TileFact) {
        let apart = src.address.zip(dst.address).is_some_and(|(a, b)| a != b);
        check.judge(Severity::Lint, &STORAGE, "dst", self.kind != Kind::InPlace || !apart, |check| {
            format!("{} and {} have different addresses", check.name("src"), check.name("dst"))
        });
        let rows = dst.rows.unwrap_or(dst.ty.rows);
        let all = dst.location() != Location::Vec || rows == dst.ty.rows;
        check.judge(Severity::Lint, &ROWS, "dst", all, |check| {
            format!("{} has {} rows, {rows} of them valid", check.name("dst"), dst.ty.rows)
        });
        // A fill operand replaces the attribute; only a constant integer zero is recognized, floats are not
        // examined.
        let zero = match check.site.scalar("fill") {
            Some((_, value)) => value.is_none_or(|value| value == 0),
            None => matches!(dst.ty.pad, Pad::NULL | Pad::ZERO),
        };
        let mat = dst.location() != Location::Mat || dst.layout().name == LayoutName::Nz && zero;
        check.require(&MAT, "dst", mat, |check| {
            format!("{} is {} and is not filled with zeros only", check.name("dst"), dst.layout().name.word())
        });
        let outside = |ty: &TileType| (ty.valid_rows, ty.valid_cols, ty.pad);
        let same = dst.location() != Location::Mat || outside(&src.ty) == outside(&dst.ty);
        check.require(&MAT_TYPE, "dst", same, |check| {
            let (from, to) = (check.name("src"), check.name("dst"));
            format!("{from} and {to} have different valid regions or paddings in their types")
        });
    }
}

impl Instruction for Tfillpad {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, site: &Site<'_>) -> Pipe {
        match site.tile("dst").map(|dst| dst.location()) {
            Some(Location::Mat) => Pipe::Mte2,
            _ => Pipe::Vector,
        }
    }

    fn check(&self, check: &mut Check<'_>) {
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let (from, to) = (src.location(), dst.location());
        let located = from == to && matches!(to, Location::Vec | Location::Mat);
        check.require(&LOCATION, "dst", located, |check| {
            let (src, dst) = (check.name("src"), check.name("dst"));
            format!("{src} is a {} tile, {dst} a {} tile", from.word(), to.word())
        });
        if !transfer::profile_types(check) {
            return;
        }
        let (a, b) = (src.element(), dst.element());
        // Pairs of 4-bit values are filled only in mat tiles.
        let fillable = |element: Element| !element.is_packed() || to == Location::Mat;
        let long = a.bits() == 64 && b.bits() == 64;
        let fits = a.bits() == b.bits() && a.bits() <= 32 && fillable(a) && fillable(b);
        let fits = fits || long && !check.profile().is_device();
        let weight = if long { Severity::Extension } else { Severity::Error };
        check.judge(weight, &SIZE, "src", fits, |check| {
            format!(
                "{} holds {}, {} {}",
                check.name("src"),
                element_word(a),
                check.name("dst"),
                element_word(b)
            )
        });
        transfer::fill(check);
        let given = check.site.operand("fill").is_some();
        let padded = given || dst.location() != Location::Vec || dst.ty.pad != Pad::NULL;
        check.require(&PAD, "dst", padded, |check| {
            format!(
                "{} has `pad=0`, which is not a value: 1 is zero, 2 the largest, 3 the smallest value",
                check.name("dst")
            )
        });
        let larger = match self.kind {
            Kind::InPlace => (dst.ty.rows, dst.ty.cols) == (src.ty.rows, src.ty.cols),
            _ => dst.ty.rows >= src.ty.rows && dst.ty.cols >= src.ty.cols,
        };
        check.require(&SHAPE, "dst", larger, |check| {
            format!(
                "{} is declared {}x{}, {} {}x{}",
                check.name("src"),
                src.ty.rows,
                src.ty.cols,
                check.name("dst"),
                dst.ty.rows,
                dst.ty.cols
            )
        });
        self.check_device(check, src, dst);
    }
}

#[cfg(feature = "run")]
impl Compute for Tfillpad {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let Size { rows, cols } = reference.valid(&src);
        let pad = Fill::of(reference.prepare(), &dst).bits(reference.state(), dst.ty.element);
        for i in 0..dst.rows() {
            for j in 0..dst.cols() {
                let value = if i < rows && j < cols { reference.get(&src, i, j) } else { pad };
                reference.set(&dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        let element = dst.ty.element;
        let fill = Fill::of(prepare, &dst);
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            if rows > dst.rows() || cols > dst.cols() {
                return Err(Fault::Rule);
            }
            let [from] = state.unalias(&dst, [&src]);
            let to = state.placement(&dst);
            copy_matrix(state.memory, &to, &src.layout.placement(from), rows, cols, element.bits());
            let pad = fill.bits(state, element);
            fill_outside(state.memory, &dst, to.offset, pad, Size { rows, cols });
            Ok(())
        }))
    }
}
