//! TTRANS: transposes a tile.

use super::transfer_rules::{PROFILE_TYPE, in_matrix, profile_types};
use super::ttrans_conv;
use crate::diag::Severity;
use crate::element::{Element, element_word};
use crate::op::common::{VEC, agree, valid_regions, vec};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::picture::{Cells, Paint, Panel, Patch, Picture, Span, arrow};
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, A5_ONLY, NPU, Profile};
use crate::rule::{ERROR_OR_NPU_EXTENSION, Rule, join};
use crate::tile::BLayout;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::copy_matrix,
};

const SOURCE: &str = "docs/isa/TTRANS.md";

const SHAPE: Rule = Rule::new(
    "shape",
    "The destination has the source's valid columns as rows, and its rows as columns.",
    "seed Layout And Rearrangement, Constraints; docs/isa/TTRANS.md",
)
.because("Element (i, j) of the source becomes element (j, i).")
.instead("Declare the destination with the source's valid columns as rows and rows as columns.");
const DECLARED: Rule = Rule::new(
    "declared-shape",
    "The valid region or the declared shape is square, or the destination is declared with the source's rows and columns exchanged.",
    "seed Layout And Rearrangement, Constraints",
)
.because("The page names these two uses only; headers take any declared shape that holds the result.")
.instead("Declare the destination with the source's declared columns as rows and rows as columns.")
.weighing(&[(Severity::Extension, NPU)])
.only(NPU);
pub(super) const SIZE: Rule = Rule::new(
    "element-size",
    "Both tiles have elements of one size: 1, 2, 4 or 8 bytes, in convolution tiles at most 4.",
    SOURCE,
)
.because("The device transposes elements of these sizes only, without conversion.")
.instead("Declare both tiles with one element type of whole bytes.");
pub(super) const TYPES: Rule = Rule::new(
    "element-type",
    "Elements are i8, ui8, i16, ui16, f16, bf16, i32, ui32 or f32; integers of 64 bits, and on A5 floats of 8 bits, are not on the page of the instruction.",
    "docs/isa/TTRANS.md, implementation checks; seed Layout And Rearrangement, Type Support by Target Profile",
)
.because("The device has no encoding of the instruction for this element type.")
.instead("Reinterpret the tile with TRESHAPE as integers of the same size.")
.weighing(ERROR_OR_NPU_EXTENSION)
.only(NPU);
const ROW_MAJOR: Rule = Rule::new("row-major", "The source is row-major.", SOURCE)
    .because("The device reads the source row by row.")
    .instead("Declare the source with `blayout=row_major`.")
    .only(NPU);
const ALIGNED: Rule =
    Rule::new("alignment", "A declared row of either tile takes a multiple of 32 bytes.", SOURCE)
        .because("The device reads and writes blocks of 32 bytes.")
        .instead("Pad the declared columns to a multiple of 32 bytes.")
        .only(A5_ONLY);
const TMP: Rule = Rule::new(
    "tmp-size",
    "For each column the workspace has room for the rows, rounded up to 32 elements of one byte or 16 wider elements.",
    "docs/isa/TTRANS.md, Temporary tile",
)
.because("The device keeps whole transposed blocks there and overruns a smaller tile.")
.instead("Declare a workspace of the size that the message names.")
.only(A2A3_ONLY);

const RULES: &[&Rule] = join!(
    &[&PROFILE_TYPE, &VEC, &SHAPE, &DECLARED, &SIZE, &TYPES, &ROW_MAJOR, &ALIGNED, &TMP],
    ttrans_conv::RULES,
);

/// The instruction TTRANS: transposes the valid region, or permutes the dimensions of a convolution tile.
pub(super) struct Ttrans {
    page: Page,
}

const PICTURE: Picture = Picture::tiles(
    "rows become columns",
    &[
        Panel::source(
            "src",
            (3, 6),
            &[Patch::new((0, 0), (3, 5), Paint::First, "valid region").with(Cells::Along)],
        )
        .measured(&[Span::Rows(0, 3, "R"), Span::Columns(0, 5, "C")]),
        Panel::destination(
            "dst",
            (6, 4),
            &[Patch::new((0, 0), (5, 3), Paint::First, "dst[j, i] = src[i, j]").with(Cells::Down)],
        )
        .measured(&[Span::Rows(0, 5, "C"), Span::Columns(0, 3, "R")]),
    ],
    &[arrow((0, 0), (1, 0))],
);

pub(super) static TTRANS: Ttrans = Ttrans {
    page: Page {
        name: "ttrans",
        aliases: &[],
        set: Set::Layout,
        summary: "Exchanges rows and columns, or brings a convolution tile into another layout.",
        formula: "dst[j, i] = src[i, j]; of convolution tiles the same element [g, n, c, d, h, w], c being c1 * C0 + c0 and n \
                  being n1 * N0 + n0, zero where src has no such element",
        source: SOURCE,
        syntax: Syntax::Destination(&[
            form!(ins(src: Tile) outs(dst: Tile)),
            form!(ins(src: Tile, tmp: Tile) outs(dst: Tile)),
            form!(ins(src: ConvTile) outs(dst: ConvTile)),
            form!(ins(src: ConvTile, tmp: Tile) outs(dst: ConvTile)),
        ]),
        attributes: &[],
        rules: RULES,
        cost: cost::TRANSPOSITION,
        effects: &[
            Effect::reads("src"),
            Effect::destroys("tmp"),
            Effect::writes("dst").of(Extent::Rect(Count::Cols("src"), Count::Rows("src"))),
            Effect::uses_flags(),
        ],
        pictures: &[PICTURE],
        origin: Some(Origin::WRITTEN),
    },
};

/// Profiles whose device tests transpose any element type of 8 bits.
const ANY_BYTES: &[Profile] = A5_ONLY;

impl Instruction for Ttrans {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    /// Convolution tiles are read and written completely.
    fn effects(&self, site: &Site<'_>) -> Vec<Effect> {
        if site.conv("src").is_none() {
            return site.held(self.page.effects);
        }
        const TAILS: &str = "channels after the last keep their contents";
        site.held(&[
            Effect::reads("src").of(Extent::Storage).loosely(TAILS),
            Effect::destroys("tmp"),
            Effect::writes_parts("dst", TAILS).of(Extent::Storage),
        ])
    }

    fn check(&self, check: &mut Check<'_>) {
        if check.site.conv("src").is_some() {
            return ttrans_conv::check(check);
        }
        if !profile_types(check) {
            return;
        }
        vec(check, "src");
        vec(check, "dst");
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let fits = agree(src.rows, dst.cols) && agree(src.cols, dst.rows);
        check.require(&SHAPE, "dst", fits, |check| valid_regions(check, "src", "dst"));
        let square = agree(src.rows, src.cols) || dst.ty.rows == dst.ty.cols;
        let exchanged = (src.ty.rows, src.ty.cols) == (dst.ty.cols, dst.ty.rows);
        check.judge(Severity::Extension, &DECLARED, "dst", square || exchanged || !fits, |check| {
            let [src_name, dst_name] = ["src", "dst"].map(|role| check.name(role));
            format!(
                "{dst_name} is declared {}x{}, {src_name} {}x{}",
                dst.ty.rows, dst.ty.cols, src.ty.rows, src.ty.cols
            )
        });
        let (from, to) = (src.element(), dst.element());
        let size = from.bits() == to.bits() && matches!(from.bits(), 8 | 16 | 32 | 64);
        check.require(&SIZE, "src", size, |check| {
            format!(
                "{} holds {}, {} {}",
                check.name("src"),
                element_word(from),
                check.name("dst"),
                element_word(to)
            )
        });
        let listed = |element: Element| {
            element.is_integer() && element.bits() < 64
                || matches!(element, Element::F16 | Element::Bf16 | Element::F32)
        };
        let bytes = ANY_BYTES.contains(&check.profile()) && from.value_bits() == 8 && to.value_bits() == 8;
        let matrix = [from, to].iter().all(|element| in_matrix(check.profile(), *element));
        let weight = if bytes || matrix { Severity::Extension } else { Severity::Error };
        check.judge(weight, &TYPES, "src", listed(from) && listed(to), |check| {
            format!(
                "{} holds {}, {} {}",
                check.name("src"),
                element_word(from),
                check.name("dst"),
                element_word(to)
            )
        });
        check.require(&ROW_MAJOR, "src", src.ty.blayout == BLayout::RowMajor, |check| {
            format!("{} is {}", check.name("src"), src.ty.blayout.word())
        });
        for role in ["src", "dst"] {
            let tile = check.tile(role);
            let bytes = tile.element().bytes(tile.ty.cols as usize);
            check.require(&ALIGNED, role, bytes.is_multiple_of(32), |check| {
                format!("a row of {} takes {bytes} bytes", check.name(role))
            });
        }
        let Some(tmp) = check.site.tile("tmp") else { return };
        let Some((rows, cols)) = src.rows.zip(src.cols) else { return };
        let unit = if from.bits() == 8 { 32 } else { 16 };
        let need = from.bytes((rows as usize).next_multiple_of(unit) * cols as usize);
        let have = tmp.ty.bytes();
        // Unless both tiles consist of whole blocks, the device copies element by element and needs no workspace.
        let blocks = (dst.ty.cols as usize).is_multiple_of(unit);
        check.require(&TMP, "tmp", need <= have || !blocks, |check| {
            format!(
                "{} has {have} bytes; {rows}x{cols} elements of {} need {need}",
                check.name("tmp"),
                element_word(from)
            )
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Ttrans {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        if reference.prepare().site.conv("src").is_some() {
            return ttrans_conv::by_formula(reference);
        }
        let (dst, src) = (reference.tile("dst"), reference.tile("src"));
        let Size { rows, cols } = reference.valid(&src);
        for i in 0..rows {
            for j in 0..cols {
                let value = reference.get(&src, i, j);
                reference.set(&dst, j, i, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        if prepare.site.conv("src").is_some() {
            return ttrans_conv::prepare(prepare);
        }
        let (dst, src) = (prepare.tile("dst")?, prepare.tile("src")?);
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let (rows, cols) = (live.rows as usize, live.cols as usize);
            if rows > dst.cols() || cols > dst.rows() {
                return Err(Fault::Rule);
            }
            // In place, every element off the diagonal would be overwritten before it is read, so a copy is read.
            let [mut from] = state.unalias(&dst, [&src]);
            if from == state.live(&dst).address {
                let bytes = src.bytes();
                state.memory.copy_within(from..from + bytes, state.spare.start);
                from = state.spare.start;
            }
            let (to, from) = (state.placement(&dst), src.layout.placement(from).transposed());
            copy_matrix(state.memory, &to, &from, cols, rows, src.ty.element.bits());
            Ok(())
        }))
    }
}
