//! Outputs of a task against the recorded ones.

use super::task::{Replayed, Tensor};
use crate::args_dump::{Dump, Layout};
use crate::commands::expectation::{Expectation, LastWrite};
use crate::render::SourceText;
use crate::report::Unwritten;
use pto::data::{Array, DataError, Failure, Tolerance, item_bytes};
use pto::launch::Launch;
use pto::sim::BufferState;

/// A tensor after the task.
pub(super) struct Output {
    /// Memory of the tensor after the kernel ran.
    memory: Vec<u8>,
    /// Computed and recorded elements, in the order of the dump.
    arrays: Option<(Array, Array)>,
    /// Elements that the kernel does not write.
    unwritten: Vec<usize>,
}

impl Output {
    /// Makes the output from the memory after the kernel ran, and the recorded contents.
    pub(super) fn of(dump: &Dump, tensor: &Tensor<'_>, memory: Vec<u8>) -> Result<Output, DataError> {
        let recorded = |after| {
            let array = |bytes| Array::new(tensor.layout.element, tensor.layout.shape.clone(), bytes);
            Ok((array(tensor.layout.gather(&memory))?, array(dump.read(after)?)?))
        };
        let arrays = tensor.after.map(recorded).transpose()?;
        Ok(Output { memory, arrays, unwritten: Vec::new() })
    }

    /// Positions of the elements that differ by more than the tolerance.
    fn different(&self, tolerance: &Tolerance) -> Vec<usize> {
        let Some((got, want)) = &self.arrays else { return Vec::new() };
        if got.bytes() == want.bytes() {
            return Vec::new();
        }
        let beyond =
            |at: &usize| tolerance.distance_beyond(want.element(), got.bits(*at), want.bits(*at)).is_some();
        (0..want.values()).filter(beyond).collect()
    }

    /// Memory that a case expects: the recorded elements, and the kernel's bytes elsewhere.
    pub(super) fn expected(self, layout: &Layout) -> Vec<u8> {
        let Output { mut memory, arrays, unwritten } = self;
        let Some((_, want)) = arrays else { return memory };
        let size = item_bytes(layout.element);
        let mut left = unwritten.into_iter().peekable();
        for (position, place) in layout.places().enumerate() {
            if left.next_if_eq(&position).is_none() {
                let item = &want.bytes()[position * size..(position + 1) * size];
                memory[place * size..(place + 1) * size].copy_from_slice(item);
            }
        }
        memory
    }
}

/// Excludes from the comparison the elements that the kernel does not write, in outputs without recorded contents before
/// the task: their recorded elements date from before the task. `run` runs the task again, given the memory of each
/// tensor.
///
/// An element counts as not written if it keeps its previous contents. An output without any written element stays in the
/// comparison: that is a difference.
pub(super) fn leave_unwritten(
    outputs: &mut [Output],
    tensors: &[Tensor<'_>],
    tolerance: &Tolerance,
    run: impl FnOnce(&dyn Fn(&Tensor<'_>) -> Vec<u8>) -> Result<Vec<BufferState>, Failure>,
) -> Result<(), Failure> {
    let suspects: Vec<(usize, Vec<usize>)> = outputs
        .iter()
        .enumerate()
        .filter(|(at, _)| !tensors[*at].given)
        .map(|(at, output)| (at, output.different(tolerance)))
        .filter(|(_, different)| !different.is_empty())
        .collect();
    if suspects.is_empty() {
        return Ok(());
    }
    let wanted = |argument: usize| {
        let at = tensors.iter().position(|tensor| tensor.argument == argument && !tensor.given)?;
        outputs[at].arrays.as_ref().map(|(_, want)| want)
    };
    let buffers = run(&|tensor| {
        let mut memory = tensor.memory.clone();
        if let Some(want) = wanted(tensor.argument) {
            tensor.layout.scatter(want.bytes(), &mut memory);
        }
        memory
    })?;
    for (at, different) in suspects {
        let output = &mut outputs[at];
        let Some((got, want)) = &mut output.arrays else { continue };
        let layout = &tensors[at].layout;
        let again = layout.gather(&buffers[at].bytes);
        let nothing = got.bytes().iter().all(|byte| *byte == 0) && again == want.bytes();
        if nothing {
            continue;
        }
        let size = item_bytes(layout.element);
        let item = |position: usize| position * size..(position + 1) * size;
        let kept = |position: &usize| again[item(*position)] == want.bytes()[item(*position)];
        output.unwritten = different.into_iter().filter(kept).collect();
        for position in &output.unwritten {
            got.bytes_mut()[item(*position)].copy_from_slice(&want.bytes()[item(*position)]);
        }
    }
    Ok(())
}

/// Adds the comparison of a tensor.
pub(super) fn add(
    replayed: &mut Replayed<'_>,
    number: usize,
    tensor: &Tensor<'_>,
    output: &Output,
    tolerance: &Tolerance,
    again: &Launch<'_>,
) -> Result<(), DataError> {
    let Some((got, want)) = &output.arrays else { return Ok(()) };
    let size = item_bytes(tensor.layout.element) as u64;
    let byte = |position: usize| tensor.layout.places().nth(position).unwrap_or(0) as u64 * size;
    let (got, want, last) = (got.clone(), want.clone(), LastWrite::Again(again));
    let compared = Expectation::at(tensor.name, got, want, tolerance, number, &byte, last)?;
    let (name, text) = replayed.source();
    let source = SourceText::new(name, text);
    let mut lines = compared.text(&source);
    if !output.unwritten.is_empty() {
        let count = output.unwritten.len();
        lines += &format!("  {count} elements are not compared: the kernel does not write them\n");
        replayed.unwritten.push(Unwritten { name: tensor.name.to_owned(), count });
    }
    let report = compared.report(&source);
    replayed.texts.push(lines);
    replayed.compared.push(report);
    replayed.differs |= !compared.passed();
    replayed.findings.extend(compared.finding());
    Ok(())
}
