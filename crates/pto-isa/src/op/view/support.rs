//! Code shared by the instructions of this folder.

use crate::op::form::Syntax;
use crate::op::{Page, Set};
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    crate::element::Element,
    crate::exec::global::on_chip,
    crate::exec::state::{Fault, State},
};

pub(in crate::op) const fn page(
    name: &'static str,
    summary: &'static str,
    formula: &'static str,
    source: &'static str,
    syntax: Syntax,
    rules: &'static [&'static Rule],
) -> Page {
    Page::of(Set::View, name, summary, formula, source, syntax, rules)
}

/// The memory that contains a byte: global memory or the block's own.
pub(super) enum Home {
    /// A buffer of global memory, by index.
    Buffer(usize),
    /// The block's memory.
    Chip,
}

/// The address of element `offset` of a pointer: its memory, and the byte offset there.
#[cfg(feature = "run")]
pub(super) fn element_at(
    state: &State<'_>,
    pointer: u64,
    offset: i64,
    element: Element,
    name: &str,
) -> Result<(Home, usize), Fault> {
    let bytes = element.bytes(1) as u64;
    let address = state.global.moved(pointer, i128::from(offset) * i128::from(bytes));
    let nowhere = || Fault::OutOfBounds(format!("element {offset} of `%{name}` lies in no argument"));
    if on_chip(pointer).is_some() {
        let inside = on_chip(address).filter(|start| start + bytes as usize <= state.memory.len());
        let start = inside.ok_or_else(|| {
            Fault::OutOfBounds(format!("element {offset} of `%{name}` lies outside the buffers of the block"))
        })?;
        return Ok((Home::Chip, start));
    }
    let (home, _) = state.global.locate(pointer).ok_or_else(nowhere)?;
    let inside = state.global.locate(address).filter(|(buffer, start)| {
        *buffer == home && start + bytes <= state.global.buffer(home).size() as u64
    });
    let Some((buffer, start)) = inside else {
        let home = state.global.buffer(home);
        return Err(Fault::OutOfBounds(format!(
            "element {offset} of `%{name}` lies outside `{}`, which holds {} bytes",
            home.name,
            home.size()
        )));
    };
    Ok((Home::Buffer(buffer), start as usize))
}
