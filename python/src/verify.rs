//! Verification: whether a program is the lowered form of another one.

use crate::arrays::Array;
use crate::errors::{DataError, unfit};
use crate::findings::Diagnostic;
use crate::kernel::{Inner, failed};
use crate::launch::abandonable;
use crate::lower::{Given, Named, checked};
use crate::ranks::{self, Disk};
use pto::analysis::ParameterKind;
use pto::data::{self, Failure, Input};
use pto::prove::{self, Counterexample, Outcome, VerifyOptions};
use pto::{Profile, Program};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use std::sync::Arc;

/// Whether `lowered` computes what `source` computes, under every schedule, without a race; as `pto verify`.
///
/// `inputs` has arrays, numbers or sources such as "randn" by argument; all others are generated, scalars in several ways.
/// `entry` is the kernel, by default that of `source`. Raises CheckError for an illegal program and DataError for inputs that do
/// not fit. An exception of a signal handler, such as KeyboardInterrupt, ends the call; the launches go on in a thread of their own
/// until they are done.
#[pyfunction]
#[pyo3(signature = (source, lowered, *, inputs = None, entry = None, blocks = None, seed = 0, assume_v_chains = false, target = None))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn verify(
    py: Python<'_>,
    source: Given<'_>,
    lowered: Given<'_>,
    inputs: Option<&Bound<'_, PyDict>>,
    entry: Option<String>,
    blocks: Option<u32>,
    seed: u64,
    assume_v_chains: bool,
    target: Option<String>,
) -> PyResult<Verification> {
    if blocks == Some(0) {
        return Err(DataError::new_err("blocks=0: a launch has at least one block"));
    }
    let (source, lowered) = (source.named(target.clone()), lowered.named(target));
    let entry = entry.or_else(|| source.entry.clone());
    let (profile, text) = (source.profile()?, Arc::clone(&source.text));
    let made = abandonable(py, move || Inner::of(text, entry.as_deref(), profile).map(|(inner, _)| inner))?;
    let kernel = made.map_err(|failure| failed(py, failure, &source.text))?;
    let mut options = VerifyOptions::default();
    options.inputs = inputs.map_or(Ok(Vec::new()), |given| gather(&kernel, given))?;
    (options.blocks, options.seed, options.assume_v_chains) = (blocks, seed, assume_v_chains);
    options.target_given = lowered.target.is_some();
    let (profile, text) = (lowered.profile()?, Arc::clone(&lowered.text));
    let found = abandonable(py, move || verified(&kernel, &lowered, profile, &options))?;
    found.map_err(|failure| failed(py, failure, &text))
}

/// What a verification finds out.
fn verified(
    kernel: &Inner,
    lowered: &Named,
    profile: Option<Profile>,
    options: &VerifyOptions,
) -> Result<Verification, Failure> {
    // The lowered program has the entry of the source.
    let entry = &kernel.program.module().functions[kernel.program.entry()].name;
    let other = Program::decode(&checked(&lowered.text, profile)?, Some(entry))?;
    let found = prove::verify(&kernel.program, &other, options, &Disk)?;
    let properties = found.properties.iter().map(|(property, outcome)| {
        let (verdict, reason) = match outcome {
            Outcome::Holds => ("holds", None),
            Outcome::Fails(example) => ("fails", Some(example.message.clone())),
            Outcome::Unknown(why) => ("unknown", Some(why.clone())),
            _ => ("unknown", None),
        };
        (property.word(), verdict, reason)
    });
    let example = found.properties.iter().find_map(|(property, outcome)| match outcome {
        Outcome::Fails(example) => Some(Example::of(property.word(), example, lowered)),
        _ => None,
    });
    let lines = lowered.text.lines();
    let mut not_run: Vec<usize> = found.coverage.idle.iter().map(|span| lines.of(span.start)).collect();
    not_run.dedup();
    Ok(Verification {
        properties: properties.collect(),
        verdict: found.verdict().word(),
        instructions: found.coverage.instructions,
        ran: found.coverage.ran,
        not_run,
        counterexample: example,
        accepted: found.is_accepted(),
        compared: found.compared,
        skipped: found.skipped,
        findings: Diagnostic::all(&found.findings(), &lowered.text),
    })
}

/// The inputs that are given by name. Arrays are copied: an abandoned verification reads them after the call has ended.
fn gather(kernel: &Inner, given: &Bound<'_, PyDict>) -> PyResult<Vec<Input>> {
    let mut inputs = Vec::new();
    for (name, object) in given {
        let name: String = name.extract()?;
        let parameters = &kernel.interface.parameters;
        let Some(argument) = parameters.iter().position(|parameter| parameter.name == name) else {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            let message =
                format!("inputs: there is no argument `{name}`; the kernel has {}", names.join(", "));
            return Err(DataError::new_err(message));
        };
        let array = match parameters[argument].kind {
            ParameterKind::Buffer(element) if !object.is_instance_of::<PyString>() => {
                Some(Array::of(&object, kernel.wanted(argument, element))?)
            }
            _ => None,
        };
        let given = ranks::input(kernel, argument, (Some(&object), array.as_ref(), None))?;
        let given =
            match given.ok_or_else(|| DataError::new_err(format!("inputs: `{name}` takes no input")))? {
                data::Given::Array(array) => data::Given::Array(owned(&array)?),
                other => other,
            };
        inputs.push(Input { argument, rank: None, given });
    }
    Ok(inputs)
}

/// An array with memory of its own.
fn owned(array: &data::Array) -> PyResult<data::Array> {
    let copy = data::Array::new(array.element(), array.shape().to_vec(), array.bytes().to_vec());
    copy.map_err(|error| unfit(&error))
}

/// What a verification found out; true if the lowered program is accepted.
#[pyclass(frozen, module = "pto_tools")]
pub(crate) struct Verification {
    properties: Vec<(&'static str, &'static str, Option<String>)>,
    /// The smallest launch found in which the first failing property fails; None if none does.
    #[pyo3(get)]
    counterexample: Option<Example>,
    /// Whether all properties hold.
    #[pyo3(get)]
    accepted: bool,
    /// `rejected` if a property fails, `unknown` if none fails and some are not known.
    #[pyo3(get)]
    verdict: &'static str,
    /// Number of tile instructions of the lowered program, and of operations that order pipes or cores.
    #[pyo3(get)]
    instructions: usize,
    /// Number of those that ran in a launch in which both programs were compared.
    #[pyo3(get)]
    ran: usize,
    /// Lines of the others.
    #[pyo3(get)]
    not_run: Vec<usize>,
    /// Number of launches, without schedules, in which both programs were compared.
    #[pyo3(get)]
    compared: usize,
    /// Number of launches in which the source does not run.
    #[pyo3(get)]
    skipped: usize,
    /// What is wrong, as findings about the lowered program; if nothing is, what is not known.
    #[pyo3(get)]
    findings: Vec<Diagnostic>,
}

#[pymethods]
impl Verification {
    /// The verdict on `signature`, `lowered`, `silent`, `bits` and `coverage`.
    #[getter]
    fn properties<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let table = PyDict::new(py);
        self.properties.iter().try_for_each(|(property, verdict, _)| table.set_item(property, verdict))?;
        Ok(table)
    }

    fn __bool__(&self) -> bool {
        self.accepted
    }

    fn __repr__(&self) -> String {
        let said = self.properties.iter().map(|(property, verdict, reason)| match reason {
            Some(reason) => format!("{property} {verdict}: {reason}"),
            None => format!("{property} {verdict}"),
        });
        format!("<Verification: {}>", said.collect::<Vec<_>>().join("; "))
    }
}

/// The smallest launch found in which a property does not hold.
#[pyclass(frozen, name = "Counterexample", module = "pto_tools")]
#[derive(Clone)]
pub(crate) struct Example {
    /// The property.
    #[pyo3(get)]
    property: &'static str,
    /// What is wrong.
    #[pyo3(get)]
    message: String,
    /// The launch in words: scalars, blocks, schedule.
    #[pyo3(get)]
    launch: String,
    /// The buffer that differs; None if none does.
    #[pyo3(get)]
    argument: Option<String>,
    /// The index of the first element that differs.
    #[pyo3(get)]
    element: Option<u64>,
    /// Its value after the source.
    #[pyo3(get)]
    want: Option<String>,
    /// Its value after the lowered program.
    #[pyo3(get)]
    got: Option<String>,
    /// Findings of the check or of watchers in the lowered program.
    #[pyo3(get)]
    findings: Vec<Diagnostic>,
}

impl Example {
    fn of(property: &'static str, found: &Counterexample, lowered: &Named) -> Example {
        let difference = found.difference.as_ref();
        Example {
            property,
            message: found.message.clone(),
            launch: found.launch(),
            argument: difference.map(|it| it.name.clone()),
            element: difference.map(|it| it.element),
            want: difference.map(|it| it.want.clone()),
            got: difference.map(|it| it.got.clone()),
            findings: Diagnostic::all(&found.findings, &lowered.text),
        }
    }
}

#[pymethods]
impl Example {
    fn __repr__(&self) -> String {
        format!("<Counterexample of {}: {}, with {}>", self.property, self.message, self.launch)
    }
}
