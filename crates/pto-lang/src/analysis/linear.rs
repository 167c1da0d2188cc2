//! Integers of a function as linear forms of unknown values: `64 * i + 8`, with bounds.
//!
//! Two offsets in global memory are compared by the difference of their forms: `n + 64 * i` and `n + 64 * i + 64`
//! differ by 64, for all `n` and `i`.
//!
//! Arithmetic of fewer than 64 bits wraps. A result has a form only if the bounds of the form exclude wrapping; else
//! it is an unknown value of its own, within the range of its type.

use super::global::greatest_common_divisor;
use crate::ir::flow::{Definition, Flow};
use crate::ir::{Function, OperationId, Scalar, Type, TypeTable, ValueId};
use pto_isa::meaning::{Binary, Conversion, Meaning};
use pto_isa::registry::Op;
use std::collections::{BTreeMap, HashMap};

/// A product of values, as their indices in ascending order; the empty product is 1.
type Product = Vec<u32>;

/// Maximum number of terms of a form; a larger form is replaced by an unknown value.
const MOST_TERMS: usize = 16;
/// Maximum number of factors of a product.
const MOST_FACTORS: usize = 4;

/// A sum of products of values, each with a coefficient. Arithmetic that overflows 64 bits gives no form.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Linear {
    terms: BTreeMap<Product, i64>,
}

impl Linear {
    /// A known number.
    pub fn constant(number: i64) -> Linear {
        let mut form = Linear::default();
        if number != 0 {
            form.terms.insert(Product::new(), number);
        }
        form
    }

    fn value(value: ValueId) -> Linear {
        Linear { terms: BTreeMap::from([(vec![value.index() as u32], 1)]) }
    }

    /// The number, if the form is constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.terms.len() {
            0 => Some(0),
            1 => self.terms.get(&Product::new()).copied(),
            _ => None,
        }
    }

    /// The terms: coefficient, and indices of the values that are multiplied.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (i64, &[u32])> {
        self.terms.iter().map(|(product, coefficient)| (*coefficient, product.as_slice()))
    }

    /// The sum; `None` if it overflows.
    pub fn add(&self, other: &Linear) -> Option<Linear> {
        self.combine(other, 1)
    }

    /// The difference; `None` if it overflows.
    pub fn sub(&self, other: &Linear) -> Option<Linear> {
        self.combine(other, -1)
    }

    fn combine(&self, other: &Linear, sign: i64) -> Option<Linear> {
        let mut sum = self.clone();
        for (product, coefficient) in &other.terms {
            let entry = sum.terms.entry(product.clone()).or_default();
            *entry = entry.checked_add(coefficient.checked_mul(sign)?)?;
        }
        sum.terms.retain(|_, coefficient| *coefficient != 0);
        (sum.terms.len() <= MOST_TERMS).then_some(sum)
    }

    /// The product; `None` if it overflows, or has too many terms.
    pub fn mul(&self, other: &Linear) -> Option<Linear> {
        let mut product = Linear::default();
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let mut factors = [a.as_slice(), b].concat();
                factors.sort_unstable();
                let entry = product.terms.entry(factors).or_default();
                *entry = entry.checked_add(x.checked_mul(*y)?)?;
            }
        }
        product.terms.retain(|_, coefficient| *coefficient != 0);
        let small =
            product.terms.len() <= MOST_TERMS && product.terms.keys().all(|key| key.len() <= MOST_FACTORS);
        small.then_some(product)
    }
}

/// Bounds of an integer, both included; `None` if it has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The least value, if it is known.
    pub low: Option<i64>,
    /// The greatest value, if it is known.
    pub high: Option<i64>,
}

impl Bounds {
    pub(crate) fn exactly(number: i64) -> Bounds {
        Bounds { low: Some(number), high: Some(number) }
    }

    pub(crate) fn at_least(low: i64) -> Bounds {
        Bounds { low: Some(low), high: None }
    }

    pub(crate) fn plus(self, other: Bounds) -> Bounds {
        let sum = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
        Bounds { low: sum(self.low, other.low), high: sum(self.high, other.high) }
    }

    pub(crate) fn times(self, by: i64) -> Bounds {
        let product = |number: Option<i64>| number?.checked_mul(by);
        let (low, high) = (product(self.low), product(self.high));
        if by >= 0 { Bounds { low, high } } else { Bounds { low: high, high: low } }
    }

    /// Whether all numbers within these bounds are within others.
    fn is_within(self, other: Bounds) -> bool {
        let holds = |ours: Option<i64>, limit: Option<i64>, holds: fn(&i64, &i64) -> bool| {
            limit.is_none_or(|limit| ours.is_some_and(|ours| holds(&ours, &limit)))
        };
        holds(self.low, other.low, i64::ge) && holds(self.high, other.high, i64::le)
    }

    /// The product of two numbers that are not negative; else nothing is known.
    fn product(self, other: Bounds) -> Bounds {
        match (self.low, other.low) {
            (Some(a), Some(b)) if a >= 0 && b >= 0 => Bounds {
                low: a.checked_mul(b),
                high: self.high.zip(other.high).and_then(|(a, b)| a.checked_mul(b)),
            },
            _ => Bounds::default(),
        }
    }
}

/// A counted loop whose counter a form may contain.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// The loop.
    pub owner: OperationId,
    /// The constant step; `None` if it is not known.
    pub step: Option<i64>,
    /// The most rounds of the loop, if known.
    pub rounds: Option<i64>,
}

/// The remainder of a form in the first round of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remainder {
    /// Value of the remainder.
    pub(crate) value: i64,
    /// Number of rounds after which the remainder repeats.
    pub(crate) period: i64,
}

/// The linear forms of the integers of a function.
pub struct Integers<'a> {
    function: &'a Function,
    types: &'a TypeTable,
    flow: &'a Flow,
    forms: HashMap<ValueId, Linear>,
    bounds: HashMap<ValueId, Bounds>,
    /// Counters of loops by value.
    counters: HashMap<ValueId, Counter>,
}

impl<'a> Integers<'a> {
    /// Computes the forms of all integers, in text order.
    pub fn of(function: &'a Function, types: &'a TypeTable, flow: &'a Flow) -> Integers<'a> {
        let (forms, bounds, counters) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut integers = Integers { function, types, flow, forms, bounds, counters };
        for id in flow.operations() {
            integers.learn(*id);
        }
        integers
    }

    /// Linear form of a value; a value without an integer operation is a form of one term, itself.
    pub fn form(&self, value: ValueId) -> Linear {
        self.forms.get(&value).cloned().unwrap_or_else(|| Linear::value(value))
    }

    /// Linear form with one term: the value with an index.
    pub(crate) fn form_of_index(&self, index: u32) -> Linear {
        Linear::value(ValueId::from_index(index as usize))
    }

    /// The counter of a loop that a value is.
    pub fn counter(&self, value: ValueId) -> Option<Counter> {
        self.counters.get(&value).copied()
    }

    /// The operations around the definition of a value, innermost first; none for arguments of the function.
    pub fn scopes(&self, value: ValueId) -> Vec<OperationId> {
        let owner = match self.flow.definition(value) {
            Some(Definition::Operation(id)) => self.flow.parent(id),
            Some(Definition::Block(block)) => {
                self.flow.region(block).and_then(|region| self.flow.owner(region))
            }
            _ => None,
        };
        owner.into_iter().flat_map(|id| std::iter::once(id).chain(self.flow.around(id))).collect()
    }

    /// The bounds of a form.
    pub fn bounds(&self, form: &Linear) -> Bounds {
        let terms = form.terms().map(|(coefficient, product)| self.bounds_of(product).times(coefficient));
        terms.fold(Bounds::exactly(0), Bounds::plus)
    }

    /// The bounds of a product of values.
    pub(crate) fn bounds_of(&self, product: &[u32]) -> Bounds {
        let factor = |index: &u32| {
            let value = ValueId::from_index(*index as usize);
            self.bounds.get(&value).copied().unwrap_or_else(|| self.range(value))
        };
        match product {
            [] => Bounds::exactly(1),
            [one] => factor(one),
            [first, rest @ ..] => rest.iter().fold(factor(first), |all, next| all.product(factor(next))),
        }
    }

    /// The remainder of a form by a positive number, if it is the same for all values in it, and the number of rounds
    /// of a loop after which it repeats: 1 if it is the same in all rounds. `None` if the rounds of other loops
    /// change it, or if the form may be negative.
    pub(crate) fn remainder(&self, form: &Linear, by: i64, around: Option<OperationId>) -> Option<Remainder> {
        let mut found = Remainder { value: 0, period: 1 };
        self.bounds(form).low.filter(|low| *low >= 0)?;
        for (coefficient, product) in form.terms() {
            let part = match product {
                [] => coefficient,
                _ if coefficient % by == 0 => 0,
                &[index] => {
                    let counter = self.counter(ValueId::from_index(index as usize))?;
                    let stride = coefficient.checked_mul(counter.step?)?.rem_euclid(by);
                    if stride != 0 {
                        Some(counter.owner).filter(|owner| Some(*owner) == around)?;
                        found.period = by / greatest_common_divisor(by, stride);
                    }
                    let lower = self.function.operations[counter.owner].value("lower")?;
                    coefficient.checked_mul(self.form(lower).as_constant()?)?
                }
                _ => return None,
            };
            found.value = (found.value + part.rem_euclid(by)).rem_euclid(by);
        }
        Some(found)
    }

    /// The numbers that a value may be by its type; no bounds for those of 64 bits, which no program exceeds.
    fn range(&self, value: ValueId) -> Bounds {
        let Type::Scalar(Scalar::Number(element)) = self.types[self.function.values[value].ty] else {
            return Bounds::default();
        };
        match element.bits() {
            bits if !element.is_integer() || bits >= 64 => Bounds::default(),
            bits if element.is_unsigned_integer() => Bounds { low: Some(0), high: Some((1 << bits) - 1) },
            bits => Bounds { low: Some(-(1 << (bits - 1))), high: Some((1 << (bits - 1)) - 1) },
        }
    }

    /// Whether a conversion keeps the number: it does not read a negative number as a positive one.
    fn keeps(&self, conversion: Conversion, form: &Linear) -> bool {
        match conversion {
            Conversion::Unsigned => self.bounds(form).low.is_some_and(|low| low >= 0),
            Conversion::Signed | Conversion::SameSize => true,
            _ => false,
        }
    }

    fn learn(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        if operation.meaning() == Meaning::For {
            return self.counted(id);
        }
        let Some(result) = operation.result() else { return };
        let side = |role: &str| operation.value(role).map(|value| self.form(value));
        let form = match operation.meaning() {
            Meaning::Constant if operation.is(Op::ARITH_CONSTANT) => {
                operation.integer("value").and_then(|number| i64::try_from(number).ok()).map(Linear::constant)
            }
            Meaning::Convert(conversion) => side("in").filter(|form| self.keeps(conversion, form)),
            Meaning::Binary(op) => {
                let (Some(a), Some(b)) = (side("lhs"), side("rhs")) else { return };
                self.binary(result, op, &a, &b)
            }
            Meaning::Launch(_) | Meaning::ViewExtent { stride: false } | Meaning::TileExtent { .. } => {
                self.bounds.insert(result, Bounds::at_least(0));
                None
            }
            _ => None,
        };
        if let Some(form) = form {
            let bounds = self.bounds(&form);
            if bounds.is_within(self.range(result)) {
                self.bounds.insert(result, bounds);
                self.forms.insert(result, form);
            }
        }
    }

    /// The form of an operation on two integers. Where there is none, the bounds of its result are kept.
    fn binary(&mut self, result: ValueId, op: Binary, a: &Linear, b: &Linear) -> Option<Linear> {
        let (of_a, of_b) = (self.bounds(a), self.bounds(b));
        let least = |x: Option<i64>, y: Option<i64>| x.zip(y).map(|(x, y)| x.min(y));
        let most = |x: Option<i64>, y: Option<i64>| x.zip(y).map(|(x, y)| x.max(y));
        let either = |x: Option<i64>, y: Option<i64>, pick: fn(i64, i64) -> i64| match (x, y) {
            (Some(x), Some(y)) => Some(pick(x, y)),
            (one, other) => one.or(other),
        };
        let bounds = match op {
            Binary::Add => return a.add(b),
            Binary::Sub => return a.sub(b),
            Binary::Mul => return a.mul(b),
            Binary::MaxSigned | Binary::MinSigned => {
                let above = self.bounds(&a.sub(b)?);
                let largest = op == Binary::MaxSigned;
                if above.low.is_some_and(|low| low >= 0) {
                    return Some(if largest { a.clone() } else { b.clone() });
                }
                if above.high.is_some_and(|high| high <= 0) {
                    return Some(if largest { b.clone() } else { a.clone() });
                }
                match largest {
                    true => {
                        Bounds { low: either(of_a.low, of_b.low, i64::max), high: most(of_a.high, of_b.high) }
                    }
                    false => Bounds {
                        low: least(of_a.low, of_b.low),
                        high: either(of_a.high, of_b.high, i64::min),
                    },
                }
            }
            Binary::RemSigned | Binary::RemUnsigned => match b.as_constant() {
                Some(by) if by > 0 && of_a.low.is_some_and(|low| low >= 0) => {
                    Bounds { low: Some(0), high: either(of_a.high, Some(by - 1), i64::min) }
                }
                _ => return None,
            },
            Binary::DivSigned | Binary::DivUnsigned | Binary::FloorDivSigned | Binary::CeilDivSigned => {
                match b.as_constant() {
                    Some(by) if by > 0 && of_a.low.is_some_and(|low| low >= 0) => {
                        Bounds { low: Some(0), high: of_a.high.map(|high| high / by + 1) }
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.bounds.insert(result, bounds);
        None
    }

    /// The counter of a loop: its bounds, its step and its rounds.
    fn counted(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        let form = |role: &str| operation.value(role).map(|value| self.form(value));
        let (Some(lower), Some(upper), Some(step)) = (form("lower"), form("upper"), form("step")) else {
            return;
        };
        let body = operation.regions.first().and_then(|region| self.function.regions[*region].blocks.first());
        let Some(counter) = body.and_then(|block| self.function.blocks[*block].arguments.first()) else {
            return;
        };
        let step = step.as_constant().filter(|step| *step > 0);
        let length = upper.sub(&lower).map(|length| self.bounds(&length)).and_then(|bounds| bounds.high);
        let rounds = length.zip(step).map(|(length, step)| (length.max(0) + step - 1) / step);
        let bounds = Bounds {
            low: self.bounds(&lower).low,
            high: self.bounds(&upper).high.and_then(|high| high.checked_sub(1)),
        };
        self.bounds.insert(*counter, bounds);
        self.counters.insert(*counter, Counter { owner: id, step, rounds });
    }
}
