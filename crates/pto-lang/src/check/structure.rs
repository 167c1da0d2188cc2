//! Checks that definitions precede uses, that terminators exist, and that passed values agree in number and type.

use crate::ir::flow::Children;
use crate::ir::{Block, BlockId, Function, Module, Names, Operand, Operation, RegionId, TypeId, ValueId};
use crate::text::printer::type_text;
use pto_isa::diag::{Diagnostic, Span, suggest};
use pto_isa::difference::difference;
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use pto_isa::rule::Rule;
use pto_isa::rules;

/// Number of findings from which calls of unknown functions get no suggestion, because finding one compares all
/// functions.
const MANY: usize = 200;

struct Structure<'a> {
    module: &'a Module,
    names: &'a Names<'a>,
    function: &'a Function,
    findings: &'a mut Vec<Diagnostic>,
    /// Whether each value is defined at the current position.
    defined: Vec<bool>,
}

/// Checks the structure of one function.
pub(super) fn check(module: &Module, names: &Names<'_>, function: &Function, findings: &mut Vec<Diagnostic>) {
    let defined = vec![false; function.values.len()];
    let mut structure = Structure { module, names, function, findings, defined };
    for argument in &function.arguments {
        structure.defined[argument.value.index()] = true;
    }
    if let Some(body) = function.body {
        structure.region(body, Ends::Function);
    }
}

/// The required terminator of a region.
#[derive(Clone, Copy)]
enum Ends<'a> {
    /// `return` with the function's results.
    Function,
    /// `scf.yield` with the operation's results; optional if there are none.
    Yield(&'a Operation),
    /// `scf.condition`.
    Condition(&'a Operation),
    /// `scf.yield` with the loop-carried values.
    Carry(&'a Operation),
    /// No requirement.
    Open,
}

impl Structure<'_> {
    fn error(&mut self, rule: &'static Rule, span: Span, message: String) {
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

    /// Checks a region of several blocks; each block sees the definitions of its dominators.
    fn graph(&mut self, blocks: &[BlockId], ends: Ends<'_>, added: &mut Vec<ValueId>) {
        let children = Children::of(self.function, blocks);
        // Walks the dominator tree: definitions of a block are visible in its subtree, and removed afterwards.
        let mut open: Vec<(usize, usize, Vec<ValueId>)> = Vec::new();
        for root in 0..blocks.len() {
            if !children.is_root(root) {
                continue;
            }
            let mut next = Some(root);
            while next.is_some() || !open.is_empty() {
                if let Some(block) = next.take() {
                    let mut own = Vec::new();
                    self.block(blocks[block], ends, &mut own);
                    open.push((block, 0, own));
                }
                let Some((block, visited, own)) = open.last_mut() else { break };
                next = children.under(*block).get(*visited).copied();
                *visited += 1;
                if next.is_none() {
                    for value in std::mem::take(own) {
                        self.defined[value.index()] = false;
                    }
                    open.pop();
                }
            }
        }
        added.clear();
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
            if operation.meaning().ends_block() && index + 1 < block.operations.len() {
                let message = format!("`{}` ends the block, but operations follow", operation.name);
                self.error(&rules::structure::TERMINATOR, operation.name_span, message);
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
                let is_later = value.span.start > operand.span.start;
                let message = match is_later {
                    true => format!("`%{}` is used before it is defined", value.name),
                    false => format!("`%{}` is used where its definition does not reach", value.name),
                };
                let diagnostic = Diagnostic::error(&rules::structure::DOMINANCE, message).at(operand.span);
                let diagnostic = diagnostic.with_label(value.span, "defined here");
                self.findings.push(match is_later {
                    true => diagnostic.with_help("move the definition before the use"),
                    false => diagnostic,
                });
            }
        }
        for successor in &operation.successors {
            let block = &self.function.blocks[successor.block];
            self.agree(operation.name_span, "the block", &block.arguments, &successor.arguments);
        }
        for (index, region) in operation.regions.iter().enumerate() {
            let ends = match (operation.meaning(), index) {
                (Meaning::While, 0) => Ends::Condition(operation),
                (Meaning::While, _) => Ends::Carry(operation),
                (Meaning::For | Meaning::If | Meaning::Switch, _) => Ends::Yield(operation),
                _ if operation.is(Op::SCF_EXECUTE_REGION) => Ends::Yield(operation),
                _ => Ends::Open,
            };
            self.region(*region, ends);
        }
        if operation.is(Op::SCF_IF) && !operation.results.is_empty() && operation.regions.len() < 2 {
            let message = "an `scf.if` with results needs an `else`";
            let error = Diagnostic::error(&rules::structure::TERMINATOR, message).at(operation.name_span);
            let help = "add `else { ... scf.yield ... }`: without it the results have no values if the condition is false";
            self.findings.push(error.with_help(help));
        }
        if operation.is(Op::FUNC_CALL) {
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
            let counted =
                |count: usize| if count == 1 { "1 value".to_owned() } else { format!("{count} values") };
            let message = format!("{who} takes {}, but is given {}", counted(wanted.len()), given.len());
            return self.error(&rules::structure::ARITY, span, message);
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
                let error = Diagnostic::error(&rules::text::TYPE_MISMATCH, message).at(operand.span);
                let fields = difference(&types[wanted], &types[value.ty]);
                self.findings.push(match fields {
                    Some(fields) => error.with_note(format!("the types differ in {fields}")),
                    None => error,
                });
            }
        }
    }

    fn call(&mut self, operation: &Operation) {
        let Some(name) = operation.symbol("callee") else { return };
        let Some(callee) = self.names.find(self.function, name) else {
            let count = if self.findings.len() < MANY { self.module.functions.len() } else { 0 };
            let known = self.module.functions.iter().map(|(_, function)| function.name.as_str()).take(count);
            let known: Vec<String> = known.map(|known| format!("@{known}")).collect();
            let message = format!("there is no function `@{name}`");
            let error = Diagnostic::error(&rules::names::UNKNOWN_FUNCTION, message).at(operation.name_span);
            let known = known.iter().map(String::as_str);
            self.findings.push(suggest(error, None, &format!("@{name}"), known));
            return;
        };
        let callee = &self.module.functions[callee];
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
            self.error(&rules::structure::ARITY, operation.name_span, message);
        }
    }

    fn end(&mut self, block: &Block, ends: Ends<'_>) {
        let function = self.function;
        let last = block.operations.last().map(|id| &function.operations[*id]);
        let span = last.map_or(block.span, |last| last.name_span);
        if last.is_some_and(|last| matches!(last.meaning(), Meaning::Branch | Meaning::BranchIf)) {
            return;
        }
        let (end, wanted, who): (Op, Vec<TypeId>, &str) = match ends {
            Ends::Function => (Op::FUNC_RETURN, function.results.clone(), "the function"),
            Ends::Yield(owner) => (Op::SCF_YIELD, self.types_of(&owner.results), "the region"),
            Ends::Condition(owner) => (Op::SCF_CONDITION, self.types_of(&owner.results), "the loop"),
            Ends::Carry(owner) => {
                let carried: Vec<_> = owner.operands_in("init").map(|operand| operand.value).collect();
                (Op::SCF_YIELD, self.types_of(&carried), "the loop")
            }
            Ends::Open => return,
        };
        match last {
            Some(last) if last.is(end) => {
                let values: Vec<_> = last.operands_in("values").cloned().collect();
                if wanted.is_empty() && !values.is_empty() && matches!(ends, Ends::Function) {
                    return self.returns_nothing(span, values.len());
                }
                self.agree_types(span, who, &wanted, &values);
            }
            _ if wanted.is_empty() && matches!(ends, Ends::Yield(_) | Ends::Carry(_)) => {}
            _ => {
                // The alias that is usually written, if there is one: `return`.
                let name = end.names().last().unwrap_or_default();
                let message = format!("{who} must end with `{name}`");
                let error = Diagnostic::error(&rules::structure::TERMINATOR, message).at(span);
                let after = last.map_or("in it".to_owned(), |last| format!("after `{}`", last.name));
                let values = if wanted.is_empty() { "" } else { ", with its values," };
                self.findings.push(error.with_help(format!("put `{name}`{values} {after}")));
            }
        }
    }

    /// Reports values that are returned by a function without results.
    fn returns_nothing(&mut self, span: Span, count: usize) {
        let message = match count {
            1 => "the function has no results, but returns 1 value".to_owned(),
            count => format!("the function has no results, but returns {count} values"),
        };
        let error = Diagnostic::error(&rules::structure::ARITY, message).at(span);
        let help = "a kernel writes its results to global memory with `pto.tstore`; a function that is called declares \
                    them: `func.func @name(...) -> (TYPE)`";
        self.findings.push(error.with_help(help));
    }
}
