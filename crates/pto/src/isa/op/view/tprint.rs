//! TPRINT: prints the valid region of a tile.

use super::support::page;
use crate::isa::op::attribute::AttributeSpec;
use crate::isa::op::effect::Effect;
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::scalar_unit::ScalarInstruction;
use crate::isa::op::state::{State, describe};

pub(super) static TPRINT: ScalarInstruction = ScalarInstruction {
    page: page(
        "tprint",
        "Prints the valid region of a tile.",
        "prints src[i, j]",
        "docs/isa/tile/ops/irregular-and-complex/tprint.md",
        Syntax::Destination(&[form!(ins(src: Tile) outs())]),
        &[],
    )
    .with(&[AttributeSpec::words(
        "printFormat",
        "print_format",
        &["width8_precision4", "width8_precision2", "width10_precision6"],
        "How the device prints numbers; the text here does not depend on it.",
    )
    .or_word("width8_precision4")])
    .touching(&[Effect::fences(), Effect::reads("src")]),
    check: |_| {},
    prepare: |prepare| {
        let src = prepare.tile("src")?;
        let name = prepare.name("src").to_owned();
        Ok(Box::new(move |state: &mut State<'_>| {
            let text = describe(state.memory, state.live(&src), &src, &name);
            state.printed.push(text);
            Ok(())
        }))
    },
};
