//! Builder of a function; every operation is checked when it is appended.

mod regions;

use super::Id;
use super::error::Error;
use crate::check::OneByOne;
use crate::ir::{
    Argument, Attribute, Block, BlockId, Function, Item, Module, ModuleItem, NamedAttribute, Operand,
    OperandGroup, Operation, OperationId, Region, Scalar, Type, TypeId, Value, ValueId,
};
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rules;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};

/// Maximum nesting depth of loops and sections; each level is a nested call of the user's closure.
const MAX_DEPTH: usize = 100;

/// A function under construction, for one profile.
///
/// Each method checks an operation and appends it. If a rule forbids it, the method returns an [`Error`] with the
/// rule's name, and the function is unchanged. A clone is a snapshot of the function.
#[derive(Clone)]
pub struct Builder {
    /// Identifies the builder to which a value belongs.
    pub(crate) serial: u32,
    pub(crate) profile: Profile,
    pub(crate) module: Module,
    pub(crate) function: Function,
    /// The open blocks, innermost last.
    open: Vec<BlockId>,
    /// Constants that operations use; they are first in the function, so that they dominate all uses.
    pub(crate) prologue: Vec<OperationId>,
    constants: HashMap<(Scalar, String), ValueId>,
    /// Constants that no operation uses yet, because the call that created one may fail.
    pub(super) unused: HashMap<ValueId, OperationId>,
    names: HashMap<String, u32>,
    pub(crate) rules: OneByOne,
    /// The allocation of each tile.
    pub(super) allocations: HashMap<ValueId, OperationId>,
    pub(crate) used: HashSet<ValueId>,
    /// Per open region, the tiles whose valid region was set in it.
    reset: Vec<Vec<ValueId>>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl Builder {
    /// An empty function without arguments; characters of the name that program text does not allow become `_`.
    pub fn new(name: &str, profile: Profile) -> Builder {
        static SERIAL: AtomicU32 = AtomicU32::new(0);
        let mut function = Function {
            name: identifier(name),
            visibility: None,
            arguments: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            body: None,
            values: Default::default(),
            operations: Default::default(),
            blocks: Default::default(),
            regions: Default::default(),
            comments: Vec::new(),
            span: Span::default(),
            name_span: Span::default(),
            location: None,
            module_attributes: Default::default(),
        };
        let block = function.blocks.push(Block::default());
        function.body = Some(function.regions.push(Region { blocks: vec![block] }));
        Builder {
            serial: SERIAL.fetch_add(1, Ordering::Relaxed),
            profile,
            module: Module::default(),
            function,
            open: vec![block],
            prologue: Vec::new(),
            constants: HashMap::new(),
            unused: HashMap::new(),
            names: HashMap::new(),
            rules: OneByOne::new(profile),
            allocations: HashMap::new(),
            used: HashSet::new(),
            reset: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The number of this builder, which its values carry.
    pub fn serial(&self) -> u32 {
        self.serial
    }

    /// The profile for which operations are checked.
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The spelling with which an operation is printed: the number of a form on its page.
    pub fn spell(&mut self, operation: OperationId, variant: u8) {
        self.function.operations[operation].variant = variant;
    }

    /// Extensions and lints of the operations so far.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The handle of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        self.module.types.intern(ty)
    }

    pub(crate) fn type_of(&self, id: Id) -> &Type {
        &self.module.types[self.function.values[id.value].ty]
    }

    /// The name of a value, without `%`.
    pub fn name_of(&self, id: Id) -> &str {
        &self.function.values[id.value].name
    }

    /// The value with this id.
    ///
    /// # Errors
    /// If it belongs to another builder.
    pub fn own(&self, id: Id) -> Result<ValueId, Error> {
        if id.builder == self.serial {
            return Ok(id.value);
        }
        Err(Error::own(&rules::kernel::FOREIGN_VALUE, "this value belongs to another kernel"))
    }

    fn value(&mut self, name: &str, ty: TypeId) -> ValueId {
        let name = self.unique(name);
        self.function.values.push(Value { name, ty, span: Span::default() })
    }

    /// The name, with the smallest number appended that makes it unique if it is used.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let base = identifier(name);
        let mut candidate = base.clone();
        while self.names.contains_key(&candidate) {
            let count = self.names.entry(base.clone()).or_default();
            *count += 1;
            candidate = format!("{base}_{count}");
        }
        self.names.insert(candidate.clone(), 1);
        candidate
    }

    /// Adds an argument to the function.
    pub fn argument(&mut self, name: &str, ty: Type) -> Id {
        let ty = self.intern(ty);
        let value = self.value(name, ty);
        self.function.arguments.push(Argument { value, attributes: Vec::new() });
        Id { builder: self.serial, value }
    }

    /// The arguments, in order.
    pub fn arguments(&self) -> Vec<Id> {
        let arguments = self.function.arguments.iter();
        arguments.map(|argument| Id { builder: self.serial, value: argument.value }).collect()
    }

    /// A constant at the start of the function.
    pub fn constant(&mut self, scalar: Scalar, attribute: Attribute, label: &str) -> Id {
        let key = (scalar, label.to_owned());
        let value = match self.constants.get(&key) {
            Some(value) => *value,
            None => {
                let ty = self.intern(Type::Scalar(scalar));
                let name = identifier(&format!("c{label}"));
                let value = self.function.values.push(Value { name, ty, span: Span::default() });
                let named = NamedAttribute::new("value", attribute.typed(ty));
                let id = self.push_detached(Op::ARITH_CONSTANT, Vec::new(), vec![value], vec![named]);
                self.unused.insert(value, id);
                self.rules.learn(&self.module.types, &self.function, &self.function.operations[id]);
                self.constants.insert(key, value);
                value
            }
        };
        Id { builder: self.serial, value }
    }

    /// An integer constant.
    pub fn integer(&mut self, scalar: Scalar, value: i128) -> Id {
        let suffix = if scalar == Scalar::Index { "" } else { "_" };
        let word = if scalar == Scalar::Index { "" } else { scalar.word() };
        let sign = if value < 0 { "m" } else { "" };
        let label = format!("{sign}{}{suffix}{word}", value.unsigned_abs());
        self.constant(scalar, Attribute::Integer(value, None), &label)
    }

    pub(super) fn push_detached(
        &mut self,
        op: Op,
        operands: Vec<Operand>,
        results: Vec<ValueId>,
        attributes: Vec<NamedAttribute>,
    ) -> OperationId {
        self.function.operations.push(Operation { operands, results, ..Operation::new(op, attributes) })
    }

    pub(super) fn block(&mut self) -> &mut Block {
        let block = *self.open.last().expect("the function's body is always open");
        &mut self.function.blocks[block]
    }

    /// Appends an operation to the open block, with operands in the roles of its page. Its results are new values
    /// with the given names, made unique.
    ///
    /// # Errors
    /// If an operand belongs to another builder, or a rule forbids the operation.
    pub fn operation(
        &mut self,
        op: Op,
        operands: &[(&'static str, Id)],
        results: &[(&str, TypeId)],
        attributes: Vec<NamedAttribute>,
    ) -> Result<(OperationId, Vec<Id>), Error> {
        let operands = self.in_roles(operands)?;
        self.append(op, operands, results, attributes)
    }

    /// Converts pairs of role and id to operands.
    ///
    /// # Errors
    /// If a value belongs to another builder.
    pub fn in_roles(&self, operands: &[(&'static str, Id)]) -> Result<Vec<Operand>, Error> {
        operands.iter().map(|(role, id)| Ok(operand(role, self.own(*id)?))).collect()
    }

    /// Assigns an address to a tile that no operation uses yet.
    pub fn assign(&mut self, tile: Id, address: u64) -> Result<(), Error> {
        let value = self.own(tile)?;
        let at = Scalar::Number(pto_isa::element::Element::I64);
        let address = self.integer(at, address.into());
        let name = self.name_of(tile);
        let Some(&alloc) = self.allocations.get(&value) else {
            let message = format!("`%{name}` is a view of another tile and has its address");
            return Err(Error::own(&rules::kernel::ASSIGN_TARGET, message));
        };
        if self.used.contains(&value) {
            let message = format!("`%{name}` is used already: assign its address before its first use");
            return Err(Error::own(&rules::kernel::ASSIGN_LATE, message));
        }
        let before = self.function.operations[alloc].operands.clone();
        let operation = &mut self.function.operations[alloc];
        operation.operands.retain(|operand| operand.role != "addr");
        operation.operands.insert(0, operand("addr", address.value));
        let (types, function) = (&self.module.types, &self.function);
        let mut findings = Vec::new();
        self.rules.learn(types, function, &function.operations[alloc]);
        self.rules.check(types, function, &function.operations[alloc], &mut findings);
        findings.retain(|finding| finding.severity == Severity::Error);
        findings.iter_mut().for_each(forget_places);
        if findings.is_empty() {
            self.mark_used(&[address.value]);
            return Ok(());
        }
        self.function.operations[alloc].operands = before;
        self.rules.learn(&self.module.types, &self.function, &self.function.operations[alloc]);
        Err(Error::new(findings))
    }

    /// Records that the valid region of a tile was changed in the innermost open region.
    pub fn region_was_set(&mut self, tile: Id) {
        if let Some(list) = self.reset.last_mut() {
            list.push(tile.value);
        }
    }

    /// The function in a module for the profile, with the constants first and a return at the end.
    pub fn finish(&self) -> Module {
        let mut function = self.function.clone();
        let body =
            function.regions[function.body.expect("a function under construction has a body")].blocks[0];
        let inner = std::mem::take(&mut function.blocks[body].operations);
        let end = function.operations.push(Operation::new("return", Vec::new()));
        function.blocks[body].operations = self.prologue.iter().copied().chain(inner).chain([end]).collect();
        let mut module = self.module.clone();
        let target = NamedAttribute::new("pto.target_arch", Attribute::String(self.profile.word().into()));
        function.module_attributes = std::sync::Arc::from([target.clone()]);
        let function = module.functions.push(function);
        module.items.push(Item::Module(ModuleItem {
            name: None,
            attributes: vec![target],
            items: vec![Item::Function(function)],
            span: Span::default(),
            location: None,
        }));
        module
    }
}

/// An operand in a role.
fn operand(role: &'static str, value: ValueId) -> Operand {
    Operand { value, role, group: OperandGroup::In, span: Span::default() }
}

/// Removes source locations: a single instruction has no text.
pub(super) fn forget_places(finding: &mut Diagnostic) {
    finding.primary = None;
    finding.secondary.clear();
    finding.edits.clear();
}

/// Converts a name to a legal name in program text.
pub(super) fn identifier(name: &str) -> String {
    let tame = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let mut text: String = name.chars().take(80).map(tame).collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    text
}
