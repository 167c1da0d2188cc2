//! IMPORT_RESERVED_BUFFER: the address of a buffer that the other core's function reserves.

use super::super::order::{By, Order, page};
use super::ends::MANUAL;
use crate::attribute::Attribute;
use crate::meaning::Meaning;
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::form::Syntax;
use crate::rule::Rule;

const NAME: Rule =
    Rule::new("name", "name and peer_func name the buffer and the function that reserves it.", MANUAL)
        .because("Without both names the reservation cannot be found.")
        .instead("Write `name` and `peer_func`.");
/// Checked with all operations of a function: `check::queues`.
pub const UNIQUE: Rule = Rule::new("unique", "A function imports a buffer once.", MANUAL)
    .because("A second import of the buffer would give the same address twice.")
    .instead("Use the result of the first import.");

pub(super) static IMPORT_RESERVED_BUFFER: Order = Order {
    page: page(
        "import_reserved_buffer",
        "The address of a buffer that another function reserves.",
        "result is the address in bytes of the buffer that `reserve_buffer` reserves under this name in peer_func",
        MANUAL,
        Syntax::Own(&["{} -> !type"], &[]),
        &[&NAME, &UNIQUE],
    )
    .with(&[
        AttributeSpec::new("name", AttributeKind::String, "The name of the buffer in its function."),
        AttributeSpec::new("peer_func", AttributeKind::Symbol, "The function that reserves the buffer."),
    ]),
    by: By::Scalar,
    meaning: Meaning::ImportBuffer,
    check: |check| {
        let peer = matches!(check.site.attribute("peer_func"), Some(Attribute::Symbol(_)));
        let named = check.site.word("name").is_some();
        check.require(&NAME, "name", named && peer, |_| "write name = \"...\", peer_func = @...".to_owned());
    },
};
