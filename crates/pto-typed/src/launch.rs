//! Running a kernel on arrays.

use super::dtype::{DType, from_bytes, to_bytes};
use super::value::{Number, Scalar, Tensor};
use pto_isa::diag::Diagnostic;
use pto_isa::rules;
use pto_lang::build::{Error, Id};
use pto_lang::{check, text};
use pto_machine::sim::{ArgumentKind, Options, Outcome, Program, Signature, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum size in bytes of an array without contents: a mistaken extent must not exhaust the host's memory.
const MAX_BYTES: u64 = 1 << 32;

/// A kernel that is checked and ready to run, any number of times.
pub struct Built {
    text: String,
    program: Program,
    signature: Signature,
    warnings: Vec<Diagnostic>,
    kernel: u32,
    /// The kernel's arguments, in order.
    arguments: Vec<Id>,
}

impl std::fmt::Debug for Built {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Built(@{})", self.signature.entry)
    }
}

impl Built {
    pub(super) fn new(text: String, kernel: u32, arguments: Vec<Id>) -> Result<Built, Error> {
        let parsed = text::parse(&text).map_err(Error::new)?;
        let checked = check::check(parsed.module, None).map_err(Error::new)?;
        let warnings = checked.warnings().to_vec();
        let program = Program::decode(&checked, None).map_err(Error::new)?;
        let signature = Signature::of(program.module(), program.entry())
            .map_err(|message| Error::own(&rules::kernel::SIGNATURE, message))?;
        Ok(Built { text, program, signature, warnings, kernel, arguments })
    }

    /// The kernel's text, to whose bytes the spans of findings refer.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Extensions and lints.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// A run that has no arguments yet.
    pub fn run(&self) -> Run<'_> {
        Run { built: self, arguments: HashMap::new(), options: Options::default() }
    }
}

/// A run of a kernel, with the arguments set so far.
#[derive(Debug)]
pub struct Run<'a> {
    built: &'a Built,
    arguments: HashMap<Id, Value>,
    options: Options,
}

impl Run<'_> {
    /// The contents of a tensor, in rows.
    ///
    /// # Errors
    /// If the tensor belongs to another kernel, or has other extents.
    pub fn input<T: DType>(mut self, tensor: &Tensor<T>, values: &[T]) -> Result<Self, Error> {
        self.own(tensor.pointer)?;
        let bytes = to_bytes(values);
        if let Some(wanted) = size(tensor).filter(|wanted| *wanted != bytes.len() as u64) {
            let message = format!("{} bytes are given; the tensor's extents take {wanted}", bytes.len());
            return Err(Error::own(&rules::kernel::TENSOR_EXTENTS, message));
        }
        self.arguments.insert(tensor.pointer, Value::buffer(bytes));
        Ok(self)
    }

    /// A tensor that starts as zeros.
    ///
    /// # Errors
    /// If the tensor belongs to another kernel, or its extents are known only when the kernel runs: give it contents.
    pub fn zeros<T: DType>(mut self, tensor: &Tensor<T>) -> Result<Self, Error> {
        self.own(tensor.pointer)?;
        let Some(bytes) = size(tensor).filter(|bytes| *bytes <= MAX_BYTES) else {
            let message = "the tensor's extents are not known before the run, or too large: give it contents";
            return Err(Error::own(&rules::kernel::TENSOR_EXTENTS, message));
        };
        self.arguments.insert(tensor.pointer, Value::buffer(vec![0; bytes as usize]));
        Ok(self)
    }

    /// The value of a scalar argument.
    ///
    /// # Errors
    /// If it belongs to another kernel.
    pub fn scalar<T: DType>(mut self, scalar: Scalar<T>, value: T) -> Result<Self, Error> {
        self.own(scalar.id)?;
        let mut bytes = to_bytes(&[value]);
        bytes.resize(8, 0);
        let bits = bytes.iter().rev().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        self.arguments.insert(scalar.id, Value::Scalar(bits));
        Ok(self)
    }

    /// Sets the value of an index argument.
    ///
    /// # Errors
    /// If it is not an argument of this kernel.
    pub fn index(mut self, index: super::Index, value: i64) -> Result<Self, Error> {
        let Number::Value(id) = index.0 else {
            return Err(Error::own(&rules::kernel::SIGNATURE, "this index is a constant"));
        };
        self.own(id)?;
        self.arguments.insert(id, Value::Scalar(value as u64));
        Ok(self)
    }

    /// Number of blocks that run the kernel; one by default.
    pub fn blocks(mut self, blocks: u32) -> Self {
        self.options.blocks = blocks;
        self
    }

    /// Further options of the machine.
    pub fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    fn own(&self, id: Id) -> Result<(), Error> {
        if id.builder == self.built.kernel {
            return Ok(());
        }
        Err(Error::own(&rules::kernel::FOREIGN_VALUE, "this argument belongs to another kernel"))
    }

    /// A tensor that is one of another rank, in a launch of several ranks.
    ///
    /// # Errors
    /// If either tensor belongs to another kernel.
    pub fn peer<T: DType>(mut self, tensor: &Tensor<T>, rank: u32, of: &Tensor<T>) -> Result<Self, Error> {
        self.own(tensor.pointer)?;
        self.own(of.pointer)?;
        let argument = self.built.arguments.iter().position(|id| *id == of.pointer).unwrap_or(0);
        self.arguments.insert(tensor.pointer, Value::Peer { rank, argument, offset: 0 });
        Ok(self)
    }

    /// The arguments in order, and the buffers among them.
    fn values(&mut self) -> Result<(Vec<Value>, Vec<Id>), Error> {
        let mut values = Vec::new();
        let mut buffers = Vec::new();
        for (id, argument) in self.built.arguments.iter().zip(&self.built.signature.arguments) {
            let value = match argument.kind {
                ArgumentKind::Launch => Value::Launch,
                _ => self.arguments.remove(id).ok_or_else(|| {
                    Error::own(&rules::run::ARGUMENTS, format!("argument `{}` has no value", argument.name))
                })?,
            };
            if matches!(value, Value::Buffer { .. }) {
                buffers.push(*id);
            }
            values.push(value);
        }
        Ok((values, buffers))
    }

    /// Runs the kernel.
    ///
    /// # Errors
    /// If an argument is missing, or the run violates a rule that only a run can check.
    pub fn launch(self) -> Result<Results, Error> {
        let mut results = Run::launch_ranks(vec![self])?;
        results.pop().ok_or_else(|| Error::own(&rules::run::ARGUMENTS, "the run has no result"))
    }

    /// Runs the kernel on several ranks, one for each run, with the options of the first. Each rank has its own buffers
    /// and reaches those of the others by [`Run::peer`].
    ///
    /// # Errors
    /// The errors of a single run ([`Run::launch`]); runs of different kernels; ranks that wait for each other.
    pub fn launch_ranks(mut runs: Vec<Run<'_>>) -> Result<Vec<Results>, Error> {
        let Some(first) = runs.first() else { return Ok(Vec::new()) };
        let (built, options) = (first.built, first.options.clone());
        if runs.iter().any(|run| run.built.kernel != built.kernel) {
            return Err(Error::own(&rules::kernel::FOREIGN_VALUE, "the ranks of a launch run one kernel"));
        }
        let given: Result<Vec<_>, Error> = runs.iter_mut().map(Run::values).collect();
        let (values, buffers): (Vec<_>, Vec<_>) = given?.into_iter().unzip();
        let outcome = built.program.launch_ranks(values, &options, &mut []).map_err(Error::new)?;
        let outcome = Arc::new(outcome);
        let mut first = 0;
        let result = |buffers: Vec<Id>| {
            let start = first;
            first += buffers.len();
            Results { outcome: outcome.clone(), buffers, first: start }
        };
        Ok(buffers.into_iter().map(result).collect())
    }
}

/// Results of a run.
#[derive(Debug)]
pub struct Results {
    outcome: Arc<Outcome>,
    /// The arguments that are buffers, in order.
    buffers: Vec<Id>,
    /// Index of the first of these buffers among those of all ranks.
    first: usize,
}

impl Results {
    /// The contents of a tensor, row-major.
    ///
    /// # Errors
    /// If the tensor is not an argument of the kernel that ran.
    pub fn get<T: DType>(&self, tensor: &Tensor<T>) -> Result<Vec<T>, Error> {
        let at = self.buffers.iter().position(|id| *id == tensor.pointer);
        let buffer = at.and_then(|at| self.outcome.buffers.get(self.first + at));
        let buffer = buffer.ok_or_else(|| {
            Error::own(&rules::kernel::FOREIGN_VALUE, "this tensor belongs to another kernel")
        })?;
        Ok(from_bytes(&buffer.bytes))
    }

    /// Prints, costs and findings of the kernel.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }
}

/// The bytes of a tensor whose extents are constants.
fn size<T: DType>(tensor: &Tensor<T>) -> Option<u64> {
    let count = tensor.shape.iter().try_fold(1u64, |count, extent| match extent.0 {
        Number::Known(known) => count.checked_mul(u64::try_from(known).ok()?),
        Number::Value(_) => None,
    })?;
    count.checked_mul(u64::from(T::ELEMENT.bits())).map(|bits| bits.div_ceil(8))
}
