//! Errors that would stop every run: loop steps that are not positive, recursion, constants that do not fit their
//! types, valid regions larger than the tile; and lints for partitions that extend beyond their view and for valid regions
//! that are set through a part of a tile.

use crate::analysis::Facts;
use crate::ir::{Attribute, Function, Module, Operation, Scalar, Type, TypeTable, ValueId};
use pto_isa::diag::{Diagnostic, Severity, dimension};
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_isa::scalar::constant_bits;
use std::collections::{HashMap, HashSet};

/// Checks one function.
pub(super) fn check(
    types: &TypeTable,
    recursive: &HashSet<&str>,
    function: &Function,
    facts: &Facts,
    findings: &mut Vec<Diagnostic>,
) {
    let views = Views::of(function, facts);
    for (_, operation) in function.operations.iter() {
        findings.extend(loop_step(operation, facts));
        findings.extend(constant(types, function, operation));
        findings.extend(recursion(recursive, function, operation));
        valid_region(types, function, operation, facts, findings);
        views.partition(operation, findings);
    }
    findings.extend(regions_of_parts(function));
}

/// Reports valid regions that are set through a part of a tile.
fn regions_of_parts(function: &Function) -> Vec<Diagnostic> {
    let operations = || function.operations.iter().map(|(_, operation)| operation);
    let parts: HashSet<ValueId> = operations()
        .filter(|operation| operation.is(Op::SUBVIEW))
        .flat_map(|operation| operation.results.iter().copied())
        .collect();
    let set = operations().filter(|operation| operation.is(Op::SET_VALIDSHAPE));
    set.filter_map(|operation| operation.operand("tile"))
        .filter(|tile| parts.contains(&tile.value))
        .map(|tile| {
            let part = &function.values[tile.value];
            let message =
                format!("`%{}` is a part of a tile: the assembler does not set its valid region", part.name);
            let lint = Diagnostic::new(Severity::Lint, &rules::values::SUBVIEW_REGION, message).at(tile.span);
            lint.with_label(part.span, "the part is made here")
        })
        .collect()
}

/// The constant operand in a role, if it is known.
fn known(operation: &Operation, role: &str, facts: &Facts) -> Option<i64> {
    facts.constant(operation.operand(role)?.value)
}

fn loop_step(operation: &Operation, facts: &Facts) -> Option<Diagnostic> {
    let step = known(operation, "step", facts).filter(|_| operation.meaning() == Meaning::For)?;
    let span = operation.operand("step")?.span;
    let message = format!("the step of a loop is positive, not {step}");
    (step <= 0).then(|| Diagnostic::error(&rules::run::LOOP_STEP, message).at(span))
}

/// Reports a literal that its type does not hold.
fn constant(types: &TypeTable, function: &Function, operation: &Operation) -> Option<Diagnostic> {
    if !operation.is(Op::ARITH_CONSTANT) {
        return None;
    }
    let Type::Scalar(ty) = types[function.values[*operation.results.first()?].ty] else { return None };
    let (value, word) = (operation.attribute("value")?, ty.word());
    let message = match value {
        Attribute::Integer(number, _) if ty.is_integer() && !fits(*number, ty) => {
            format!("{number} does not fit a {word}")
        }
        Attribute::Float(text, _) if ty.is_integer() => {
            let message = format!("{text} is a float, but `{word}` is an integer type");
            let help = match text.parse::<f64>() {
                Ok(number) if number.fract() == 0.0 => format!("write `{number:.0} : {word}`"),
                _ => "write an integer, or a float type such as `f32`".to_owned(),
            };
            let error = Diagnostic::error(&rules::values::CONSTANT, message).at(operation.span);
            return Some(error.with_help(help));
        }
        Attribute::Float(text, _) if !ty.element().decode(constant_bits(value, ty)?).is_finite() => {
            format!("{text} is beyond the range of {word}")
        }
        _ => return None,
    };
    Some(Diagnostic::error(&rules::values::CONSTANT, message).at(operation.span))
}

/// Whether a type can represent a number: a signless one as signed or as unsigned.
fn fits(value: i128, ty: Scalar) -> bool {
    let limit = 1i128 << ty.bits();
    let is_unsigned = matches!(ty, Scalar::Number(element) if element.is_unsigned_integer());
    let least = if is_unsigned { 0 } else { -(limit / 2).max(1) };
    (least..limit).contains(&value)
}

/// Functions on a cycle of calls, or on a path between two cycles.
pub(super) fn recursive(module: &Module) -> HashSet<&str> {
    let functions = module.functions.iter().map(|(_, function)| function);
    let calls: Vec<(&str, &str)> = functions
        .flat_map(|function| {
            let called = function.operations.iter().filter_map(|(_, operation)| called(operation));
            called.map(|callee| (function.name.as_str(), callee))
        })
        .collect();
    let backwards: Vec<_> = calls.iter().map(|(from, to)| (*to, *from)).collect();
    let mut left: HashSet<&str> = calls.iter().map(|(from, _)| *from).collect();
    trim(&calls, &mut left);
    trim(&backwards, &mut left);
    left
}

/// Repeatedly removes functions without an edge to a remaining function.
fn trim<'a>(edges: &[(&'a str, &'a str)], left: &mut HashSet<&'a str>) {
    let mut count: HashMap<&str, usize> = left.iter().map(|name| (*name, 0)).collect();
    let mut into: HashMap<&str, Vec<&str>> = HashMap::new();
    for (from, to) in edges.iter().filter(|(from, to)| left.contains(from) && left.contains(to)) {
        *count.entry(from).or_default() += 1;
        into.entry(to).or_default().push(from);
    }
    let mut open: Vec<&str> = left.iter().copied().filter(|name| count[name] == 0).collect();
    while let Some(name) = open.pop() {
        left.remove(name);
        for from in into.remove(name).unwrap_or_default() {
            let Some(count) = count.get_mut(from) else { continue };
            *count -= 1;
            if *count == 0 {
                open.push(from);
            }
        }
    }
}

/// Reports a call that is part of a recursion.
fn recursion(recursive: &HashSet<&str>, function: &Function, operation: &Operation) -> Option<Diagnostic> {
    let callee = called(operation)?;
    if !recursive.contains(function.name.as_str()) || !recursive.contains(callee) {
        return None;
    }
    let message = format!(
        "`@{}` calls `@{callee}`, which comes back to it: cores have no stack for recursion",
        function.name
    );
    // A lint, because a run may stay within the maximum depth.
    Some(Diagnostic::new(Severity::Lint, &rules::run::CALL_DEPTH, message).at(operation.name_span))
}

fn called(operation: &Operation) -> Option<&str> {
    if operation.meaning() == Meaning::Call { operation.symbol("callee") } else { None }
}

/// Checks constant valid extents against the declared shape.
fn valid_region(
    types: &TypeTable,
    function: &Function,
    operation: &Operation,
    facts: &Facts,
    findings: &mut Vec<Diagnostic>,
) {
    if !operation.meaning().makes_tile() {
        return;
    }
    let Some(result) = operation.results.first() else { return };
    let (Type::Tile(tile) | Type::MultiTile { tile, .. }) = &types[function.values[*result].ty] else {
        return;
    };
    for (role, what, declared) in [("valid_row", "rows", tile.rows), ("valid_col", "columns", tile.cols)] {
        let Some(valid) = known(operation, role, facts) else { continue };
        if (0..=i64::from(declared)).contains(&valid) {
            continue;
        }
        let span = operation.operand(role).map_or(operation.span, |operand| operand.span);
        let message = format!("{valid} valid {what}, but {declared} are declared");
        findings.push(Diagnostic::error(&rules::alloc_tile::VALID_REGION, message).at(span));
    }
}

/// Known extents of views.
struct Views<'a> {
    extents: HashMap<ValueId, Vec<Option<i64>>>,
    facts: &'a Facts,
    function: &'a Function,
}

impl<'a> Views<'a> {
    fn of(function: &'a Function, facts: &'a Facts) -> Views<'a> {
        let made = |(_, operation): (_, &Operation)| {
            let role = match operation.op()? {
                Op::MAKE_TENSOR_VIEW => "shape",
                Op::PARTITION_VIEW => "sizes",
                _ => return None,
            };
            let extents = operation.operands_in(role).map(|operand| facts.constant(operand.value)).collect();
            Some((*operation.results.first()?, extents))
        };
        Views { extents: function.operations.iter().filter_map(made).collect(), facts, function }
    }

    /// Reports a partition that extends beyond its view: its elements belong to the next row, or to no row.
    fn partition(&self, operation: &Operation, findings: &mut Vec<Diagnostic>) {
        if !operation.is(Op::PARTITION_VIEW) {
            return;
        }
        let Some(source) = operation.operand("source") else { return };
        let of = |role: &str| -> Vec<_> {
            operation
                .operands_in(role)
                .map(|operand| (self.facts.constant(operand.value), operand.span))
                .collect()
        };
        let (offsets, sizes) = (of("offsets"), of("sizes"));
        let Some(extents) = self.extents.get(&source.value) else { return };
        for (at, ((offset, span), (size, _))) in offsets.into_iter().zip(sizes).enumerate() {
            let extent = extents.get(at).copied().flatten();
            let (Some(offset), Some(size), Some(extent)) = (offset, size, extent) else { continue };
            if offset.saturating_add(size) <= extent {
                continue;
            }
            let (unsigned, rank) = (|number: i64| u64::try_from(number).unwrap_or(0), extents.len());
            let view = &self.function.values[source.value];
            let has = format!("`%{}` has {}", view.name, dimension::extent(at, rank, unsigned(extent)));
            let message = format!(
                "the partition takes {}, but {has}",
                dimension::range(at, rank, unsigned(offset), unsigned(size))
            );
            let lint = Diagnostic::new(Severity::Lint, &rules::values::PARTITION_BEYOND, message).at(span);
            findings.push(lint.with_label(view.span, has));
        }
    }
}
