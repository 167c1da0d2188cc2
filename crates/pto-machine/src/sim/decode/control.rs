//! Control flow: regions, loops, branches, calls.

use super::super::code::Step;
use super::Decoder;
use pto_isa::exec::state::Slot;
use pto_isa::meaning::{Core, Meaning};
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_isa::scalar::Width;
use pto_lang::ir::{Operation, OperationId, RegionId, ValueId};

/// The target of the values that a region yields.
#[derive(Clone, Copy)]
enum Target<'t> {
    /// Copied to these values; control continues after the region.
    Values(&'t [ValueId]),
    /// Returned from the function.
    Return,
}

impl Decoder<'_> {
    /// Decodes the body of a function.
    pub(super) fn body(&mut self, region: RegionId) {
        self.blocks(region, Target::Return);
    }

    /// Decodes a region; its yields continue at the steps after it.
    fn yielding(&mut self, region: RegionId, results: &[ValueId]) {
        self.blocks(region, Target::Values(results));
    }

    fn blocks(&mut self, region: RegionId, target: Target<'_>) {
        let blocks = self.function.regions[region].blocks.clone();
        let mut exits = Vec::new();
        let outer_jumps = std::mem::take(&mut self.block_jumps);
        for (index, block) in blocks.iter().enumerate() {
            let start = self.here();
            self.block_starts.insert(*block, start);
            let last = index + 1 == blocks.len();
            let operations = self.function.blocks[*block].operations.clone();
            for id in operations {
                self.origin = id;
                let operation = &self.function.operations[id];
                self.placed(operation);
                match operation.meaning() {
                    Meaning::Yield | Meaning::Return => {
                        let values: Vec<_> =
                            operation.operands_in("values").map(|operand| operand.value).collect();
                        match target {
                            Target::Values(results) => {
                                self.copy_all(results, &values);
                                if !last {
                                    exits.push(self.emit(Step::Jump(0)));
                                }
                            }
                            Target::Return => {
                                let slots: Vec<_> = values.iter().map(|value| self.slot(*value)).collect();
                                let first = self.list(&slots);
                                self.emit(Step::Return { first });
                            }
                        }
                    }
                    _ => self.operation(id),
                }
            }
        }
        for exit in exits {
            self.land(exit);
        }
        for (step, block) in std::mem::replace(&mut self.block_jumps, outer_jumps) {
            let to = self.block_starts.get(&block).copied().unwrap_or(0);
            self.aim(step, to);
        }
    }

    fn operation(&mut self, id: OperationId) {
        let operation = &self.function.operations[id];
        match operation.meaning() {
            Meaning::For => self.counted_loop(operation),
            Meaning::If => self.branch(operation),
            Meaning::While => self.while_loop(operation),
            Meaning::Region => self.yielding(operation.regions[0], &operation.results),
            Meaning::Section(Core::Cube) => {
                let begin = self.emit(Step::CubeBegin { end: 0 });
                self.yielding(operation.regions[0], &operation.results);
                self.land(begin);
            }
            Meaning::Section(Core::Vector) => self.vector_section(operation),
            Meaning::Switch => self.switch(operation),
            Meaning::Branch => {
                let successor = operation.successors[0].clone();
                self.jump_to(&successor);
            }
            Meaning::BranchIf => {
                let condition = self.scalar_in(operation, "condition");
                let otherwise = self.emit(Step::Unless { condition, target: 0 });
                self.jump_to(&operation.successors[0]);
                self.land(otherwise);
                self.jump_to(&operation.successors[1]);
            }
            Meaning::Call => self.call(operation),
            Meaning::Compute => {
                self.instruction(id);
                if operation.is(Op::TASSIGN) {
                    self.place(operation);
                }
            }
            Meaning::CoreFlag { sets, between } => self.signal(operation, sets, between),
            Meaning::Meet => self.meeting(operation),
            meaning if meaning.is_of_queues() => self.queue(id),
            meaning if meaning.is_scalar() => self.statement(operation),
            _ => self.value(id),
        }
    }

    fn jump_to(&mut self, successor: &pto_lang::ir::Successor) {
        let targets = self.function.blocks[successor.block].arguments.clone();
        let sources: Vec<_> = successor.arguments.iter().map(|operand| operand.value).collect();
        self.copy_all(&targets, &sources);
        let jump = self.emit(Step::Jump(0));
        self.block_jumps.push((jump, successor.block));
    }

    fn width_of(&self, value: ValueId) -> Width {
        match &self.module.types[self.function.values[value].ty] {
            pto_lang::ir::Type::Scalar(scalar) => Width::of(scalar.bits()),
            _ => Width::of(64),
        }
    }

    fn counted_loop(&mut self, operation: &Operation) {
        let block = self.function.regions[operation.regions[0]].blocks[0];
        let arguments = self.function.blocks[block].arguments.clone();
        let width = self.width_of(arguments[0]);
        let (lower, upper) = (self.scalar_in(operation, "lower"), self.scalar_in(operation, "upper"));
        let step = self.scalar_in(operation, "step");
        let at = self.scalar(arguments[0]);
        self.emit(Step::PositiveIncrement { step, width });
        self.emit(Step::Copy { to: at, from: lower });
        let inits: Vec<_> = operation.operands_in("init").map(|operand| operand.value).collect();
        self.copy_all(&arguments[1..], &inits);
        let head = self.here();
        let test = self.emit(Step::LoopTest { at, upper, width, exit: 0 });
        self.yielding(operation.regions[0], &arguments[1..]);
        self.emit(Step::LoopNext { at, step, width, head });
        self.land(test);
        self.copy_all(&operation.results, &arguments[1..]);
    }

    fn branch(&mut self, operation: &Operation) {
        let condition = self.scalar_in(operation, "condition");
        let test = self.emit(Step::Unless { condition, target: 0 });
        self.yielding(operation.regions[0], &operation.results);
        let Some(&otherwise) = operation.regions.get(1) else { return self.land(test) };
        let end = self.emit(Step::Jump(0));
        self.land(test);
        self.yielding(otherwise, &operation.results);
        self.land(end);
    }

    fn while_loop(&mut self, operation: &Operation) {
        let [before, after] = [operation.regions[0], operation.regions[1]];
        let first = |decoder: &Self, region: RegionId| {
            let block = decoder.function.regions[region].blocks[0];
            decoder.function.blocks[block].arguments.clone()
        };
        let (carried, inside) = (first(self, before), first(self, after));
        let inits: Vec<_> = operation.operands_in("init").map(|operand| operand.value).collect();
        self.copy_all(&carried, &inits);
        let head = self.here();
        let block = self.function.regions[before].blocks[0];
        let operations = self.function.blocks[block].operations.clone();
        let mut exit = None;
        for id in operations {
            self.origin = id;
            let inner = &self.function.operations[id];
            self.placed(inner);
            if !inner.is(Op::SCF_CONDITION) {
                self.operation(id);
                continue;
            }
            let condition = self.scalar_in(inner, "condition");
            let values: Vec<_> = inner.operands_in("values").map(|operand| operand.value).collect();
            // Both branches copy the carried values.
            self.copy_all(&operation.results, &values);
            exit = Some(self.emit(Step::Unless { condition, target: 0 }));
            self.copy_all(&inside, &values);
        }
        self.yielding(after, &carried);
        self.emit(Step::Jump(head));
        if let Some(exit) = exit {
            self.land(exit);
        }
    }

    fn vector_section(&mut self, operation: &Operation) {
        let begin = self.emit(Step::VectorBegin { end: 0 });
        let head = self.here();
        self.yielding(operation.regions[0], &operation.results);
        self.emit(Step::VectorEnd { head });
        self.land(begin);
    }

    fn switch(&mut self, operation: &Operation) {
        let index = self.scalar_in(operation, "index");
        let cases = operation.integers("cases").unwrap_or_default();
        let cases: Vec<u64> = cases.into_iter().map(|case| case as u64).collect();
        let tests: Vec<_> = cases
            .iter()
            .map(|value| self.emit(Step::JumpIfEqual { slot: index, value: *value, target: 0 }))
            .collect();
        let mut ends = Vec::new();
        if let Some(&default) = operation.regions.last() {
            self.yielding(default, &operation.results);
            ends.push(self.emit(Step::Jump(0)));
        }
        for (test, region) in tests.into_iter().zip(&operation.regions) {
            self.land(test);
            self.yielding(*region, &operation.results);
            ends.push(self.emit(Step::Jump(0)));
        }
        for end in ends {
            self.land(end);
        }
    }

    fn call(&mut self, operation: &Operation) {
        let name = super::entry::callee(operation).unwrap_or("");
        let callee = self.shared.names.find(self.function, name);
        let Some(&target) = callee.and_then(|callee| self.shared.order.get(&callee)) else {
            return self.problem(
                &rules::names::UNKNOWN_FUNCTION,
                operation.name_span,
                format!("there is no function `@{name}`"),
            );
        };
        let arguments: Vec<Slot> =
            operation.operands.iter().map(|operand| operand.value).map(|v| self.slot(v)).collect();
        let results: Vec<Slot> = operation.results.iter().map(|value| self.slot(*value)).collect();
        let first = self.list(&arguments);
        self.list(&results);
        self.emit(Step::Call { function: target as u32, first });
    }
}
