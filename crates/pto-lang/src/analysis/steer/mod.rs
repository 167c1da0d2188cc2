//! How a launch reaches an operation: values of arguments, contents of buffers, numbers of blocks.
//!
//! An operation runs if its *guards* hold: the conditions and bounds of what contains it, of jumps before it, and of calls of its
//! function ([`guards`]). Each guard wants a value of an operand. The search goes backwards from there, against the flow of
//! data: the inverse of an addition is a difference, of a division both ends of a range ([`inverse`]), a choice is
//! taken from either side together with what makes its condition hold, a loaded number is an element of a buffer. It ends at arguments.
//!
//! The result is a list of alternatives, each a set of values. They are guesses: widths, memory that the program writes, and operands that the
//! search does not change are not followed. An operand that is not changed has the value of the launch in which scalars have `base`. Therefore a caller
//! runs the program and looks whether the operation ran. Depth and number of alternatives are bounded.

mod guards;
mod inverse;

use super::passing::{Named, references};
use super::{Expression, Expressions, Interface, ParameterKind, Storage};
use crate::ir::flow::Flow;
use crate::ir::{FunctionId, Module, Names, Operation, OperationId, Scalar, Type};
use pto_isa::meaning::{Binary, Conversion, LaunchFact, Meaning};
use pto_isa::registry::Op;
use pto_isa::scalar::Compare;
use std::collections::HashMap;

/// Most operations between a guard and an argument.
const DEEPEST: usize = 48;
/// Most alternatives that are kept.
const MOST_WAYS: usize = 12;
/// Most values that one search follows.
const MOST_VALUES: usize = 4096;
/// Most loops whose counters begin with counters of others.
const MOST_COUNTERS: usize = 2;
/// Most blocks of a launch.
const MOST_BLOCKS: i64 = 64;

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
    /// For each value that regions, jumps and calls pass on, what it may be.
    passed: HashMap<Named, Vec<Named>>,
    /// The loop of each counter.
    counters: HashMap<Named, OperationId>,
    /// The calls of each function.
    calls: HashMap<FunctionId, Vec<(FunctionId, OperationId)>>,
    /// The value of each scalar argument that is not changed.
    base: Vec<Option<i64>>,
}

impl<'a> Steering<'a> {
    /// For a kernel of these functions, the entry first; `base` are the values of its scalar arguments in a launch, by number.
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

    /// Alternatives with which a launch may reach an operation; an empty one stands for any launch.
    pub fn reach(&self, function: FunctionId, operation: OperationId) -> Vec<Way> {
        let mut search = Search { steering: self, open: Vec::new(), followed: 0 };
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
        let mut search = Search { steering: self, open: Vec::new(), followed: 0 };
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

/// One search, against the flow of data.
struct Search<'s, 'a> {
    steering: &'s Steering<'a>,
    /// The values on the path from the guard, so that carried values end the search.
    open: Vec<Named>,
    /// The number of values that it has followed.
    followed: usize,
}

impl Search<'_, '_> {
    /// Alternatives with which a scalar has a value.
    fn ways(&mut self, value: Named, want: i64) -> Vec<Way> {
        self.followed += 1;
        if self.followed > MOST_VALUES || self.open.len() >= DEEPEST || self.open.contains(&value) {
            return Vec::new();
        }
        self.open.push(value);
        let ways = self.of(value, want);
        self.open.pop();
        bounded(ways)
    }

    fn of(&mut self, value: Named, want: i64) -> Vec<Way> {
        let steering = self.steering;
        if let Some(at) = steering.argument(value) {
            return match steering.interface.parameters[at].kind {
                ParameterKind::Launch(_) => vec![Way::new()],
                _ => single(steering.takes(at, want).then_some((Target::Scalar(at), want))),
            };
        }
        if let Some(&counts) = steering.counters.get(&value) {
            return self.counts(value.0, counts, want);
        }
        let Some(operation) = steering.expressions.definition(value) else { return self.passed(value, want) };
        let function = value.0;
        let operand = |role: &str| operation.value(role).map(|operand| (function, operand));
        match operation.meaning() {
            Meaning::Constant => match steering.number(value) == Some(want) {
                true => vec![Way::new()],
                false => Vec::new(),
            },
            Meaning::Convert(Conversion::Signed | Conversion::Unsigned | Conversion::SameSize) => {
                let Some(inner) = operand("in") else { return Vec::new() };
                let is_bool = steering.scalar(inner) == Some(Scalar::Bool);
                self.ways(inner, if is_bool { want & 1 } else { want })
            }
            Meaning::Binary(op) => match (operand("lhs"), operand("rhs")) {
                (Some(left), Some(right)) => self.binary(op, left, right, want),
                _ => Vec::new(),
            },
            Meaning::Compare { float: false } => match (operand("lhs"), operand("rhs")) {
                (Some(left), Some(right)) => {
                    self.compared(operation.word("predicate").unwrap_or(""), left, right, want != 0)
                }
                _ => Vec::new(),
            },
            Meaning::Select => {
                let Some(condition) = operand("condition") else { return Vec::new() };
                let mut side = |role: &str, holds: i64| {
                    let side = operand(role).map_or(Vec::new(), |side| self.ways(side, want));
                    if side.is_empty() { side } else { both(&side, &self.ways(condition, holds)) }
                };
                let mut all = side("then", 1);
                all.extend(side("else", 0));
                all
            }
            Meaning::If | Meaning::Switch => self.chosen(value, operation, want),
            Meaning::Launch(LaunchFact::BlockIndex) => self.blocks(want.saturating_add(1)),
            Meaning::Launch(LaunchFact::BlockCount) => self.blocks(want),
            Meaning::Launch(_) => vec![Way::new()],
            Meaning::ViewExtent { .. } => match steering.expressions.express(function, value.1) {
                Expression::Value(function, inner, _) => self.ways((function, inner), want),
                known if known.constant() == Some(want) => vec![Way::new()],
                _ => Vec::new(),
            },
            _ if steering.passed.contains_key(&value) => self.passed(value, want),
            _ => self.read(value, operation, want),
        }
    }

    fn blocks(&self, count: i64) -> Vec<Way> {
        single((1..=MOST_BLOCKS).contains(&count).then_some((Target::Blocks, count)))
    }

    /// Regions, jumps and calls pass on values.
    fn passed(&mut self, value: Named, want: i64) -> Vec<Way> {
        let sources = self.steering.passed.get(&value).into_iter().flatten();
        sources.flat_map(|source| self.ways(*source, want)).collect()
    }

    /// A counter of a loop has a value if the loop gets that far.
    fn counts(&mut self, function: FunctionId, counts: OperationId, want: i64) -> Vec<Way> {
        let counts = self.steering.operation(function, counts);
        let Some(upper) = counts.value("upper") else { return Vec::new() };
        let lower = counts.value("lower").and_then(|lower| self.steering.number((function, lower)));
        let beyond = want.max(lower.unwrap_or(0)).saturating_add(1);
        match self.steering.number((function, upper)) {
            Some(upper) if upper >= beyond => vec![Way::new()],
            _ => self.ways((function, upper), beyond),
        }
    }

    fn binary(&mut self, op: Binary, left: Named, right: Named, want: i64) -> Vec<Way> {
        if self.steering.scalar(left) == Some(Scalar::Bool) && matches!(op, Binary::And | Binary::Or) {
            // One side decides whether the result is what it is for a side of this value.
            let decides = i64::from(op == Binary::Or);
            if want == decides {
                let mut either = self.ways(left, want);
                either.extend(self.ways(right, want));
                return either;
            }
            let left = self.ways(left, want);
            return both(&left, &self.ways(right, want));
        }
        let (known_left, known_right) = (self.steering.number(left), self.steering.number(right));
        let lefts = known_right.map_or(Vec::new(), |right| inverse::left(op, want, right));
        let rights = known_left.map_or(Vec::new(), |left| inverse::right(op, want, left));
        let mut ways: Vec<Way> = lefts.into_iter().flat_map(|want| self.ways(left, want)).collect();
        ways.extend(rights.into_iter().flat_map(|want| self.ways(right, want)));
        ways
    }

    fn compared(&mut self, predicate: &str, left: Named, right: Named, want: bool) -> Vec<Way> {
        let Some(op) = Compare::from_word(predicate) else { return Vec::new() };
        let (known_left, known_right) = (self.steering.number(left), self.steering.number(right));
        let lefts = known_right.map_or(Vec::new(), |right| inverse::around(op, want, right));
        let rights = known_left.map_or(Vec::new(), |left| inverse::around(mirrored(op), want, left));
        let mut ways: Vec<Way> = lefts.into_iter().flat_map(|want| self.ways(left, want)).collect();
        ways.extend(rights.into_iter().flat_map(|want| self.ways(right, want)));
        ways
    }

    /// A result of a choice between regions: what a region yields, and what makes the region run.
    fn chosen(&mut self, (function, value): Named, operation: &Operation, want: i64) -> Vec<Way> {
        let Some(nth) = operation.results.iter().position(|result| *result == value) else {
            return Vec::new();
        };
        let body = &self.steering.module.functions[function];
        let mut all = Vec::new();
        for (at, region) in operation.regions.iter().enumerate() {
            let last = body.regions[*region].blocks.last();
            let Some(end) = last.and_then(|block| body.blocks[*block].operations.last()) else { continue };
            let end = &body.operations[*end];
            let Some(yielded) = end.operands_in("values").nth(nth) else { continue };
            let yielded = self.ways((function, yielded.value), want);
            if !yielded.is_empty() {
                all.extend(both(&yielded, &self.enters(function, operation, at)));
            }
        }
        all
    }

    /// What an operation reads: a loaded element, else anything on which its result depends.
    fn read(&mut self, (function, value): Named, operation: &Operation, want: i64) -> Vec<Way> {
        let steering = self.steering;
        let mut ways = Vec::new();
        let loaded = operation.is(Op::LOAD_SCALAR).then(|| steering.loaded(function, operation)).flatten();
        if let Some((arguments, index)) = loaded {
            let takes = arguments.into_iter().filter(|at| steering.takes(*at, want));
            ways.extend(takes.map(|at| vec![(Target::Element(at, index), want)]));
        }
        // A test of signals compares them with an operand.
        let compared = operation.value("value").and_then(|operand| steering.number((function, operand)));
        let near = compared.into_iter().flat_map(|to| [to, to.saturating_sub(1), to.saturating_add(1)]);
        for number in near.chain([want]) {
            for at in steering.interface.dependence(function, value).iter().copied() {
                let target = match steering.interface.parameters[at].kind {
                    ParameterKind::Buffer(_) => Target::Contents(at),
                    _ => Target::Scalar(at),
                };
                ways.extend(single(steering.takes(at, number).then_some((target, number))));
            }
        }
        ways
    }
}

/// The comparison with its sides exchanged.
fn mirrored(op: Compare) -> Compare {
    match op {
        Compare::Less { signed } => Compare::Greater { signed },
        Compare::LessOrEqual { signed } => Compare::GreaterOrEqual { signed },
        Compare::Greater { signed } => Compare::Less { signed },
        Compare::GreaterOrEqual { signed } => Compare::LessOrEqual { signed },
        same => same,
    }
}

fn single(setting: Option<(Target, i64)>) -> Vec<Way> {
    setting.into_iter().map(|setting| vec![setting]).collect()
}

/// Alternatives that fulfil one of each list; those that would give a target two values are left out.
fn both(one: &[Way], other: &[Way]) -> Vec<Way> {
    let pairs = one.iter().flat_map(|one| other.iter().filter_map(move |other| joined(one, other)));
    pairs.take(MOST_WAYS * 2).collect()
}

fn joined(one: &Way, other: &Way) -> Option<Way> {
    let mut way = one.clone();
    for (target, value) in other {
        match way.iter().find(|(known, _)| known == target) {
            Some((_, known)) if known != value => return None,
            Some(_) => {}
            None => way.push((*target, *value)),
        }
    }
    way.sort_unstable();
    Some(way)
}

/// The first alternatives, each once.
fn bounded(ways: Vec<Way>) -> Vec<Way> {
    let mut kept: Vec<Way> = Vec::new();
    for way in ways {
        if kept.len() < MOST_WAYS && !kept.contains(&way) {
            kept.push(way);
        }
    }
    kept
}
