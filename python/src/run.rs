//! Results of a run.

use crate::arrays::Array;
use crate::bind::Prepared;
use crate::coverage::Coverage;
use crate::errors::{DataError, LaunchWarning, Stage, first_error};
use crate::findings::Diagnostic;
use crate::kernel::Inner;
use crate::launch::launch;
use crate::tile::Tile;
use pto::log::Recorder;
use pto::observe::{Dump, Snapshot, Snapshots, WatchOptions};
use pto::sim::{Observer, Options, Value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::ffi::CString;
use std::sync::Arc;

/// What a run left.
#[pyclass(frozen, module = "pto_tools")]
pub(crate) struct Run {
    /// The arrays that the kernel writes, by argument; with several ranks lists with one for each.
    #[pyo3(get)]
    outputs: Py<PyDict>,
    /// Findings of the watchers, and warnings about the launch.
    #[pyo3(get)]
    findings: Vec<Diagnostic>,
    /// Texts that the program printed.
    #[pyo3(get)]
    printed: Vec<String>,
    /// What ran, a line for each entry, with `log=True`.
    #[pyo3(get)]
    log: Vec<String>,
    /// Number of tile instructions that ran.
    #[pyo3(get)]
    instructions: u64,
    /// How often each tile instruction ran.
    #[pyo3(get)]
    coverage: Coverage,
    again: Again,
    /// The tiles of the option `tiles`.
    kept: Vec<(Dump, Vec<Snapshot>)>,
}

/// A launch that can be repeated.
struct Again {
    kernel: Arc<Inner>,
    options: Options,
    ranks: Vec<Vec<Kept>>,
}

/// A value of a launch, for a repetition.
enum Kept {
    /// A scalar or an address.
    Value(Value),
    /// An array that the kernel only reads, with a hash of its contents.
    Read(Py<PyAny>, u64),
    /// The contents that a buffer had before the launch.
    Copy(Arc<Vec<u8>>),
    /// A buffer of zeros, of this many bytes.
    Zeros(usize),
}

/// Runs a kernel.
pub(crate) fn run(py: Python<'_>, kernel: &Arc<Inner>, mut prepared: Prepared<'_>) -> PyResult<Run> {
    let tiles =
        prepared.request.tiles.iter().map(|tile| tile_at(kernel, tile)).collect::<PyResult<Vec<_>>>()?;
    let mut lints = prepared.lints(kernel);
    let again = Again::of(kernel, &prepared);
    let mut snapshots = Snapshots::new(&tiles);
    let mut recorder = prepared.request.log.then(Recorder::of_log);
    let mut observers: Vec<&mut dyn Observer> = vec![&mut snapshots];
    observers.extend(recorder.as_mut().map(|recorder| recorder as &mut dyn Observer));
    let ranks = prepared.take();
    let watch = prepared.request.spec.watch_options();
    let report = launch(py, kernel, ranks, (&prepared.options, watch), &mut observers)?;
    let log = recorder.map(Recorder::into_log).unwrap_or_default();
    lints.extend(prepared.unwritten(kernel, &report.outcome.buffers));
    let found = [lints, report.findings()].concat();
    let outcome = report.outcome;
    let outputs = PyDict::new(py);
    let coverage = Coverage::of(kernel, &outcome.executed);
    for (name, array) in prepared.outputs(kernel, py, outcome.buffers)? {
        outputs.set_item(name, array)?;
    }
    let mut kept: Vec<(Dump, Vec<Snapshot>)> = tiles.into_iter().map(|tile| (tile, Vec::new())).collect();
    for snapshot in snapshots.into_snapshots() {
        kept[snapshot.request].1.push(snapshot);
    }
    Ok(Run {
        outputs: outputs.unbind(),
        findings: Diagnostic::all(&found, &kernel.text),
        printed: outcome.printed,
        log: log.entries().map(|entry| entry.to_string()).collect(),
        instructions: outcome.instructions,
        coverage,
        again,
        kept,
    })
}

/// The request for `%sum@42`, or `%sum`.
fn tile_at(kernel: &Inner, text: &str) -> PyResult<Dump> {
    let Some((tile, line)) = text.split_once('@') else { return kernel.text.request(text, None) };
    let line = line.parse().map_err(|_| DataError::new_err(format!("`{text}`: write %TILE@LINE")))?;
    kernel.text.request(tile, Some(line))
}

/// Warns about a launch as Python's warnings do.
pub(crate) fn warn(py: Python<'_>, lint: &Diagnostic) -> PyResult<()> {
    let text = CString::new(lint.text().replace('\0', "")).unwrap_or_default();
    PyErr::warn(py, &py.get_type::<LaunchWarning>(), &text, 1)
}

/// A hash of bytes, to notice changes.
fn hash(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let add = |sum: u64, word: u64| (sum.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let sum = words.iter().fold(bytes.len() as u64, |sum, word| add(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| add(sum, u64::from(*byte)))
}

impl Again {
    fn of(kernel: &Arc<Inner>, prepared: &Prepared<'_>) -> Again {
        let options = &prepared.options;
        let blank = |rank: usize, at: usize| options.blank.contains(&(rank as u32, at));
        let keep = |rank: usize, (at, value): (usize, &Value)| {
            let writes = kernel.interface.parameters[at].writes;
            match (value, &prepared.arrays[rank][at]) {
                (Value::Buffer { bytes }, _) if blank(rank, at) => Kept::Zeros(bytes.len()),
                (Value::Buffer { bytes }, Some(array)) if !writes => {
                    Kept::Read(array.memory().clone().unbind(), hash(bytes))
                }
                (Value::Buffer { bytes }, _) => Kept::Copy(Arc::new(bytes.to_vec())),
                (value, _) => Kept::Value(value.clone()),
            }
        };
        let ranks = prepared.ranks.iter().enumerate();
        let ranks =
            ranks.map(|(rank, values)| values.iter().enumerate().map(|one| keep(rank, one)).collect());
        Again { kernel: Arc::clone(kernel), options: options.clone(), ranks: ranks.collect() }
    }

    /// The values of the launch.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Vec<Value>>> {
        let value = |(at, kept): (usize, &Kept)| {
            Ok(match kept {
                Kept::Value(value) => value.clone(),
                Kept::Zeros(bytes) => Value::buffer(vec![0; *bytes]),
                Kept::Copy(bytes) => {
                    Value::Buffer { bytes: pto::sim::Storage::shared(Arc::clone(bytes) as _) }
                }
                Kept::Read(array, known) => {
                    let parameter = &self.kernel.interface.parameters[at];
                    let pto::analysis::ParameterKind::Buffer(element) = parameter.kind else {
                        return Err(DataError::new_err("the argument is no buffer"));
                    };
                    let bytes = Array::of(array.bind(py), self.kernel.wanted(at, element))?.shared();
                    if hash(&bytes) != *known {
                        let name = &parameter.name;
                        return Err(DataError::new_err(format!(
                            "argument `{name}` has changed since the run: name the tile in the run, tiles=[\"%sum@42\"]"
                        )));
                    }
                    Value::Buffer { bytes }
                }
            })
        };
        self.ranks.iter().map(|rank| rank.iter().enumerate().map(value).collect()).collect()
    }

    /// Runs the launch again, and keeps a tile.
    fn tile(&self, py: Python<'_>, request: Dump) -> PyResult<Vec<Snapshot>> {
        let mut snapshots = Snapshots::new(&[request]);
        let watched = (&self.options, WatchOptions::default());
        launch(py, &self.kernel, self.values(py)?, watched, &mut [&mut snapshots])?;
        Ok(snapshots.into_snapshots())
    }
}

#[pymethods]
impl Run {
    /// Raises the exception for the first finding that is an error, if there is one; returns the run.
    fn expect_clean(slf: Py<Run>, py: Python<'_>) -> PyResult<Py<Run>> {
        match first_error(py, Stage::Run, slf.get().findings.clone()) {
            Some(error) => Err(error),
            None => Ok(slf),
        }
    }

    /// The contents of a tile after an instruction: that of `line`, by default the last one that names the tile.
    ///
    /// `run` counts the runs of the instruction from 0; by default the last. Unless the option `tiles` named the tile, the
    /// launch is repeated; arrays that have changed since raise DataError.
    #[pyo3(signature = (name, line = None, *, run = -1))]
    fn tile(&self, py: Python<'_>, name: &str, line: Option<usize>, run: isize) -> PyResult<Tile> {
        let mut all = self.all(py, name, line)?;
        let count = all.len() as isize;
        let at = if run < 0 { count + run } else { run };
        if at < 0 || at >= count {
            return Err(DataError::new_err(format!("the operation ran {count} times, it has no run {run}")));
        }
        Ok(all.swap_remove(at as usize))
    }

    /// The contents after each run of the instruction, at most the last 16384.
    #[pyo3(signature = (name, line = None))]
    fn tiles<'py>(&self, py: Python<'py>, name: &str, line: Option<usize>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.all(py, name, line)?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let names: Vec<String> = self.outputs.bind(py).keys().extract()?;
        let findings = self.findings.len();
        Ok(format!("<Run of {} instructions: outputs {names:?}, {findings} findings>", self.instructions))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let findings: String = self.findings.iter().map(Diagnostic::html).collect();
        Ok(format!("<div>{}</div>{findings}", crate::text::escaped(&self.__repr__(py)?)))
    }
}

impl Run {
    fn all(&self, py: Python<'_>, name: &str, line: Option<usize>) -> PyResult<Vec<Tile>> {
        let text = &self.again.kernel.text;
        let request = text.request(name, line)?;
        let known = self.kept.iter().find(|(kept, _)| *kept == request);
        let snapshots = match known {
            Some((_, snapshots)) => snapshots.clone(),
            None => self.again.tile(py, request.clone())?,
        };
        let line = text.position(request.from).0;
        if snapshots.is_empty() {
            return Err(DataError::new_err(format!(
                "no instruction ran at line {line} that has the operand `%{}`",
                request.tile
            )));
        }
        snapshots.into_iter().map(|snapshot| Tile::of(py, &request.tile, line, snapshot)).collect()
    }
}
