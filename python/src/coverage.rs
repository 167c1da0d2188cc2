//! How often the tile instructions of a program ran.

use crate::kernel::Inner;
use pto::isa::meaning::Meaning;
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// How often each tile instruction of a program ran.
#[pyclass(frozen, get_all, module = "pto_tools", from_py_object)]
#[derive(Clone)]
pub(crate) struct Coverage {
    /// Number of runs of the tile instructions of each line that has any.
    lines: BTreeMap<usize, u64>,
    /// Tile instructions that never ran, as line and name.
    missed: Vec<(usize, String)>,
    /// Number of tile instructions in the program.
    total: usize,
}

impl Coverage {
    /// What ran, given the counts of a launch.
    pub(crate) fn of(kernel: &Inner, executed: &[Vec<u64>]) -> Coverage {
        let mut coverage = Coverage { lines: BTreeMap::new(), missed: Vec::new(), total: 0 };
        for (function, counts) in kernel.program.functions().zip(executed) {
            for (id, operation) in kernel.program.module().functions[function].operations.iter() {
                if operation.meaning() != Meaning::Compute {
                    continue;
                }
                let (line, runs) = (kernel.text.position(operation.span.start).0, counts[id.index()]);
                coverage.total += 1;
                *coverage.lines.entry(line).or_default() += runs;
                if runs == 0 {
                    coverage.missed.push((line, operation.short_name().to_owned()));
                }
            }
        }
        coverage.missed.sort();
        coverage
    }
}

#[pymethods]
impl Coverage {
    fn __repr__(&self) -> String {
        format!("<Coverage: {} of {} tile instructions ran>", self.total - self.missed.len(), self.total)
    }
}
