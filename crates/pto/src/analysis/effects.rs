//! Effects of the operations of a program on the values that they use.

use super::Facts;
use crate::ir::{Function, Operation, TypeTable, ValueId};
use crate::isa::meaning::Meaning;
use crate::isa::op::effect::{Access, Count, Extent, Target};
use crate::isa::op::site::{Fact, Site};
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;

/// One access of an operation to a tile, a view or a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Touch {
    /// The accessed value.
    pub value: ValueId,
    /// The kind of access.
    pub access: Access,
    /// The pipe that performs it.
    pub pipe: Pipe,
    /// Whether it covers at least the whole valid region of the value; else a part of it, or unknown bytes.
    pub whole: bool,
    /// Whether it covers every byte of the value's storage.
    pub storage: bool,
}

/// The accesses of an operation, reads first. A call may read and write its operands in part; operations other
/// than instructions and calls access no bytes.
///
/// Operands are values of `function`; `profile` is the program's profile.
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
    let parameters = facts.parameters(operation).map(|(_, value)| Touch {
        value,
        access: Access::Read,
        pipe: own,
        whole: true,
        storage: false,
    });
    touched.extend(parameters);
    touched.sort_by_key(|touch| touch.access.changes());
    touched
}

/// The accesses of a call: it reads and writes its operands, in part.
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

/// Whether an extent covers the valid region of an operand, and whether it covers all of its storage.
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
