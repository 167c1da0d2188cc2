//! TRANDOM: fills a tile with random numbers of a counter-based generator.

use super::shared::{ROWS, holds, rows};
use crate::element::Element;
use crate::op::attribute::AttributeSpec;
use crate::op::common::VEC;
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::form::{Syntax, form};
use crate::op::origin::Origin;
use crate::op::site::{Check, Site};
use crate::op::{Instruction, Page, Set};
use crate::pipe::Pipe;
use crate::profile::A2A3_ONLY;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::shared::byte_of,
    crate::exec::reference::Reference,
    crate::exec::state::{Execute, Fault, Prepare, State},
    crate::matrix::Size,
    crate::op::Compute,
    pto_kernels::count::{Random, fill_random},
};

const SOURCE: &str = "docs/isa/TRANDOM.md";

const PROFILE: Rule =
    Rule::new("profile", "A2/A3 has no such instruction.", "docs/isa/TRANDOM.md, implementation checks (A5)")
        .because("The kernel does not compile for A2/A3.")
        .instead("Run on A5, or generate the numbers on the host.")
        .only(A2A3_ONLY);
const ELEMENT: Rule = Rule::new("element-type", "The destination is i32 or ui32.", SOURCE)
    .because("The generator produces words of 32 bits.")
    .instead("Declare the destination as i32 or ui32, and convert with TCVT.");
const ROUNDS: Rule = Rule::new("rounds", "There are 7 or 10 rounds.", SOURCE)
    .because("The generator is defined for these counts of rounds.")
    .instead("Write `rounds` as 7 or 10.");
const WORDS: Rule = Rule::new("words", "Key and counter are integers of at most 32 bits.", SOURCE)
    .because("Key and counter are registers of 32-bit words.")
    .instead("Pass integers of at most 32 bits.");

const ROLES: [&str; 6] = ["key0", "key1", "counter0", "counter1", "counter2", "counter3"];

/// The instruction TRANDOM: Philox 4x32.
pub(super) struct Trandom {
    page: Page,
}

pub(super) static TRANDOM: Trandom = Trandom {
    page: Page {
        name: "trandom",
        aliases: &[],
        set: Set::Irregular,
        summary: "Fills a tile with pseudo-random words: values of a 128-bit counter, mixed with a 64-bit key.",
        formula: "dst[i, 4 l + w] = word w of philox4x32(key, counter + l); after each 256 columns the counter advances by 64, after a row by the number of columns in its last group of 64",
        source: "docs/isa/TRANDOM.md, include/pto/npu/a5/TRandom.hpp",
        syntax: Syntax::Destination(&[form!(
            ins(key0: Scalar, key1: Scalar, counter0: Scalar, counter1: Scalar, counter2: Scalar, counter3: Scalar)
            outs(dst: Tile)
        )]),
        attributes: &[AttributeSpec::integer("rounds", "The rounds of mixing: 7 or 10.").or_integer(10)],
        rules: &[&PROFILE, &VEC, &ROWS, &ELEMENT, &ROUNDS, &WORDS],
        effects: &[Effect::writes("dst")],
        cost: cost::SEVERAL,
        pictures: &[],
        origin: Some(Origin::WRITTEN),
    },
};

/// The number of rounds of a use.
fn rounds(site: &Site<'_>) -> i128 {
    site.integer_or_default("rounds").unwrap_or(0)
}

impl Instruction for Trandom {
    fn page(&self) -> &Page {
        &self.page
    }

    fn pipe(&self, _: &Site<'_>) -> Pipe {
        Pipe::Vector
    }

    fn check(&self, check: &mut Check<'_>) {
        check.require(&PROFILE, "dst", false, |_| "a2a3 has no `trandom`".to_owned());
        rows(check, "dst");
        holds(check, &ELEMENT, "dst", &[Element::I32, Element::U32]);
        let rounds = rounds(check.site);
        check.require(&ROUNDS, "rounds", matches!(rounds, 7 | 10), |_| format!("{rounds} rounds"));
        for role in ROLES {
            let element = check.site.scalar(role).map(|(ty, _)| ty.element());
            let word = element.is_none_or(|element| element.is_integer() && element.bits() <= 32);
            check.require(&WORDS, role, word, |check| format!("{} is no such word", check.name(role)));
        }
    }
}

#[cfg(feature = "run")]
impl Compute for Trandom {
    fn reference(&self, reference: &mut Reference<'_>) -> Result<(), Fault> {
        let dst = reference.tile("dst");
        let [key0, key1, counter @ ..] = ROLES.map(|role| reference.scalar(role, Element::U32) as u32);
        let rounds = rounds(reference.prepare().site) as u32;
        let mut random = Random { key: [key0, key1], counter, rounds };
        let Size { rows, cols } = reference.valid(&dst);
        for i in 0..rows {
            for j in 0..cols {
                let mut lane = random;
                lane.advance((j % 256 / 4) as u32);
                reference.set(&dst, i, j, u64::from(lane.words()[j % 4]));
                let (last, full) = (j + 1 == cols, j % 256 == 255);
                random.advance(if last {
                    j as u32 % 64 + 1
                } else if full {
                    64
                } else {
                    0
                });
            }
        }
        Ok(())
    }

    fn prepare(&self, prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
        let dst = prepare.tile("dst")?;
        let rounds = rounds(prepare.site) as u32;
        let mut slots = [0; 6];
        for (slot, role) in slots.iter_mut().zip(ROLES) {
            let (own, ty) = prepare.scalar(role)?;
            *slot = own;
            if ty.element().bits() > 32 {
                return Err(format!("`{role}` is no word of 32 bits"));
            }
        }
        Ok(Box::new(move |state: &mut State<'_>| {
            let [key0, key1, counter @ ..] = slots.map(|slot| state.scalars[slot] as u32);
            let mut random = Random { key: [key0, key1], counter, rounds };
            let live = state.live(&dst);
            for i in 0..live.rows as usize {
                let start = byte_of(&dst, live.address, i, 0);
                fill_random(state.memory, start, live.cols as usize, &mut random);
            }
            Ok(())
        }))
    }
}
