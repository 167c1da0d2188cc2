//! TGATHERB: gathers blocks of 32 bytes by byte offset.

use super::index::{at_least, is_word};
use crate::element::{Element, element_word};
use crate::op::common::{
    ELEMENT, NUMBERS, ROW_MAJOR, SAME_TYPE, Types, VEC, element_type, same_type, valid_regions, vec_row_major,
};
use crate::op::cost;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{NPU, Profile};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::runs::along_row,
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::{Position, Size},
    crate::op::Compute,
    pto_num::get_element,
};

const SOURCE: &str = "docs/isa/tile/ops/irregular-and-complex/tgatherb.md";

const OFFSET_TYPE: Rule = Rule::new("offset-type", "The offsets are integers of 32 bits.", SOURCE)
    .because("The device reads each offset as a word of 32 bits.")
    .instead("Declare the tile of offsets as ui32.");
const OFFSET_SHAPE: Rule = Rule::new(
    "offset-shape",
    "The tile of offsets has a valid element for each 32 bytes of a valid row of the destination.",
    SOURCE,
)
.because("A block of 32 bytes without an offset has no source.")
.instead("Give each row of offsets one valid element per 32 bytes of the destination's row.");
const OFFSET_RANGE: Rule = Rule::new(
    "offset-range",
    "The bytes that an offset names lie in the source; beyond the source devices read undefined bytes.",
    SOURCE,
)
.because("A device checks no bounds and reads bytes of other tiles.")
.instead("Keep offsets at least 32 bytes below the end of the source.");
const ALIGNED: Rule = Rule::new(
    "offset-alignment",
    "An offset is a multiple of 32.",
    "docs/isa/vector/ops/vector-load-store/vgatherb.md",
)
.because("The device gathers whole blocks of UB, which start at multiples of 32 bytes.")
.instead("Round the offsets to multiples of 32.")
.lint()
.only(NPU);

const TYPES: Types = Types { a2a3: NUMBERS, a5: NUMBERS, a2a3_header: &[], a5_header: &[] };
/// Bytes of a block.
const BLOCK: usize = 32;

/// The instruction TGATHERB.
pub(super) struct Tgatherb {
    page: Page,
}

pub(super) static TGATHERB: Tgatherb = Tgatherb {
    page: Page {
        name: "tgatherb",
        aliases: &[],
        set: Set::Irregular,
        summary: "Gathers blocks of 32 bytes by their byte offsets in the source.",
        formula: "dst[i, b * n + k] = element k of the block at byte offsets[i, b] of src, n elements being 32 bytes",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile, offsets: Tile) outs(dst: Tile))]),
        attributes: &[],
        rules: &[
            &SAME_TYPE,
            &VEC,
            &ROW_MAJOR,
            &ELEMENT,
            &OFFSET_TYPE,
            &OFFSET_SHAPE,
            &OFFSET_RANGE,
            &ALIGNED,
        ],
        cost: cost::GATHER,
        effects: &[
            Effect::reads("src").of(Extent::Storage).loosely("the offsets select the bytes that are read"),
            Effect::reads("offsets").loosely("one offset is read for each 32 bytes of a row of dst"),
            Effect::writes("dst"),
        ],
        pictures: super::pictures::TGATHERB,
        origin: Some(Origin::WRITTEN),
    },
};

/// Elements of a block.
fn unit(element: Element) -> usize {
    BLOCK * 8 / element.bits() as usize
}

/// A gather of 32-byte blocks, ready to run.
#[cfg(feature = "run")]
struct BlockGather {
    dst: Tile,
    src: Tile,
    offsets: Tile,
    names: [String; 2],
    aligned: bool,
}

#[cfg(feature = "run")]
impl BlockGather {
    fn of(prepare: &Prepare<'_>) -> Result<BlockGather, String> {
        Ok(BlockGather {
            dst: prepare.tile("dst")?,
            src: prepare.tile("src")?,
            offsets: prepare.tile("offsets")?,
            names: ["offsets", "src"].map(|role| prepare.name(role).to_owned()),
            aligned: ALIGNED.profiles.contains(&prepare.profile()),
        })
    }

    /// The address of the `count` elements that are read for a block, if all of them exist.
    fn start(&self, bits: u64, at: Position, count: usize) -> Result<usize, Fault> {
        let (have, offset) = (self.src.bytes(), (bits & 0xffff_ffff) as usize);
        if offset + self.src.ty.element.bytes(count) <= have {
            return Ok(offset);
        }
        let [offsets, src] = &self.names;
        let Position { row: i, col: b } = at;
        let message =
            format!("`%{offsets}` is {offset} in element ({i}, {b}), but `%{src}` has {have} bytes");
        Err(Fault::Broken(&OFFSET_RANGE, message))
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let BlockGather { dst, src, offsets, .. } = self;
        let [from, table] = state.apart([dst], [src, offsets]);
        let live = state.live(dst);
        let (element, wide, cols) = (dst.ty.element, unit(dst.ty.element), live.cols as usize);
        for i in 0..live.rows as usize {
            for b in 0..cols.div_ceil(wide) {
                let count = wide.min(cols - b * wide);
                let bits = get_element(state.memory, table, offsets.layout.offset(i, b), offsets.ty.element);
                let start = self.start(bits, Position { row: i, col: b }, count)?;
                if self.aligned && start % BLOCK != 0 && state.lint.is_none() {
                    let message = format!("`%{}` is {start} in element ({i}, {b})", self.names[0]);
                    state.lint = Some((&ALIGNED, message));
                }
                let mut block = from + start;
                along_row([&dst.layout], i, b * wide..b * wide + count, |[at], run| {
                    let bytes = element.bytes(run);
                    state.memory.copy_within(block..block + bytes, live.address + element.bytes(at));
                    block += bytes;
                });
            }
        }
        Ok(())
    }
}

impl Instruction for Tgatherb {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn element_types(&self, profile: Profile) -> &'static [Element] {
        TYPES.of(profile)
    }

    fn check(&self, check: &mut Check<'_>) {
        same_type(check, "src", "dst");
        for role in ["src", "offsets", "dst"] {
            vec_row_major(check, role);
        }
        let sized = |element: Element| matches!(element.bits(), 8 | 16 | 32);
        element_type(check, "dst", &TYPES, &sized);
        let (dst, offsets) = (check.tile("dst"), check.tile("offsets"));
        check.require(&OFFSET_TYPE, "offsets", is_word(offsets.element()), |check| {
            format!("{} holds {}", check.name("offsets"), element_word(offsets.element()))
        });
        let blocks = dst.cols.map(|cols| cols.div_ceil(unit(dst.element()) as u32));
        let enough = at_least(offsets.rows, dst.rows) && at_least(offsets.cols, blocks);
        check.require(&OFFSET_SHAPE, "offsets", enough, |check| valid_regions(check, "offsets", "dst"));
    }
}

#[cfg(feature = "run")]
impl Compute for Tgatherb {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let operands = BlockGather::of(reference.prepare()).map_err(Fault::Other)?;
        let BlockGather { dst, src, offsets, .. } = &operands;
        let Size { rows, cols } = reference.valid(dst);
        let wide = unit(dst.ty.element);
        for i in 0..rows {
            for j in 0..cols {
                let (b, k) = (j / wide, j % wide);
                let bits = reference.get(offsets, i, b);
                let start = operands.start(bits, Position { row: i, col: b }, wide.min(cols - b * wide))?;
                let value = reference.get_at_byte(src, start, k);
                reference.set(dst, i, j, value);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let operands = BlockGather::of(prepare)?;
        Ok(Box::new(move |state: &mut State<'_>| operands.run(state)))
    }
}
