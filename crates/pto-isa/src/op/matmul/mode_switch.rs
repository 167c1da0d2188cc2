//! The instructions that set the mode in which products round f32 factors.

use crate::attribute::Attribute;
use crate::op::attribute::AttributeSpec;
use crate::op::effect::{Effect, Register};
use crate::op::form::Syntax;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::{NPU, Profile};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::exec::reference::Reference,
    crate::exec::registers::Registers,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::op::Compute,
};

const PAGES: &str = "docs/isa/tile/ops/sync-and-config/sethf32mode.md, settf32mode.md";

pub(super) const ENABLE: Rule = Rule::new("enable", "`enable` is true or false.", PAGES)
    .because("Another value does not say whether the mode is on.")
    .instead("Write `enable = true` or `enable = false`.");
pub(super) const ROUNDING: Rule =
    Rule::new("mode", "`mode` is a rounding mode that the manual names.", PAGES)
        .because("An unknown mode does not say how factors are rounded.")
        .instead("Write a mode that the message lists.");
pub(super) const RESERVED: Rule = Rule::new(
    "reserved-mode",
    "`mode` is CAST_ROUND, for SETTF32MODE also CAST_RINT; the other modes are reserved.",
    "docs/isa/tile/ops/sync-and-config/settf32mode.md, Constraints; include/pto/common/pto_tile.hpp, SetMadTF32Mode",
)
.because("The devices give the other codes no meaning.")
.instead("Write `mode` as CAST_ROUND.")
.only(NPU);

const EFFECTS: &[Effect] = &[Effect::writes_register(Register::Products)];

const ATTRIBUTES: &[AttributeSpec] = &[
    AttributeSpec::boolean("enable", "Whether the mode is switched on."),
    AttributeSpec::words("mode", "round_mode", &WORDS, "The rounding mode; a word may begin with `CAST_`.")
        .prefixed("CAST_"),
];

/// The page of a mode instruction.
pub(super) const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    rules: &'static [&'static Rule],
) -> Page {
    let syntax = Syntax::Own(&["ins ( {} ) outs ( )", "{}"], &[]);
    Page::of(Set::Matmul, name, summary, formula, source, syntax, rules).with(ATTRIBUTES).touching(EFFECTS)
}

/// An instruction that switches a mode of products on or off.
pub(super) struct ModeSwitch {
    pub(super) page: Page,
    /// Sets the mode: on, with a profile and a rounding mode, or off.
    #[cfg(feature = "run")]
    pub(super) switch: fn(&mut Registers, Option<(Profile, &str)>),
    /// The rounding modes that a profile defines.
    pub(super) modes: fn(Profile) -> &'static [&'static str],
}

pub(super) const WORDS: [&str; 7] = ["NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"];

/// The word of the rounding mode, without `CAST_`; empty if it is not written.
fn rounding<'a>(site: &'a Site<'_>) -> &'a str {
    site.word("mode").map_or("", |word| word.strip_prefix("CAST_").unwrap_or(word))
}

fn enable(site: &Site<'_>) -> Option<bool> {
    match site.attribute("enable") {
        Some(Attribute::Bool(enable)) => Some(*enable),
        _ => None,
    }
}

impl Instruction for ModeSwitch {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Scalar
    }

    fn check(&self, check: &mut Check<'_>) {
        check.require(&ENABLE, "enable", enable(check.site).is_some(), |_| {
            "write {enable = true} or {enable = false}".to_owned()
        });
        let word = rounding(check.site);
        let known = WORDS.contains(&word);
        check.require(&ROUNDING, "mode", known, |_| {
            format!("`{word}` is no rounding mode: {}", WORDS.map(|word| format!("CAST_{word}")).join(", "))
        });
        let meant = (self.modes)(check.profile()).contains(&word);
        if known && !meant {
            check.require(&RESERVED, "mode", false, |_| format!("CAST_{word} is reserved"));
        }
    }
}

#[cfg(feature = "run")]
impl Compute for ModeSwitch {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let execute = self.prepare(reference.prepare()).map_err(Fault::Other)?;
        execute.execute(reference.state())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let enable = enable(prepare.site).unwrap_or(false);
        let (profile, switch) = (prepare.profile(), self.switch);
        let word = rounding(prepare.site).to_owned();
        Ok(Box::new(move |state: &mut State<'_>| {
            switch(state.registers, enable.then_some((profile, word.as_str())));
            Ok(())
        }))
    }
}
