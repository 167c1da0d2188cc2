//! Appending of operations to a function: draft, check, then commit.

use super::builder::{Builder, forget_places, identifier};
use super::error::Error;
use super::{Call, Id};
use crate::ir::{NamedAttribute, Operand, OperandGroup, OperationId, TypeId, Value, ValueId};
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::op::form::{Form, Role, Syntax};
use pto_isa::op::site::Site;
use pto_isa::registry::Op;
use pto_isa::rules;

/// A checked operation that may be appended, and its warnings.
pub struct Draft {
    pub(super) id: OperationId,
    warnings: Vec<Diagnostic>,
}

impl Builder {
    pub(crate) fn append(
        &mut self,
        op: Op,
        operands: Vec<Operand>,
        results: &[(&str, TypeId)],
        attributes: Vec<NamedAttribute>,
    ) -> Result<(OperationId, Vec<Id>), Error> {
        let drafted = self.draft(op, operands, results, attributes)?;
        Ok(self.commit(drafted))
    }

    /// Creates an operation and checks its rules, without appending it.
    pub fn draft(
        &mut self,
        op: Op,
        operands: Vec<Operand>,
        results: &[(&str, TypeId)],
        attributes: Vec<NamedAttribute>,
    ) -> Result<Draft, Error> {
        let named = results.iter().map(|(name, ty)| {
            let name = identifier(name);
            self.function.values.push(Value { name, ty: *ty, span: Span::default() })
        });
        let made = named.collect();
        let id = self.push_detached(op, operands, made, attributes);
        let (types, function) = (&self.module.types, &self.function);
        let operation = &function.operations[id];
        let mut findings = Vec::new();
        // The facts about its own results. SET_VALIDSHAPE changes an existing tile, so its facts are added only at
        // commit.
        if op != Op::SET_VALIDSHAPE {
            self.rules.learn(types, function, operation);
        }
        self.rules.check(types, function, operation, &mut findings);
        findings.iter_mut().for_each(forget_places);
        if findings.iter().any(|finding| finding.severity == Severity::Error) {
            return Err(Error::new(findings));
        }
        Ok(Draft { id, warnings: findings })
    }

    /// The drafted operation as a site of its instruction; `None` for operations that are not instructions.
    pub fn site(&self, draft: &Draft) -> Option<Site<'_>> {
        self.rules.site(&self.module.types, &self.function, &self.function.operations[draft.id])
    }

    /// Appends a drafted operation to the open block.
    pub fn commit(&mut self, Draft { id, mut warnings }: Draft) -> (OperationId, Vec<Id>) {
        self.warnings.append(&mut warnings);
        let operation = &self.function.operations[id];
        let (op, made) = (operation.op(), operation.results.clone());
        let operands: Vec<ValueId> = operation.operands.iter().map(|operand| operand.value).collect();
        self.rules.learn(&self.module.types, &self.function, operation);
        self.mark_used(&operands);
        for value in &made {
            let name = self.function.values[*value].name.clone();
            self.function.values[*value].name = self.unique(&name);
        }
        if op == Some(Op::ALLOC_TILE) {
            self.allocations.extend(made.first().map(|value| (*value, id)));
        }
        self.block().operations.push(id);
        (id, made.into_iter().map(|value| Id { builder: self.serial, value }).collect())
    }

    /// Records that an operation uses these values; unused constants among them become part of the function.
    pub(crate) fn mark_used(&mut self, values: &[ValueId]) {
        for value in values {
            self.used.insert(*value);
            if let Some(constant) = self.unused.remove(value) {
                let name = self.function.values[*value].name.clone();
                self.function.values[*value].name = self.unique(&name);
                self.prologue.push(constant);
            }
        }
    }

    /// Appends an instruction with `ins(...) outs(...)` to the open block; operands get the roles of the first
    /// form that fits.
    ///
    /// # Errors
    /// If no form of the instruction fits the operands, or a rule forbids them.
    pub fn instruction(
        &mut self,
        op: Op,
        ins: &[Id],
        outs: &[Id],
        attributes: Vec<NamedAttribute>,
    ) -> Result<OperationId, Error> {
        let operands = self.operands(&Call { ins, outs, ..Call::of(op) })?;
        Ok(self.append(op, operands, &[], attributes)?.0)
    }

    /// The operands of a call, with the roles of the first form that fits.
    pub fn operands(&self, call: &Call<'_>) -> Result<Vec<Operand>, Error> {
        for id in call.ins.iter().chain(call.outs).chain(call.keyword.iter().map(|(_, id)| id)) {
            self.own(*id)?;
        }
        let forms = match call.op.page().syntax {
            Syntax::Destination(forms) => forms,
            Syntax::Own(..) | Syntax::Code(..) => &[],
        };
        let fitting = forms.iter().find_map(|form| self.fit(form, call));
        fitting.ok_or_else(|| {
            let message = format!("`{}` does not take these operands", call.op);
            let help = forms.iter().map(|form| format!("it is written `{} {}`", call.op, form.describe()));
            Error::new(vec![
                help.fold(Diagnostic::error(&rules::structure::OPERANDS, message), Diagnostic::with_help),
            ])
        })
    }

    fn fit(&self, form: &Form, call: &Call<'_>) -> Option<Vec<Operand>> {
        let (plain, keyed): (Vec<Role>, Vec<Role>) = form.ins.iter().partition(|role| role.keyword.is_none());
        let keyword = call.keyword.map(|(keyword, _)| keyword);
        let same_keyword = keyed.first().and_then(|role| role.keyword) == keyword;
        if !same_keyword || plain.len() != call.ins.len() || form.outs.len() != call.outs.len() {
            return None;
        }
        // Each operand of TMOV has its own type.
        let rest = if call.op == Op::TMOV { OperandGroup::Apart } else { OperandGroup::In };
        let ins = plain.iter().zip(call.ins).enumerate();
        let ins =
            ins.map(|(index, (role, id))| (*role, *id, if index == 0 { OperandGroup::In } else { rest }));
        let keyed =
            keyed.iter().zip(call.keyword).map(|(role, (word, id))| (*role, id, OperandGroup::Keyword(word)));
        let outs = form.outs.iter().zip(call.outs).map(|(role, id)| (*role, *id, OperandGroup::Out));
        let all = ins.chain(keyed).chain(outs);
        all.map(|(role, id, group)| {
            let fits = role.kind.fits(self.type_of(id));
            fits.then_some(Operand { value: id.value, role: role.name, group, span: Span::default() })
        })
        .collect()
    }
}
