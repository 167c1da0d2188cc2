//! One operation as text.

use super::{Form, Printer};
use crate::ir::{
    Attribute, Block, Function, Operand, Operation, Place, Spelling, Successor, Type, TypeId, ValueId,
};
use crate::text::pattern::Piece;
use crate::text::table;

/// Whether an operation is written with `ins` and `outs`.
fn is_destination(operation: &Operation) -> bool {
    let instruction = table::forms(&operation.name).is_some() && !operation.operands.is_empty();
    instruction || operation.operands.iter().any(|operand| operand.place == Place::Out)
}

impl<'a> Printer<'a> {
    /// Prints the operation at `index` of `block` with its comment; `limit` is where the next thing starts.
    pub(super) fn operation(&mut self, function: &'a Function, block: &'a Block, index: usize, limit: u32) {
        let operation = &function.operations[block.operations[index]];
        let form = self.form_of(operation);
        if matches!(form, Form::Ssa | Form::Assembly) && self.is_folded_alloc(function, block, index) {
            return;
        }
        self.start_line();
        match form {
            Form::Ssa | Form::Assembly if table::forms(&operation.name).is_some() => {
                let fold = index > 0 && self.is_folded_alloc(function, block, index - 1);
                self.short(function, operation, form, fold);
            }
            _ => self.standard(function, operation),
        }
        self.location(&operation.location);
        self.end_line(limit);
    }

    fn form_of(&self, operation: &Operation) -> Form {
        // Operands that fit no form of the instruction have no roles: only `ins` and `outs` tell them apart.
        if operation.operands.iter().any(|operand| matches!(operand.role, "ins" | "outs")) {
            return Form::Destination;
        }
        match (self.style.form, operation.spelling) {
            (Form::AsWritten, Spelling::Ssa) => Form::Ssa,
            (Form::AsWritten, Spelling::Assembly) => Form::Assembly,
            (Form::AsWritten, _) => Form::Destination,
            (form, _) => form,
        }
    }

    /// Whether an allocation is written as the result of the next operation: plain, and that operation's
    /// only destination, which it does not read.
    fn is_folded_alloc(&self, function: &Function, block: &Block, index: usize) -> bool {
        let alloc = &function.operations[block.operations[index]];
        let Some(next) = block.operations.get(index + 1).map(|next| &function.operations[*next]) else {
            return false;
        };
        let plain = alloc.name == "pto.alloc_tile"
            && alloc.operands.is_empty()
            && alloc.attributes.is_empty()
            && alloc.results.len() == 1
            && alloc.location.is_none();
        let as_written = self.style.form != Form::AsWritten || alloc.spelling != Spelling::Standard;
        let outs: Vec<_> = next.operands.iter().filter(|operand| operand.place == Place::Out).collect();
        let uses = next.operands.iter().filter(|operand| alloc.results.contains(&operand.value)).count();
        plain
            && as_written
            && next.results.is_empty()
            && table::forms(&next.name).is_some()
            && matches!(self.form_of(next), Form::Ssa | Form::Assembly)
            && outs.len() == 1
            && uses == 1
            && alloc.results.contains(&outs[0].value)
            && !crate::isa::op::find(&next.name)
                .is_some_and(|instruction| instruction.page().reads_destination)
    }

    fn name(&mut self, function: &Function, value: ValueId) {
        self.out.push('%');
        self.out.push_str(&function.values[value].name);
    }

    fn names(&mut self, function: &Function, operands: &[&Operand]) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.name(function, operand.value);
        }
    }

    fn types_of(&mut self, function: &Function, operands: &[&Operand]) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.ty(function.values[operand.value].ty);
        }
    }

    /// `%a, %b = ` or, for packed results, `%a:2 = `.
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
        if table::forms(&operation.name).is_none() || !operation.results.is_empty() {
            self.targets(function, operation);
        }
        self.out.push_str(table::canonical(&operation.name));
        if self.control(function, operation) {
            return;
        }
        match table::patterns(&operation.name).and_then(|patterns| patterns.get(operation.variant as usize)) {
            Some(pattern) => {
                let mut printed = Printed::default();
                self.pattern(function, operation, pattern, &mut printed);
            }
            None if is_destination(operation) => self.destination(function, operation),
            None => self.generic(function, operation),
        }
    }

    fn destination(&mut self, function: &Function, operation: &Operation) {
        self.out.push_str(" ins(");
        let ins = |place: fn(Place) -> bool| {
            operation.operands.iter().filter(move |operand| place(operand.place)).collect::<Vec<_>>()
        };
        let plain = ins(|place| place == Place::In);
        self.names(function, &plain);
        let inner = &operation.attributes[..operation.inner_attributes];
        let (flags, inner): (Vec<_>, Vec<_>) = inner
            .iter()
            .cloned()
            .partition(|attribute| attribute.value == Attribute::Unit && attribute.name == "no_tmp");
        for flag in &flags {
            self.out.push_str(&format!(" {}", flag.name));
        }
        if !inner.is_empty() {
            self.out.push(' ');
            self.dictionary(&inner);
        }
        if !plain.is_empty() {
            self.out.push_str(" : ");
            self.types_of(function, &plain);
        }
        for operand in ins(|place| matches!(place, Place::Apart | Place::Keyword(_))) {
            match operand.place {
                Place::Keyword(keyword) => self.out.push_str(&format!(" {keyword} ")),
                _ => self.out.push_str(", "),
            }
            self.name(function, operand.value);
            self.out.push_str(" : ");
            self.ty(function.values[operand.value].ty);
        }
        self.out.push(')');
        let outs = ins(|place| place == Place::Out);
        if !outs.is_empty() {
            self.out.push_str(" outs(");
            self.names(function, &outs);
            self.out.push_str(" : ");
            self.types_of(function, &outs);
            self.out.push(')');
        }
        if operation.attributes.len() > operation.inner_attributes {
            self.out.push(' ');
            self.dictionary(&operation.attributes[operation.inner_attributes..]);
        }
    }

    /// The SSA and the assembly spelling. `fold`: the destination is the result, a new tile.
    fn short(&mut self, function: &'a Function, operation: &'a Operation, form: Form, fold: bool) {
        let (outs, ins): (Vec<_>, Vec<_>) =
            operation.operands.iter().partition(|operand| operand.place == Place::Out);
        if fold {
            self.names(function, &outs);
            self.out.push_str(" = ");
        } else if !operation.results.is_empty() {
            self.targets(function, operation);
        }
        let name = table::canonical(&operation.name);
        self.out.push_str(if form == Form::Ssa { name } else { name.strip_prefix("pto.").unwrap_or(name) });
        self.out.push(' ');
        let mut index = 0;
        while index < ins.len() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.name(function, ins[index].value);
            let offsets = ins.get(index + 1..index + 3);
            if form == Form::Assembly
                && let Some([row, col]) = offsets
                && (row.role, col.role) == ("row", "col")
            {
                self.out.push('[');
                self.names(function, &[row, col]);
                self.out.push(']');
                index += 2;
            }
            index += 1;
        }
        if !operation.attributes.is_empty() {
            self.out.push(' ');
            self.dictionary(&operation.attributes);
        }
        let results: Vec<TypeId> = outs.iter().map(|operand| function.values[operand.value].ty).collect();
        if form == Form::Ssa {
            self.out.push_str(" : (");
            self.types_of(function, &ins);
            self.out.push_str(") -> ");
        } else {
            let tiles: Vec<_> =
                ins.iter().copied().filter(|operand| !self.is_scalar(function, operand)).collect();
            self.out.push_str(" : ");
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

    /// `"op"(...) {...} : (...) -> ...`, for what has no other syntax.
    fn generic(&mut self, function: &Function, operation: &Operation) {
        let name_length = operation.name.len();
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

    /// Operations with regions, successors or a syntax of their own; says whether it was one.
    fn control(&mut self, function: &'a Function, operation: &'a Operation) -> bool {
        let end = operation.span.end;
        match operation.name.as_str() {
            "arith.constant" => {
                self.out.push(' ');
                if let Some(value) = operation.attribute("value") {
                    self.attribute(value);
                }
                return true;
            }
            "scf.for" => self.for_header(function, operation),
            "scf.if" => {
                self.out.push(' ');
                self.name(function, operation.operands[0].value);
                self.results(function, operation);
            }
            "scf.while" => self.while_header(function, operation),
            "scf.execute_region" | "pto.fusion_region" => self.results(function, operation),
            "pto.section.cube" | "pto.section.vector" => {}
            "scf.index_switch" => {
                self.index_switch(function, operation);
                return true;
            }
            "cf.br" => {
                self.out.push(' ');
                self.successor(function, &operation.successors[0]);
                return true;
            }
            "cf.cond_br" => {
                self.out.push(' ');
                self.name(function, operation.operands[0].value);
                for successor in &operation.successors {
                    self.out.push_str(", ");
                    self.successor(function, successor);
                }
                return true;
            }
            _ => return false,
        }
        if operation.name.starts_with("pto.section") && !operation.attributes.is_empty() {
            self.out.push(' ');
            self.dictionary(&operation.attributes);
        }
        for (index, region) in operation.regions.iter().enumerate() {
            let between = match (index, operation.name.as_str()) {
                (0, _) => " ",
                (_, "scf.if") => " else ",
                _ => " do ",
            };
            self.out.push_str(between);
            let region_end = operation.regions.get(index + 1).and_then(|next| {
                function.regions[*next].blocks.first().map(|block| function.blocks[*block].span.start)
            });
            let hide = index == 0 || operation.name != "scf.while";
            self.region(function, *region, region_end.unwrap_or(end), hide);
        }
        if !operation.attributes.is_empty() && !operation.name.starts_with("pto.section") {
            self.out.push(' ');
            self.dictionary(&operation.attributes);
        }
        true
    }

    fn results(&mut self, function: &Function, operation: &Operation) {
        let types: Vec<_> = operation.results.iter().map(|result| function.values[*result].ty).collect();
        if !types.is_empty() {
            self.out.push_str(" -> ");
            self.type_list(&types);
        }
    }

    fn carried(&mut self, function: &Function, operation: &Operation, skip: usize) {
        let inits: Vec<_> = operation.operands_in("init").collect();
        let block = function.regions[operation.regions[0]].blocks[0];
        self.out.push('(');
        for (index, init) in inits.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            if let Some(argument) = function.blocks[block].arguments.get(index + skip) {
                self.name(function, *argument);
            }
            self.out.push_str(" = ");
            self.name(function, init.value);
        }
        self.out.push(')');
    }

    fn for_header(&mut self, function: &Function, operation: &Operation) {
        let block = function.regions[operation.regions[0]].blocks[0];
        self.out.push(' ');
        let induction = function.blocks[block].arguments[0];
        self.name(function, induction);
        for (word, role) in [("=", "lower"), ("to", "upper"), ("step", "step")] {
            self.out.push_str(&format!(" {word} "));
            if let Some(operand) = operation.operand(role) {
                self.name(function, operand.value);
            }
        }
        if operation.operand("init").is_some() {
            self.out.push_str(" iter_args");
            self.carried(function, operation, 1);
            self.results(function, operation);
        }
        if !matches!(self.module.types[function.values[induction].ty], Type::Scalar(crate::ir::Scalar::Index))
        {
            self.out.push_str(" : ");
            self.ty(function.values[induction].ty);
        }
    }

    fn while_header(&mut self, function: &Function, operation: &Operation) {
        self.out.push(' ');
        self.carried(function, operation, 0);
        self.out.push_str(" : (");
        let inits: Vec<_> = operation.operands_in("init").collect();
        self.types_of(function, &inits);
        self.out.push_str(") -> ");
        let results: Vec<_> = operation.results.iter().map(|result| function.values[*result].ty).collect();
        match results.as_slice() {
            [single] => self.ty(*single),
            several => self.type_list(several),
        }
    }

    fn index_switch(&mut self, function: &'a Function, operation: &'a Operation) {
        self.out.push(' ');
        self.name(function, operation.operands[0].value);
        self.results(function, operation);
        let cases = match operation.attribute("cases") {
            Some(Attribute::Array(cases)) => cases.as_slice(),
            _ => &[],
        };
        for (index, region) in operation.regions.iter().enumerate() {
            self.out.push('\n');
            self.start_line();
            match cases.get(index) {
                Some(case) => {
                    self.out.push_str("case ");
                    self.attribute(case);
                    self.out.push(' ');
                }
                None => self.out.push_str("default "),
            }
            let end = operation.regions.get(index + 1).and_then(|next| {
                function.regions[*next].blocks.first().map(|block| function.blocks[*block].span.start)
            });
            self.region(function, *region, end.unwrap_or(operation.span.end), true);
        }
    }

    fn successor(&mut self, function: &Function, successor: &Successor) {
        self.out.push_str(&format!("^{}", function.blocks[successor.block].name));
        if !successor.arguments.is_empty() {
            let arguments: Vec<_> = successor.arguments.iter().collect();
            self.out.push('(');
            self.names(function, &arguments);
            self.out.push_str(" : ");
            self.types_of(function, &arguments);
            self.out.push(')');
        }
    }
}

/// What of an operation a pattern has printed so far.
#[derive(Default)]
struct Printed {
    results: usize,
    dictionary: bool,
}

impl<'a> Printer<'a> {
    fn pattern(
        &mut self,
        function: &'a Function,
        operation: &'a Operation,
        pattern: &[Piece],
        printed: &mut Printed,
    ) {
        for (index, piece) in pattern.iter().enumerate() {
            self.piece(function, operation, piece, printed, (index > 0).then(|| &pattern[index - 1]));
        }
    }

    fn piece(
        &mut self,
        function: &'a Function,
        operation: &'a Operation,
        piece: &Piece,
        printed: &mut Printed,
        before: Option<&Piece>,
    ) {
        let after_open = matches!(before, Some(Piece::Punct('(' | '[')));
        let space = if after_open || self.out.ends_with(' ') { "" } else { " " };
        match *piece {
            Piece::Word(word) => self.out.push_str(&format!("{space}{word}")),
            Piece::Punct(character @ (',' | ')' | ']')) => self.out.push(character),
            Piece::Punct(character @ ('(' | '[')) => {
                let tight = !matches!(before, Some(Piece::Punct(_) | Piece::Attributes));
                self.out.push_str(if tight { "" } else { space });
                self.out.push(character);
            }
            Piece::Punct(character) => self.out.push_str(&format!("{space}{character}")),
            Piece::Arrow => self.out.push_str(&format!("{space}->")),
            Piece::Operand(role) | Piece::Operands(role) => {
                let operands: Vec<_> = operation.operands_in(role).collect();
                if !operands.is_empty() {
                    self.out.push_str(space);
                    self.names(function, &operands);
                }
            }
            Piece::TypeOf(role) | Piece::TypesOf(role) => {
                let operands: Vec<_> = operation.operands_in(role).collect();
                self.out.push_str(space);
                self.types_of(function, &operands);
            }
            Piece::ResultType => {
                self.out.push_str(space);
                if let Some(result) = operation.results.get(printed.results) {
                    self.ty(function.values[*result].ty);
                }
                printed.results += 1;
            }
            Piece::ResultTypes => {
                self.out.push_str(space);
                let types: Vec<_> =
                    operation.results.iter().map(|result| function.values[*result].ty).collect();
                match types.as_slice() {
                    [single] => self.ty(*single),
                    several => self.type_list(several),
                }
            }
            Piece::SameType(_) | Piece::FixedType(_) | Piece::OpenType => {}
            Piece::Attributes => {
                let named =
                    operation.attributes.iter().filter(|attribute| !self.has_own_place(operation, attribute));
                let rest: Vec<_> = named.cloned().collect();
                if !rest.is_empty() && !std::mem::replace(&mut printed.dictionary, true) {
                    self.out.push_str(space);
                    self.dictionary(&rest);
                }
            }
            Piece::Constant(name) | Piece::Bare(name) | Piece::Symbol(name) => {
                if let Some(value) = operation.attribute(name) {
                    self.out.push_str(space);
                    self.attribute(value);
                }
            }
            Piece::Optional(ref pieces) => {
                if self.is_present(operation, pieces) {
                    self.pattern(function, operation, pieces, printed);
                }
            }
        }
    }

    /// Whether an optional part has anything to print.
    fn is_present(&self, operation: &Operation, pieces: &[Piece]) -> bool {
        let call_types =
            pieces.iter().any(|piece| matches!(piece, Piece::ResultTypes)) && !operation.results.is_empty();
        call_types
            || pieces.iter().any(|piece| match piece {
                Piece::Operand(role) | Piece::Operands(role) | Piece::TypesOf(role) => {
                    operation.operand(role).is_some()
                }
                Piece::Constant(name) | Piece::Bare(name) | Piece::Symbol(name) => {
                    operation.attribute(name).is_some()
                }
                Piece::Optional(pieces) => self.is_present(operation, pieces),
                _ => false,
            })
    }

    /// Whether the pattern prints an attribute outside the dictionary.
    fn has_own_place(&self, operation: &Operation, attribute: &crate::ir::NamedAttribute) -> bool {
        fn places(pieces: &[Piece], wanted: &str) -> bool {
            pieces.iter().any(|piece| match piece {
                Piece::Constant(name) | Piece::Bare(name) | Piece::Symbol(name) => *name == wanted,
                Piece::Optional(pieces) => places(pieces, wanted),
                _ => false,
            })
        }
        table::patterns(&operation.name)
            .and_then(|patterns| patterns.get(operation.variant as usize))
            .is_some_and(|pattern| places(pattern, &attribute.name))
    }
}
