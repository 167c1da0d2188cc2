//! Checks whether a module is legal for its profile.
//!
//! - Structure: every use is dominated by its definition; blocks end in a terminator; results, yields, returns
//!   and calls agree in number and type.
//! - Types: scalar operations have integer or float operands as required; views, tiles and pointers are used only
//!   where they are allowed.
//! - Static errors of any run: loop steps, recursion, constants that do not fit their types, known valid regions.
//! - Tiles: a tile's declared shape fits its layout, its valid region its shape, its bytes its buffer.
//! - Attributes: keys, kinds and words are those that pages list, for operations, modules and functions.
//! - Instructions: the rules in each instruction's file, as far as types and constants decide them. The machine
//!   checks the same rules with run-time values.
//! - Cores: a function or a section of a kind of core has operations of that kind only.
//! - Queues: both ends agree on slots and entries.
//!
//! All findings are collected. Nothing is executed.

pub mod accumulators;
mod attributes;
mod cores;
mod ends;
mod epilogues;
mod misfit;
mod operands;
pub mod probe;
mod queues;
mod signs;
mod statics;
mod structure;
mod tiles;
mod values;

use crate::analysis::Facts;
use crate::ir::fields::Fields;
use crate::ir::flow::Flow;
use crate::ir::{Function, FunctionId, Module, Names, Operation, TypeTable, ValueId};
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::op::attribute::structural::{DEVICE_SPEC, TARGET_ARCH};
use pto_isa::op::site::{Check, Site};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rule::{Rule, RuleId};
use pto_isa::rules;
use pto_isa::tile::TileType;
use std::collections::HashSet;

/// A module that is legal for its profile, with the warnings of the check.
#[derive(Clone, Debug)]
pub struct Checked {
    module: Module,
    target: Option<Profile>,
    warnings: Vec<Diagnostic>,
}

impl Checked {
    /// The module.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Extensions and lints, in source order.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The profile that a function was checked for.
    pub fn profile(&self, function: FunctionId) -> Profile {
        profile_of(&self.module.functions[function], self.target)
    }
}

/// Checks a module. `target` overrides the profile in its attributes.
///
/// # Errors
/// All findings, if any of them is an error.
pub fn check(module: Module, target: Option<Profile>) -> Result<Checked, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let around = Around {
        module: &module,
        names: Names::of(&module),
        fields: Fields::of(&module.types),
        recursive: statics::recursive(&module),
    };
    attributes::check_structural(&module, target, &mut findings);
    for (_, function) in module.functions.iter() {
        check_function(&around, function, target, &mut findings);
    }
    ends::check(&module, &mut findings);
    // Sorted by operation, to which a label without a message points; findings on one operation stay in the order
    // of its rules.
    findings.sort_by_key(|finding| {
        let operation = finding.secondary.iter().filter(|label| label.message.is_empty());
        finding.primary.iter().chain(operation).map(|label| label.span.start).min().unwrap_or_default()
    });
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(findings);
    }
    Ok(Checked { module, target, warnings: findings })
}

/// Checks the parsed parts of a module with syntax errors: tiles, and the rules of instructions whose operands are
/// known. The structure is not checked, because parts may be missing.
pub fn check_partial(module: &Module, target: Option<Profile>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (_, function) in module.functions.iter() {
        check_operations(module, function, profile_of(function, target), &mut findings);
    }
    findings
}

/// Drops findings about the types of operands of operations in which a type is written that is not the operand's: `parsed`,
/// the findings of the parser, report these already.
pub fn beyond_parsed(
    module: &Module,
    parsed: &[Diagnostic],
    mut findings: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let starts = |findings: &[Diagnostic], rule: &'static Rule| -> Vec<u32> {
        let about = findings.iter().filter(|finding| finding.rule == RuleId::from(rule));
        about.filter_map(|finding| Some(finding.primary.as_ref()?.span.start)).collect()
    };
    let written = starts(parsed, &rules::text::TYPE_MISMATCH);
    if written.is_empty() {
        return findings;
    }
    let operations = || module.functions.iter().flat_map(|(_, function)| function.operations.iter());
    let plain =
        || operations().map(|(_, operation)| operation).filter(|operation| operation.regions.is_empty());
    let holds = |operation: &Operation, at: u32| (operation.span.start..operation.span.end).contains(&at);
    let known: Vec<&Operation> =
        plain().filter(|operation| written.iter().any(|at| holds(operation, *at))).collect();
    findings.retain(|finding| {
        let at = finding.primary.as_ref().map_or(0, |label| label.span.start);
        let is_repeated = known.iter().any(|operation| holds(operation, at));
        finding.rule != RuleId::from(&rules::structure::OPERAND_TYPE) || !is_repeated
    });
    findings
}

/// The findings on a tile type on a profile.
pub fn tile_type(tile: &TileType, profile: Profile) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    tiles::check_type(tile, profile, Span::default(), &mut findings);
    findings
}

/// Names of operations that are parsed and printed, but do not run.
pub fn unsupported() -> Vec<String> {
    let of_dialect = |op: &Op| op.name().starts_with("pto.") && !op.meaning().runs();
    let mut names: Vec<String> = Op::all().filter(of_dialect).map(|op| op.name().to_owned()).collect();
    names.sort_unstable();
    names
}

/// Whether the attributes of a module, or of one within it, name a profile.
pub fn names_target(module: &Module) -> bool {
    let is_target = |name: &str| [TARGET_ARCH, DEVICE_SPEC].contains(&name);
    module
        .functions
        .iter()
        .any(|(_, function)| function.module_attributes.iter().any(|known| is_target(&known.name)))
}

/// The profile of a function: the override, else the innermost module attribute, else `cpu`.
pub fn profile_of(function: &Function, target: Option<Profile>) -> Profile {
    let word = |name: &str| {
        let mut named = function.module_attributes.iter().rev().filter(|attribute| attribute.name == name);
        named.find_map(|attribute| attribute.value.as_word())
    };
    target
        .or_else(|| Profile::from_word(word(TARGET_ARCH)?))
        .or_else(|| Profile::from_device(word(DEVICE_SPEC)?))
        .unwrap_or_default()
}

/// The module around the checked functions, with the facts that all of them need.
struct Around<'a> {
    module: &'a Module,
    names: Names<'a>,
    fields: Fields,
    /// Names of the functions that call themselves.
    recursive: HashSet<&'a str>,
}

fn check_function(
    around: &Around<'_>,
    function: &Function,
    target: Option<Profile>,
    findings: &mut Vec<Diagnostic>,
) {
    // Found once: a module may have many attributes and many functions.
    let profile = profile_of(function, target);
    let Around { module, names, fields, recursive } = around;
    structure::check(module, names, function, findings);
    check_operations(module, function, profile, findings);
    values::check(&module.types, function, fields, findings);
    epilogues::check(&module.types, function, profile, findings);
    queues::check(function, profile, findings);
    queues::in_one_block(&module.types, function, profile, findings);
    let (facts, flow) = (Facts::of(function, &module.types), Flow::of(function));
    cores::check(&module.types, function, &flow, &facts, profile, findings);
    statics::check(&module.types, recursive, function, &facts, findings);
    accumulators::check(&module.types, function, &flow, &facts, profile, findings);
}

/// Checks each operation.
fn check_operations(module: &Module, function: &Function, profile: Profile, findings: &mut Vec<Diagnostic>) {
    let mut one_by_one = OneByOne::new(profile);
    one_by_one.facts = Facts::of(function, &module.types);
    tiles::check_signature(&module.types, function, one_by_one.profile, findings);
    for (_, operation) in function.operations.iter() {
        one_by_one.check(&module.types, function, operation, findings);
    }
    one_by_one.placed.finish(function, findings);
}

/// Checks single operations, with the facts about the values that they use.
#[derive(Clone)]
pub(crate) struct OneByOne {
    facts: Facts,
    placed: tiles::Placed,
    profile: Profile,
    /// Tiles that are not legal themselves: rules of instructions on them would report the same mistake again.
    illegal: HashSet<ValueId>,
}

impl OneByOne {
    /// A checker without facts.
    pub(crate) fn new(profile: Profile) -> OneByOne {
        OneByOne {
            facts: Facts::default(),
            placed: tiles::Placed::new(profile),
            profile,
            illegal: HashSet::new(),
        }
    }

    /// Adds the facts of `operation` about its results, and about a tile whose valid region it sets.
    pub(crate) fn learn(&mut self, types: &TypeTable, function: &Function, operation: &Operation) {
        self.facts.learn(function, types, operation);
    }

    /// Removes the valid region of a tile from the facts, because it may have been changed.
    pub(crate) fn forget_region(&mut self, tile: ValueId) {
        self.facts.forget_region(tile);
    }

    /// The operation as a site, for the rules of its instruction.
    pub(crate) fn site<'a>(
        &self,
        types: &TypeTable,
        function: &'a Function,
        operation: &'a Operation,
    ) -> Option<Site<'a>> {
        self.facts.site(function, types, operation, self.profile)
    }

    /// Checks one operation. Operands that could not be parsed are not reported.
    pub(crate) fn check(
        &mut self,
        types: &TypeTable,
        function: &Function,
        operation: &Operation,
        findings: &mut Vec<Diagnostic>,
    ) {
        let is_known = |value: ValueId| !types.is_unknown(function.values[value].ty);
        let used = operation.operands.iter().map(|operand| operand.value);
        if !used.chain(operation.results.iter().copied()).all(is_known) {
            return;
        }
        let attributes = attributes::check(operation, findings);
        operands::check(types, function, operation, findings);
        signs::check(types, function, operation, findings);
        let before = findings.len();
        tiles::check(types, function, operation, &self.facts, self.profile, &mut self.placed, findings);
        if findings[before..].iter().any(|finding| finding.severity == Severity::Error) {
            self.illegal.extend(&operation.results);
        }
        let on_illegal = operation.operands.iter().any(|operand| self.illegal.contains(&operand.value));
        if on_illegal || !attributes || !operands::fits(types, function, operation) {
            return;
        }
        if let Some(site) = self.site(types, function, operation) {
            findings.extend(Check::run(&site));
        }
    }
}
