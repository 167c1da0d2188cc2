//! A kernel as it grows: one function of the intermediate representation, checked operation by operation.

mod append;

use super::error::Error;
use super::event::{Event, Wait};
use super::tile::Id;
use crate::check::OneByOne;
use crate::diag::{Diagnostic, Severity, Span};
use crate::ir::{
    Argument, Attribute, Block, BlockId, EnumSpelling, Function, Module, NamedAttribute, Operand,
    OperandGroup, Operation, OperationId, Region, Scalar, Type, TypeId, Value, ValueId,
};
use crate::isa::profile::Profile;
use crate::isa::registry::Op;
use crate::isa::rules;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering};

/// Deepest nesting of loops and sections: each is a call of the author's own function.
const MAX_DEPTH: usize = 100;

/// A use of an instruction that is written `ins(...) outs(...)`.
pub(super) struct Call<'a> {
    /// The instruction.
    pub(super) op: Op,
    pub(super) ins: &'a [Id],
    /// An operand after a keyword of `ins`.
    pub(super) keyword: Option<(&'static str, Id)>,
    pub(super) outs: &'a [Id],
    pub(super) attributes: Vec<NamedAttribute>,
}

impl Call<'_> {
    /// A use without operands and attributes.
    pub(super) fn of(op: Op) -> Self {
        Call { op, ins: &[], keyword: None, outs: &[], attributes: Vec::new() }
    }
}

/// An enumeration attribute, `#pto.name<value>`.
pub(super) fn word(key: &str, name: &str, value: &str, spelling: EnumSpelling) -> NamedAttribute {
    let value = Attribute::Enum { name: name.into(), value: value.into(), spelling };
    NamedAttribute::new(key, value)
}

/// A copy is the kernel as it was: what fails after several operations goes back to it.
#[derive(Clone)]
pub(super) struct Recorder {
    /// Tells the values of kernels apart.
    serial: u32,
    pub(super) profile: Profile,
    pub(super) module: Module,
    pub(super) function: Function,
    /// The blocks being written, innermost last.
    open: Vec<BlockId>,
    /// Constants that operations use: first in the function, so that they are known everywhere.
    pub(super) prologue: Vec<OperationId>,
    constants: HashMap<(Scalar, String), ValueId>,
    /// Constants that no operation uses yet: the call that asked for one may be refused.
    unused: HashMap<ValueId, OperationId>,
    names: HashMap<String, u32>,
    rules: OneByOne,
    pub(super) waits: Vec<Wait>,
    pub(super) pending: Vec<Event>,
    /// Where tiles are allocated.
    allocations: HashMap<ValueId, OperationId>,
    pub(super) used: HashSet<ValueId>,
    /// Tiles whose valid region was set inside the loops being written.
    reset: Vec<Vec<ValueId>>,
    warnings: Vec<Diagnostic>,
}

impl Recorder {
    pub(super) fn new(name: &str, profile: Profile) -> Recorder {
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
        Recorder {
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
            waits: Vec::new(),
            pending: Vec::new(),
            allocations: HashMap::new(),
            used: HashSet::new(),
            reset: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(super) fn serial(&self) -> u32 {
        self.serial
    }

    pub(super) fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        self.module.types.intern(ty)
    }

    pub(super) fn type_of(&self, id: Id) -> &Type {
        &self.module.types[self.function.values[id.value].ty]
    }

    pub(super) fn name_of(&self, id: Id) -> &str {
        &self.function.values[id.value].name
    }

    /// A value of this kernel.
    ///
    /// # Errors
    /// If it belongs to another one.
    pub(super) fn own(&self, id: Id) -> Result<ValueId, Error> {
        if id.kernel == self.serial {
            return Ok(id.value);
        }
        Err(Error::own(&rules::kernel::FOREIGN_VALUE, "this value belongs to another kernel"))
    }

    fn value(&mut self, name: &str, ty: TypeId) -> ValueId {
        let name = self.unique(name);
        self.function.values.push(Value { name, ty, span: Span::default() })
    }

    /// The name, or the name with the first number that makes it a new one.
    fn unique(&mut self, name: &str) -> String {
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

    /// An argument of the function.
    pub(super) fn argument(&mut self, name: &str, ty: Type) -> Id {
        let ty = self.intern(ty);
        let value = self.value(name, ty);
        self.function.arguments.push(Argument { value, attributes: Vec::new() });
        Id { kernel: self.serial, value }
    }

    /// The arguments, in order.
    pub(super) fn arguments(&self) -> Vec<Id> {
        let arguments = self.function.arguments.iter();
        arguments.map(|argument| Id { kernel: self.serial, value: argument.value }).collect()
    }

    /// A constant of the function's head.
    pub(super) fn constant(&mut self, scalar: Scalar, attribute: Attribute, label: &str) -> Id {
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
        Id { kernel: self.serial, value }
    }

    /// An integer constant; `index` unless said otherwise.
    pub(super) fn integer(&mut self, scalar: Scalar, value: i128) -> Id {
        let suffix = if scalar == Scalar::Index { "" } else { "_" };
        let word = if scalar == Scalar::Index { "" } else { scalar.word() };
        let sign = if value < 0 { "m" } else { "" };
        let label = format!("{sign}{}{suffix}{word}", value.unsigned_abs());
        self.constant(scalar, Attribute::Integer(value, None), &label)
    }

    fn push_detached(
        &mut self,
        op: Op,
        operands: Vec<Operand>,
        results: Vec<ValueId>,
        attributes: Vec<NamedAttribute>,
    ) -> OperationId {
        self.function.operations.push(Operation { operands, results, ..Operation::new(op, attributes) })
    }

    fn block(&mut self) -> &mut Block {
        let block = *self.open.last().expect("the function's body is always open");
        &mut self.function.blocks[block]
    }

    /// An operation with operands in roles, checked and appended to the open block; its results are new values.
    pub(super) fn operation(
        &mut self,
        op: Op,
        operands: &[(&'static str, Id)],
        results: &[(&str, TypeId)],
        attributes: Vec<NamedAttribute>,
    ) -> Result<(OperationId, Vec<Id>), Error> {
        let mut list = Vec::with_capacity(operands.len());
        for (role, id) in operands {
            list.push(Operand {
                value: self.own(*id)?,
                role,
                group: OperandGroup::In,
                span: Span::default(),
            });
        }
        self.append(op, list, results, attributes)
    }

    /// The next instruction starts after these.
    pub(super) fn wait_for(&mut self, events: &[Event]) -> Result<(), Error> {
        if events.iter().any(|event| event.kernel != self.serial) {
            return Err(Error::own(&rules::kernel::FOREIGN_VALUE, "this event belongs to another kernel"));
        }
        self.pending.extend_from_slice(events);
        Ok(())
    }

    /// Binds the address of a tile that no operation uses yet.
    pub(super) fn assign(&mut self, tile: Id, address: u64) -> Result<(), Error> {
        let value = self.own(tile)?;
        let at = Scalar::Number(crate::isa::element::Element::I64);
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
        let operand =
            Operand { value: address.value, role: "addr", group: OperandGroup::In, span: Span::default() };
        operation.operands.insert(0, operand);
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

    /// Notes that the valid region of a tile is not what its allocation says.
    pub(super) fn region_was_set(&mut self, tile: Id) {
        if let Some(list) = self.reset.last_mut() {
            list.push(tile.value);
        }
    }

    /// Opens the region of an operation that will be appended when it closes.
    pub(super) fn open_region(
        &mut self,
        arguments: Vec<ValueId>,
        operands: &[(&'static str, Id)],
    ) -> Result<BlockId, Error> {
        if self.open.len() > MAX_DEPTH {
            let message = format!("loops and sections are nested more than {MAX_DEPTH} deep");
            return Err(Error::own(&rules::kernel::DEPTH, message));
        }
        self.mark_used(&operands.iter().map(|(_, id)| id.value).collect::<Vec<_>>());
        let block = self.function.blocks.push(Block { arguments, ..Block::default() });
        self.open.push(block);
        self.reset.push(Vec::new());
        Ok(block)
    }

    /// Closes the innermost region and appends its operation.
    pub(super) fn close_region(&mut self, block: BlockId, op: Op, operands: &[(&'static str, Id)]) {
        self.open.pop();
        let set = self.reset.pop().unwrap_or_default();
        // The region may run never or often: what it set is not known behind it.
        set.iter().for_each(|tile| self.rules.forget_region(*tile));
        if let Some(outer) = self.reset.last_mut() {
            outer.extend(set);
        }
        let region = self.function.regions.push(Region { blocks: vec![block] });
        let operands = operands
            .iter()
            .map(|(role, id)| Operand {
                value: id.value,
                role,
                group: OperandGroup::In,
                span: Span::default(),
            })
            .collect();
        let id = self.push_detached(op, operands, Vec::new(), Vec::new());
        self.function.operations[id].regions.push(region);
        self.block().operations.push(id);
    }

    /// A value that a region takes, such as a loop's variable.
    pub(super) fn region_value(&mut self, name: &str, ty: TypeId) -> Id {
        Id { kernel: self.serial, value: self.value(name, ty) }
    }
}

/// A single instruction has no text yet that places could point into.
fn forget_places(finding: &mut Diagnostic) {
    finding.primary = None;
    finding.secondary.clear();
    finding.edits.clear();
}

/// A name as text can write it.
fn identifier(name: &str) -> String {
    let tame = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let mut text: String = name.chars().take(80).map(tame).collect();
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, '_');
    }
    text
}
