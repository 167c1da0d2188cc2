//! FENCE.BARRIER_ALL: makes earlier writes visible.

use super::order::{By, MEMORY, Order, page};
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;
use crate::op::form::Syntax;
use crate::rule::Rule;

const SCOPE: Rule = Rule::new(
    "scope",
    "The scope is local_memory, gm or all.",
    "include/PTO/IR/PTOAttrs.td of the public assembler",
)
.because("The scope decides which memory is ordered.")
.instead("Write local_memory, gm or all.");

pub(super) static FENCE_BARRIER_ALL: Order = Order {
    page: page(
        "fence.barrier_all",
        "Makes everything that the core has written visible before the core continues.",
        "MTE2, MTE3 and FIX are done, and their writes visible in scope, before anything after it begins",
        MEMORY,
        Syntax::Own(&["#scope {}"], &[]),
        &[&SCOPE],
    )
    .with(&[AttributeSpec::words(
        "scope",
        "fence_scope",
        &["local_memory", "gm", "all"],
        "The memory whose writes are seen.",
    )]),
    by: By::Scalar,
    meaning: Meaning::Fence,
    check: |check| {
        let word = check.site.word("scope");
        check.require(&SCOPE, "scope", matches!(word, Some("local_memory" | "gm" | "all")), |_| match word {
            Some(word) => format!("`{word}` is no scope: write #pto.fence_scope<gm>"),
            None => "write the scope, such as #pto.fence_scope<gm>".to_owned(),
        });
    },
};
