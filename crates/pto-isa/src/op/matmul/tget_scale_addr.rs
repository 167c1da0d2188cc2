//! TGET_SCALE_ADDR: declares the address of the MX scales of a factor.

use crate::memory::Buffer;
use crate::op::cost::Cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::A2A3_ONLY;
use crate::rule::Rule;
use crate::tile::Location;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::op::Compute,
};

const SOURCE: &str = "docs/isa/tile/ops/sync-and-config/get-scale-addr.md";

const PROFILE: Rule = Rule::new(
    "profile",
    "A2/A3 has no MX scales.",
    "docs/isa/tile/ops/sync-and-config/get-scale-addr.md, Cases That Are Not Allowed",
)
.because("A2/A3 has no buffers of scales.")
.instead("Use products without scales, or compile for a5.")
.only(A2A3_ONLY);
const PAIR: Rule = Rule::new(
    "pair",
    "The scales of a left tile are in a scaling tile with ZZ boxes of 32 bytes, those of a right tile in one with NN \
     boxes.",
    SOURCE,
)
.because("The address of the scales is computed from that of their factor.")
.instead("Declare a scaling tile with `fractal=32`: ZZ for a left tile, NN for a right one.");

/// Declares the address of a tile of scales for the whole lifetime of that tile.
pub(super) struct TgetScaleAddr {
    page: Page,
}

pub(super) static TGET_SCALE_ADDR: TgetScaleAddr = TgetScaleAddr {
    page: Page {
        name: "tget_scale_addr",
        aliases: &["get_scale_addr"],
        set: Set::Matmul,
        summary: "Declares that a scaling tile holds the MX scales of a factor; no element moves or changes.",
        formula: "dst has the address of the scales of src during its whole lifetime; its contents stay",
        source: SOURCE,
        syntax: Syntax::Destination(&[form!(ins(src: Tile) outs(dst: Tile))]),
        attributes: &[],
        rules: &[&PROFILE, &PAIR],
        effects: &[Effect::names("src"), Effect::names("dst")],
        cost: Cost::Issue,
        pictures: &[],
        origin: Some(Origin::WRITTEN),
    },
};

impl Instruction for TgetScaleAddr {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Scalar
    }

    fn check(&self, check: &mut Check<'_>) {
        check.require(&PROFILE, "src", false, |_| "a2a3 has no MX scales".to_owned());
        let (src, dst) = (check.tile("src"), check.tile("dst"));
        let pair = (src.location(), dst.ty.buffer());
        let fits =
            matches!(pair, (Location::Left, Buffer::ScaleLeft) | (Location::Right, Buffer::ScaleRight));
        check.require(&PAIR, "dst", fits, |check| {
            format!(
                "{} is a {} tile, {} a {} tile in {}",
                check.name("src"),
                src.location().word(),
                check.name("dst"),
                dst.location().word(),
                dst.ty.buffer().word()
            )
        });
    }
}

#[cfg(feature = "run")]
impl Compute for TgetScaleAddr {
    // Nothing to do at run time: the machine gives every tile an address for its whole lifetime, and kernels move
    // the scales there before or after this instruction.
    fn reference(&self, _: &mut Reference<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn prepare(&self, _: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        Ok(Box::new(|_: &mut State<'_>| Ok(())))
    }
}
