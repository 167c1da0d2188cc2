//! TPRINT: prints the valid region of a tile, or a view of global memory.

use super::support::page;
use crate::element::{Element, element_word};
use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::scalar_unit::ScalarInstruction;
use crate::op::site::{Check, GlobalLayout};
use crate::profile::NPU;
use crate::rule::Rule;
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    super::support::{Home, element_at},
    crate::exec::state::{Fault, State, describe, number_text},
    pto_num::get_element,
};

const SOURCE: &str = "docs/isa/tile/ops/irregular-and-complex/tprint.md";
const FORMATS: [&str; 3] = ["width8_precision4", "width8_precision2", "width10_precision6"];

const ELEMENT: Rule = Rule::new(
    "element-type",
    "A printed element is f32, f16 or an integer of up to 32 bits.",
    "docs/isa/TPRINT.md, Constraints",
)
.because("The device has no text for other formats.")
.instead("Convert with TCVT to f32 or to an integer of 32 bits.")
.only(NPU);
const LOCATION: Rule = Rule::new(
    "location",
    "A tile that is printed is a vec tile; with a workspace also a mat or acc tile.",
    "docs/isa/TPRINT.md; PTO_IR_manual.md of the public assembler",
)
.because(
    "The scalar unit reads UB only; tiles of L1 and L0C are copied to a workspace in global memory first.",
)
.instead("Move the tile to a vec tile, or store it and print the view.")
.only(NPU);
const VIEW_LAYOUT: Rule =
    Rule::new("view-layout", "A view that is printed is nd, dn or nz.", "docs/isa/TPRINT.md, Constraints")
        .because("The device prints views of these layouts only.")
        .instead("Print a view of the same memory without this layout.")
        .only(NPU);

pub(super) static TPRINT: ScalarInstruction = ScalarInstruction {
    page: page(
        "tprint",
        "Prints the valid region of a tile, or a view of global memory.",
        "prints src[i, j]; tmp is a workspace in global memory that devices need to print tiles of L1 and L0C",
        SOURCE,
        Syntax::Destination(&[
            form!(ins(src: Tile) outs()),
            form!(ins(src: View) outs()),
            form!(ins(src: Tile, tmp: View) outs()),
        ]),
        &[&ELEMENT, &LOCATION, &VIEW_LAYOUT],
    )
    .with(&[AttributeSpec::words(
        "printFormat",
        "print_format",
        &FORMATS,
        "The format of numbers on the device, as a word or a number (0 to 2); the text here does not depend on it.",
    )
    .numbered()
    .or_word("width8_precision4")])
    .touching(&[
        Effect::fences(),
        // For a tile, `View` covers its valid region.
        Effect::reads("src").of(Extent::View),
        Effect::destroys("tmp").of(Extent::Covered("src")),
    ]),
    check: |check| {
        if let Some(tile) = check.site.tile("src") {
            element_type(check, tile.element());
            let location = tile.location();
            let through_memory = check.site.operand("tmp").is_some();
            let printed = match location {
                Location::Vec => true,
                Location::Mat | Location::Acc => through_memory,
                _ => false,
            };
            check.require(&LOCATION, "src", printed, |check| {
                let workspace = if through_memory { "" } else { ", and there is no workspace" };
                format!("{} is a {} tile{workspace}", check.name("src"), location.word())
            });
        }
        if let Some(view) = check.site.view("src") {
            element_type(check, view.element);
            let layout = view.layout.0.unwrap_or(GlobalLayout::Nd);
            let printed = matches!(layout, GlobalLayout::Nd | GlobalLayout::Dn | GlobalLayout::Nz);
            check.require(&VIEW_LAYOUT, "src", printed, |check| {
                format!("{} is {}", check.name("src"), layout.word())
            });
        }
    },
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let name = prepare.name("src").to_owned();
        if let Some(src) = prepare.tile_if("src") {
            return Ok(Box::new(move |state: &mut State<'_>| {
                let text = describe(state.memory, state.live(&src), &src, &name);
                state.printed.push(text);
                Ok(())
            }));
        }
        let (slot, element) = prepare.view("src")?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let text = describe_view(state, slot, element, &name)?;
            state.printed.push(text);
            Ok(())
        }))
    },
};

/// Checks that devices print a format.
fn element_type(check: &mut Check<'_>, element: Element) {
    let integer = element.is_integer() && (8..=32).contains(&element.bits());
    let printed = integer || matches!(element, Element::F32 | Element::F16);
    check.require(&ELEMENT, "src", printed, |check| {
        format!("{} holds {}", check.name("src"), element_word(element))
    });
}

/// Most elements of a view that are printed; a view of stride 0 may have any number.
const MOST: u64 = 1 << 16;

/// The elements of a view as rows of its last dimension.
#[cfg(feature = "run")]
fn describe_view(state: &mut State<'_>, slot: usize, element: Element, name: &str) -> Result<String, Fault> {
    let view = state.views[slot];
    let rank = usize::from(view.rank);
    let extents: Vec<_> = view.shape[..rank].iter().map(u64::to_string).collect();
    let mut text = format!("%{name}: view {} {}", extents.join("x"), element_word(element));
    let cols = view.shape[..rank].last().copied().unwrap_or(1).max(1);
    let count = view.shape[..rank].iter().fold(1u64, |count, extent| count.saturating_mul(*extent));
    for index in 0..count.min(MOST) {
        text.push_str(match index % cols {
            0 if index == 0 => "\n  [",
            0 => "]\n  [",
            _ => ", ",
        });
        let (mut rest, mut offset) = (index, 0i64);
        for (extent, stride) in view.shape[..rank].iter().zip(&view.strides).rev() {
            offset = offset.wrapping_add(stride.wrapping_mul((rest % extent) as i64));
            rest /= extent;
        }
        let bits = match element_at(state, view.address, offset, element, name)? {
            (Home::Buffer(buffer), start) => state.global.reading(buffer).get(start, 0, element),
            (Home::Chip, start) => get_element(state.memory, start, 0, element),
        };
        let value = |at: usize| bits >> (at as u32 * element.value_bits()) & element.value_mask();
        let values: Vec<_> = (0..element.values()).map(|at| number_text(element, value(at))).collect();
        text.push_str(&values.join(", "));
    }
    if count > 0 {
        text.push_str(if count > MOST { ", ...]" } else { "]" });
    }
    Ok(text)
}
