//! Legality: is a module a program that its profile runs?
//!
//! - Structure: every use is dominated by its definition; blocks end in a terminator; results, yields, returns
//!   and calls agree in number and type.
//! - Types: scalar operations have integer or float operands as they must; views, tiles and pointers stand
//!   where they belong.
//! - What stops any run: steps of loops, recursion, constants beyond their types, known valid regions.
//! - Tiles: a tile's declared shape fits its layout, its valid region its shape, its bytes its buffer.
//! - Instructions: the rules in each instruction's file, as far as types and constants decide them. What
//!   depends on run-time values is checked by the machine, with the same rules.
//! - Queues: both ends agree on slots and entries.
//!
//! All findings are collected. Nothing is executed.

mod ends;
mod epilogues;
mod operands;
pub mod probe;
mod queues;
mod statics;
mod structure;
mod tiles;
mod values;

use crate::analysis::Facts;
use crate::diag::{Diagnostic, Severity, Span};
use crate::ir::fields::Fields;
use crate::ir::{
    Attribute, Function, FunctionId, Module, Names, Operation, TypeTable, ValueId, find_attribute,
};
use crate::isa::op::site::{Check, Site};
use crate::isa::profile::Profile;
use crate::isa::registry::Op;
use crate::isa::rule::RuleId;
use crate::isa::rules;
use crate::isa::tile::TileType;
use std::collections::HashSet;

/// A module that its profile runs, with the warnings found on the way.
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

/// Checks a module. `target` overrides the profile that its attributes name.
///
/// # Errors
/// Everything that was found, if any of it is an error.
pub fn check(module: Module, target: Option<Profile>) -> Result<Checked, Vec<Diagnostic>> {
    let mut findings = Vec::new();
    let names = Names::of(&module);
    let fields = Fields::of(&module.types);
    let recursive = statics::recursive(&module);
    for (_, function) in module.functions.iter() {
        check_function(&module, (&names, &fields, &recursive), function, target, &mut findings);
    }
    ends::check(&module, &mut findings);
    // By operation, which a label without a word points at; what one breaks stays in the order of its rules.
    findings.sort_by_key(|finding| {
        let operation = finding.secondary.iter().filter(|label| label.message.is_empty());
        finding.primary.iter().chain(operation).map(|label| label.span.start).min().unwrap_or_default()
    });
    if findings.iter().any(|finding| finding.severity == Severity::Error) {
        return Err(findings);
    }
    Ok(Checked { module, target, warnings: findings })
}

/// Checks what could be read of a module that did not parse whole: tiles and the rules of the instructions
/// whose operands are known. Structure is not judged, since parts may be missing.
pub fn check_partial(module: &Module, target: Option<Profile>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (_, function) in module.functions.iter() {
        check_operations(module, function, target, &mut findings);
    }
    findings
}

/// What is wrong with a tile type by itself on a profile, or unusual.
pub fn tile_type(tile: &TileType, profile: Profile) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    tiles::check_type(tile, profile, Span::default(), &mut findings);
    findings
}

/// Names of operations that are read and printed, but do not run.
pub fn unsupported() -> Vec<String> {
    let of_dialect = |op: &Op| op.name().starts_with("pto.") && !op.meaning().runs();
    let mut names: Vec<String> = Op::all().filter(of_dialect).map(|op| op.name().to_owned()).collect();
    names.sort();
    names
}

/// The profile of a function: the override, else what the innermost module attribute says, else `cpu`.
pub fn profile_of(function: &Function, target: Option<Profile>) -> Profile {
    let word = |name: &str| {
        let mut named = function.module_attributes.iter().rev().filter(|attribute| attribute.name == name);
        named.find_map(|attribute| attribute.value.as_word())
    };
    target
        .or_else(|| Profile::from_word(word("pto.target_arch")?))
        .or_else(|| Profile::from_device(word("pto.device-spec")?))
        .unwrap_or_default()
}

fn check_function(
    module: &Module,
    (names, fields, recursive): (&Names<'_>, &Fields, &HashSet<&str>),
    function: &Function,
    target: Option<Profile>,
    findings: &mut Vec<Diagnostic>,
) {
    check_target(function, findings);
    structure::check(module, names, function, findings);
    check_operations(module, function, target, findings);
    values::check(&module.types, function, fields, findings);
    epilogues::check(&module.types, function, profile_of(function, target), findings);
    queues::check(function, findings);
    let facts = Facts::of(function, &module.types);
    statics::check(&module.types, recursive, function, &facts, findings);
}

/// Checks each operation by itself.
fn check_operations(
    module: &Module,
    function: &Function,
    target: Option<Profile>,
    findings: &mut Vec<Diagnostic>,
) {
    let mut one_by_one = OneByOne::new(profile_of(function, target));
    one_by_one.facts = Facts::of(function, &module.types);
    tiles::check_signature(&module.types, function, one_by_one.profile, findings);
    for (_, operation) in function.operations.iter() {
        one_by_one.check(&module.types, function, operation, findings);
    }
    one_by_one.placed.finish(function, findings);
}

/// Checks operations by themselves, with what is known of the values that they use.
#[derive(Clone)]
pub(crate) struct OneByOne {
    facts: Facts,
    placed: tiles::Placed,
    profile: Profile,
}

impl OneByOne {
    /// A checker to which nothing is known yet.
    pub(crate) fn new(profile: Profile) -> OneByOne {
        OneByOne { facts: Facts::default(), placed: tiles::Placed::new(profile), profile }
    }

    /// Learns what `operation` says of its results, and of a tile whose valid region it sets.
    pub(crate) fn learn(&mut self, types: &TypeTable, function: &Function, operation: &Operation) {
        self.facts.learn(function, types, operation);
    }

    /// Forgets the valid region of a tile: it may have been set since.
    pub(crate) fn forget_region(&mut self, tile: ValueId) {
        self.facts.forget_region(tile);
    }

    /// The operation as the rules of its instruction see it.
    pub(crate) fn site<'a>(
        &self,
        types: &TypeTable,
        function: &'a Function,
        operation: &'a Operation,
    ) -> Option<Site<'a>> {
        self.facts.site(function, types, operation, self.profile)
    }

    /// Checks one operation. Nothing is said of operands that could not be read.
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
        operands::check(types, function, operation, findings);
        tiles::check(types, function, operation, &self.facts, self.profile, &mut self.placed, findings);
        if !operands::fits(types, function, operation) {
            return;
        }
        if let Some(site) = self.site(types, function, operation) {
            findings.extend(Check::run(&site));
        }
    }
}

/// An unknown target that the module names.
fn check_target(function: &Function, findings: &mut Vec<Diagnostic>) {
    let attributes = &function.module_attributes;
    if let Some(Attribute::String(word)) = find_attribute(attributes, "pto.target_arch")
        && Profile::from_word(word).is_none()
        && !findings.iter().any(|finding| finding.rule == RuleId::from(&rules::structure::UNKNOWN_TARGET))
    {
        let message = format!("unknown target `{word}`: checked for cpu");
        let help = "targets are \"a2a3\", \"a2\", \"a3\", \"a5\" and \"cpu\"";
        findings.push(
            Diagnostic::new(Severity::Lint, &rules::structure::UNKNOWN_TARGET, message)
                .at(function.name_span)
                .with_help(help),
        );
    }
}
