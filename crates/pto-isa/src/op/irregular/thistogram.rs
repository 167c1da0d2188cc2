//! THISTOGRAM: counts the values of one byte of the elements of each row.

use super::shared::{ROWS, holds, rows};
use crate::attribute::Attribute;
use crate::element::Element;
use crate::op::attribute::AttributeSpec;
use crate::op::common::{VEC, agree, valid_regions, vec};
use crate::op::cost;
use crate::op::effect::{Count, Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, A5_ONLY};
use crate::rule::Rule;
use crate::tile::{BLayout, SLayout};
use pto_num::sizes::BINS;
#[cfg(feature = "run")]
use {
    super::shared::byte_of,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::count::histogram,
};

const SOURCE: &str = "docs/isa/THISTOGRAM.md";

const PROFILE: Rule = Rule::new("profile", "A2/A3 has no such instruction.", SOURCE)
    .because("The kernel does not compile for A2/A3.")
    .instead("Run on A5, or count on the host.")
    .only(A2A3_ONLY);
const ELEMENT: Rule =
    Rule::new("element-type", "The source is ui16 or ui32, the destination ui32, the index ui8.", SOURCE)
        .because("The device counts bytes of these formats, and its counters have 32 bits.")
        .instead("Declare source, destination and index with the types in the statement.");
const BYTE: Rule = Rule::new(
    "byte",
    "byte is 0 or 1 for ui16, 0 to 3 for ui32; the older isMSB agrees with byte if both are written.",
    SOURCE,
)
.because("The source has no such byte.")
.instead("Write `byte` from 0 to the element's bytes minus 1.");
const BINS_REGION: Rule = Rule::new(
    "valid-region",
    "The destination has a valid row for each row of the source and at least 256 valid columns.",
    "docs/isa/THISTOGRAM.md, Tile Sizes & Data Types",
)
.because("A byte has 256 values, each with its counter.")
.instead("Give the destination the source's valid rows and at least 256 valid columns.");
const INDEX_SHAPE: Rule = Rule::new(
    "index-region",
    "For ui16 the index has one column, a byte for each row of the source; for ui32 a row for each byte above the one that is counted, and at least one column.",
    "docs/isa/THISTOGRAM.md, Tile Sizes & Data Types",
)
.because("Only elements whose higher bytes equal the index are counted; the index has a byte for each higher byte.")
.instead("Give the index tile the extents in the statement.");
const INDEX_LAYOUT: Rule = Rule::new(
    "index-layout",
    "For ui16 the index is col_major without boxes; for ui32 it is row_major and declares as many columns as the source.",
    "docs/isa/THISTOGRAM.md, Constraints",
)
.because("The device reads the index bytes at consecutive addresses.")
.instead("Declare the index tile with the layout in the statement.")
.only(A5_ONLY);

/// The instruction THISTOGRAM: cumulative counts of byte values.
pub(super) struct Thistogram {
    page: Page,
}

pub(super) static THISTOGRAM: Thistogram = Thistogram {
    page: Page {
        name: "thistogram",
        aliases: &[],
        set: Set::Irregular,
        summary: "Counts, for each value of a byte, the elements of a row whose byte is at most this value and whose upper \
                  bytes are the given ones.",
        formula: "dst[i, v] = number of j with byte(src[i, j]) <= v and the bytes above it equal to the index: for ui16 idx[i, \
                  0]; for ui32 idx[0, 0], idx[1, 0], ..., from the uppermost byte down",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile, idx: Tile) outs(dst: Tile))]),
        attributes: &[
            AttributeSpec::integer("byte", "The byte that is counted; 0 is the lowest.").or_integer(1),
            AttributeSpec::boolean(
                "isMSB",
                "The older spelling of byte, for ui16: whether the upper byte is counted.",
            )
            .or_means("the byte in `byte`"),
        ],
        rules: &[&PROFILE, &VEC, &ROWS, &ELEMENT, &BYTE, &BINS_REGION, &INDEX_SHAPE, &INDEX_LAYOUT],
        cost: cost::SEVERAL,
        effects: &[
            Effect::reads("src").loosely("the bytes below the counted byte have no influence"),
            Effect::reads("idx").loosely("only the bytes above the counted byte are compared"),
            Effect::writes("dst").of(Extent::Rect(Count::Rows("src"), Count::Fixed(256))),
        ],
        pictures: &[],
        origin: Some(Origin::WRITTEN),
    },
};

/// The number of the counted byte; `None` if two attributes contradict each other.
fn byte(site: &Site<'_>) -> Option<i128> {
    let number = |name: &str| site.attribute(name).map(|value| Attribute::as_integer(value).unwrap_or(-1));
    match (number("byte"), number("isMSB")) {
        (Some(byte), Some(msb)) => (byte == msb).then_some(byte),
        (byte, msb) => byte.or(msb).or_else(|| site.integer_or_default("byte")),
    }
}

/// Number of more significant bytes in an element.
fn above(element: Element, byte: u32) -> u32 {
    (element.bits() / 8).saturating_sub(1 + byte)
}

fn check_index(check: &mut Check<'_>, byte: Option<u32>) {
    let (src, idx) = (check.tile("src"), check.tile("idx"));
    let Some(byte) = byte else { return };
    let (wide, need) = (src.element() == Element::U32, above(src.element(), byte));
    let plain = idx.ty.slayout == SLayout::NoneBox;
    let (shape, layout) = if wide {
        let rows = idx.rows.is_none_or(|rows| rows >= need) && idx.cols != Some(0);
        let exact = idx.ty.rows == need && idx.ty.cols == src.ty.cols;
        (need == 0 || rows, need == 0 || plain && idx.ty.blayout == BLayout::RowMajor && exact)
    } else {
        let shape = agree(idx.rows, src.rows) && agree(idx.cols, Some(1));
        (shape, plain && idx.ty.blayout == BLayout::ColMajor && idx.ty.cols == 1)
    };
    check.require(&INDEX_SHAPE, "idx", shape, |check| {
        format!("{}, and {need} bytes are above byte {byte}", valid_regions(check, "idx", "src"))
    });
    check.require(&INDEX_LAYOUT, "idx", layout, |check| {
        let (ty, name) = (idx.ty, check.name("idx"));
        format!("{name} is declared {}x{} and {}", ty.rows, ty.cols, idx.layout().name.word())
    });
}

impl Instruction for Thistogram {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        check.require(&PROFILE, "dst", false, |_| "a2a3 has no `thistogram`".to_owned());
        rows(check, "src");
        rows(check, "dst");
        vec(check, "idx");
        holds(check, &ELEMENT, "src", &[Element::U16, Element::U32]);
        holds(check, &ELEMENT, "dst", &[Element::U32]);
        holds(check, &ELEMENT, "idx", &[Element::U8]);
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let bytes = i128::from(src.element().bits() / 8);
        let byte = byte(check.site);
        let known = byte.filter(|byte| (0..bytes).contains(byte));
        check.require(&BYTE, "byte", known.is_some(), |_| match byte {
            Some(byte) => format!("there is no byte {byte} in an element of {bytes} bytes"),
            None => "byte and isMSB contradict each other".to_owned(),
        });
        let bins = dst.cols.is_none_or(|cols| cols as usize >= BINS);
        check.require(&BINS_REGION, "dst", bins && agree(src.rows, dst.rows), |check| {
            valid_regions(check, "src", "dst")
        });
        check_index(check, known.map(|byte| byte as u32));
    }
}

#[cfg(feature = "run")]
impl Compute for Thistogram {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let (src, idx, dst) = (reference.tile("src"), reference.tile("idx"), reference.tile("dst"));
        let byte = byte(reference.prepare().site).unwrap_or(1) as u32;
        let element = src.ty.element;
        let need = above(element, byte);
        let part = |bits: u64, byte: u32| bits >> (8 * byte) & 0xff;
        let Size { rows, cols } = reference.valid(&src);
        for i in 0..rows {
            let wanted = |k: u32| {
                let (row, col) = if element == Element::U32 { (k as usize, 0) } else { (i, 0) };
                reference.get(&idx, row, col)
            };
            let elements = (0..cols).map(|j| reference.get(&src, i, j));
            let counted = |bits: &u64| (0..need).all(|k| part(*bits, byte + need - k) == wanted(k));
            let bytes: Vec<u64> = elements.filter(counted).map(|bits| part(bits, byte)).collect();
            for value in 0..BINS {
                let count = bytes.iter().filter(|byte| **byte <= value as u64).count();
                reference.set(&dst, i, value, count as u64);
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (src, idx, dst) = (prepare.tile("src")?, prepare.tile("idx")?, prepare.tile("dst")?);
        let byte = byte(prepare.site).unwrap_or(1) as u32;
        let element = src.ty.element;
        let need = above(element, byte) as usize;
        Ok(Box::new(move |state: &mut State<'_>| {
            let live = state.live(&src);
            let to = state.live(&dst).address;
            let [values, indices] = state.apart([&dst], [&src, &idx]);
            for i in 0..live.rows as usize {
                let mut bytes = [0; 4];
                for (k, byte) in bytes[..need].iter_mut().enumerate() {
                    let row = if element == Element::U32 { k } else { i };
                    *byte = state.memory[byte_of(&idx, indices, row, 0)];
                }
                let (from, out) = (byte_of(&src, values, i, 0), byte_of(&dst, to, i, 0));
                histogram(state.memory, element, from, out, live.cols as usize, byte, &bytes[..need]);
            }
            Ok(())
        }))
    }
}
