//! One task: its arguments from the dump, its launch, its outputs.

use super::compare::{self, Output};
use super::program::Loaded;
use crate::args_dump::{Argument, Dump, Entry, Layout, Task};
use crate::case::{Recorded, Recording};
use crate::commands::record::dtype;
use crate::report::{Compared, Unwritten};
use pto::data::{Array, DataError, Failure, Tolerance, dtype as word, item_bytes};
use pto::diag::Diagnostic;
use pto::isa::Element;
use pto::launch::{Launch, Spec};
use pto::sim::{ArgumentKind, Value};

/// A tensor of a task.
pub(super) struct Tensor<'a> {
    /// Name of the argument.
    pub(super) name: &'a str,
    /// Number of the argument.
    pub(super) argument: usize,
    pub(super) layout: Layout,
    /// The memory before the task: zeros if the dump does not have it.
    pub(super) memory: Vec<u8>,
    /// The contents before the task are recorded.
    pub(super) given: bool,
    /// Record after the task.
    pub(super) after: Option<&'a Entry>,
}

/// A task that has run.
pub(super) struct Replayed<'a> {
    pub(super) compared: Vec<Compared>,
    pub(super) texts: Vec<String>,
    /// Findings of watchers, and the comparisons that failed.
    pub(super) findings: Vec<Diagnostic>,
    pub(super) unwritten: Vec<Unwritten>,
    pub(super) differs: bool,
    loaded: &'a Loaded,
    blocks: u32,
    tolerance: Tolerance,
    args: Vec<(String, pto::data::Dtype, Recorded)>,
}

impl<'a> Replayed<'a> {
    /// The task as a case.
    pub(super) fn recording<'b>(&'b self, note: &'b str) -> Recording<'b> {
        Recording {
            text: &self.loaded.text,
            cpp: None,
            op: None,
            family: "replayed",
            source: None,
            profile: self.loaded.program.profile(),
            entry: self.loaded.spec.entry.as_deref(),
            blocks: self.blocks,
            args: &self.args,
            tolerance: self.tolerance,
            note: Some(note),
        }
    }

    /// Name and text of the program.
    pub(super) fn source(&self) -> (&'a str, &'a str) {
        (&self.loaded.name, &self.loaded.text)
    }
}

/// Runs a task and compares its outputs.
pub(super) fn replay<'p>(
    dump: &Dump,
    task: &Task,
    loaded: &'p Loaded,
    blocks: u32,
    tolerance: &Tolerance,
) -> Result<Replayed<'p>, Failure> {
    let tensors = tensors(dump, task, loaded)?;
    if tensors.iter().all(|tensor| tensor.after.is_none()) {
        return Err(DataError::new("no output of the task is recorded").into());
    }
    let values = launch_values(dump, task, loaded, &tensors, |tensor| tensor.memory.clone())?;
    let spec = Spec { blocks, ..loaded.spec.clone() };
    let launch = Launch {
        program: &loaded.program,
        ranks: vec![values],
        options: spec.options(),
        watch: spec.watch_options(),
    };
    let report = launch.clone().run(&mut [])?;
    let found = report.findings();
    let mut replayed = Replayed {
        compared: Vec::new(),
        texts: Vec::new(),
        findings: loaded.settings.level(found, &loaded.text).findings,
        unwritten: Vec::new(),
        differs: false,
        loaded,
        blocks,
        tolerance: *tolerance,
        args: Vec::new(),
    };
    let mut outputs = Vec::new();
    for (tensor, buffer) in tensors.iter().zip(&report.outcome.buffers) {
        outputs.push(Output::of(dump, tensor, buffer.bytes.to_vec())?);
    }
    compare::leave_unwritten(&mut outputs, &tensors, tolerance, |recorded| {
        let values = launch_values(dump, task, loaded, &tensors, recorded)?;
        Ok(loaded.program.launch_ranks(vec![values], &launch.options, &mut [])?.buffers)
    })?;
    for (number, (tensor, output)) in tensors.iter().zip(&outputs).enumerate() {
        compare::add(&mut replayed, number, tensor, output, tolerance, &launch)?;
    }
    replayed.args = recorded(loaded, &launch.ranks[0], tensors, outputs)?;
    Ok(replayed)
}

/// The tensors of a task, for the buffers of its kernel in order.
fn tensors<'a>(dump: &'a Dump, task: &Task, loaded: &'a Loaded) -> Result<Vec<Tensor<'a>>, DataError> {
    let arguments = loaded.signature.arguments.iter().enumerate();
    let buffers: Vec<(usize, &str, Element)> = arguments
        .filter_map(|(at, argument)| match argument.kind {
            ArgumentKind::Buffer(element) => Some((at, argument.name.as_str(), element)),
            _ => None,
        })
        .collect();
    if buffers.len() != task.tensors.len() {
        return Err(DataError::new(format!(
            "the task has {} tensors, but `@{}` takes {}",
            task.tensors.len(),
            loaded.signature.entry,
            buffers.len()
        )));
    }
    buffers
        .into_iter()
        .zip(&task.tensors)
        .map(|((argument, name, element), records)| tensor(dump, records, argument, name, element))
        .collect()
}

fn tensor<'a>(
    dump: &'a Dump,
    records: &Argument,
    argument: usize,
    name: &'a str,
    element: Element,
) -> Result<Tensor<'a>, DataError> {
    let entry = |at: Option<usize>| at.map(|at| &dump.entries[at]);
    let (before, after) = (entry(records.before), entry(records.after));
    // Every argument has a record; its layout must be right even if the task reads nothing of it.
    let Some(any) = before.or(after) else { return Err(DataError::new(format!("`{name}` has no record"))) };
    let mut layout = dump.layout(any)?;
    if let (Some(_), Some(after)) = (before, after)
        && dump.layout(after)? != layout
    {
        return Err(after.error("its shape or strides differ from those before the task"));
    }
    let fits = layout.element == element
        || (layout.element.is_integer() && item_bytes(layout.element) == item_bytes(element));
    if !fits {
        let (has, wants) = (word::word(layout.element), word::word(element));
        return Err(any.error(format!("it holds {has}, but `{name}` takes {wants}")));
    }
    layout.element = element;
    let mut memory = zeros(layout.extent * item_bytes(element), any)?;
    if let Some(before) = before {
        layout.scatter(&dump.read(before)?, &mut memory);
    }
    Ok(Tensor { name, argument, layout, memory, given: before.is_some(), after })
}

fn zeros(bytes: usize, entry: &Entry) -> Result<Vec<u8>, DataError> {
    let array =
        Array::zeros(Element::U8, vec![bytes]).map_err(|_| entry.error("it does not fit in memory"))?;
    Ok(array.into_bytes().to_vec())
}

/// The arguments of the launch, with `memory` of each tensor.
fn launch_values(
    dump: &Dump,
    task: &Task,
    loaded: &Loaded,
    tensors: &[Tensor<'_>],
    memory: impl Fn(&Tensor<'_>) -> Vec<u8>,
) -> Result<Vec<Value>, DataError> {
    let mut scalars: Vec<&Entry> = task.scalars.iter().map(|at| &dump.entries[*at]).collect();
    scalars.sort_by_key(|entry| entry.arg_index);
    let takes =
        loaded.signature.arguments.iter().filter(|argument| matches!(argument.kind, ArgumentKind::Scalar(_)));
    let takes = takes.count();
    if takes > scalars.len() {
        let (entry, has) = (&loaded.signature.entry, scalars.len());
        return Err(DataError::new(format!("the task has {has} scalars, but `@{entry}` takes {takes}")));
    }
    let mut scalars = scalars.into_iter();
    let mut tensors = tensors.iter();
    let value = |kind: ArgumentKind| match kind {
        ArgumentKind::Buffer(_) => Ok(Value::buffer(tensors.next().map(&memory).unwrap_or_default())),
        ArgumentKind::Scalar(_) => {
            let entry = scalars.next().ok_or_else(|| DataError::new("a scalar is missing"))?;
            entry.scalar_bits(dtype(kind)).map(Value::Scalar)
        }
        ArgumentKind::Launch => Ok(Value::Launch),
    };
    loaded.signature.arguments.iter().map(|argument| argument.kind).map(value).collect()
}

/// The arguments of the task as those of a case.
fn recorded(
    loaded: &Loaded,
    values: &[Value],
    tensors: Vec<Tensor<'_>>,
    outputs: Vec<Output>,
) -> Result<Vec<(String, pto::data::Dtype, Recorded)>, DataError> {
    let mut tensors = tensors.into_iter().zip(outputs);
    let mut args = Vec::new();
    for (argument, value) in loaded.signature.arguments.iter().zip(values) {
        let contents = match value {
            Value::Scalar(bits) => Recorded::Scalar(*bits),
            Value::Launch => Recorded::Launch,
            _ => {
                let Some((tensor, output)) = tensors.next() else { continue };
                let Layout { element, shape, extent, .. } = &tensor.layout;
                let shape = if tensor.layout.is_contiguous() { shape.clone() } else { vec![*extent] };
                let array = |bytes: Vec<u8>| Array::new(*element, shape.clone(), bytes);
                match (tensor.given, tensor.after) {
                    (true, None) => Recorded::In(array(tensor.memory)?),
                    (true, Some(_)) => {
                        Recorded::InOut(array(tensor.memory)?, array(output.expected(&tensor.layout))?)
                    }
                    (false, _) => Recorded::Out(array(output.expected(&tensor.layout))?),
                }
            }
        };
        args.push((argument.name.clone(), dtype(argument.kind), contents));
    }
    Ok(args)
}
