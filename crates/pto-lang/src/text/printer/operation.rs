//! Prints one operation.

use super::pattern::Printed;
use super::{PrintedSpelling, Printer};
use crate::ir::{
    Attribute, Block, Function, NamedAttribute, Operand, OperandGroup, Operation, Spelling, Spot, Type,
    TypeId, ValueId,
};
use crate::text::table;
use pto_isa::registry::Op;
use std::collections::HashMap;

/// Maximum number of destinations that are written as results.
const MOST_DESTINATIONS: usize = 4;

/// Whether an operation is written with `ins` and `outs`.
fn is_destination(operation: &Operation) -> bool {
    let instruction = table::forms(&operation.name).is_some() && !operation.operands.is_empty();
    instruction || operation.operands.iter().any(|operand| operand.group == OperandGroup::Out)
}

/// The offsets into a tile that are written after it, for one window or two.
fn offsets<'s, 'f>(operands: &'s [&'f Operand]) -> &'s [&'f Operand] {
    const ROLES: [&[&str]; 2] = [&["row", "col"], &["row0", "col0", "row1", "col1"]];
    let written = |roles: &&[&str]| {
        operands.len() >= roles.len()
            && operands.iter().zip(*roles).all(|(operand, role)| operand.role == *role)
    };
    let count = ROLES.iter().find(|roles| written(roles)).map_or(0, |roles| roles.len());
    &operands[..count]
}

/// The number of attributes to write inside `ins(...)`: the number in the source, or all of them if the assembler
/// reads none after `outs`.
fn inner_attributes(operation: &Operation) -> usize {
    let outs = operation.operands.iter().filter(|operand| operand.group == OperandGroup::Out).count();
    let merges_lists = operation.is(Op::TMRGSORT) && outs == 2;
    if merges_lists || operation.op().is_some_and(|op| table::ALL_INNER.contains(&op)) {
        return operation.attributes.len();
    }
    operation.inner_attributes
}

impl<'a> Printer<'a> {
    /// Prints the operation at `index` of `block`, and its trailing comment.
    pub(super) fn operation(&mut self, function: &'a Function, block: &'a Block, index: usize) {
        let id = block.operations[index];
        let operation = &function.operations[id];
        let spelling = self.spelling_of(operation);
        if matches!(spelling, PrintedSpelling::Ssa | PrintedSpelling::Assembly)
            && self.is_folded_alloc(function, block, index)
        {
            return self.comments_at(Spot::Behind(id));
        }
        self.start_line();
        match spelling {
            PrintedSpelling::Ssa | PrintedSpelling::Assembly if table::forms(&operation.name).is_some() => {
                let fold = self.folded(function, block, index) > 0;
                self.short(function, operation, spelling, fold);
            }
            _ => self.standard(function, operation),
        }
        self.location(&operation.location);
        self.end_line_at(Spot::Behind(id));
    }

    fn spelling_of(&self, operation: &Operation) -> PrintedSpelling {
        // Operands that fit no form of the instruction have no roles, only the groups `ins` and `outs`.
        if operation.operands.iter().any(|operand| matches!(operand.role, "ins" | "outs")) {
            return PrintedSpelling::Destination;
        }
        match (self.style.spelling, operation.spelling) {
            (PrintedSpelling::AsWritten, Spelling::Ssa) => PrintedSpelling::Ssa,
            (PrintedSpelling::AsWritten, Spelling::Assembly) => PrintedSpelling::Assembly,
            (PrintedSpelling::AsWritten, _) => PrintedSpelling::Destination,
            (spelling, _) => spelling,
        }
    }

    /// Whether the allocation at `index` is written as a result of a later operation.
    fn is_folded_alloc(&self, function: &Function, block: &Block, index: usize) -> bool {
        function.operations[block.operations[index]].is(Op::ALLOC_TILE)
            && (1..=MOST_DESTINATIONS).any(|after| self.folded(function, block, index + after) >= after)
    }

    /// Number of allocations directly before the operation at `index` that are written as its results: all of its
    /// destinations if each is plain and not read by the operation, else 0.
    fn folded(&self, function: &Function, block: &Block, index: usize) -> usize {
        let Some(&id) = block.operations.get(index) else { return 0 };
        let operation = &function.operations[id];
        let outs: Vec<_> =
            operation.operands.iter().filter(|operand| operand.group == OperandGroup::Out).collect();
        let short = operation.results.is_empty()
            && table::forms(&operation.name).is_some()
            && matches!(self.spelling_of(operation), PrintedSpelling::Ssa | PrintedSpelling::Assembly);
        if !short || outs.len() > MOST_DESTINATIONS || outs.len() > index {
            return 0;
        }
        let allocs = block.operations[index - outs.len()..index].iter().map(|id| &function.operations[*id]);
        let fits = allocs.zip(&outs).all(|(alloc, out)| {
            let uses = operation.operands.iter().filter(|operand| operand.value == out.value).count();
            self.is_plain_alloc(alloc)
                && alloc.results[0] == out.value
                && uses == 1
                && !operation.op().is_some_and(|op| op.page().keeps(out.role))
        });
        if fits { outs.len() } else { 0 }
    }

    /// Whether an allocation has only a type, and may be omitted in the printed spelling.
    fn is_plain_alloc(&self, alloc: &Operation) -> bool {
        alloc.is(Op::ALLOC_TILE)
            && alloc.operands.is_empty()
            && alloc.attributes.is_empty()
            && alloc.results.len() == 1
            && alloc.location.is_none()
            && (self.style.spelling != PrintedSpelling::AsWritten || alloc.spelling != Spelling::Standard)
    }

    /// The results of operations written with `ins` and `outs` that rename their destination (`%new = op ... into
    /// %old`), each with the destination's name; in this spelling a destination has only one name.
    pub(super) fn renamed(&self, function: &Function) -> HashMap<ValueId, ValueId> {
        let mut renamed = HashMap::new();
        for (_, operation) in function.operations.iter() {
            let short =
                matches!(self.spelling_of(operation), PrintedSpelling::Ssa | PrintedSpelling::Assembly);
            if operation.results.is_empty() || short && table::forms(&operation.name).is_some() {
                continue;
            }
            let outs = operation.operands.iter().filter(|operand| operand.group == OperandGroup::Out);
            for (result, out) in operation.results.iter().zip(outs) {
                let old = renamed.get(&out.value).copied().unwrap_or(out.value);
                renamed.insert(*result, old);
            }
        }
        renamed
    }

    pub(super) fn name(&mut self, function: &Function, value: ValueId) {
        let value = self.renamed.get(&value).copied().unwrap_or(value);
        self.out.push('%');
        self.out.push_str(&function.values[value].name);
    }

    pub(super) fn names(&mut self, function: &Function, operands: &[&Operand]) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.name(function, operand.value);
        }
    }

    pub(super) fn types_of(&mut self, function: &Function, operands: &[&Operand]) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.ty(function.values[operand.value].ty);
        }
    }

    /// Prints `%a, %b = ` or, for packed results, `%a:2 = `.
    fn targets(&mut self, function: &Function, operation: &Operation) {
        let results = &operation.results;
        let Some(&first) = results.first() else { return };
        if let Some((base, _)) = function.values[first].name.split_once('#') {
            self.out.push_str(&format!("%{base}:{} = ", results.len()));
            return;
        }
        for (index, result) in results.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.name(function, *result);
        }
        self.out.push_str(" = ");
    }

    fn standard(&mut self, function: &'a Function, operation: &'a Operation) {
        if !operation.operands.iter().any(|operand| operand.group == OperandGroup::Out) {
            self.targets(function, operation);
        }
        self.out.push_str(operation.name.canonical());
        if self.control(function, operation) {
            return;
        }
        match table::patterns(&operation.name).and_then(|patterns| patterns.get(operation.variant as usize)) {
            Some(pattern) => {
                let mut printed = Printed::default();
                self.pattern(function, operation, pattern, None, &mut printed);
            }
            None if is_destination(operation) => self.destination(function, operation),
            None => self.generic(function, operation),
        }
    }

    fn destination(&mut self, function: &Function, operation: &Operation) {
        self.out.push_str(" ins(");
        let ins = |group: fn(OperandGroup) -> bool| {
            operation.operands.iter().filter(move |operand| group(operand.group)).collect::<Vec<_>>()
        };
        let mut plain = ins(|group| group == OperandGroup::In);
        // Where each operand has its own type, one that was written before a common colon has it too.
        let is_apart = operation.op().is_some_and(|op| table::APART.contains(&op));
        let mut apart = plain.split_off(if is_apart { plain.len().min(1) } else { plain.len() });
        self.names(function, &plain);
        let (inner, outer) = operation.attributes.split_at(inner_attributes(operation));
        let is_axis = |attribute: &NamedAttribute| {
            attribute.name == table::AXIS && matches!(attribute.value, Attribute::String(_))
        };
        // The axis belongs to the mask pattern, which is written like an operand.
        let pattern = inner.iter().any(|attribute| attribute.name == "maskPattern");
        let (axis, inner): (Vec<_>, Vec<_>) =
            inner.iter().cloned().partition(|attribute| pattern && is_axis(attribute));
        let (flags, inner): (Vec<_>, Vec<_>) = inner
            .into_iter()
            .partition(|attribute| attribute.value == Attribute::Unit && attribute.name == "no_tmp");
        for flag in &flags {
            self.out.push_str(&format!(" {}", flag.name));
        }
        if !inner.is_empty() {
            self.out.push_str(if pattern && !plain.is_empty() { ", " } else { " " });
            self.dictionary(&inner);
        }
        if !plain.is_empty() {
            self.out.push_str(" : ");
            self.types_of(function, &plain);
        }
        for axis in axis {
            self.out.push_str(", ");
            self.attribute(&axis.value);
        }
        apart.extend(ins(|group| matches!(group, OperandGroup::Apart | OperandGroup::Keyword(_))));
        for operand in apart {
            match operand.group {
                // TMOV has no keywords, TSTORE has `fp`.
                OperandGroup::Keyword(keyword)
                    if !is_apart || keyword == "fp" && operation.is(Op::TSTORE) =>
                {
                    self.out.push_str(&format!(" {keyword} "));
                }
                _ => self.out.push_str(", "),
            }
            self.name(function, operand.value);
            self.out.push_str(" : ");
            self.ty(function.values[operand.value].ty);
        }
        self.out.push(')');
        let outs = ins(|group| group == OperandGroup::Out);
        if !outs.is_empty() {
            self.out.push_str(" outs(");
            self.names(function, &outs);
            self.out.push_str(" : ");
            self.types_of(function, &outs);
            self.out.push(')');
        }
        if !outer.is_empty() {
            self.out.push(' ');
            self.dictionary(outer);
        }
    }

    /// Prints the SSA or the assembly spelling. `fold`: the destination is written as the result, a new tile.
    fn short(
        &mut self,
        function: &'a Function,
        operation: &'a Operation,
        spelling: PrintedSpelling,
        fold: bool,
    ) {
        let (outs, ins): (Vec<_>, Vec<_>) =
            operation.operands.iter().partition(|operand| operand.group == OperandGroup::Out);
        if fold {
            self.names(function, &outs);
            self.out.push_str(" = ");
        } else if !operation.results.is_empty() {
            self.targets(function, operation);
        }
        let name = operation.name.canonical();
        self.out.push_str(if spelling == PrintedSpelling::Ssa {
            name
        } else {
            name.strip_prefix("pto.").unwrap_or(name)
        });
        self.out.push(' ');
        let mut index = 0;
        while index < ins.len() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.name(function, ins[index].value);
            let offsets =
                if spelling == PrintedSpelling::Assembly { offsets(&ins[index + 1..]) } else { &[] };
            if !offsets.is_empty() {
                self.out.push('[');
                self.names(function, offsets);
                self.out.push(']');
            }
            index += 1 + offsets.len();
        }
        if !operation.attributes.is_empty() {
            // In the order in which they are parsed.
            let is_inner = |attribute: &NamedAttribute| table::is_inner(&operation.name, &attribute.name);
            let (inner, outer): (Vec<_>, Vec<_>) = operation.attributes.iter().cloned().partition(is_inner);
            self.out.push(' ');
            self.dictionary(&[inner, outer].concat());
        }
        let results: Vec<TypeId> = outs.iter().map(|operand| function.values[operand.value].ty).collect();
        if spelling == PrintedSpelling::Ssa {
            self.out.push_str(" : (");
            self.types_of(function, &ins);
            self.out.push_str(") -> ");
        } else {
            let tiles: Vec<_> =
                ins.iter().copied().filter(|operand| !self.is_scalar(function, operand)).collect();
            self.out.push_str(" : ");
            if ins.is_empty() {
                self.out.push_str("()");
            }
            self.types_of(function, if tiles.is_empty() { &ins } else { &tiles });
            self.out.push_str(" -> ");
        }
        match results.as_slice() {
            [single] => self.ty(*single),
            several => self.type_list(several),
        }
        if !fold && !outs.is_empty() {
            self.out.push_str(" into ");
            self.names(function, &outs);
        }
    }

    fn is_scalar(&self, function: &Function, operand: &Operand) -> bool {
        matches!(self.module.types[function.values[operand.value].ty], Type::Scalar(_))
    }

    /// Prints `"op"(...) {...} : (...) -> ...`, for operations without another syntax.
    fn generic(&mut self, function: &Function, operation: &Operation) {
        let name_length = operation.name.as_str().len();
        self.out.truncate(self.out.len() - name_length);
        self.out.push_str(&format!("\"{}\"(", operation.name));
        let operands: Vec<_> = operation.operands.iter().collect();
        self.names(function, &operands);
        self.out.push(')');
        if !operation.attributes.is_empty() {
            self.out.push_str(" <");
            self.dictionary(&operation.attributes);
            self.out.push('>');
        }
        self.out.push_str(" : (");
        self.types_of(function, &operands);
        self.out.push_str(") -> ");
        let results: Vec<_> = operation.results.iter().map(|result| function.values[*result].ty).collect();
        match results.as_slice() {
            [single] => self.ty(*single),
            several => self.type_list(several),
        }
    }
}
