//! Accumulators whose column blocks are read at another pitch than they were written, as far as the pitches are known
//! before a run.
//!
//! Claim: a finding here would stop every run that reaches it. Only one block of operations is followed, in order; an
//! operation with regions, a call, and a write to another accumulator that may share bytes discard the known pitches.
//! A run finds the remaining errors.

use super::operands;
use crate::analysis::Facts;
use crate::ir::flow::Flow;
use crate::ir::{BlockId, Function, Operation, TypeTable, ValueId};
use pto_isa::diag::Diagnostic;
use pto_isa::meaning::Meaning;
use pto_isa::op::acc_pitch::{BLOCK, PitchUse};
use pto_isa::op::site::Site;
use pto_isa::profile::Profile;
use pto_isa::rules;
use std::collections::HashMap;

/// An operation that accesses the column blocks of an accumulator.
#[derive(Clone, Copy, Debug)]
pub struct Pitched<'a> {
    /// The operation.
    pub operation: &'a Operation,
    /// Rows from the start of a column block to the start of the next one.
    pub pitch: u32,
}

/// The error for an accumulator whose reader and writer have different pitches.
pub fn pitches_differ(read: Pitched<'_>, write: Pitched<'_>) -> Diagnostic {
    let (reader, writer) = (read.operation, write.operation);
    let message = format!(
        "`{}` takes the column blocks of the accumulator at a pitch of {} rows, and `{}` has written them at a pitch of {}",
        reader.name, read.pitch, writer.name, write.pitch
    );
    let rule = &rules::mem::ACCUMULATOR_PITCH;
    Diagnostic::error(rule, message)
        .at(reader.span)
        .with_note(rule.note())
        .with_label(writer.span, format!("written here, with {} rows from block to block", write.pitch))
}

/// Checks the accumulators of a function.
pub(super) fn check(
    types: &TypeTable,
    function: &Function,
    flow: &Flow,
    facts: &Facts,
    profile: Profile,
    findings: &mut Vec<Diagnostic>,
) {
    let mut blocks: HashMap<BlockId, Block<'_>> = HashMap::new();
    for id in flow.operations() {
        let operation = &function.operations[*id];
        let Some((block, _)) = flow.place(*id) else { continue };
        let block = blocks.entry(block).or_default();
        if !operation.regions.is_empty() || operation.meaning() == Meaning::Call {
            block.written.clear();
            continue;
        }
        if operation.instruction().is_none() || !operands::fits(types, function, operation) {
            continue;
        }
        if let Some(site) = facts.site(function, types, operation, profile) {
            findings.extend(block.take(operation, &site, facts));
        }
    }
}

/// Maximum number of accumulators that are followed at once, so that the time is linear in their number.
const MOST: usize = 64;

/// The known writers of accumulators in one block, with the pitch of each.
#[derive(Default)]
struct Block<'a> {
    written: HashMap<ValueId, (&'a Operation, u32)>,
}

impl<'a> Block<'a> {
    fn take(&mut self, operation: &'a Operation, site: &Site<'_>, facts: &Facts) -> Option<Diagnostic> {
        let mut finding = None;
        for of in site.instruction.accumulators(site) {
            let Some(value) = operation.operand(of.role).map(|operand| operand.value) else { continue };
            let pitch = known(site, &of);
            if of.writes {
                if self.written.len() >= MOST {
                    self.written.clear();
                }
                let address = facts.address(value);
                self.written.retain(|other, _| {
                    address.zip(facts.address(*other)).is_some_and(|(mine, other)| mine != other)
                });
                self.written.extend(pitch.map(|pitch| (value, (operation, pitch))));
            } else if let (Some(pitch), Some(&(writer, written))) = (pitch, self.written.get(&value))
                && written != pitch
                && site.tile(of.role).and_then(|tile| tile.cols).is_some_and(|cols| cols > BLOCK)
            {
                let read = Pitched { operation, pitch };
                let write = Pitched { operation: writer, pitch: written };
                finding = finding.or_else(|| Some(pitches_differ(read, write)));
            }
        }
        finding
    }
}

/// The pitch of an access, if the rows that determine it are known; a product of no rows writes nothing.
fn known(site: &Site<'_>, of: &PitchUse) -> Option<u32> {
    use pto_isa::op::acc_pitch::PitchRows::{Declared, Valid};
    let declared = site.tile(of.role)?.ty.rows;
    let rows = match of.rows {
        Declared => declared,
        Valid(role) => site.tile(role)?.rows.filter(|rows| *rows > 0)?,
    };
    Some(of.rows.number(declared, rows))
}
