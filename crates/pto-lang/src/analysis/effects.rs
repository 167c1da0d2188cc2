//! Effects of the operations of a program on the values that they use.

use super::Facts;
use crate::ir::{Function, Operation, TypeTable, ValueId};
use pto_isa::meaning::Meaning;
use pto_isa::op::effect::{Access, Extent, Measure, Side, Target};
use pto_isa::op::site::{Fact, Site};
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;

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
        for (index, _) in site.operands.iter().enumerate().filter(|(_, fact)| fact.role == role) {
            let (whole, storage) = covered(&site, index, extent);
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

/// Whether an extent covers the valid region of an operand of a site, and whether it covers all of its storage.
fn covered(site: &Site<'_>, operand: usize, extent: Extent) -> (bool, bool) {
    match (extent, &site.operands[operand].fact) {
        (Extent::Storage, _) | (Extent::View, Fact::View(_)) => (true, true),
        // A run whose view and valid region differ reports that; otherwise the valid region is moved.
        (Extent::Moved(_), Fact::Tile(_)) => covered(site, operand, Extent::VALID),
        (Extent::Rect(rows, cols), Fact::Tile(tile)) => {
            let [down, along] = tile.ty.stored();
            let rows = reaches(site, rows.measure(site, operand, true), Side::Rows(operand), tile.rows, down);
            let cols =
                reaches(site, cols.measure(site, operand, false), Side::Cols(operand), tile.cols, along);
            (rows.0 && cols.0, rows.1 && cols.1)
        }
        _ => (false, false),
    }
}

/// Whether a measure reaches the valid rows or columns of a tile, which are `own` and `valid` if they are known, and whether it
/// reaches the stored ones.
fn reaches(
    site: &Site<'_>,
    measure: Option<Measure<usize>>,
    own: Side<usize>,
    valid: Option<u32>,
    stored: u32,
) -> (bool, bool) {
    let is_own = matches!(measure, Some(Measure::Of(side) | Measure::RoundedUp(side, _)) if side == own);
    let known = measure.and_then(|measure| measure.known(site));
    let reaches = |number: u32| known.is_some_and(|known| known >= number);
    (is_own || reaches(valid.unwrap_or(stored)), reaches(stored))
}
