//! What the instructions that set a register of TIMG2COL share.

use super::{MODE, Mode, OF_SETUP, PARAMETERS, SOURCE, check_parameters};
use crate::exec::reference::Reference;
use crate::exec::registers::Img2colRegisters;
use crate::exec::state::{Execute, Fault, Prepare, State};
use crate::isa::conv::ConvTileType;
use crate::isa::op::effect::{Effect, Register};
use crate::isa::op::form::{Syntax, form};
use crate::isa::op::site::{Check, Site};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::rule::Rule;

const RULES: &[&Rule] = &[&SOURCE, &PARAMETERS, &MODE];

/// An instruction that sets a register.
pub(in crate::isa::op::layout) struct Setup {
    pub(super) page: Page,
    /// The register's value for the attributes and the tile.
    pub(super) value: fn(&Site<'_>, &ConvTileType) -> u64,
    /// The register, in both sets.
    pub(super) register: fn(&mut Img2colRegisters) -> &mut [u64; 2],
    /// Whether A2/A3 has it in both sets too.
    pub(super) in_both_sets: bool,
}

const EFFECTS: &[Effect] = &[Effect::names("src"), Effect::writes_register(Register::Img2col)];

/// The page of such an instruction.
pub(super) const fn page(
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
        effects: EFFECTS,
        pictures: &[],
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
        let auto = Mode::written(check.site).flatten().is_some_and(|mode| mode.auto);
        check.require(&MODE, "attributes", !auto, |check| {
            let name = check.site.instruction.page().name;
            format!("in an automatic mode timg2col sets the registers, and `{name}` would do nothing")
        });
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let execute = self.prepare(reference.prepare()).map_err(Fault::Other)?;
        execute.execute(reference.state())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let (site, ty) = (prepare.site, prepare.conv("src")?.ty);
        let mode = Mode::written(site).flatten().unwrap_or(Mode { set: 0, auto: false });
        let set = if self.in_both_sets { mode.set } else { mode.shared_set(site.profile) };
        let (value, register) = ((self.value)(site, &ty), self.register);
        Ok(Box::new(move |state: &mut State<'_>| {
            register(&mut state.registers.img2col)[set] = value;
            Ok(())
        }))
    }
}
