//! Fixes after an operation is parsed: outdated spellings, inferred result types, ranks of views.

use super::Parser;
use super::operation::{Target, new_operation, push_attribute};
use crate::ir::{Attribute, OperandGroup, Operation, Scalar, Type, TypeId};
use pto_isa::diag::Span;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_isa::tile::TileType;

impl<'a> Parser<'a> {
    /// Rewrites operations with an outdated spelling, with a lint.
    pub(super) fn modernize(&mut self, operation: &mut Operation, targets: &[Target<'a>]) {
        if operation.is(Op::SUBSET) {
            self.lint(&rules::text::OLD_SYNTAX, operation.name_span, "`pto.subset` is now `pto.subview`");
            operation.name = Op::SUBVIEW.into();
            operation.variant = 0;
        }
        if !operation.is(Op::SUBVIEW) || operation.variant == 0 {
            return;
        }
        let source = operation.operand("source").map(|operand| self.type_of(operand.value));
        let of_tensor = source.is_some_and(|ty| matches!(self.module.types[ty], Type::TensorView { .. }));
        let Some(Attribute::Array(sizes)) = operation.attribute("sizes").cloned().filter(|_| of_tensor)
        else {
            return;
        };
        let message = "`pto.subview` of a tensor view is now `pto.partition_view`, with sizes as operands";
        self.lint(&rules::text::OLD_SYNTAX, operation.name_span, message);
        let base = targets.first().map_or("view", |target| target.name);
        for (index, size) in sizes.iter().enumerate() {
            let Some(size) = size.as_integer() else { continue };
            let ty = self.module.types.scalar(Scalar::Index);
            let span = operation.name_span;
            let value = crate::ir::Value { name: format!("size{index}_of_{base}"), ty, span };
            let value = self.scope().function.values.push(value);
            let mut constant = new_operation(Op::ARITH_CONSTANT, span);
            push_attribute(&mut constant, "value", Attribute::Integer(size, Some(ty)), Span::default());
            constant.results.push(value);
            constant.span = Span::new(operation.span.start, operation.span.start);
            self.push_operation(constant);
            operation.operands.push(crate::ir::Operand {
                value,
                role: "sizes",
                group: OperandGroup::In,
                span,
            });
        }
        operation.attributes.retain(|attribute| attribute.name != "sizes");
        operation.name = Op::PARTITION_VIEW.into();
        operation.variant = 0;
    }

    /// Infers the types of results that outdated spellings omit.
    pub(super) fn fix_result_types(&mut self, operation: &mut Operation) {
        match operation.op() {
            Some(Op::ARITH_CONSTANT) => {
                let value = operation.integer("value");
                if let (Some(&result), Some(Ok(value))) =
                    (operation.results.first(), value.map(u64::try_from))
                {
                    self.scope().constants.insert(result, value);
                }
            }
            Some(Op::MAKE_TENSOR_VIEW) => self.fix_view_rank(operation),
            Some(Op::SUBVIEW) if self.result_is_open(operation) => self.fix_part(operation),
            Some(Op::PARTITION_VIEW) if self.result_is_open(operation) => {
                let source = operation.operand("source").map(|operand| self.type_of(operand.value));
                let source = source.and_then(|ty| match &self.module.types[ty] {
                    Type::TensorView { element, .. } | Type::PartitionView { element, .. } => {
                        Some((ty, *element))
                    }
                    _ => None,
                });
                if let (Some((source, element)), Some(&result)) = (source, operation.results.first()) {
                    let sizes = operation.operands_in("sizes").map(|operand| operand.value);
                    let constants = &self.scope().constants;
                    let shape = sizes.map(|size| constants.get(&size).copied()).collect();
                    let ty = self.module.types.intern_like(Type::PartitionView { shape, element }, source);
                    self.scope().function.values[result].ty = ty;
                } else {
                    let message =
                        "the type of the part does not follow from its source: write it after `->`".into();
                    self.report_at(&rules::text::SYNTAX, operation.name_span, message);
                }
            }
            _ => {}
        }
    }

    /// Infers the type of a part of a tile: the written sizes; valid as far as the tile is, if the offsets are
    /// constant.
    fn fix_part(&mut self, operation: &Operation) {
        let source = operation.operand("source").map(|operand| self.type_of(operand.value));
        let sizes: Vec<u32> = match operation.attribute("sizes") {
            Some(Attribute::Array(list)) => {
                list.iter().filter_map(|size| u32::try_from(size.as_integer()?).ok()).collect()
            }
            _ => Vec::new(),
        };
        let tile = source.and_then(|ty| match self.module.types[ty] {
            Type::Tile(tile) => Some((ty, tile)),
            _ => None,
        });
        let (Some((source, tile)), &[rows, cols], Some(&result)) =
            (tile, sizes.as_slice(), operation.results.first())
        else {
            let message = "the type of the part does not follow from its tile: write it after `->`".into();
            return self.report_at(&rules::text::SYNTAX, operation.name_span, message);
        };
        let offsets: Vec<_> = operation.operands_in("offsets").map(|operand| operand.value).collect();
        let constants = &self.scope().constants;
        let valid = |at: usize, valid: Option<u32>, size: u32| {
            let offset = u32::try_from(*constants.get(offsets.get(at)?)?).ok()?;
            Some(valid?.saturating_sub(offset).min(size))
        };
        let (valid_rows, valid_cols) = (valid(0, tile.valid_rows, rows), valid(1, tile.valid_cols, cols));
        let part = TileType { rows, cols, valid_rows, valid_cols, ..tile };
        let ty = self.module.types.intern_like(Type::Tile(part), source);
        self.scope().function.values[result].ty = ty;
    }

    fn result_is_open(&self, operation: &Operation) -> bool {
        operation.results.first().is_some_and(|&result| self.type_of(result) == self.poison)
    }

    /// Handles `!pto.tensor_view<2xf32>` with two extents: the number is a rank, as in older files.
    fn fix_view_rank(&mut self, operation: &Operation) {
        let Some(&result) = operation.results.first() else { return };
        let rank = operation.operands_in("shape").count();
        let ty = self.type_of(result);
        if let Type::TensorView { shape, element } = &self.module.types[ty]
            && shape.len() == 1
            && rank > 1
            && shape[0] == Some(rank as u64)
        {
            let element = *element;
            let span = operation.span;
            let message = "a number in `!pto.tensor_view<...>` is an extent now, not a rank";
            self.lint(&rules::text::OLD_SYNTAX, span, message);
            let view = Type::TensorView { shape: vec![None; rank], element };
            let ty = self.module.types.intern_like(view, ty);
            self.scope().function.values[result].ty = ty;
        }
    }

    /// The type in a constant's value.
    pub(super) fn constant_type(&mut self, value: &Attribute) -> TypeId {
        match value {
            Attribute::Integer(_, Some(ty)) | Attribute::Float(_, Some(ty)) => *ty,
            Attribute::Bool(_) => self.module.types.scalar(Scalar::Bool),
            Attribute::Integer(_, None) => self.module.types.scalar(Scalar::Number(pto_isa::Element::I64)),
            Attribute::Float(_, None) => self.module.types.scalar(Scalar::Number(pto_isa::Element::F32)),
            Attribute::Opaque(text) => match text.rsplit_once(" : ") {
                Some((_, ty)) => self.module.types.intern(Type::Opaque(ty.to_owned())),
                None => self.poison,
            },
            _ => self.poison,
        }
    }
}
