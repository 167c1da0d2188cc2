//! Parts of global memory that operations access, as linear forms, and whether two of them are disjoint.

use super::linear::{Bounds, Integers, Linear};
use crate::ir::{Function, Operation, OperationId, Type, TypeTable, ValueId};
use pto_isa::element::Element;
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use std::collections::HashMap;

/// One dimension of a view, in elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Dimension {
    stride: Option<Linear>,
    offset: Option<Linear>,
    /// The largest extent, if it is known.
    most: Option<i64>,
}

/// A part of a buffer in global memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GlobalPart {
    /// The argument, or another value that gives the address; `None` if it may be any buffer.
    root: Option<ValueId>,
    /// Elements from the start of the buffer to the first element of the view.
    base: Option<Linear>,
    /// Bits of an element.
    bits: u32,
    dimensions: Vec<Dimension>,
}

/// Relation of the executions of two operations: the loops around both that are in the same round, and the loop that
/// is in a later round for the second one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rounds {
    /// Loops around both, in the same round.
    pub(crate) same: Vec<OperationId>,
    /// The loop that has gone on between the two.
    pub(crate) carried: Option<OperationId>,
}

/// Facts about the distance of two offsets.
struct Distance {
    bounds: Bounds,
    /// The distance modulo `modulus`, which divides the coefficients of all unknown values. `modulus` is 0 if there
    /// are none; then this is the exact distance.
    remainder: i64,
    modulus: i64,
}

/// The views and pointers of a function.
pub(crate) struct Globals<'a> {
    function: &'a Function,
    types: &'a TypeTable,
    pub(crate) integers: Integers<'a>,
    parts: HashMap<ValueId, GlobalPart>,
}

impl GlobalPart {
    fn anything() -> GlobalPart {
        GlobalPart { root: None, base: None, bits: 8, dimensions: Vec::new() }
    }

    /// The whole buffer of a part.
    pub(crate) fn whole(self) -> GlobalPart {
        GlobalPart { base: None, dimensions: Vec::new(), ..self }
    }

    /// The part as an interval of constant ends in a buffer: the buffer, bits of an element, the first element and
    /// the one after the last. Two parts of one buffer with equal element size are disjoint if their intervals are.
    pub(crate) fn interval(&self) -> Option<(ValueId, u32, i64, i64)> {
        let (first, extent) = self.flat()?;
        let first = first.as_constant()?;
        Some((self.root?, self.bits, first, first.checked_add(extent)?))
    }

    /// The part as consecutive elements: the first one, and the largest number of them.
    fn flat(&self) -> Option<(Linear, i64)> {
        let mut first = self.base.clone()?;
        let mut extent: i64 = 1;
        for dimension in &self.dimensions {
            let stride = dimension.stride.as_ref()?;
            first = first.add(&dimension.offset.as_ref()?.mul(stride)?)?;
            let length = (dimension.most? - 1).max(0).checked_mul(stride.as_constant()?)?;
            extent = extent.checked_add(length.max(0))?;
        }
        Some((first, extent))
    }
}

impl<'a> Globals<'a> {
    /// Collects the views and pointers of a function.
    pub(crate) fn of(
        function: &'a Function,
        types: &'a TypeTable,
        integers: Integers<'a>,
        order: &[OperationId],
    ) -> Self {
        let mut globals = Globals { function, types, integers, parts: HashMap::new() };
        for id in order {
            globals.learn(&function.operations[*id]);
        }
        globals
    }

    /// The part of global memory that a view or a pointer denotes.
    pub(crate) fn part(&self, value: ValueId) -> GlobalPart {
        if let Some(part) = self.parts.get(&value) {
            return part.clone();
        }
        let is_argument = self.function.arguments.iter().any(|argument| argument.value == value);
        match &self.types[self.function.values[value].ty] {
            Type::Pointer { element, .. } if is_argument => GlobalPart {
                root: Some(value),
                base: Some(Linear::constant(0)),
                bits: element.element().bits(),
                dimensions: Vec::new(),
            },
            // Extents and strides of other values are unknown.
            _ if is_argument => GlobalPart { root: Some(value), ..GlobalPart::anything() },
            _ => GlobalPart::anything(),
        }
    }

    /// The element at a pointer plus an offset.
    pub(crate) fn element(&self, pointer: ValueId, offset: Option<ValueId>) -> GlobalPart {
        let mut part = self.part(pointer);
        let offset = offset.map(|offset| self.integers.form(offset));
        part.base = part.base.zip(offset).and_then(|(base, offset)| base.add(&offset));
        part.dimensions = vec![Dimension {
            stride: Some(Linear::constant(1)),
            offset: Some(Linear::constant(0)),
            most: Some(1),
        }];
        part
    }

    fn learn(&mut self, operation: &Operation) {
        let Some(result) = operation.result() else { return };
        let part = match operation.meaning() {
            Meaning::MakeView => self.view(operation, result),
            Meaning::AddPointer => {
                let Some(pointer) = operation.value("pointer") else { return };
                let mut part = self.part(pointer);
                let offset = operation.value("offset").map(|offset| self.integers.form(offset));
                part.base = part.base.zip(offset).and_then(|(base, offset)| base.add(&offset));
                part
            }
            Meaning::Partition => self.partition(operation),
            _ if operation.is(Op::SUBVIEW) && self.is_view(result) => self.partition(operation),
            // A slot of a queue is memory of its own; queues order its users.
            Meaning::DeclareView | Meaning::Entry { .. } if self.is_view(result) => {
                GlobalPart { root: Some(result), ..GlobalPart::anything() }
            }
            _ => return,
        };
        self.parts.insert(result, part);
    }

    fn is_view(&self, value: ValueId) -> bool {
        matches!(
            self.types[self.function.values[value].ty],
            Type::TensorView { .. } | Type::PartitionView { .. } | Type::MemRef { .. }
        )
    }

    fn element_of(&self, value: ValueId) -> Option<Element> {
        match &self.types[self.function.values[value].ty] {
            Type::TensorView { element, .. }
            | Type::PartitionView { element, .. }
            | Type::MemRef { element, .. } => Some(*element),
            _ => None,
        }
    }

    fn view(&self, operation: &Operation, result: ValueId) -> GlobalPart {
        let Some(source) = operation.value("source") else { return GlobalPart::anything() };
        let mut part = self.part(source);
        let bits = self.element_of(result).map_or(8, Element::bits);
        if bits != part.bits {
            // Offsets of the pointer count other elements.
            part.base = part.base.filter(|base| base.as_constant() == Some(0));
            part.bits = bits;
        }
        let strides = operation.operands_in("strides").map(|stride| self.integers.form(stride.value));
        let strides: Vec<_> = strides.map(Some).collect();
        let shape = operation.operands_in("shape").enumerate();
        part.dimensions = shape
            .map(|(at, extent)| Dimension {
                stride: strides.get(at).cloned().flatten(),
                offset: Some(Linear::constant(0)),
                most: self.integers.bounds(&self.integers.form(extent.value)).high,
            })
            .collect();
        part
    }

    fn partition(&self, operation: &Operation) -> GlobalPart {
        let Some(source) = operation.value("source") else { return GlobalPart::anything() };
        let mut part = self.part(source);
        let forms = |role: &str| -> Vec<Linear> {
            operation.operands_in(role).map(|operand| self.integers.form(operand.value)).collect()
        };
        let (offsets, sizes) = (forms("offsets"), forms("sizes"));
        if offsets.len() != part.dimensions.len() {
            part.dimensions.clear();
            part.base = None;
            return part;
        }
        for (at, dimension) in part.dimensions.iter_mut().enumerate() {
            dimension.offset = dimension.offset.as_ref().and_then(|offset| offset.add(&offsets[at]));
            let size = sizes.get(at).and_then(|size| self.integers.bounds(size).high);
            dimension.most = size.or(dimension.most);
        }
        part
    }

    /// Whether two accesses certainly have no common byte; `first` runs before `second`.
    pub(crate) fn are_disjoint(&self, first: &GlobalPart, second: &GlobalPart, rounds: &Rounds) -> bool {
        match (first.root, second.root) {
            (Some(a), Some(b)) if a != b => return true,
            (None, _) | (_, None) => return false,
            _ => {}
        }
        if first.bits != second.bits {
            return false;
        }
        self.are_disjoint_by_dimension(first, second, rounds) || self.are_disjoint_flat(first, second, rounds)
    }

    fn are_disjoint_flat(&self, first: &GlobalPart, second: &GlobalPart, rounds: &Rounds) -> bool {
        let (Some((a, size_a)), Some((b, size_b))) = (first.flat(), second.flat()) else { return false };
        self.are_apart((&a, Some(size_a)), (&b, Some(size_b)), rounds)
    }

    /// Parts of views with equal strides and equal first elements are disjoint if they are so in one dimension.
    fn are_disjoint_by_dimension(&self, first: &GlobalPart, second: &GlobalPart, rounds: &Rounds) -> bool {
        let (Some(a), Some(b)) = (&first.base, &second.base) else { return false };
        let equal = |a: &Linear, b: &Linear| a == b && self.is_same(a, rounds);
        let alike = equal(a, b)
            && first.dimensions.len() == second.dimensions.len()
            && first
                .dimensions
                .iter()
                .zip(&second.dimensions)
                .all(|(a, b)| a.stride.as_ref().zip(b.stride.as_ref()).is_some_and(|(a, b)| equal(a, b)));
        alike
            && first.dimensions.iter().zip(&second.dimensions).any(|(a, b)| {
                let (Some(x), Some(y)) = (&a.offset, &b.offset) else { return false };
                self.are_apart((x, a.most), (y, b.most), rounds)
            })
    }

    /// Whether the values in a form are the same for both executions.
    fn is_same(&self, form: &Linear, rounds: &Rounds) -> bool {
        form.terms().all(|(_, product)| product.iter().all(|index| self.is_shared(*index, rounds)))
    }

    fn is_shared(&self, index: u32, rounds: &Rounds) -> bool {
        let scopes = self.integers.scopes(ValueId::from_index(index as usize));
        let is_loop = |id: &&OperationId| {
            matches!(self.function.operations[**id].meaning(), Meaning::For | Meaning::While)
        };
        scopes.iter().filter(is_loop).all(|id| rounds.same.contains(id))
    }

    /// Whether the intervals [a, a + size) and [b, b + size) are disjoint, for all values in the forms.
    fn are_apart(&self, a: (&Linear, Option<i64>), b: (&Linear, Option<i64>), rounds: &Rounds) -> bool {
        let Some(distance) = self.distance(a.0, b.0, rounds) else { return false };
        let bounds = distance.bounds;
        let after = bounds.low.zip(a.1).is_some_and(|(low, size)| low >= size);
        let before = bounds.high.zip(b.1).is_some_and(|(high, size)| high <= -size);
        let misses = a.1.zip(b.1).is_some_and(|(size_a, size_b)| {
            // The distances closest to 0 on either side.
            let least = distance.remainder;
            distance.modulus > 1 && least >= size_a && least - distance.modulus <= -size_b
        });
        after || before || misses
    }

    /// Facts about `b - a`, where `b` is evaluated in a later round of the carrying loop.
    fn distance(&self, a: &Linear, b: &Linear, rounds: &Rounds) -> Option<Distance> {
        let (mut shared, mut rest, mut modulus) = (Linear::default(), Bounds::exactly(0), 0);
        let mut moving: HashMap<u32, [i64; 2]> = HashMap::new();
        for (side, form) in [a, b].into_iter().enumerate() {
            let sign = if side == 0 { -1 } else { 1 };
            for (coefficient, product) in form.terms() {
                if product.iter().all(|index| self.is_shared(*index, rounds)) {
                    let term = self.term(coefficient.saturating_mul(sign), product)?;
                    shared = shared.add(&term)?;
                    continue;
                }
                modulus = greatest_common_divisor(modulus, coefficient);
                if let [index] = product
                    && self.carries(*index, rounds).is_some()
                {
                    moving.entry(*index).or_default()[side] = coefficient;
                } else {
                    rest = rest.plus(self.integers.bounds_of(product).times(coefficient).times(sign));
                }
            }
        }
        let carried = moving.iter().fold(Bounds::exactly(0), |sum, (index, coefficients)| {
            sum.plus(self.carried(*index, *coefficients, rounds))
        });
        let bounds = self.integers.bounds(&shared).plus(rest).plus(carried);
        let mut constant = 0;
        for (coefficient, product) in shared.terms() {
            match product {
                [] => constant = coefficient,
                _ => modulus = greatest_common_divisor(modulus, coefficient),
            }
        }
        let remainder = constant.checked_rem_euclid(modulus).unwrap_or(constant);
        Some(Distance { bounds, remainder, modulus })
    }

    fn term(&self, coefficient: i64, product: &[u32]) -> Option<Linear> {
        let one = Some(Linear::constant(coefficient));
        product.iter().fold(one, |form, index| form?.mul(&self.integers.form_of_index(*index)))
    }

    /// The step and the most rounds of the carrying loop, if a value is its counter.
    fn carries(&self, index: u32, rounds: &Rounds) -> Option<(i64, Option<i64>)> {
        let counter = self.integers.counter(ValueId::from_index(index as usize))?;
        (Some(counter.owner) == rounds.carried).then_some((counter.step?, counter.rounds))
    }

    /// The bounds of `y * later - x * earlier` for the counter of the carrying loop.
    fn carried(&self, index: u32, [x, y]: [i64; 2], rounds: &Rounds) -> Bounds {
        let Some((step, most)) = self.carries(index, rounds) else { return Bounds::default() };
        // later = earlier + step * k, with k from 1 to the number of rounds less 1.
        let k = Bounds { low: Some(1), high: most.map(|most| (most - 1).max(1)) };
        let gone = match y.checked_mul(step) {
            Some(step) => k.times(step),
            None => return Bounds::default(),
        };
        let earlier = self.integers.bounds_of(&[index]).times(y.saturating_sub(x));
        if x == y { gone } else { gone.plus(earlier) }
    }
}

pub(super) fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a.checked_rem(b).unwrap_or(0));
    }
    // A divisor beyond 64 bits is replaced by 1, which divides everything.
    a.checked_abs().unwrap_or(1)
}
