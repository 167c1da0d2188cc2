//! RESERVE_BUFFER: reserves on-chip memory for the slots of a queue.

use super::super::order::{By, Order, page};
use super::ends::{MANUAL, MANY, flag, number, within};
use crate::meaning::Meaning;
use crate::op::attribute::{AttributeKind, AttributeSpec};
use crate::op::form::Syntax;
use crate::rule::Rule;

const NAME: Rule = Rule::new("name", "The buffer has a name.", MANUAL)
    .because("The peer finds the buffer by its name.")
    .instead("Write `name`.");
/// Checked with all operations of a function: `check::queues`.
pub const UNIQUE: Rule = Rule::new("unique", "A function reserves one buffer of each name.", MANUAL)
    .because("An import of the name would mean two buffers.")
    .instead("Give the second buffer another name.");
const SIZE: Rule = Rule::new("size", "size, in bytes, is 1 or more.", MANUAL)
    .because("A buffer without bytes can hold no slot.")
    .instead("Write the bytes of all slots.");
const LOCATION: Rule =
    Rule::new("location", "location is vec (UB) or mat (L1).", "lib/PTO/IR/PTO.cpp of the public assembler")
        .because("Entries are consumed in UB or in L1.")
        .instead("Write `location` as vec or mat.");
const BASE: Rule =
    Rule::new("base", "auto is written; if it is false, base is the address, 0 or more.", MANUAL)
        .because("With `auto` the assembler chooses the address; without it the program must.")
        .instead("Write `base` with `auto = false`, and leave it out otherwise.");

pub(super) static RESERVE_BUFFER: Order = Order {
    page: page(
        "reserve_buffer",
        "Reserves memory in UB or L1 for the slots of a queue on the consumer's core.",
        "result is the address in bytes: base, or a free address",
        MANUAL,
        Syntax::Own(&["{} -> !type"], &[]),
        &[&NAME, &SIZE, &LOCATION, &BASE, &UNIQUE],
    )
    .with(&[
        AttributeSpec::new("name", AttributeKind::String, "The name of the buffer in its function."),
        AttributeSpec::integer("size", "Bytes of the buffer."),
        AttributeSpec::words(
            "location",
            "address_space",
            &["vec", "mat"],
            "The memory: UB (vec) or L1 (mat).",
        ),
        AttributeSpec::boolean("auto", "Whether the assembler chooses the address."),
        AttributeSpec::integer("base", "The address in bytes, if auto is false.")
            .or_means("the assembler chooses the address"),
    ]),
    by: By::Scalar,
    meaning: Meaning::ReserveBuffer,
    check: |check| {
        let named = check.site.word("name").is_some();
        check.require(&NAME, "name", named, |_| "write name = \"...\"".to_owned());
        within(check, &SIZE, "size", [1, MANY]);
        let location = check.site.word("location").unwrap_or_default();
        check.require(&LOCATION, "location", matches!(location, "vec" | "mat"), |_| {
            format!("`{location}` is neither vec nor mat")
        });
        let said = check.site.attribute("base").is_some();
        let written = check.site.attribute("auto").is_some();
        let automatic = flag(check, "auto", !said);
        let base = number(check, "base").unwrap_or(0);
        let fits = written && automatic != said && base >= 0;
        check.require(&BASE, "base", fits, |_| match (automatic, said) {
            _ if !written => "write auto = true, or auto = false and base".to_owned(),
            (true, _) => "base is written, but auto is true".to_owned(),
            (false, false) => "auto is false: write base".to_owned(),
            (false, true) => format!("base is {base}"),
        });
    },
};
