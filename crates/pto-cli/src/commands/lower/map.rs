//! `pto lower --map`: a picture of the memory of each function.

use super::super::Text;
use crate::output::{Output, write_all};
use crate::picture::memory::{Block, Chart, Kind, Mark, memory};
use pto::data::DataError;
use pto::diag::Span;
use pto::ir::Module;
use pto::passes::BufferPlan;
use std::path::Path;

/// Whether an address was chosen, in the order of [`Block::kind`].
const KINDS: [Kind; 2] = [
    Kind { word: "address chosen", color: "#cfe4ff" },
    Kind { word: "address given by the program", color: "#ffd9a0" },
];

/// Writes the picture of plans for the functions of a module.
pub(super) fn write(
    path: &Path,
    plans: &[BufferPlan],
    module: &Module,
    text: &Text,
) -> Result<(), DataError> {
    let charts: Vec<Chart> = plans.iter().map(|plan| chart(plan, module, &text.text)).collect();
    let picture = memory(&format!("Memory of {}", text.name), &charts, &KINDS);
    write_all(&[Output::new(path, picture.into_bytes())])
}

fn chart(plan: &BufferPlan, module: &Module, text: &str) -> Chart {
    let blocks = plan.places.iter().flat_map(|place| {
        place.alive.iter().map(|time| Block {
            name: place.name.clone(),
            address: place.address,
            bytes: place.bytes,
            time: *time,
            kind: usize::from(!place.is_chosen),
        })
    });
    let what = if plan.peak > plan.capacity { ", which does not fit" } else { "" };
    Chart {
        title: format!("{} of @{}{what}", plan.buffer.word(), module.functions[plan.function].name),
        blocks: blocks.collect(),
        marks: vec![
            Mark { address: plan.peak, label: "peak".to_owned(), is_limit: false },
            Mark { address: plan.capacity, label: "capacity".to_owned(), is_limit: true },
        ],
        moments: plan.operations.len(),
        labels: labels(&plan.operations, text),
    }
}

/// The line of each operation.
fn labels(operations: &[Span], text: &str) -> Vec<(usize, String)> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let line = |span: &Span| starts.partition_point(|start| *start <= span.start as usize);
    operations.iter().enumerate().map(|(at, span)| (at, format!("line {}", line(span)))).collect()
}
