//! TGATHER of the indices of elements that satisfy a comparison with a threshold.

use super::index::{at_least, is_index, is_word, word_of};
use super::tgather::{ELEMENT, SOURCE};
use crate::element::Element::{F16, F32, I8, I16, I32, U8, U16, U32};
use crate::element::{Element, element_word};
use crate::layout::LayoutName;
use crate::op::attribute::AttributeSpec;
use crate::op::common::{Types, element_type, valid_regions, vec, vec_row_major};
use crate::op::site::{Check, Fact, Site, TileFact};
use crate::profile::{A2A3_ONLY, PerProfile, Profile};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::{Reference, scalar_bits},
    crate::exec::state::{Execute, Fault, Prepare, State, Tile},
    crate::matrix::{Position, Size},
    pto_num::{Overflow, Rounding, get_element, set_element},
};

const MODE: Rule = Rule::new("mode", "On A2/A3 the comparison of i32 is eq.", SOURCE)
    .because("The device has no other comparison in this form.")
    .instead("Write `cmpMode` as eq for i32 on A2/A3, else as eq or gt.");
const THRESHOLD: Rule = Rule::new(
    "threshold",
    "The threshold is a scalar of the source's element type or an integer, or a line of integers with one for each row of \
     the source.",
    SOURCE,
)
.because("The device compares each row with one number in the source's format.")
.instead("Pass a scalar of the source's element type, or a line of integers with one element per row.");
const ROWS: Rule =
    Rule::new("compare-rows", "The destination has a valid row for each valid row of the source.", SOURCE)
        .because("The indices of each source row go to the destination row of the same number.")
        .instead("Give the destination at least the source's valid rows.");
const ROOM: Rule = Rule::new(
    "match-room",
    "The indices of a row fit the valid columns of the destination; devices write further indices after them.",
    SOURCE,
)
.because("Further indices overwrite the following bytes of UB on a device.")
.instead("Give the destination as many valid columns as the source has.");
const COUNT: Rule = Rule::new(
    "count-shape",
    "The counts are integers that lie side by side in a valid row or a valid column, one for each row of the source.",
    "docs/isa/TGATHER.md; include/pto/npu/{a2a3,a5}/TGather.hpp",
)
.because("The device writes the counts as one contiguous line.")
.instead("Declare an integer tile of one row or one column with an element for each source row.");
const TMP_SIZE: Rule = Rule::new(
    "tmp-size",
    "The workspace has a byte for each of its own elements, plus a destination element for each declared element of the \
     source, plus a source element for each declared row of the source.",
    "docs/isa/tile/ops/irregular-and-complex/tgather.md, Temporary tile",
)
.because("The device keeps comparisons, indices and thresholds there and overruns a smaller tile.")
.instead("Declare a workspace of the size that the message names.")
.only(A2A3_ONLY);

/// Attributes of the form by comparison.
pub(super) const COMPARISON: AttributeSpec = AttributeSpec::words(
    "cmpMode",
    "cmp",
    &["eq", "gt"],
    "With a comparison: whether it finds the elements equal to k (eq) or greater than k (gt); lower or upper case.",
)
.any_case()
.or_word("eq");
pub(super) const OFFSET_OF_INDICES: AttributeSpec =
    AttributeSpec::integer("offset", "With a comparison: a number that is added to each index.")
        .or_integer(0);

/// Rules of the form by comparison.
pub(super) const RULES: &[&Rule] = &[&MODE, &THRESHOLD, &ROWS, &ROOM, &COUNT, &TMP_SIZE];

const TYPES: Types = Types {
    a2a3: &[F16, F32, I32],
    a5: &[I16, U16, I32, U32, F16, F32],
    a2a3_header: &[],
    a5_header: &[I8, U8],
};

/// The comparison of a use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Criterion {
    Equal,
    Greater,
}

impl Criterion {
    fn of(site: &Site<'_>) -> Option<Criterion> {
        match word_of(site, COMPARISON.name).ok()?.map(str::to_ascii_lowercase).as_deref() {
            Some("eq") => Some(Criterion::Equal),
            Some("gt") => Some(Criterion::Greater),
            _ => None,
        }
    }
}

/// Profiles that compare i32 only for equality.
const I32_BY_EQUALITY: &[Profile] = A2A3_ONLY;

/// Whether a tile of thresholds may have an element type.
const THRESHOLDS: PerProfile<fn(Element) -> bool> =
    PerProfile::new(is_index, is_word, |element| matches!(element, Element::U16 | Element::U32));

/// Checks the form by comparison.
pub(super) fn check(check: &mut Check<'_>) {
    for role in ["src", "dst"] {
        vec_row_major(check, role);
    }
    vec(check, "count");
    vec(check, "tmp");
    if check.site.tile("k").is_some() {
        vec(check, "k");
    }
    let (src, dst) = (check.tile("src"), check.tile("dst"));
    element_type(check, "src", &TYPES, &|element| {
        [TYPES.a2a3, TYPES.a5, TYPES.a5_header].iter().any(|list| list.contains(&element))
    });
    check.require(&ELEMENT, "dst", is_word(dst.element()), |check| {
        format!("{} holds {}, not i32 or ui32", check.name("dst"), element_word(dst.element()))
    });
    let mode = Criterion::of(check.site);
    let device = !I32_BY_EQUALITY.contains(&check.profile())
        || src.element() != Element::I32
        || mode == Some(Criterion::Equal);
    check.require(&MODE, "src", device, |check| {
        let word = check.site.word_or_default(COMPARISON.name).unwrap_or_default();
        format!("`{word}` of {} on {}", element_word(src.element()), check.profile().word())
    });
    check.require(&ROWS, "dst", at_least(dst.rows, src.rows), |check| valid_regions(check, "src", "dst"));
    threshold(check, src);
    let count = check.tile("count");
    let fits = count.element().is_integer() && is_line(count, src.rows);
    check.require(&COUNT, "count", fits, |check| {
        format!(
            "{} is {}, with {} valid elements; {} has {}",
            check.name("count"),
            count.ty.brief(),
            count.valid_text(),
            check.name("src"),
            src.valid_text()
        )
    });
    let tmp = check.tile("tmp");
    let (rows, cols) = (src.ty.rows as usize, src.ty.cols as usize);
    let need = tmp.ty.elements() + dst.element().bytes(rows.saturating_mul(cols)) + src.element().bytes(rows);
    check.require(&TMP_SIZE, "tmp", tmp.ty.bytes() >= need, |check| {
        format!("{} has {} bytes; it needs {need}", check.name("tmp"), tmp.ty.bytes())
    });
}

/// Whether the first elements in memory order form a valid row or column of at least `need` elements.
fn is_line(tile: &TileFact, need: Option<u32>) -> bool {
    let one = Some(1);
    match tile.layout().name {
        LayoutName::Nd if tile.ty.cols == 1 => at_least(tile.rows, need) && at_least(tile.cols, one),
        LayoutName::Nd => at_least(tile.rows, one) && at_least(tile.cols, need),
        LayoutName::Dn if tile.ty.rows == 1 => at_least(tile.cols, need) && at_least(tile.rows, one),
        LayoutName::Dn => at_least(tile.cols, one) && at_least(tile.rows, need),
        _ => false,
    }
}

fn threshold(check: &mut Check<'_>, src: &TileFact) {
    let fits = match check.site.operand("k").map(|operand| &operand.fact) {
        Some(Fact::Scalar(ty, _)) => ty.is_integer() || ty.element() == src.element(),
        Some(Fact::Tile(tile)) => THRESHOLDS.of(check.profile())(tile.element()) && is_line(tile, src.rows),
        _ => true,
    };
    check.require(&THRESHOLD, "k", fits, |check| match check.site.tile("k") {
        Some(tile) => {
            let (ty, valid) = (tile.ty.brief(), tile.valid_text());
            format!("{} is {ty}, with {valid} valid elements", check.name("k"))
        }
        None => format!("{} is compared with {}", check.name("k"), element_word(src.element())),
    });
}

/// The source of the threshold of a row.
#[cfg(feature = "run")]
enum Source {
    Scalar(usize, crate::types::Scalar),
    Tile(Tile),
}

/// A threshold: an integer or a float.
#[derive(Clone, Copy)]
enum Number {
    Integer(i128),
    Real(f64),
}

/// The operands of the form by comparison.
#[cfg(feature = "run")]
struct Compare {
    src: Tile,
    dst: Tile,
    count: Tile,
    k: Source,
    mode: Criterion,
    offset: u64,
    name: String,
}

/// The offset of element `index`, in memory order, of a tile that is a single row or column.
#[cfg(feature = "run")]
fn element_of(tile: &Tile, index: usize) -> usize {
    let Position { row, col } = tile.layout.place(index);
    tile.layout.offset(row, col)
}

#[cfg(feature = "run")]
impl Compare {
    fn of(prepare: &Prepare<'_>) -> Result<Compare, String> {
        let k = match prepare.tile_if("k") {
            Some(tile) => Source::Tile(tile),
            None => {
                let (slot, ty) = prepare.scalar("k")?;
                Source::Scalar(slot, ty)
            }
        };
        let offset = prepare.site.integer_or_default(OFFSET_OF_INDICES.name).unwrap_or(0);
        Ok(Compare {
            src: prepare.tile("src")?,
            dst: prepare.tile("dst")?,
            count: prepare.tile("count")?,
            k,
            mode: Criterion::of(prepare.site).ok_or("there is no such comparison")?,
            offset: offset as u64,
            name: prepare.name("dst").to_owned(),
        })
    }

    /// The threshold as a number: a float of the source's format for float elements, else an integer.
    fn threshold(&self, bits: u64) -> Number {
        let element = self.src.ty.element;
        let number = match &self.k {
            Source::Scalar(_, ty) if !ty.is_integer() => {
                return Number::Real(element.decode(scalar_bits(bits, *ty, element)));
            }
            Source::Scalar(_, ty) => ty.element().decode_int(bits),
            Source::Tile(tile) => tile.ty.element.decode_int(bits),
        };
        if element.is_integer() {
            return Number::Integer(number);
        }
        let bits = element.encode(number as f64, Rounding::NearestEven, Overflow::Ieee);
        Number::Real(element.decode(bits))
    }

    fn matches(&self, bits: u64, threshold: Number) -> bool {
        let element = self.src.ty.element;
        let order = match threshold {
            Number::Integer(number) => Some(element.decode_int(bits).cmp(&number)),
            Number::Real(number) => element.decode(bits).partial_cmp(&number),
        };
        order.is_some_and(|order| if self.mode == Criterion::Equal { order.is_eq() } else { order.is_gt() })
    }

    /// The row-major index of an element, counted with the columns of the storage.
    fn index(&self, row: usize, col: usize) -> u64 {
        let number = (row * self.src.layout.cols + col) as u64;
        self.offset.wrapping_add(number) & self.dst.ty.element.mask()
    }

    fn no_room(&self, row: usize, width: usize) -> Fault {
        let name = &self.name;
        let message = format!("row {row} has more matches than the {width} valid columns of `%{name}`");
        Fault::Broken(&ROOM, message)
    }

    fn run(&self, state: &mut State<'_>) -> Result<(), Fault> {
        let Compare { src, dst, count, .. } = self;
        let (source, live, counts) = (state.live(src), state.live(dst), state.live(count).address);
        let written = [state.bytes_of(dst), state.bytes_of(count)];
        let mut free = state.spare.start;
        let from = state.kept(source.address, src.bytes(), &written, &mut free);
        let table = match &self.k {
            Source::Tile(tile) => {
                let address = state.live(tile).address;
                state.kept(address, tile.bytes(), &written, &mut free)
            }
            Source::Scalar(..) => 0,
        };
        let width = live.cols as usize;
        for i in 0..source.rows as usize {
            let bits = match &self.k {
                Source::Scalar(slot, _) => state.scalars[*slot],
                Source::Tile(tile) => get_element(state.memory, table, element_of(tile, i), tile.ty.element),
            };
            let threshold = self.threshold(bits);
            let mut found = 0;
            for j in 0..source.cols as usize {
                let value = get_element(state.memory, from, src.layout.offset(i, j), src.ty.element);
                if !self.matches(value, threshold) {
                    continue;
                }
                if found == width {
                    return Err(self.no_room(i, width));
                }
                let at = dst.layout.offset(i, found);
                set_element(state.memory, live.address, at, dst.ty.element, self.index(i, j));
                found += 1;
            }
            let (at, element) = (element_of(count, i), count.ty.element);
            set_element(state.memory, counts, at, element, found as u64 & element.mask());
        }
        Ok(())
    }
}

/// The formula.
#[cfg(feature = "run")]
pub(super) fn by_formula(reference: &mut Reference<'_>) -> Result<(), Fault> {
    let compare = Compare::of(reference.prepare()).map_err(Fault::Other)?;
    let Compare { src, dst, count, .. } = &compare;
    let (Size { rows, cols }, width) = (reference.valid(src), reference.valid(dst).cols);
    for i in 0..rows {
        let bits = match &compare.k {
            Source::Scalar(..) => reference.integer("k") as u64,
            Source::Tile(tile) => {
                let at = tile.layout.place(i);
                reference.get(tile, at.row, at.col)
            }
        };
        let threshold = compare.threshold(bits);
        let matches = |j: &usize| compare.matches(reference.get(src, i, *j), threshold);
        let found: Vec<usize> = (0..cols).filter(matches).collect();
        if found.len() > width {
            return Err(compare.no_room(i, width));
        }
        for (at, j) in found.iter().enumerate() {
            reference.set(dst, i, at, compare.index(i, *j));
        }
        let Position { row, col } = count.layout.place(i);
        reference.set(count, row, col, found.len() as u64 & count.ty.element.mask());
    }
    Ok(())
}

/// The form, ready to run.
#[cfg(feature = "run")]
pub(super) fn prepare(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let compare = Compare::of(prepare)?;
    Ok(Box::new(move |state: &mut State<'_>| compare.run(state)))
}
