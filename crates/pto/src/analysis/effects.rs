//! What operations do to the values that they use: the effects of their pages, at one place of a program.

use super::Facts;
use crate::ir::{Function, Operation, TypeTable, ValueId};
use crate::isa::meaning::Meaning;
use crate::isa::op::effect::{Access, Count, Extent, Target};
use crate::isa::op::site::{Fact, Site};
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;

/// One thing that an operation does to a tile, a view or a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Touch {
    /// The value that it is done to.
    pub value: ValueId,
    /// How its bytes are touched.
    pub access: Access,
    /// The pipe that does it.
    pub pipe: Pipe,
    /// Whether it is done to the whole valid region of the value, or more; else to a part of it, or to an unknown one.
    pub whole: bool,
    /// Whether it is done to every byte of the value's storage.
    pub storage: bool,
}

/// What an operation does, reads first. A call may do anything to what it is given; what is no instruction touches no bytes.
///
/// Operands are values of `function`; `profile` is that of the program.
pub fn touches(
    function: &Function,
    types: &TypeTable,
    facts: &Facts,
    operation: &Operation,
    profile: Profile,
) -> Vec<Touch> {
    if operation.meaning() == Meaning::Call {
        return called(operation);
    }
    let Some(site) = facts.site(function, types, operation, profile) else { return Vec::new() };
    let own = site.instruction.pipe(&site);
    let operands: Vec<ValueId> = operation
        .operands
        .iter()
        .map(|operand| operand.value)
        .chain(operation.results.iter().copied())
        .collect();
    let mut touched = Vec::new();
    for effect in site.instruction.effects(&site) {
        let Target::Operand(role, extent) = effect.target else { continue };
        if effect.access == Access::Name {
            continue;
        }
        for (index, fact) in site.operands.iter().enumerate().filter(|(_, fact)| fact.role == role) {
            let (whole, storage) = covered(&site, &fact.fact, extent);
            touched.push(Touch {
                value: operands[index],
                access: effect.access,
                pipe: effect.pipe.unwrap_or(own),
                whole,
                storage,
            });
        }
    }
    touched.sort_by_key(|touch| touch.access.changes());
    touched
}

/// A call reads and writes what it is given, in part.
fn called(operation: &Operation) -> Vec<Touch> {
    let touch = |value: ValueId, access: Access| Touch {
        value,
        access,
        pipe: Pipe::All,
        whole: false,
        storage: false,
    };
    let given = || operation.operands.iter().map(|operand| operand.value);
    let reads = given().map(|value| touch(value, Access::Read));
    reads.chain(given().map(|value| touch(value, Access::PartialWrite))).collect()
}

/// Whether an extent covers the valid region of an operand, and all of its storage.
fn covered(site: &Site<'_>, fact: &Fact, extent: Extent) -> (bool, bool) {
    match (extent, fact) {
        (Extent::Storage, _) => (true, true),
        (Extent::View, Fact::View(_)) => (true, true),
        (Extent::Rect(rows, cols), Fact::Tile(tile)) => {
            let full = [(rows, tile.rows, tile.ty.rows), (cols, tile.cols, tile.ty.cols)].map(
                |(count, valid, declared)| match count {
                    Count::Declared => (true, true),
                    Count::Valid | Count::RoundedUp(_) => (true, valid == Some(declared)),
                    Count::Fixed(number) => (valid.is_some_and(|valid| valid <= number), number >= declared),
                    Count::DeclaredRows(role) => {
                        reaches(site.tile(role).map(|of| of.ty.rows), valid, declared)
                    }
                    Count::DeclaredCols(role) => {
                        reaches(site.tile(role).map(|of| of.ty.cols), valid, declared)
                    }
                    Count::Rows(role) => reaches(site.tile(role).and_then(|of| of.rows), valid, declared),
                    Count::Cols(role) => reaches(site.tile(role).and_then(|of| of.cols), valid, declared),
                    _ => (false, false),
                },
            );
            (full[0].0 && full[1].0, full[0].1 && full[1].1)
        }
        _ => (false, false),
    }
}

fn reaches(count: Option<u32>, valid: Option<u32>, declared: u32) -> (bool, bool) {
    let known = count.unwrap_or(0);
    (count.is_some() && valid.is_some_and(|valid| known >= valid), known >= declared)
}
