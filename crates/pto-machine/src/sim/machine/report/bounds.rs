//! Explains accesses outside of a buffer: the view that causes them, its offsets, the row or column that does not exist,
//! and the iteration of the loops around.

use super::super::{Core, Frame, Machine};
use crate::sim::code::{FunctionCode, Step};
use pto_isa::diag::{Diagnostic, Span, dimension};
use pto_isa::exec::state::{Slot, View};
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use pto_lang::ir::{Function, Operand, Operation, OperationId, ValueId};

/// A function in execution: its code, its text, and the positions of its values.
#[derive(Clone, Copy)]
pub(super) struct Running<'m> {
    pub(super) core: &'m Core,
    pub(super) frame: Frame,
    pub(super) code: &'m FunctionCode,
    pub(super) function: &'m Function,
}

/// A partition: the operation, its offsets and sizes, and the view that it is cut from.
struct Cut<'m> {
    maker: &'m Operation,
    offsets: Vec<u64>,
    sizes: Vec<u64>,
    source: ValueId,
    whole: View,
}

impl<'m> Running<'m> {
    fn scalar(&self, slot: u32) -> u64 {
        self.core.scalars[self.frame.scalars + slot as usize]
    }

    fn name(&self, value: ValueId) -> &'m str {
        &self.function.values[value].name
    }

    fn maker(&self, value: ValueId) -> Option<(OperationId, &'m Operation)> {
        self.function.operations.iter().find(|(_, operation)| operation.results.contains(&value))
    }

    /// The step of an operation that `pick` accepts.
    fn step<T>(&self, id: OperationId, pick: impl Fn(&Step) -> Option<T>) -> Option<T> {
        let steps = self.code.steps.iter().zip(&self.code.origins);
        steps.filter(|(_, origin)| **origin == id).find_map(|(step, _)| pick(step))
    }

    /// The partition that defines a value.
    fn cut(&self, value: ValueId) -> Option<Cut<'m>> {
        let (id, maker) = self.maker(value).filter(|(_, maker)| maker.is(Op::PARTITION_VIEW))?;
        let (from, first, rank) = self.step(id, |step| match step {
            Step::Partition { from, first, rank, .. } => Some((*from, *first, u32::from(*rank))),
            _ => None,
        })?;
        // The list has its length, the offsets, and the sizes.
        let numbers = (first + 1..first + 1 + 2 * rank).map(|at| match self.code.lists[at as usize] {
            Slot::Scalar(slot) => self.scalar(slot),
            _ => 0,
        });
        let mut offsets: Vec<u64> = numbers.collect();
        let sizes = offsets.split_off(rank as usize);
        let whole = self.core.views[self.frame.views + from as usize];
        Some(Cut { maker, offsets, sizes, source: maker.operand("source")?.value, whole })
    }

    /// Source location of the name of the innermost loop around an operation.
    pub(super) fn innermost_loop(&self, operation: &Operation) -> Option<Span> {
        let inner = operation.span;
        let loops = self.function.operations.iter().map(|(_, outer)| outer).filter(|outer| {
            let is_loop = matches!(outer.meaning(), Meaning::For | Meaning::While);
            is_loop && outer.span.start < inner.start && inner.end <= outer.span.end
        });
        loops.max_by_key(|outer| outer.span.start).map(|outer| outer.name_span)
    }

    /// Values of the counters of the loops around an operation, outermost first: `%row = 40`.
    pub(super) fn loops(&self, operation: &Operation) -> Vec<String> {
        let around = |outer: &Operation| {
            let (outer, inner) = (outer.span, operation.span);
            outer.start < inner.start && inner.end <= outer.end
        };
        let loops = self.function.operations.iter();
        let loops = loops.filter(|(_, outer)| outer.meaning() == Meaning::For && around(outer));
        let mut found: Vec<(u32, String)> = loops
            .filter_map(|(id, outer)| {
                let (at, width) = self.step(id, |step| match step {
                    Step::LoopTest { at, width, .. } => Some((*at, *width)),
                    _ => None,
                })?;
                let region = &self.function.regions[*outer.regions.first()?];
                let counter = *self.function.blocks[*region.blocks.first()?].arguments.first()?;
                let value = width.signed(self.scalar(at));
                Some((outer.span.start, format!("`%{}` = {value}", self.name(counter))))
            })
            .collect();
        found.sort_unstable();
        found.into_iter().map(|(_, text)| text).collect()
    }
}

/// Source location of operand `index` in a role.
pub(super) fn span_of(operation: &Operation, role: &str, index: usize) -> Option<Span> {
    operation.operands_in(role).nth(index).map(|operand| operand.span)
}

impl Machine<'_> {
    /// Explains an access outside of a buffer, if the view is known that causes it; the message becomes a note.
    pub(super) fn explain_bounds(
        &self,
        running: Running<'_>,
        operation: &Operation,
        finding: Diagnostic,
    ) -> Diagnostic {
        // The fault names the operand, which no fault with another cause does.
        let is_named =
            |operand: &&Operand| finding.message.contains(&format!("`%{}`", running.name(operand.value)));
        let Some(operand) = operation.operands.iter().find(is_named) else { return finding };
        let mut value = operand.value;
        while let Some(cut) = running.cut(value) {
            if let Some(explained) = beyond(running, operation, &cut, &finding) {
                return explained;
            }
            value = cut.source;
        }
        self.too_large(running, value, &finding).unwrap_or(finding)
    }

    /// The finding for a tensor view that is larger than its buffer.
    fn too_large(&self, running: Running<'_>, value: ValueId, finding: &Diagnostic) -> Option<Diagnostic> {
        let (id, maker) = running.maker(value).filter(|(_, maker)| maker.is(Op::MAKE_TENSOR_VIEW))?;
        let (to, bits) = running.step(id, |step| match step {
            Step::MakeView { to, bits, .. } => Some((*to, u64::from(*bits))),
            _ => None,
        })?;
        let view = running.core.views[running.frame.views + to as usize];
        let rank = usize::from(view.rank);
        let (shape, strides) = (&view.shape[..rank], &view.strides[..rank]);
        let (buffer, start) = self.state.global.locate(view.address)?;
        let (name, size) =
            (&self.state.global.buffer(buffer).name, self.state.global.buffer(buffer).size() as u64);
        let steps = shape.iter().zip(strides).map(|(extent, stride)| {
            extent.saturating_sub(1).saturating_mul(u64::try_from(*stride).unwrap_or(u64::MAX))
        });
        let last = steps.fold(0, u64::saturating_add);
        let end = last.saturating_add(1).saturating_mul(bits).div_ceil(8).saturating_add(start);
        if end <= size || rank == 0 {
            return None;
        }
        let extent = dimension::extent(0, rank, shape[0]);
        // The extent of the outermost dimension that fits, if the others fit once.
        let inner = last - (shape[0].max(1) - 1).saturating_mul(strides[0].unsigned_abs());
        let items = (size.saturating_sub(start) * 8 / bits).saturating_sub(inner);
        let fit = if items == 0 { 0 } else { (items - 1) / strides[0].unsigned_abs().max(1) + 1 };
        let room = if fit == 0 { "less than one".to_owned() } else { format!("only {fit}") };
        let message = format!(
            "`%{}` has {extent}, but argument `{name}` holds {room}: {size} of {end} bytes",
            running.name(value)
        );
        let mut outside = vec![0; rank];
        outside[0] = fit;
        let explained = Diagnostic { message, ..finding.clone() }.with_note(finding.message.clone());
        let mut explained = explained.about(outside);
        if let Some(span) = span_of(maker, "shape", 0) {
            explained = explained.with_label(span, extent);
        }
        let pointer =
            maker.operands.iter().find(|operand| operand.role != "shape" && operand.role != "strides");
        if let Some(argument) = pointer.map(|operand| &running.function.values[operand.value]) {
            explained = explained.with_label(argument.span, format!("argument `{name}`"));
        }
        Some(explained.with_help(format!(
            "give `{name}` at least {end} bytes, or correct shape and strides of the view"
        )))
    }
}

/// The finding for a partition that ends beyond its view.
fn beyond(
    running: Running<'_>,
    operation: &Operation,
    cut: &Cut<'_>,
    finding: &Diagnostic,
) -> Option<Diagnostic> {
    let rank = cut.sizes.len();
    let end = |at: usize| cut.offsets[at].saturating_add(cut.sizes[at]);
    let at = (0..rank).find(|at| cut.sizes[*at] > 0 && end(*at) > cut.whole.shape[*at])?;
    let (offset, size, extent) = (cut.offsets[at], cut.sizes[at], cut.whole.shape[at]);
    let index = dimension::index(at, rank, end(at) - 1);
    let extent_text = dimension::extent(at, rank, extent);
    let whole = running.name(cut.source);
    let message =
        format!("`{}` accesses {index} of `%{whole}`, which has {extent_text}", operation.short_name());
    let mut outside = cut.offsets.clone();
    outside[at] = offset.max(extent);
    let mut explained = Diagnostic { message, ..finding.clone() }.about(outside);
    if let Some(span) = span_of(cut.maker, "offsets", at) {
        explained = explained.with_label(
            span,
            format!("offset {offset} and size {size}: {}", dimension::range(at, rank, offset, size)),
        );
    }
    let maker = running.maker(cut.source).map(|(_, maker)| maker);
    if let Some(span) = maker.and_then(|maker| span_of(maker, "shape", at)) {
        explained = explained.with_label(span, format!("`%{whole}` has {extent_text}"));
    }
    let left = extent.saturating_sub(offset);
    let help = match left {
        0 => format!(
            "no offset is greater than {}: correct the offset, or the bound of its loop",
            extent.saturating_sub(1)
        ),
        _ => format!(
            "from offset {offset} on {left} are left: limit the size to what is left, with `arith.subi` and `arith.minsi`, \
             and give the tile this valid region"
        ),
    };
    Some(explained.with_note(finding.message.clone()).with_help(help))
}
