//! TIMG2COL, the instructions that set its registers, and their attributes.
//!
//! A convolution has a feature map, padding around it, a filter, strides and dilations. TIMG2COL takes the filter,
//! strides and dilations from its attributes. The feature map, the padding and the padding value come from
//! registers that SETFMATRIX, SET_IMG2COL_RPT and SET_IMG2COL_PADDING write, or TIMG2COL itself in an automatic
//! mode.

mod geometry;
mod rules;
mod setup;
mod timg2col;

pub(super) use setup::{SET_IMG2COL_PADDING, SET_IMG2COL_RPT, SETFMATRIX};
pub(super) use timg2col::TIMG2COL;

use crate::attribute::Attribute;
use crate::conv::{ConvLayout, ConvTileType};
use crate::element::Element;
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::site::{Check, Site};
use crate::profile::{A2A3_ONLY, PerProfile, Profile};
use crate::rule::Rule;
use crate::tile::Location;
use pto_num::{Overflow, Rounding};

const HEADERS: &str = "include/pto/npu/{a2a3,a5}/TImg2col.hpp";

const SOURCE: Rule =
    Rule::new("source", "The feature map is a mat convolution tile, NC1HWC0 or NDC1HWC0.", HEADERS)
        .because("The unit reads channel blocks from L1.")
        .instead("Load the feature map into a mat convolution tile in NC1HWC0 or NDC1HWC0.");
const PARAMETERS: Rule = Rule::new(
    "parameters",
    "fmap, filter, stride and dilation are [rows, columns], pad is [left, right, top, bottom], each number within its \
     register field; there are no other attributes.",
    "include/pto/common/pto_tile.hpp, ConvTile; include/pto/npu/{a2a3,a5}/TImg2col.hpp",
)
.because("A number beyond its register field would be cut off.")
.instead("Write the attribute in the form and range that the message names.");
const MODE: Rule = Rule::new(
    "mode",
    "An instruction that sets registers takes a manual mode.",
    "docs/isa/TIMG2COL.md, SetFmatrixMode",
)
.because("The mode decides whether attributes or registers describe the convolution.")
.instead("Write a_manual or b_manual, or leave the mode out.");

/// An attribute that is a number or a list of numbers: its name, length and bounds.
struct Key {
    name: &'static str,
    count: usize,
    least: i128,
    most: i128,
}

const FMAP: Key = Key { name: "fmap", count: 2, least: 1, most: 0xffff };
const PAD: Key = Key { name: "pad", count: 4, least: 0, most: 0xff };
const FILTER: Key = Key { name: "filter", count: 2, least: 1, most: 0x1ff };
const STRIDE: Key = Key { name: "stride", count: 2, least: 1, most: 0xff };
const DILATION: Key = Key { name: "dilation", count: 2, least: 1, most: 0xff };
const REPEAT_STRIDE: Key = Key { name: "repeat_stride", count: 1, least: 0, most: 0xffff };
const REPEAT_TIME: Key = Key { name: "repeat_time", count: 1, least: 1, most: 0xff };
const REPEAT_MODE: Key = Key { name: "repeat_mode", count: 1, least: 0, most: 0xff };
const DST_STRIDE: Key = Key { name: "dst_stride", count: 1, least: 0, most: 0xffff };
const DST_POSITION: Key = Key { name: "dst_m_position", count: 1, least: 0, most: 0xffff };

/// All numeric attributes. Every instruction accepts all of them, and uses its part.
const KEYS: [Key; 10] =
    [FMAP, PAD, FILTER, STRIDE, DILATION, REPEAT_STRIDE, REPEAT_TIME, REPEAT_MODE, DST_STRIDE, DST_POSITION];
/// The attribute of the padding value, and of the mode.
const PAD_VALUE: &str = "pad_value";
const MODE_KEY: &str = "mode";

/// An attribute of [`KEYS`] on a page.
const fn spec(key: &Key, kind: AttributeKind, summary: &'static str) -> AttributeSpec {
    AttributeSpec::new(key.name, kind, summary)
}

const LISTED_FMAP: AttributeSpec =
    spec(&FMAP, AttributeKind::Integers, "Rows and columns of the feature map.")
        .or_means("the rows and columns of the tile");
const LISTED_FILTER: AttributeSpec =
    spec(&FILTER, AttributeKind::Integers, "Rows and columns of the filter.").or_integers(&[1, 1]);
const LISTED_STRIDE: AttributeSpec = spec(
    &STRIDE,
    AttributeKind::Integers,
    "The distance between neighbouring positions of the filter, in rows and columns.",
)
.or_integers(&[1, 1]);
const LISTED_DILATION: AttributeSpec = spec(
    &DILATION,
    AttributeKind::Integers,
    "The distance between neighbouring points of the filter, in rows and columns.",
)
.or_integers(&[1, 1]);
const LISTED_PAD: AttributeSpec = spec(
    &PAD,
    AttributeKind::Integers,
    "Points around the feature map that hold the padding value: left, right, top, bottom.",
);
const LISTED_REPEAT_STRIDE: AttributeSpec =
    spec(&REPEAT_STRIDE, AttributeKind::Integer, "The distance between repeated transfers.");
const LISTED_REPEAT_TIME: AttributeSpec =
    spec(&REPEAT_TIME, AttributeKind::Integer, "The number of transfers.");
const LISTED_REPEAT_MODE: AttributeSpec =
    spec(&REPEAT_MODE, AttributeKind::Integer, "The repeat mode, as a number of the device.");
const LISTED_DST_STRIDE: AttributeSpec =
    spec(&DST_STRIDE, AttributeKind::Integer, "The distance between columns of the destination (A5).");
const LISTED_DST_POSITION: AttributeSpec =
    spec(&DST_POSITION, AttributeKind::Integer, "The first row of the destination (A5).");
const LISTED_PAD_VALUE: AttributeSpec = AttributeSpec::new(
    PAD_VALUE,
    AttributeKind::Number,
    "The padding value, a number of the element type of the feature map.",
);
const LISTED_MODE: AttributeSpec = AttributeSpec::words(
    MODE_KEY,
    "fmatrix_mode",
    &["a_manual", "b_manual", "a_auto", "b_auto"],
    "The set of registers, a or b, and whether timg2col writes the set itself; a word may begin with `fmatrix_`.",
)
.any_case()
.prefixed("fmatrix_");

/// The attributes of an instruction that sets a register: all of them, since they describe the whole convolution.
const OF_SETUP: &[AttributeSpec] = &[
    LISTED_MODE.or_word("a_manual"),
    LISTED_FMAP,
    LISTED_PAD.or_integers(&[0, 0, 0, 0]),
    LISTED_FILTER,
    LISTED_STRIDE,
    LISTED_DILATION,
    LISTED_REPEAT_STRIDE.or_integer(0),
    LISTED_REPEAT_TIME.or_integer(1),
    LISTED_REPEAT_MODE.or_integer(0),
    LISTED_DST_STRIDE.or_integer(0),
    LISTED_DST_POSITION.or_integer(0),
    LISTED_PAD_VALUE.or_integer(0),
];

/// The attributes of TIMG2COL.
const OF_TIMG2COL: &[AttributeSpec] = &[
    LISTED_MODE.or_means("a_auto if an attribute gives the value of a register, else a_manual"),
    LISTED_FMAP.or_means("the value in the register; in an automatic mode rows and columns of the tile"),
    LISTED_PAD.or_means("the value in the register; in an automatic mode [0, 0, 0, 0]"),
    LISTED_FILTER,
    LISTED_STRIDE,
    LISTED_DILATION,
    LISTED_REPEAT_STRIDE.or_means("the value in the register; in an automatic mode 0"),
    LISTED_REPEAT_TIME.or_means("the value in the register; in an automatic mode 1"),
    LISTED_REPEAT_MODE.or_means("the value in the register; in an automatic mode 0"),
    LISTED_DST_STRIDE.or_means("the value in the register; in an automatic mode 0"),
    LISTED_DST_POSITION.or_means("the value in the register; in an automatic mode 0"),
    LISTED_PAD_VALUE.or_means("the value in the register; in an automatic mode 0"),
];

impl Key {
    fn read(&self, attribute: &Attribute) -> Option<Vec<u64>> {
        let numbers: Option<Vec<i128>> = match attribute {
            Attribute::Array(list) => list.iter().map(Attribute::as_integer).collect(),
            single => single.as_integer().map(|number| vec![number]),
        };
        let numbers = numbers.filter(|numbers| numbers.len() == self.count)?;
        let fits = numbers.iter().all(|number| (self.least..=self.most).contains(number));
        fits.then(|| numbers.into_iter().map(|number| number as u64).collect())
    }

    /// The numbers in the attribute, if they are valid.
    fn of<const N: usize>(&self, site: &Site<'_>) -> Option<[u64; N]> {
        self.read(site.attribute(self.name)?)?.try_into().ok()
    }

    /// The valid values, as text.
    fn describe(&self) -> String {
        let what = if self.count == 1 { "a number".to_owned() } else { format!("{} numbers", self.count) };
        format!("{what} from {} to {}", self.least, self.most)
    }
}

/// Profiles with a single set of repeat and padding registers.
const ONE_SET: &[Profile] = A2A3_ONLY;

/// The register set that is used, and whether the instruction writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RegisterSet {
    /// 0 for A, 1 for B.
    set: usize,
    auto: bool,
}

impl RegisterSet {
    /// The written mode: outer `None` for an unknown word, inner `None` if it is not written.
    fn written(site: &Site<'_>) -> Option<Option<RegisterSet>> {
        let Some(word) = site.attribute(MODE_KEY) else { return Some(None) };
        let word = word.as_word()?.to_ascii_lowercase();
        Some(Some(match word.strip_prefix("fmatrix_").unwrap_or(&word) {
            "a_manual" => RegisterSet { set: 0, auto: false },
            "b_manual" => RegisterSet { set: 1, auto: false },
            "a_auto" => RegisterSet { set: 0, auto: true },
            "b_auto" => RegisterSet { set: 1, auto: true },
            _ => return None,
        }))
    }

    /// The mode of TIMG2COL; by default manual, or automatic if attributes give register values.
    fn of(site: &Site<'_>) -> RegisterSet {
        let said = |name: &str| site.attribute(name).is_some();
        let auto = KEYS.iter().any(|key| is_register(key) && said(key.name)) || said(PAD_VALUE);
        RegisterSet::written(site).flatten().unwrap_or(RegisterSet { set: 0, auto })
    }

    /// The set of the repeat and padding registers.
    fn shared_set(self, profile: Profile) -> usize {
        if ONE_SET.contains(&profile) { 0 } else { self.set }
    }
}

/// Whether an attribute's value is in a register.
fn is_register(key: &Key) -> bool {
    ![FILTER.name, STRIDE.name, DILATION.name].contains(&key.name)
}

/// Whether a tile has the dimensions of a feature map in channel blocks.
fn is_map(ty: &ConvTileType) -> bool {
    matches!(ty.layout, ConvLayout::Nc1hwc0 | ConvLayout::Ndc1hwc0)
}

/// Rows and columns of a feature map in channel blocks.
fn map_size(ty: &ConvTileType) -> [u64; 2] {
    let shape = ty.shape();
    let rows = shape.len().saturating_sub(3);
    [u64::from(shape[rows]), u64::from(shape[rows + 1])]
}

/// The value of FMATRIX for the attributes; without `fmap` the feature map is the tile's.
fn fmatrix(site: &Site<'_>, ty: &ConvTileType) -> u64 {
    let [rows, cols] = FMAP.of(site).unwrap_or_else(|| map_size(ty).map(|extent| extent & 0xffff));
    let [left, right, top, bottom] = PAD.of(site).unwrap_or([0; 4]);
    cols | rows << 16 | left << 32 | right << 40 | top << 48 | bottom << 56
}

/// The value of the repeat register for the attributes.
fn repeat(site: &Site<'_>) -> u64 {
    let field = |key: &Key, default: u64| key.of(site).map_or(default, |[value]: [u64; 1]| value);
    let npu = field(&REPEAT_STRIDE, 0) | field(&REPEAT_TIME, 1) << 16 | field(&REPEAT_MODE, 0) << 24;
    let a5 = field(&DST_STRIDE, 0) << 32 | field(&DST_POSITION, 0) << 48;
    PerProfile::a2a3_or(npu, npu | a5).of(site.profile)
}

/// The bits of the padding value, if it is a number of the element type.
fn pad_bits(site: &Site<'_>, element: Element) -> Option<u64> {
    Some(match site.attribute(PAD_VALUE) {
        None => 0,
        Some(Attribute::Integer(value, _)) if element.is_integer() => {
            let (least, most) = element.int_range();
            if !(least..=most).contains(value) {
                return None;
            }
            *value as u64 & element.mask()
        }
        Some(Attribute::Integer(value, _)) => {
            element.encode(*value as f64, Rounding::NearestEven, Overflow::Ieee)
        }
        Some(Attribute::Float(text, _)) if element.is_float() => {
            element.encode(text.parse().ok()?, Rounding::NearestEven, Overflow::Ieee)
        }
        _ => return None,
    })
}

/// The value of the padding register for the attributes; an 8-bit value is stored twice.
fn padding(site: &Site<'_>, element: Element) -> u64 {
    let bits = pad_bits(site, element).unwrap_or(0);
    if element.bits() == 8 { bits | bits << 8 } else { bits }
}

/// Checks the rules common to the family.
fn check_parameters(check: &mut Check<'_>) {
    let src = check.conv("src");
    let layout = is_map(&src);
    check.require(&SOURCE, "src", layout && src.location == Location::Mat, |check| {
        format!("{} is {}", check.name("src"), src.brief())
    });
    for attribute in check.site.attributes {
        let name = attribute.name.as_str();
        if name == MODE_KEY {
            continue;
        }
        if name == PAD_VALUE {
            let fits = pad_bits(check.site, src.element).is_some();
            check.require(&PARAMETERS, "attributes", fits, |check| {
                format!("`{PAD_VALUE}` is not a number of the element type of {}", check.name("src"))
            });
            continue;
        }
        let Some(key) = KEYS.iter().find(|key| key.name == name) else { continue };
        check.require(&PARAMETERS, "attributes", key.read(&attribute.value).is_some(), |_| {
            format!("`{name}` takes {}", key.describe())
        });
    }
    let given = check.site.attribute(FMAP.name).is_some();
    let size = if layout { map_size(&src) } else { [1, 1] };
    check.require(&PARAMETERS, "src", given || size.iter().all(|extent| *extent <= 0xffff), |check| {
        format!(
            "{} has {}x{} points, more than the register counts: give `fmap`",
            check.name("src"),
            size[0],
            size[1]
        )
    });
}
