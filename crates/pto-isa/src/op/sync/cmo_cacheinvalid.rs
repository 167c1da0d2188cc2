//! CMO.CACHEINVALID: invalidates the scalar unit's cache of global memory.

use super::order::{By, MEMORY, Order, VERIFIER, page};
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::rule::Rule;

const SPACE: Rule = Rule::new("space", "The invalidated memory is global memory.", VERIFIER)
    .because("The scalar unit caches global memory only.")
    .instead("Pass a pointer or view of global memory.");

pub(super) static CMO_CACHEINVALID: Order = Order {
    page: page(
        "cmo.cacheinvalid",
        "Writes back and drops the whole cache of the scalar unit, or the line of an address.",
        "later reads of the scalar unit return the writes of other cores; its own earlier writes reach memory",
        MEMORY,
        Syntax::Own(
            &["all #space {}", "%value single_cache_line {} : :value", "%value {} : :value"],
            &[("value", Kind::PointerOrView)],
        ),
        &[&SPACE],
    )
    .with(&[AttributeSpec::words(
        "space",
        "address_space",
        &["gm"],
        "The memory whose copies are dropped.",
    )
    .or_means("the space of the pointer, or gm")])
    .touching(&[Effect::names("value")]),
    by: By::Scalar,
    meaning: Meaning::Fence,
    check: |check| {
        let written = check.site.word("space");
        let behind = check.site.pointer("value").and_then(|(_, space)| space);
        let space = written.or(behind).unwrap_or("gm");
        check.require(&SPACE, "value", matches!(space, "gm" | "zero"), |_| {
            format!("`{space}` is not kept in the cache: only gm is")
        });
    },
};
