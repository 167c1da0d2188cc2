//! The instructions that set registers of TIMG2COL.

use super::{MODE, OF_SETUP, PARAMETERS, RegisterSet, SOURCE, check_parameters, fmatrix, padding, repeat};
use crate::conv::ConvTileType;
use crate::op::cost::Cost;
use crate::op::effect::{Effect, Register};
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::registers::Img2colRegisters,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::op::Compute,
};

pub(in crate::op::layout) static SETFMATRIX: Setup = Setup {
    page: page(
        "setfmatrix",
        &["SETFMATRIX"],
        "Sets the size of the feature map and the padding around it for timg2col.",
        "FMATRIX = columns | rows << 16 | left << 32 | right << 40 | top << 48 | bottom << 56, from fmap and pad; without fmap, \
         columns and rows are those of the tile",
        "docs/isa/SETFMATRIX.md",
    ),
    value: fmatrix,
    #[cfg(feature = "run")]
    register: |registers| &mut registers.fmatrix,
    in_both_sets: true,
};

pub(in crate::op::layout) static SET_IMG2COL_PADDING: Setup = Setup {
    page: page(
        "set_img2col_padding",
        &["SET_IMG2COL_PADDING"],
        "Sets the value that timg2col reads outside the feature map.",
        "PADDING = pad_value as bits of the tile's element type, an 8-bit value twice",
        "docs/isa/SET_IMG2COL_PADDING.md",
    ),
    value: |site, tile| padding(site, tile.element),
    #[cfg(feature = "run")]
    register: |registers| &mut registers.padding,
    in_both_sets: false,
};

pub(in crate::op::layout) static SET_IMG2COL_RPT: Setup = Setup {
    page: page(
        "set_img2col_rpt",
        &["SET_IMG2COL_RPT"],
        "Sets the number and the stride of the transfers of timg2col.",
        "RPT = repeat_stride | repeat_time << 16 | repeat_mode << 24, on A5 also | dst_stride << 32 | dst_m_position << 48",
        "docs/isa/SET_IMG2COL_RPT.md",
    ),
    value: |site, _| repeat(site),
    #[cfg(feature = "run")]
    register: |registers| &mut registers.repeat,
    in_both_sets: false,
};

const RULES: &[&Rule] = &[&SOURCE, &PARAMETERS, &MODE];

/// An instruction that sets a register.
pub(in crate::op::layout) struct Setup {
    page: Page,
    /// Computes the register's value from the attributes and the tile.
    value: fn(&Site<'_>, &ConvTileType) -> u64,
    /// The register in both sets.
    #[cfg(feature = "run")]
    register: fn(&mut Img2colRegisters) -> &mut [u64; 2],
    /// Whether A2/A3 has the register in both sets too.
    in_both_sets: bool,
}

const EFFECTS: &[Effect] = &[Effect::names("src"), Effect::writes_register(Register::Img2col)];

/// The page of an instruction that sets a register.
const fn page(
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
) -> Page {
    Page {
        name,
        aliases,
        set: Set::Layout,
        summary,
        formula,
        source,
        syntax: Syntax::Destination(&[form!(ins(src: ConvTile) outs())]),
        attributes: OF_SETUP,
        rules: RULES,
        cost: Cost::Issue,
        effects: EFFECTS,
        pictures: &[],
        origin: Some(Origin::WRITTEN),
    }
}

impl Instruction for Setup {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Scalar
    }

    fn check(&self, check: &mut Check<'_>) {
        check_parameters(check);
        let auto = RegisterSet::written(check.site).flatten().is_some_and(|registers| registers.auto);
        check.require(&MODE, "attributes", !auto, |check| {
            let name = check.site.instruction.page().name;
            format!("in an automatic mode timg2col sets the registers, and `{name}` would do nothing")
        });
    }
}

#[cfg(feature = "run")]
impl Compute for Setup {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let execute = self.prepare(reference.prepare()).map_err(Fault::Other)?;
        execute.execute(reference.state())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (site, ty) = (prepare.site, prepare.conv("src")?.ty);
        let registers = RegisterSet::written(site).flatten().unwrap_or(RegisterSet { set: 0, auto: false });
        let set = if self.in_both_sets { registers.set } else { registers.shared_set(site.profile) };
        let (value, register) = ((self.value)(site, &ty), self.register);
        Ok(Box::new(move |state: &mut State<'_>| {
            register(&mut state.registers.img2col)[set] = value;
            Ok(())
        }))
    }
}
