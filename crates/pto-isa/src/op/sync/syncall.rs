//! SYNCALL: a barrier of all cores.

use super::order::{By, Order, page};
use super::pictures;
use crate::element::{Element, element_word};
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::site::{Check, Fact};
use crate::rule::Rule;
use crate::types::Scalar;

const SOURCE: &str = "docs/isa/SYNCALL.md";
const MANUAL: &str = "docs/PTO_IR_manual.md of the public assembler, 4.16";
const MODE: Rule = Rule::new(
    "mode",
    "mode is hard (without operands) or soft (with a workspace and optionally the number of cores).",
    MANUAL,
)
.because("The hardware barrier has no memory; the software one counts in a workspace.")
.instead("Write hard without operands, or soft with a workspace.");
/// The workspace of the software barrier holds words that every core can count in.
pub const WORKSPACE: Rule = Rule::new("workspace", "The workspace holds i32 in global memory.", MANUAL)
    .because("The cores count their arrivals in words of 32 bits that all of them reach.")
    .instead("Pass a view of i32 in global memory.");
const CAPACITY: Rule =
    Rule::new("capacity", "A workspace whose extents are known has 16 elements or more.", MANUAL)
        .because("A smaller workspace is overrun.")
        .instead("Give the workspace at least 16 elements.");

/// Elements per cache line; the workspace must not share one.
const LINE: u64 = 16;

pub(super) static SYNCALL: Order = Order {
    page: page(
        "syncall",
        "A barrier of all cube cores, of all vector cores, or of both.",
        "a core of core_type continues when all cores of that type, or as many as the operand states, have arrived as often as \
         this core",
        SOURCE,
        Syntax::Own(
            &[
                "( %operands* : :operands* ) mode = #mode , core_type = #core_type {}",
                "( ) mode = #mode , core_type = #core_type {}",
                "( %operands* : :operands* ) [? mode = #mode ?] [? core_type = #core_type ?] {}",
                "[? mode = #mode ?] [? , ?] [? core_type = #core_type ?] {}",
            ],
            &[("operands", Kind::Other)],
        ),
        &[&MODE, &WORKSPACE, &CAPACITY],
    )
    .with(&[
        AttributeSpec::words("mode", "sync_all_mode", &["hard", "soft"], "Whether the barrier works without memory or with a counter in a workspace."),
        AttributeSpec::words("core_type", "sync_core_type", &["aiv_only", "aic_only", "mix"], "The cores that take part."),
    ])
    .touching(&[Effect::names("operands")])
    .pictured(pictures::ALL_CORES),
    by: By::Scalar,
    meaning: Meaning::Meet,
    check: rules,
};

fn rules(check: &mut Check<'_>) {
    let facts: Vec<&Fact> = check.site.operands.iter().map(|operand| &operand.fact).collect();
    let integer = |fact: &Fact| matches!(fact, Fact::Scalar(ty, _) if ty.is_integer() && *ty != Scalar::Bool);
    let counted = facts.len() < 2 || facts.len() == 2 && integer(facts[1]);
    let (legal, message) = match check.site.word("mode") {
        Some("hard") => (facts.is_empty(), "mode hard takes no operands"),
        Some("soft") => (
            !facts.is_empty() && counted,
            "mode soft takes a workspace and, if not all cores take part, their number as an integer",
        ),
        _ => (false, "mode is hard or soft"),
    };
    let legal = check.require(&MODE, "mode", legal, |_| message.to_owned());
    let Some(workspace) = facts.first().filter(|_| legal) else { return };
    let (element, space) = match workspace {
        Fact::View(view) => (Some(view.element), "gm"),
        Fact::Pointer(scalar, space) => (Some(scalar.element()), space.as_deref().unwrap_or("gm")),
        _ => (None, "gm"),
    };
    check.require(&WORKSPACE, "operands", element == Some(Element::I32) && space == "gm", |check| {
        let held = element.map_or("no elements in memory", element_word);
        format!("{} holds {held}{}", check.name("operands"), if space == "gm" { "" } else { " on chip" })
    });
    if let Fact::View(view) = workspace {
        let count = view.shape.iter().try_fold(1u64, |count, extent| count.checked_mul((*extent)?));
        check.require(&CAPACITY, "operands", count.is_none_or(|count| count >= LINE), |check| {
            format!("{} has {} elements", check.name("operands"), count.unwrap_or(0))
        });
    }
}
