//! Launches that reach an operation: values of arguments, contents of buffers, numbers of blocks.
//!
//! An operation runs if its *guards* hold: the conditions and bounds of the operations that contain it, of jumps
//! before it, and of calls of its function ([`guards`]). Each guard needs a value of an operand. The search goes
//! backwards from there, against the flow of data: the inverse of an addition is a difference, of a division both
//! ends of a range ([`inverse`]), a choice gives each side together with the ways to its condition, a loaded number
//! is an element of a buffer. The search ends at arguments.
//!
//! The result is a list of alternatives, each a set of values. They are guesses: widths, memory that the program
//! writes, and operands that the search does not change are not followed. An operand that is not changed has the
//! value of the launch in which scalars have `base`. Therefore a caller runs the program and checks whether the
//! operation ran. Depth and number of alternatives are bounded.

mod guards;
mod inverse;
mod search;

use super::passing::{Named, references};
use super::{Expression, Expressions, Interface, ParameterKind, Storage};
use crate::ir::flow::Flow;
use crate::ir::{FunctionId, Module, Names, Operation, OperationId, Scalar, Type};
use pto_isa::meaning::{LaunchFact, Meaning};
use pto_isa::registry::Op;
use search::Search;
use std::collections::HashMap;

/// Maximum number of loops whose counters begin with counters of others.
const MOST_COUNTERS: usize = 2;

/// Inputs of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// An integer argument, by number.
    Scalar(usize),
    /// All elements of a buffer argument.
    Contents(usize),
    /// An element of a buffer argument.
    Element(usize, u64),
    /// The number of blocks.
    Blocks,
}

/// Values with which a launch may reach an operation, each target once.
pub type Way = Vec<(Target, i64)>;

/// Finds values with which launches reach operations.
pub struct Steering<'a> {
    module: &'a Module,
    interface: &'a Interface,
    expressions: Expressions<'a>,
    storage: Storage,
    flows: HashMap<FunctionId, Flow>,
    /// For each value that regions, jumps and calls pass on, its possible sources.
    passed: HashMap<Named, Vec<Named>>,
    /// The loop of each counter.
    counters: HashMap<Named, OperationId>,
    /// The calls of each function.
    calls: HashMap<FunctionId, Vec<(FunctionId, OperationId)>>,
    /// The value of each scalar argument that is not changed.
    base: Vec<Option<i64>>,
}

impl<'a> Steering<'a> {
    /// The steering of a kernel that consists of `functions`, the entry first. `base`: values of its scalar arguments
    /// in a launch, by number.
    pub fn of(
        module: &'a Module,
        functions: &[FunctionId],
        interface: &'a Interface,
        base: Vec<Option<i64>>,
    ) -> Steering<'a> {
        let (names, expressions) = (Names::of(module), Expressions::of(module, functions));
        let (mut passed, mut counters) = (HashMap::<Named, Vec<Named>>::new(), HashMap::new());
        let mut calls = HashMap::<FunctionId, Vec<_>>::new();
        for &id in functions {
            let function = &module.functions[id];
            for (at, operation) in function.operations.iter() {
                references(module, &names, id, operation, &mut |from, to| {
                    passed.entry(to).or_default().push(from);
                });
                let callee = operation.symbol("callee").and_then(|name| names.find(function, name));
                match operation.meaning() {
                    Meaning::For => {
                        let body = operation.regions.first().map(|body| &function.regions[*body]);
                        let entry = body.and_then(|body| body.blocks.first());
                        let counter = entry.and_then(|entry| function.blocks[*entry].arguments.first());
                        counters.extend(counter.map(|counter| ((id, *counter), at)));
                    }
                    Meaning::Call => {
                        callee.into_iter().for_each(|callee| calls.entry(callee).or_default().push((id, at)));
                    }
                    _ => {}
                }
            }
        }
        let flows = functions.iter().map(|id| (*id, Flow::of(&module.functions[*id]))).collect();
        let storage = Storage::of(module);
        Steering { module, interface, expressions, storage, flows, passed, counters, calls, base }
    }

    /// Alternatives with which a launch may reach an operation; an empty alternative needs no change of the launch.
    pub fn reach(&self, function: FunctionId, operation: OperationId) -> Vec<Way> {
        let mut search = Search::new(self);
        search.guards(function, operation)
    }

    /// Alternatives with which the condition of a choice of a value, or a comparison, holds, and those with which it does not.
    pub fn outcomes(&self, function: FunctionId, operation: OperationId) -> Vec<Way> {
        let operation = &self.module.functions[function].operations[operation];
        let decided = match operation.meaning() {
            Meaning::Select => operation.value("condition"),
            Meaning::Compare { float: false } => operation.result(),
            _ => None,
        };
        let Some(decided) = decided else { return Vec::new() };
        let mut search = Search::new(self);
        [1, 0].into_iter().flat_map(|want| search.ways((function, decided), want)).collect()
    }

    fn operation(&self, function: FunctionId, at: OperationId) -> &'a Operation {
        &self.module.functions[function].operations[at]
    }

    fn scalar(&self, (function, value): Named) -> Option<Scalar> {
        let function = &self.module.functions[function];
        match self.module.types[function.values[value].ty] {
            Type::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The argument of the kernel that a value is.
    fn argument(&self, value: Named) -> Option<usize> {
        self.interface.parameters.iter().position(|parameter| parameter.values.contains(&value))
    }

    /// The value of an integer in the launch that is not changed; loops are in their first round, and memory is zero.
    fn number(&self, (function, value): Named) -> Option<i64> {
        self.evaluate(&self.expressions.express(function, value), 0)
    }

    fn evaluate(&self, expression: &Expression, depth: usize) -> Option<i64> {
        expression.evaluate(&|function, value| {
            if let Some(at) = self.argument((function, value)) {
                return self.base.get(at).copied().flatten();
            }
            if let Some(&counts) = self.counters.get(&(function, value)).filter(|_| depth < MOST_COUNTERS) {
                let lower = self.operation(function, counts).value("lower")?;
                return self.evaluate(&self.expressions.express(function, lower), depth + 1);
            }
            let made = self.expressions.definition((function, value))?;
            match made.meaning() {
                Meaning::Launch(LaunchFact::BlockCount | LaunchFact::SubBlockCount) => Some(1),
                Meaning::Launch(_) => Some(0),
                _ if made.is(Op::LOAD_SCALAR) => Some(0),
                _ => None,
            }
        })
    }

    /// The element of a buffer argument that an operation loads, with the number of each argument that the buffer may be.
    fn loaded(&self, function: FunctionId, load: &Operation) -> Option<(Vec<usize>, u64)> {
        let pointer = (function, load.value("pointer")?);
        let index = self.number((function, load.value("offset")?))?;
        let index = index.checked_add(self.evaluate(&self.expressions.offset(pointer), 0)?)?;
        let sources = self.storage.sources(pointer.0, pointer.1);
        let is_source = |parameter: &super::Parameter| {
            let mut values = parameter.values.iter();
            values.any(|(function, value)| sources.contains(&self.storage.number(*function, *value)))
        };
        let of = (0..self.interface.parameters.len()).filter(|at| is_source(&self.interface.parameters[*at]));
        Some((of.collect(), u64::try_from(index).ok()?))
    }

    /// Whether a launch may give an argument such a value.
    fn takes(&self, at: usize, value: i64) -> bool {
        let bits = match self.interface.parameters[at].kind {
            ParameterKind::Scalar(scalar) if scalar.is_integer() => scalar.bits(),
            ParameterKind::Buffer(element) if element.is_integer() => element.bits(),
            _ => return false,
        };
        let bits = bits.clamp(1, 64);
        if bits == 1 {
            (0..=1).contains(&value)
        } else {
            value.unsigned_abs() <= i64::MAX as u64 >> (64 - bits)
        }
    }
}
