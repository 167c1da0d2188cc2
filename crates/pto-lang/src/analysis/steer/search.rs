//! The search for settings with which a scalar has a value, against the flow of data.

use super::{Steering, Target, Way, inverse};
use crate::analysis::passing::Named;
use crate::analysis::{Expression, ParameterKind};
use crate::ir::{FunctionId, Operation, OperationId, Scalar};
use pto_isa::meaning::{Binary, Conversion, LaunchFact, Meaning};
use pto_isa::registry::Op;
use pto_isa::scalar::Compare;

/// Maximum number of operations between a guard and an argument.
const DEEPEST: usize = 48;
/// Maximum number of alternatives that are kept.
const MOST_WAYS: usize = 12;
/// Maximum number of values that one search follows.
const MOST_VALUES: usize = 4096;
/// Maximum number of blocks of a launch.
const MOST_BLOCKS: i64 = 64;

/// One search, against the flow of data.
pub(super) struct Search<'s, 'a> {
    pub(super) steering: &'s Steering<'a>,
    /// The values on the path from the guard, so that carried values end the search.
    open: Vec<Named>,
    /// The number of values that it has followed.
    followed: usize,
}

impl<'s, 'a> Search<'s, 'a> {
    pub(super) fn new(steering: &'s Steering<'a>) -> Search<'s, 'a> {
        Search { steering, open: Vec::new(), followed: 0 }
    }

    /// Alternatives with which a scalar has a value.
    pub(super) fn ways(&mut self, value: Named, want: i64) -> Vec<Way> {
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
            // `false` on one side decides a conjunction, and `true` a disjunction.
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

    /// Ways to give a result of a choice between regions a value: a region yields the value, and its guard makes the
    /// region run.
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

    /// Alternatives with which a loaded element has a value; for another operation, alternatives for each argument on which its result depends.
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

/// Alternatives that fulfil one of each list, without those that give a target two values.
pub(super) fn both(one: &[Way], other: &[Way]) -> Vec<Way> {
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
pub(super) fn bounded(ways: Vec<Way>) -> Vec<Way> {
    let mut kept: Vec<Way> = Vec::new();
    for way in ways {
        if kept.len() < MOST_WAYS && !kept.contains(&way) {
            kept.push(way);
        }
    }
    kept
}
