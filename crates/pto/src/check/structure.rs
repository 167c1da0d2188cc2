//! Definitions before uses, terminators, and agreement of what regions pass on.

use crate::diag::{Diagnostic, Span};
use crate::ir::{Block, BlockId, Function, Module, Operand, Operation, RegionId, TypeId, ValueId};
use crate::text::printer::type_text;

struct Structure<'a> {
    module: &'a Module,
    function: &'a Function,
    findings: &'a mut Vec<Diagnostic>,
    /// Whether a value is defined at the place being looked at.
    defined: Vec<bool>,
}

/// Checks the structure of one function.
pub(super) fn check(module: &Module, function: &Function, findings: &mut Vec<Diagnostic>) {
    let defined = vec![false; function.values.len()];
    let mut structure = Structure { module, function, findings, defined };
    for argument in &function.arguments {
        structure.defined[argument.value.index()] = true;
    }
    if let Some(body) = function.body {
        structure.region(body, Ends::Function);
    }
}

/// What a region must end with.
#[derive(Clone, Copy)]
enum Ends<'a> {
    /// `return` with the function's results.
    Function,
    /// `scf.yield` with the operation's results; nothing is fine where there are none.
    Yield(&'a Operation),
    /// `scf.condition`.
    Condition(&'a Operation),
    /// `scf.yield` with the values that the loop carries.
    Carry(&'a Operation),
    /// Nothing in particular.
    Open,
}

impl Structure<'_> {
    fn error(&mut self, rule: &'static str, span: Span, message: String) {
        self.findings.push(Diagnostic::error(rule, message).at(span));
    }

    fn region(&mut self, region: RegionId, ends: Ends<'_>) {
        let blocks = self.function.regions[region].blocks.clone();
        let mut added = Vec::new();
        if blocks.len() <= 1 {
            for block in blocks {
                self.block(block, ends, &mut added);
            }
        } else {
            self.graph(&blocks, ends, &mut added);
        }
        for value in added {
            self.defined[value.index()] = false;
        }
    }

    /// Several blocks: each is looked at with what its dominators define.
    fn graph(&mut self, blocks: &[BlockId], ends: Ends<'_>, added: &mut Vec<ValueId>) {
        let dominators = dominators(self.function, blocks);
        for (index, block) in blocks.iter().enumerate() {
            let mut visible = Vec::new();
            let mut at = index;
            while let Some(up) = dominators[at].filter(|up| *up != at) {
                visible.extend(self.definitions(blocks[up]));
                at = up;
            }
            for value in &visible {
                self.defined[value.index()] = true;
            }
            let mut own = Vec::new();
            self.block(*block, ends, &mut own);
            for value in visible.into_iter().chain(own) {
                self.defined[value.index()] = false;
            }
        }
        added.clear();
    }

    fn definitions(&self, block: BlockId) -> Vec<ValueId> {
        let block = &self.function.blocks[block];
        let results = block.operations.iter().flat_map(|id| &self.function.operations[*id].results);
        block.arguments.iter().chain(results).copied().collect()
    }

    fn block(&mut self, id: BlockId, ends: Ends<'_>, added: &mut Vec<ValueId>) {
        let function = self.function;
        let block = &function.blocks[id];
        for &argument in &block.arguments {
            self.defined[argument.index()] = true;
            added.push(argument);
        }
        for (index, &id) in block.operations.iter().enumerate() {
            let operation = &function.operations[id];
            self.operation(operation);
            for &result in &operation.results {
                self.defined[result.index()] = true;
                added.push(result);
            }
            if is_terminator(&operation.name) && index + 1 < block.operations.len() {
                let message = format!("`{}` ends the block, but operations follow", operation.name);
                self.error("terminator", operation.name_span, message);
            }
        }
        self.end(block, ends);
    }

    fn operation(&mut self, operation: &Operation) {
        let used = operation.operands.iter();
        let passed = operation.successors.iter().flat_map(|successor| &successor.arguments);
        for operand in used.chain(passed) {
            if !self.defined[operand.value.index()] {
                let value = &self.function.values[operand.value];
                let message = format!("`%{}` is used where its definition does not reach", value.name);
                let diagnostic = Diagnostic::error("dominance", message).at(operand.span);
                self.findings.push(diagnostic.with_label(value.span, "defined here"));
            }
        }
        for successor in &operation.successors {
            let block = &self.function.blocks[successor.block];
            self.agree(operation.name_span, "the block", &block.arguments, &successor.arguments);
        }
        for (index, region) in operation.regions.iter().enumerate() {
            let ends = match (operation.name.as_str(), index) {
                ("scf.while", 0) => Ends::Condition(operation),
                ("scf.while", _) => Ends::Carry(operation),
                ("scf.for" | "scf.if" | "scf.execute_region" | "scf.index_switch", _) => {
                    Ends::Yield(operation)
                }
                _ => Ends::Open,
            };
            self.region(*region, ends);
        }
        if operation.name == "scf.if" && !operation.results.is_empty() && operation.regions.len() < 2 {
            self.error("terminator", operation.name_span, "an `scf.if` with results needs an `else`".into());
        }
        if matches!(operation.name.as_str(), "func.call" | "call") {
            self.call(operation);
        }
    }

    fn types_of(&self, values: &[ValueId]) -> Vec<TypeId> {
        values.iter().map(|value| self.function.values[*value].ty).collect()
    }

    fn agree(&mut self, span: Span, who: &str, wanted: &[ValueId], given: &[Operand]) {
        let wanted = self.types_of(wanted);
        self.agree_types(span, who, &wanted, given);
    }

    fn agree_types(&mut self, span: Span, who: &str, wanted: &[TypeId], given: &[Operand]) {
        if wanted.len() != given.len() {
            let message = format!("{who} takes {} values, but is given {}", wanted.len(), given.len());
            return self.error("arity", span, message);
        }
        for (&wanted, operand) in wanted.iter().zip(given) {
            let value = &self.function.values[operand.value];
            if value.ty != wanted {
                let types = &self.module.types;
                let message = format!(
                    "{who} takes a `{}` here, but `%{}` is a `{}`",
                    type_text(types, wanted),
                    value.name,
                    type_text(types, value.ty)
                );
                self.error("type-mismatch", operand.span, message);
            }
        }
    }

    fn call(&mut self, operation: &Operation) {
        let Some(crate::ir::Attribute::Symbol(name)) = operation.attribute("callee") else { return };
        let callee = self.module.functions.iter().find(|(_, function)| function.name == *name);
        let Some((_, callee)) = callee else {
            let known = self.module.functions.iter().map(|(_, function)| function.name.as_str());
            let help = crate::text::nearest(name, known).map(|close| format!("did you mean `@{close}`?"));
            let message = format!("there is no function `@{name}`");
            let mut diagnostic = Diagnostic::error("unknown-function", message).at(operation.name_span);
            diagnostic.help.extend(help);
            self.findings.push(diagnostic);
            return;
        };
        let wanted: Vec<_> =
            callee.arguments.iter().map(|argument| callee.values[argument.value].ty).collect();
        self.agree_types(operation.name_span, &format!("`@{name}`"), &wanted, &operation.operands);
        let results = self.types_of(&operation.results);
        if results != callee.results {
            let message = format!(
                "`@{name}` has {} results, not the {} written here",
                callee.results.len(),
                results.len()
            );
            self.error("arity", operation.name_span, message);
        }
    }

    fn end(&mut self, block: &Block, ends: Ends<'_>) {
        let function = self.function;
        let last = block.operations.last().map(|id| &function.operations[*id]);
        let name = last.map_or("", |last| last.name.as_str());
        let span = last.map_or(block.span, |last| last.name_span);
        if matches!(name, "cf.br" | "cf.cond_br") {
            return;
        }
        let (wanted_name, wanted, who): (&str, Vec<TypeId>, &str) = match ends {
            Ends::Function => ("return", function.results.clone(), "the function"),
            Ends::Yield(owner) => ("scf.yield", self.types_of(&owner.results), "the region"),
            Ends::Condition(owner) => ("scf.condition", self.types_of(&owner.results), "the loop"),
            Ends::Carry(owner) => {
                let carried: Vec<_> = owner.operands_in("init").map(|operand| operand.value).collect();
                ("scf.yield", self.types_of(&carried), "the loop")
            }
            Ends::Open => return,
        };
        let is_end = name == wanted_name || wanted_name == "return" && name == "func.return";
        match last {
            Some(last) if is_end => {
                let values: Vec<_> = last.operands_in("values").cloned().collect();
                self.agree_types(span, who, &wanted, &values);
            }
            _ if wanted.is_empty() && matches!(ends, Ends::Yield(_) | Ends::Carry(_)) => {}
            _ => self.error("terminator", span, format!("{who} must end with `{wanted_name}`")),
        }
    }
}

fn is_terminator(name: &str) -> bool {
    matches!(
        name,
        "return" | "func.return" | "scf.yield" | "scf.condition" | "cf.br" | "cf.cond_br" | "pto.yield"
    )
}

/// For each block the index of its immediate dominator; `None` for blocks that nothing reaches.
fn dominators(function: &Function, blocks: &[BlockId]) -> Vec<Option<usize>> {
    let index_of = |block: BlockId| blocks.iter().position(|known| *known == block);
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for (index, block) in blocks.iter().enumerate() {
        let last = function.blocks[*block].operations.last();
        for successor in last.map(|id| function.operations[*id].successors.as_slice()).unwrap_or_default() {
            if let Some(target) = index_of(successor.block) {
                predecessors[target].push(index);
            }
        }
    }
    let mut dominator = vec![None; blocks.len()];
    dominator[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for index in 1..blocks.len() {
            let mut best: Option<usize> = None;
            for &from in predecessors[index].iter().filter(|from| dominator[**from].is_some()) {
                best = Some(best.map_or(from, |best| meet(&dominator, best, from)));
            }
            if best.is_some() && dominator[index] != best {
                dominator[index] = best;
                changed = true;
            }
        }
    }
    dominator
}

fn meet(dominator: &[Option<usize>], a: usize, b: usize) -> usize {
    let chain = |mut at: usize| {
        let mut chain = vec![at];
        while let Some(up) = dominator[at].filter(|up| *up != at && chain.len() <= dominator.len()) {
            chain.push(up);
            at = up;
        }
        chain
    };
    let up = chain(a);
    chain(b).into_iter().find(|block| up.contains(block)).unwrap_or(0)
}
