//! Reports of a run: rules checked with run-time values, dumps, and the reason for a stop.

mod bounds;

use super::super::code::{FunctionCode, Program};
use super::step::Stop;
use super::{Core, Frame, Machine};
use bounds::{Running, span_of};
use pto_isa::diag::dimension::Excess;
use pto_isa::diag::{Diagnostic, Severity, dimension};
use pto_isa::exec::reference::Reference;
use pto_isa::exec::state::{Fault, Prepare, Slot, State};
use pto_isa::memory::Buffer;
use pto_isa::op::effect::Effect;
use pto_isa::op::empty;
use pto_isa::op::site::{Check, Fact, Site};
use pto_isa::rule::{Rule, RuleId};
use pto_isa::rules;
use pto_lang::ir::{Function, Operation, ValueId};

/// Identity of a report: start of the operation in the source, and the name of the rule, or "" for all rules of the operation
/// together.
pub(super) type ReportKey = (u32, &'static str);

/// Findings at run time for one key, at their first occurrence.
pub(in crate::sim) struct Report {
    /// The block that found them, numbered through all ranks.
    pub(super) block: u64,
    pub(super) key: ReportKey,
    pub(super) findings: Vec<Diagnostic>,
}

impl Report {
    /// Whether the rules of the operation found them; if not, its execution did.
    pub(super) fn is_of_rules(&self) -> bool {
        self.key.1.is_empty()
    }
}

fn function_of<'p>(program: &'p Program, code: &FunctionCode) -> &'p Function {
    &program.module.functions[code.id.unwrap_or(program.entry())]
}

/// The operation of an instruction of the flat program.
pub(super) fn operation_of<'p>(program: &'p Program, code: &FunctionCode, index: usize) -> &'p Operation {
    &function_of(program, code).operations[code.tiles[index].operation]
}

/// The name of an instruction's page.
pub(super) fn page_of(program: &Program, code: &FunctionCode, index: usize) -> &'static str {
    operation_of(program, code, index).op().map_or("", |op| op.page().name)
}

/// The effects of an instruction of the flat program, in the order of its footprint.
pub(super) fn effects_of(program: &Program, code: &FunctionCode, index: usize) -> Vec<Effect> {
    let operation = operation_of(program, code, index);
    let site = code.facts.site(function_of(program, code), &program.module.types, operation, program.profile);
    site.map(|site| site.instruction.effects(&site)).unwrap_or_default()
}

/// Runs an instruction by its formula.
pub(super) fn by_formula(
    program: &Program,
    code: &FunctionCode,
    index: usize,
    state: &mut State<'_>,
) -> Result<(), Fault> {
    let function = function_of(program, code);
    let step = &code.tiles[index];
    let operation = &function.operations[step.operation];
    let Some(site) = code.facts.site(function, &program.module.types, operation, program.profile) else {
        return Ok(());
    };
    let prepare = Prepare { site: &site, slots: &step.slots };
    let State {
        memory,
        tiles,
        views,
        scalars,
        global,
        buffers,
        vector_offset,
        vector_stride,
        scratch,
        spare,
        index_unit,
        division_by_zero,
        registers,
        printed,
        polls,
        ..
    } = state;
    let mut own = State {
        memory,
        tiles,
        views,
        scalars,
        global,
        buffers,
        vector_offset: *vector_offset,
        vector_stride: *vector_stride,
        scratch,
        spare: spare.clone(),
        index_unit: *index_unit,
        division_by_zero: *division_by_zero,
        registers,
        printed,
        lint: None,
        polls,
    };
    if empty::is_idle_now(&prepare, &own) {
        return Ok(());
    }
    site.instruction.reference(&mut Reference::new(&prepare, &mut own))
}

impl Machine<'_> {
    /// The site of an instruction with all run-time facts.
    fn site_now<'s>(
        &'s self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Option<Site<'s>> {
        let function = function_of(self.program, code);
        let step = &code.tiles[index];
        let operation = &function.operations[step.operation];
        let types = &self.program.module.types;
        let mut site = code.facts.site(function, types, operation, self.program.profile)?;
        for (operand, slot) in site.operands.iter_mut().zip(&step.slots) {
            match (&mut operand.fact, slot) {
                (Fact::Tile(tile), Slot::Tile(slot)) if operand.role != "result" => {
                    let live = core.tiles[frame.tiles + *slot as usize];
                    (tile.rows, tile.cols) = (Some(live.rows), Some(live.cols));
                    let base = self.program.map.base[tile.ty.buffer() as usize];
                    let in_buffer = live.address.checked_sub(base).map(|at| at as u64);
                    let capacity = self.program.profile.capacity(tile.ty.buffer());
                    let automatic =
                        tile.ty.buffer() == Buffer::Ub && live.address >= self.program.map.automatic_vector;
                    tile.address = in_buffer.filter(|at| *at < capacity && !automatic);
                }
                (Fact::View(view), Slot::View(slot)) => {
                    let live = core.views[frame.views + *slot as usize];
                    view.shape =
                        live.shape[..usize::from(live.rank)].iter().map(|extent| Some(*extent)).collect();
                }
                (Fact::Scalar(ty, value), Slot::Scalar(slot)) if ty.is_integer() => {
                    let bits = core.scalars[frame.scalars + *slot as usize];
                    *value = Some(pto_isa::scalar::Width::of(ty.bits()).signed(bits));
                }
                _ => {}
            }
        }
        Some(site)
    }

    /// Checks the rules of an instruction with the current values.
    pub(super) fn check_now(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<(), Stop> {
        let Some(site) = self.site_now(core, frame, code, index) else { return Ok(()) };
        let findings = Check::run(&site);
        let key = (site.span.start, "");
        if findings.iter().any(|finding| finding.severity == Severity::Error) {
            return Err(Stop::Fault(Fault::Rule));
        }
        if !findings.is_empty() && !self.is_reported(key) {
            self.state.reports.push(Report { block: self.current_block(), key, findings });
        }
        Ok(())
    }

    /// Reports a finding of an instruction's execution, once for each rule and operation.
    pub(super) fn note_lint(
        &mut self,
        code: &FunctionCode,
        index: usize,
        rule: &'static Rule,
        message: String,
    ) {
        let operation = operation_of(self.program, code, index);
        let key = (operation.name_span.start, rule.name);
        // The rules may have found the same before the instruction ran.
        let id = of(operation, rule);
        let judged = |report: &Report| {
            report.key == (key.0, "") && report.findings.iter().any(|finding| finding.rule == id)
        };
        if self.is_reported(key) || self.state.reports.iter().any(judged) {
            return;
        }
        let finding = Diagnostic::new(Severity::Lint, of(operation, rule), message);
        let finding = finding.at(operation.name_span).with_note(rule.note());
        self.state.reports.push(Report { block: self.current_block(), key, findings: vec![finding] });
    }

    /// Reports a partition that ends beyond its view in a dimension, once for each
    /// operation.
    pub(super) fn note_beyond(&mut self, code: &FunctionCode, at: usize, excess: Excess) {
        let function = function_of(self.program, code);
        let operation = &function.operations[code.origins[at]];
        let rule = &rules::values::PARTITION_BEYOND;
        let key = (operation.name_span.start, rule.name);
        if self.is_reported(key) {
            return;
        }
        let name = |value: ValueId| function.values[value].name.as_str();
        let (Some(source), Some(result)) = (operation.operand("source"), operation.results.first()) else {
            return;
        };
        let rank = operation.operands_in("offsets").count();
        let part = format!("`%{}`", name(*result));
        let message = dimension::beyond(&part, name(source.value), rank, excess);
        let finding = Diagnostic::new(Severity::Lint, rule, message).at(operation.span);
        self.state.reports.push(Report { block: self.current_block(), key, findings: vec![finding] });
    }

    /// Whether something has been reported under a key.
    pub(super) fn is_reported(&self, key: ReportKey) -> bool {
        self.state.reports.iter().any(|report| report.key == key)
    }

    /// The diagnostics of a run that stopped at a step.
    pub(super) fn stopped(&self, core: &Core, frame: Frame, at: usize, stop: Stop) -> Vec<Diagnostic> {
        let code = &self.program.functions[frame.function];
        let function = function_of(self.program, code);
        let operation = &function.operations[code.origins[at]];
        let mut where_ = format!("at run time, in block {}", core.block);
        if self.state.has_ranks {
            where_.push_str(&format!(" of rank {}", core.rank));
        }
        let running = Running { core, frame, code, function };
        let loops = running.loops(operation);
        if !loops.is_empty() {
            where_.push_str(&format!(", at {}", loops.join(", ")));
        }
        let simple = |rule: RuleId, message: String| {
            vec![Diagnostic::error(rule, message).at(operation.span).with_note(where_.clone())]
        };
        let index = match code.steps[at] {
            super::super::code::Step::Tile(index) => Some(index as usize),
            _ => None,
        };
        match stop {
            Stop::Rule(rule, message) => {
                let mut findings = simple(rule, message);
                // Of the operands of a loop, only the step can break a rule.
                if let Some(span) = span_of(operation, "step", 0) {
                    findings = findings.into_iter().map(|finding| finding.at(span)).collect();
                }
                findings
            }
            Stop::Wait(wait) => {
                simple(RuleId::from(&rules::cores::DEADLOCK), format!("no core provides {}", wait.what))
            }
            Stop::Found(found) => found,
            Stop::Poll | Stop::Used | Stop::Late | Stop::Endless | Stop::Done => {
                let steps = self.options.max_steps;
                let (rule, message) = match stop {
                    Stop::Late => (&rules::run::MAX_SECONDS, self.late()),
                    Stop::Endless => (
                        &rules::run::ENDLESS_LOOP,
                        "the loop has no end: a round leaves registers, tiles, memory and flags as they were, and nobody else \
                         changes them"
                            .into(),
                    ),
                    _ => (
                        &rules::run::MAX_STEPS,
                        format!("no end after {steps} steps: is there an endless loop?"),
                    ),
                };
                let findings = simple(RuleId::from(rule), message);
                match running.innermost_loop(operation) {
                    Some(span) => {
                        findings.into_iter().map(|finding| finding.with_label(span, "in this loop")).collect()
                    }
                    None => findings,
                }
            }
            Stop::Fault(Fault::OutOfBounds(message)) => {
                let finding = Diagnostic::error(of(operation, &rules::run::OUT_OF_BOUNDS), message);
                let finding = self.explain_bounds(running, operation, finding.at(operation.span));
                vec![finding.with_note(where_.clone())]
            }
            Stop::Fault(Fault::Broken(rule, message)) => simple(of(operation, rule), message),
            Stop::Fault(Fault::DivisionByZero(row, col)) => {
                let message = format!("the divisor of element ({row}, {col}) is zero");
                let findings = simple(RuleId::from(&rules::run::DIVISION_BY_ZERO), message);
                findings.into_iter().map(|finding| finding.about([row.into(), col.into()])).collect()
            }
            Stop::Fault(Fault::Wait(what)) => {
                simple(RuleId::from(&rules::cores::DEADLOCK), format!("no core provides {what}"))
            }
            Stop::Fault(Fault::Other(message)) => simple(of(operation, &rules::run::RUN), message),
            Stop::Fault(Fault::Rule) => {
                let site = index.and_then(|index| self.site_now(core, frame, code, index));
                let findings = site.map(|site| Check::run(&site)).unwrap_or_default();
                let errors = findings.into_iter().filter(|finding| finding.severity == Severity::Error);
                let errors: Vec<_> = errors.map(|finding| finding.with_note(where_.clone())).collect();
                if errors.is_empty() {
                    let message = format!("the operands of `{}` do not fit each other", operation.name);
                    return simple(of(operation, &rules::run::RUN), message);
                }
                errors
            }
        }
    }

    /// Progress when the time ended.
    fn late(&self) -> String {
        let seconds = self.options.max_seconds.unwrap_or_default();
        let (instructions, steps) = (self.state.coverage.total(), self.state.outcome.steps);
        format!("no end after {seconds} s: {instructions} tile instructions and {steps} steps have run")
    }

    /// The diagnostic of an instruction that failed when its pipe ran it.
    pub(super) fn faulty(&self, code: &FunctionCode, index: usize, fault: Fault) -> Diagnostic {
        let operation = operation_of(self.program, code, index);
        let (rule, message) = match fault {
            Fault::OutOfBounds(message) => (of(operation, &rules::run::OUT_OF_BOUNDS), message),
            Fault::Broken(rule, message) => (of(operation, rule), message),
            Fault::DivisionByZero(row, col) => (
                RuleId::from(&rules::run::DIVISION_BY_ZERO),
                format!("the divisor of element ({row}, {col}) is zero"),
            ),
            Fault::Other(message) => (of(operation, &rules::run::RUN), message),
            Fault::Wait(what) => (RuleId::from(&rules::cores::DEADLOCK), format!("no core provides {what}")),
            Fault::Rule => (
                of(operation, &rules::run::RUN),
                format!("the operands of `{}` do not fit each other", operation.name),
            ),
        };
        Diagnostic::error(rule, message)
            .at(operation.span)
            .with_note("under a schedule other than program order")
    }
}

/// The id of an instruction's rule.
fn of(operation: &Operation, rule: &'static Rule) -> RuleId {
    rule.owned_by(operation.instruction().map_or("", |instruction| instruction.page().name))
}
