//! The instructions that say how products of f32 read their factors.

use crate::ir::Attribute;
use crate::isa::op::attribute::AttributeSpec;
use crate::isa::op::effect::{Effect, Register};
use crate::isa::op::form::Syntax;
use crate::isa::op::reference::Reference;
use crate::isa::op::registers::Registers;
use crate::isa::op::site::{Check, Site};
use crate::isa::op::state::{Execute, Fault, Prepare, State};
use crate::isa::op::{Instruction, Page, Set};
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;
use crate::isa::rule::Rule;

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
    "`mode` is CAST_ROUND; the others are reserved.",
    "docs/isa/tile/ops/sync-and-config/settf32mode.md, Constraints",
)
.because("A5 gives the other codes no meaning.")
.instead("Write `mode` as CAST_ROUND.")
.only(&[Profile::A5]);

const EFFECTS: &[Effect] = &[Effect::writes_register(Register::Products)];

const ATTRIBUTES: &[AttributeSpec] = &[
    AttributeSpec::boolean("enable", "Whether the mode is switched on."),
    AttributeSpec::words("mode", "round_mode", &WORDS, "The rounding mode; a word may begin with `CAST_`.")
        .or_word("ROUND"),
];

/// The page of such an instruction.
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

/// Switches a mode of products on or off.
pub(super) struct Mode {
    pub(super) page: Page,
    /// What the switch does on a profile.
    pub(super) switch: fn(&mut Registers, Profile, bool),
    /// Whether A5 has one rounding mode only.
    pub(super) reserves: bool,
}

const WORDS: [&str; 7] = ["NONE", "RINT", "ROUND", "FLOOR", "CEIL", "TRUNC", "ODD"];

/// The word of the rounding mode, without `CAST_`; empty where it is written as something else than a word.
fn rounding<'a>(site: &'a Site<'_>) -> &'a str {
    let word = match site.attribute("mode") {
        Some(mode) => mode.as_word(),
        None => site.word_or_default("mode"),
    };
    word.map_or("", |word| word.strip_prefix("CAST_").unwrap_or(word))
}

fn enable(site: &Site<'_>) -> Option<bool> {
    match site.attribute("enable") {
        Some(Attribute::Bool(enable)) => Some(*enable),
        _ => None,
    }
}

impl Instruction for Mode {
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
        if self.reserves {
            check.require(&RESERVED, "mode", !known || word == "ROUND", |_| {
                format!("CAST_{word} is reserved")
            });
        }
    }

    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let execute = self.prepare(reference.prepare()).map_err(Fault::Other)?;
        execute.execute(reference.state())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let enable = enable(prepare.site).unwrap_or(false);
        let (profile, switch) = (prepare.profile(), self.switch);
        Ok(Box::new(move |state: &mut State<'_>| {
            switch(state.registers, profile, enable);
            Ok(())
        }))
    }
}
