//! Checks values other than tiles and scalars: structs, arrays of events, multi tiles, declared tiles and views,
//! pointers from integers.
//!
//! Source: the public assembler's `docs/PTO_IR_manual.md`, 2.6 to 2.8, 4.1 and the operations' own sections.

use crate::analysis::Facts;
use crate::ir::fields::Fields;
use crate::ir::{Function, Operation, Scalar, Type, TypeId, TypeTable, ValueId};
use crate::text::printer::type_text;
use pto_isa::diag::Diagnostic;
use pto_isa::element::Element;
use pto_isa::registry::Op;
use pto_isa::rule::Rule;
use pto_isa::rules;
use pto_isa::types::MAX_RANK;
use std::collections::HashSet;

/// The note of all findings of this file.
const NOTE: &str = "Results and operands are of the types that the operation has. (docs/PTO_IR_manual.md of the public \
                    assembler)";

/// Minimum and maximum number of tiles of a multi tile.
const MULTI: std::ops::RangeInclusive<u32> = 2..=16;

struct Values<'a> {
    types: &'a TypeTable,
    function: &'a Function,
    fields: &'a Fields,
    facts: Facts,
    /// Pointers that were converted from integers.
    from_numbers: HashSet<ValueId>,
}

/// Result of a check: the violated rule and a message.
type Said = Result<(), (&'static Rule, String)>;

/// Checks the values of one function.
pub(super) fn check(types: &TypeTable, function: &Function, fields: &Fields, findings: &mut Vec<Diagnostic>) {
    let made = function.operations.iter().filter(|(_, operation)| operation.is(Op::INTTOPTR));
    let from_numbers = made.filter_map(|(_, operation)| operation.results.first().copied()).collect();
    let facts = Facts::of(function, types);
    let values = Values { types, function, fields, facts, from_numbers };
    for (_, operation) in function.operations.iter() {
        let result = values.operation(operation).and_then(|()| values.origin_is_known(operation));
        let said = [result, values.structs_stay(operation), values.pointers_stay(operation)];
        let said = said.into_iter().filter_map(Result::err);
        let finding =
            |(rule, message)| Diagnostic::error(rule, message).at(operation.name_span).with_note(NOTE);
        findings.extend(said.map(finding));
    }
}

fn said<T>(rule: &'static Rule, message: String) -> Result<T, (&'static Rule, String)> {
    Err((rule, message))
}

/// An error for a result of the wrong kind.
fn makes(operation: &Operation, what: &str) -> Said {
    said(&rules::structure::OPERAND_TYPE, format!("`{}` makes {what}, not this type", operation.name))
}

impl Values<'_> {
    fn type_of(&self, value: ValueId) -> &Type {
        &self.types[self.function.values[value].ty]
    }

    /// Whether the operand in a role, if there is one, is of a kind.
    fn is_given(&self, operation: &Operation, role: &str, kind: fn(&Type) -> bool) -> bool {
        operation.operand(role).is_none_or(|operand| kind(self.type_of(operand.value)))
    }

    fn text(&self, ty: TypeId) -> String {
        type_text(self.types, ty)
    }

    fn operation(&self, operation: &Operation) -> Said {
        let result = operation.results.first().copied();
        let made = result.map(|result| self.type_of(result));
        match operation.op() {
            Some(Op::ALLOC_MULTI_TILE) => match made {
                Some(Type::MultiTile { count, .. }) if !MULTI.contains(count) => {
                    said(&rules::values::MULTI_TILE_COUNT, format!("{count} tiles; a multi tile has 2 to 16"))
                }
                Some(Type::MultiTile { tile, .. })
                    if tile.compact == pto_isa::tile::CompactMode::RowPlusOne =>
                {
                    let message = "tiles whose rows are one element longer would reach into each other: leave \
                                   `compact` out";
                    said(&rules::values::MULTI_TILE_COMPACT, message.into())
                }
                Some(Type::MultiTile { .. }) => Ok(()),
                _ => makes(operation, "a multi tile"),
            },
            Some(Op::MULTI_TILE_GET) => self.multi_tile(operation, made),
            Some(Op::DECLARE_TILE) if !matches!(made, Some(Type::Tile(_) | Type::ConvTile(_))) => {
                makes(operation, "a tile")
            }
            Some(Op::DECLARE_GLOBAL) => match made {
                Some(Type::TensorView { shape, .. })
                    if (1..=MAX_RANK).contains(&shape.len()) && shape.iter().all(Option::is_some) =>
                {
                    Ok(())
                }
                Some(Type::TensorView { .. }) => said(
                    &rules::values::GLOBAL_EXTENT,
                    "the type must give one to five extents as numbers: nothing else does".into(),
                ),
                _ => makes(operation, "a tensor view"),
            },
            Some(Op::DECLARE_STRUCT) => self.declare_struct(operation),
            Some(Op::STRUCT_GET | Op::STRUCT_SET) => self.field(operation),
            Some(Op::DECLARE_EVENTID_ARRAY) if made.and_then(Type::events).is_none() => {
                makes(operation, "an array such as `!pto.eventid_array<4>`")
            }
            Some(Op::PTRTOINT) if !self.is_given(operation, "in", is_global_pointer) => said(
                &rules::structure::OPERAND_TYPE,
                "`pto.ptrtoint` takes a pointer to global memory".into(),
            ),
            Some(Op::INTTOPTR) if !self.is_given(operation, "in", is_i64) => {
                said(&rules::structure::OPERAND_TYPE, "`pto.inttoptr` takes an i64".into())
            }
            Some(Op::SET_CTRL) if !self.is_given(operation, "value", is_i64) => {
                said(&rules::structure::OPERAND_TYPE, "`pto.set_ctrl` takes an i64".into())
            }
            Some(Op::PTRTOINT | Op::GET_CTRL) if !made.is_some_and(is_i64) => makes(operation, "an i64"),
            Some(Op::INTTOPTR) if !made.is_some_and(is_global_pointer) => {
                makes(operation, "a pointer to global memory")
            }
            Some(Op::TILE_VALID_ROWS | Op::TILE_VALID_COLS) if made != Some(&Type::Scalar(Scalar::Index)) => {
                makes(operation, "an index")
            }
            _ => Ok(()),
        }
    }

    /// Checks that an operation with a tile, a view or a pointer as its result has an origin of that storage on its
    /// page.
    fn origin_is_known(&self, operation: &Operation) -> Said {
        let mut results = operation.results.iter().map(|result| self.type_of(*result));
        match operation.op() {
            // Operands of another kind are the cause, and have a finding of their own.
            Some(op)
                if op.page().origin.is_none()
                    && results.any(Type::is_reference)
                    && self.kinds_fit(op, operation) =>
            {
                let message = format!("`{}` makes no tile, view or pointer", operation.name);
                said(&rules::structure::OPERAND_TYPE, message)
            }
            _ => Ok(()),
        }
    }

    /// Whether the operands have the kinds that their operation requires.
    fn kinds_fit(&self, op: Op, operation: &Operation) -> bool {
        op.page().syntax.kinds().iter().all(|(role, kind)| {
            operation.operands_in(role).all(|operand| kind.fits(self.type_of(operand.value)))
        })
    }

    fn multi_tile(&self, operation: &Operation, made: Option<&Type>) -> Said {
        let source = operation.operand("source").map(|operand| self.type_of(operand.value));
        let Some(Type::MultiTile { tile, count }) = source else { return Ok(()) };
        if made != Some(&Type::Tile(*tile)) {
            let message = format!("the multi tile has tiles of {}: the result must be one", tile.brief());
            return said(&rules::values::MULTI_TILE_TYPE, message);
        }
        let index = operation.operand("index").and_then(|operand| self.facts.constant(operand.value));
        match index {
            Some(index) if !(0..i64::from(*count)).contains(&index) => {
                said(&rules::values::MULTI_TILE_INDEX, format!("tile {index} of a multi tile of {count}"))
            }
            _ => Ok(()),
        }
    }

    fn declare_struct(&self, operation: &Operation) -> Said {
        let Some(&result) = operation.results.first() else { return Ok(()) };
        let ty = self.function.values[result].ty;
        if !matches!(self.types[ty], Type::Struct(_)) {
            return makes(operation, "a struct");
        }
        match self.fields.fits(ty) {
            Ok(_) => Ok(()),
            Err(field) => said(
                &rules::values::STRUCT_FIELD,
                format!(
                    "a field is an integer of 8 to 64 bits, f16, bf16, f32, or a struct of such, not `{}`",
                    self.text(field)
                ),
            ),
        }
    }

    fn field(&self, operation: &Operation) -> Said {
        let Some(of) = operation.operand("struct").map(|operand| operand.value) else { return Ok(()) };
        let Some(path) = operation.integers("path").filter(|path| !path.is_empty()) else {
            return said(
                &rules::values::STRUCT_PATH,
                "a path is a list of field numbers, such as [0, 2]".into(),
            );
        };
        let ty = match self.fields.find(self.types, self.function.values[of].ty, &path) {
            Ok((_, ty)) => ty,
            Err(message) => return said(&rules::values::STRUCT_PATH, message),
        };
        let value = operation.operand("value").map(|operand| operand.value);
        let Some(value) = value.or(operation.results.first().copied()) else { return Ok(()) };
        let other = self.function.values[value].ty;
        if other == ty {
            return Ok(());
        }
        let message = format!("the field is a `{}`, the value a `{}`", self.text(ty), self.text(other));
        said(&rules::values::STRUCT_TYPE, message)
    }

    /// Checks that a struct stays in the scope that declares it: other operations neither create nor return one.
    fn structs_stay(&self, operation: &Operation) -> Said {
        let is_struct = |value: &ValueId| matches!(self.type_of(*value), Type::Struct(_));
        let leaves = operation.meaning().ends_block();
        let passed = operation.successors.iter().flat_map(|successor| &successor.arguments);
        let mut used = operation.operands.iter().chain(passed).map(|operand| operand.value);
        let makes = !operation.is(Op::DECLARE_STRUCT) && operation.results.iter().any(is_struct);
        let passes = leaves && used.any(|value| is_struct(&value));
        if !(makes || passes) {
            return Ok(());
        }
        let message = format!(
            "`{}` passes a struct on; declare it outside and write its fields where they change",
            operation.name
        );
        said(&rules::values::STRUCT_ESCAPE, message)
    }

    /// Checks that a pointer from an integer is used only for single elements.
    fn pointers_stay(&self, operation: &Operation) -> Said {
        let access = operation.is_one_of(&[Op::LOAD_SCALAR, Op::STORE_SCALAR]);
        let passed = operation.successors.iter().flat_map(|successor| &successor.arguments);
        let mut used = operation.operands.iter().chain(passed);
        let Some(operand) = used.find(|operand| {
            self.from_numbers.contains(&operand.value) && !(access && operand.role == "pointer")
        }) else {
            return Ok(());
        };
        let name = &self.function.values[operand.value].name;
        let message = format!(
            "`%{name}` comes from `pto.inttoptr`: only `pto.load_scalar` and `pto.store_scalar` take it, with an offset"
        );
        said(&rules::values::INT_TO_POINTER_USE, message)
    }
}

fn is_i64(ty: &Type) -> bool {
    *ty == Type::Scalar(Scalar::Number(Element::I64))
}

/// Whether a type is a pointer into global memory.
fn is_global_pointer(ty: &Type) -> bool {
    matches!(ty, Type::Pointer { space, .. } if space.as_deref().is_none_or(|space| space == "gm"))
}
