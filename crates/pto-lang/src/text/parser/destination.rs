//! Destination-passing operations: `pto.op ins(%a, %b : T, T) outs(%c : T) {...}`.

use super::{Parse, Parser};
use crate::ir::{Attribute, NamedAttribute, Operand, OperandGroup, Operation};
use crate::text::cursor::Token;
use crate::text::generic::generic_order;
use crate::text::pattern::Piece;
use crate::text::table;
use pto_isa::diag::{Diagnostic, Span, nearest};
use pto_isa::op::form::{Form, Role};
use pto_isa::registry::Op;
use pto_isa::rule::Rule;

/// Keywords before an operand inside `ins(...)`.
const KEYWORDS: [&str; 2] = ["fp", "pre_quant"];
/// Flags without an operand inside `ins(...)`.
const FLAGS: [&str; 1] = ["no_tmp"];

impl<'a> Parser<'a> {
    /// Parses the operation from `ins`, and assigns roles to its operands.
    pub(super) fn parse_destination(&mut self, operation: &mut Operation) -> Parse<()> {
        self.expect_word("ins")?;
        self.expect('(')?;
        self.parse_ins(operation)?;
        if self.eat_word("outs") {
            self.expect('(')?;
            // The manual writes `outs()` for an operation without outputs.
            if !self.eat(')') {
                self.parse_outs(operation)?;
            }
        } else if let Token::Word(word) = self.token()
            && nearest(word, ["outs"].into_iter()).is_some()
        {
            return self.expect_word("outs");
        }
        self.parse_unbraced(&mut operation.attributes)?;
        for _ in 0..2 {
            let mut attributes = std::mem::take(&mut operation.attributes);
            let read = self.parse_optional_attributes(&mut attributes);
            operation.attributes = attributes;
            read?;
        }
        self.bind(operation)
    }

    fn parse_ins(&mut self, operation: &mut Operation) -> Parse<()> {
        let mut group = OperandGroup::In;
        while !self.eat(')') {
            let first = operation.operands.len();
            self.parse_operand_group(operation, group)?;
            self.expect_types(&operation.operands[first..])?;
            self.parse_types_of(&operation.operands[first..])?;
            // `ins(%a, {maskPattern = ...} : T, "row")`: the axis follows the types.
            while self.at(',') && !self.next_starts_value() {
                self.advance();
                if let Token::Text(_) = self.token() {
                    self.parse_axis(operation)?;
                } else {
                    self.parse_type()?;
                }
            }
            match self.token() {
                Token::Punct(')') => {}
                Token::Punct(',') => {
                    self.advance();
                    group = OperandGroup::Apart;
                }
                Token::Word(word) => match KEYWORDS.iter().find(|known| **known == word) {
                    Some(keyword) => {
                        self.advance();
                        group = OperandGroup::Keyword(keyword);
                    }
                    None => return self.unexpected_in_list(')', "`fp`, `pre_quant`, `,` or `)`"),
                },
                _ => return self.unexpected_in_list(')', "`,` or `)`"),
            }
        }
        Ok(())
    }

    fn parse_axis(&mut self, operation: &mut Operation) -> Parse<()> {
        let span = self.span();
        if operation.attributes.iter().any(|attribute| attribute.name == table::AXIS) {
            return self.syntax(span, format!("`{}` is given twice", table::AXIS));
        }
        let value = self.parse_attribute()?;
        let axis = NamedAttribute::new(table::AXIS, value).at(span);
        operation.attributes.push(axis);
        operation.inner_attributes = operation.attributes.len();
        Ok(())
    }

    /// Parses operands, then flags and a dictionary, up to the colon.
    fn parse_operand_group(&mut self, operation: &mut Operation, group: OperandGroup) -> Parse<()> {
        loop {
            if self.at('{') {
                break;
            }
            let operand = self.operand("ins", group)?;
            operation.operands.push(operand);
            if !self.eat(',') {
                break;
            }
        }
        while let Token::Word(word) = self.token() {
            if !FLAGS.contains(&word) {
                break;
            }
            let flag = NamedAttribute::new(word, Attribute::Unit).at(self.span());
            self.advance();
            operation.attributes.push(flag);
        }
        self.parse_unbraced(&mut operation.attributes)?;
        let mut attributes = std::mem::take(&mut operation.attributes);
        let read = self.parse_optional_attributes(&mut attributes);
        operation.attributes = attributes;
        operation.inner_attributes = operation.attributes.len();
        read
    }

    fn parse_outs(&mut self, operation: &mut Operation) -> Parse<()> {
        let first = operation.operands.len();
        loop {
            let operand = self.operand("outs", OperandGroup::Out)?;
            operation.operands.push(operand);
            if !self.eat(',') {
                break;
            }
        }
        self.expect_types(&operation.operands[first..])?;
        self.parse_types_of(&operation.operands[first..])?;
        self.expect(')')
    }

    /// Parses the types of operands, in their order.
    fn parse_types_of(&mut self, operands: &[Operand]) -> Parse<()> {
        for (index, operand) in operands.iter().enumerate() {
            self.expect_next_type(operands, index)?;
            self.parse_written_type(operand.value)?;
        }
        Ok(())
    }

    fn parse_written_type(&mut self, value: crate::ir::ValueId) -> Parse<()> {
        let start = self.cursor.start();
        let ty = self.eliding(Self::parse_type)?;
        let span = self.since(start);
        self.agree(value, ty, span);
        Ok(())
    }

    fn next_starts_value(&mut self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.advance(&mut self.comments);
        matches!(ahead.token(), Token::Value(_) | Token::Punct('{'))
    }

    /// Assigns roles to the operands, from the first form of the instruction that fits.
    fn bind(&mut self, operation: &mut Operation) -> Parse<()> {
        let Some(forms) = table::forms(&operation.name) else {
            // Not a known instruction: the checker reports it, and the operands keep their group names as roles.
            return Ok(());
        };
        for form in forms {
            if self.fits(form, &operation.operands) {
                assign_roles(operation, form);
                return Ok(());
            }
        }
        // The checker reports operands that fit no form.
        Ok(())
    }

    fn fits(&self, form: &Form, operands: &[Operand]) -> bool {
        operands.len() == form.ins.len() + form.outs.len()
            && operands.iter().zip(form.roles()).all(|(operand, role)| {
                let group = match operand.group {
                    OperandGroup::Keyword(keyword) => Some(keyword) == role.keyword,
                    OperandGroup::Out => form.outs.contains(role),
                    OperandGroup::In | OperandGroup::Apart => {
                        role.keyword.is_none() && !form.outs.contains(role)
                    }
                };
                group && self.kind_fits(operand, role)
            })
    }

    pub(super) fn kind_fits(&self, operand: &Operand, role: &Role) -> bool {
        let ty = self.type_of(operand.value);
        ty == self.poison || role.kind.fits(&self.module.types[ty])
    }

    /// Assigns roles to the flat operand list of the generic form, by counts and kinds.
    pub(super) fn bind_generic(&mut self, operation: &mut Operation) -> Parse<()> {
        let Some(forms) = table::forms(&operation.name) else {
            let patterns = table::patterns(&operation.name).unwrap_or_default();
            if self.bind_segments(operation, patterns)? {
                return self.require_placed(operation);
            }
            let count = operation.operands.len();
            let fits = patterns.iter().position(|pattern| operand_roles(pattern).len() == count);
            let variant = fits.unwrap_or(0);
            if let Some(pattern) = patterns.get(variant) {
                operation.variant = variant as u8;
                let roles = operand_roles(pattern);
                let last = roles.last().copied().unwrap_or("ins");
                for (index, operand) in operation.operands.iter_mut().enumerate() {
                    operand.role = roles.get(index).copied().unwrap_or(last);
                }
                rename_keys(&mut operation.attributes, pattern);
            }
            return self.require_placed(operation);
        };
        let sizes = operation.attributes.iter().find_map(segments);
        let order = generic_order(&operation.name);
        let ordered = forms.iter().filter_map(|form| Some((form, in_order(form, order?, sizes.as_deref())?)));
        let plain = forms.iter().map(|form| (form, form.roles().collect::<Vec<_>>()));
        for (form, roles) in ordered.chain(plain) {
            let same = operation.operands.len() == roles.len();
            if same && operation.operands.iter().zip(&roles).all(|(o, role)| self.kind_fits(o, role)) {
                let place = |role: &Role| roles.iter().position(|known| known.name == role.name);
                let operands = form.roles().filter_map(|role| Some(operation.operands[place(role)?].clone()));
                operation.operands = operands.collect();
                for (operand, role) in operation.operands.iter_mut().zip(form.roles()) {
                    operand.group = match role.keyword {
                        Some(keyword) => OperandGroup::Keyword(keyword),
                        None if form.outs.contains(role) => OperandGroup::Out,
                        None => OperandGroup::In,
                    };
                }
                assign_roles(operation, form);
                operation.attributes.retain(|attribute| attribute.name != SEGMENTS);
                return Ok(());
            }
        }
        for operand in &mut operation.operands {
            operand.role = "ins";
        }
        Ok(())
    }

    /// Fails if an attribute is missing that has a place of its own in the operation's syntax, or cannot be written there.
    fn require_placed(&mut self, operation: &Operation) -> Parse<()> {
        match table::misplaced(operation) {
            Some(finding) => self.fail(finding.at(operation.name_span)),
            None => Ok(()),
        }
    }

    /// Assigns roles by the operand counts in the generic form's attribute, if a pattern has that number of roles.
    fn bind_segments(&mut self, operation: &mut Operation, patterns: &[Vec<Piece>]) -> Parse<bool> {
        let Some(sizes) = operation.attributes.iter().find_map(segments) else { return Ok(false) };
        let count: usize = sizes.iter().fold(0, |sum, size| sum.saturating_add(*size));
        if count != operation.operands.len() {
            let message =
                format!("`{SEGMENTS}` has {count} operands, but there are {}", operation.operands.len());
            return self.syntax(operation.name_span, message);
        }
        let of_dialect = generic_order(&operation.name).filter(|order| order.len() == sizes.len());
        let of_dialect = of_dialect.map(|order| order.iter().map(|roles| roles[0]).collect::<Vec<_>>());
        let of_pattern =
            || patterns.iter().map(|pattern| operand_roles(pattern)).find(|roles| roles.len() == sizes.len());
        let Some(roles) = of_dialect.or_else(of_pattern) else { return Ok(false) };
        let roles = || roles.iter().zip(&sizes).flat_map(|(role, size)| std::iter::repeat_n(*role, *size));
        let present = |role: &str| roles().any(|known| known == role);
        let fits = |pattern: &Vec<Piece>| {
            let known = operand_roles(pattern);
            let required = pattern.iter().filter_map(|piece| match piece {
                Piece::Operand(role) => Some(*role),
                _ => None,
            });
            roles().all(|role| known.contains(&role)) && required.into_iter().all(present)
        };
        let Some(variant) = patterns.iter().position(fits) else { return Ok(false) };
        operation.variant = variant as u8;
        let roles: Vec<_> = roles().collect();
        operation.operands.iter_mut().zip(roles).for_each(|(operand, role)| operand.role = role);
        rename_keys(&mut operation.attributes, &patterns[variant]);
        operation.attributes.retain(|attribute| attribute.name != SEGMENTS);
        Ok(true)
    }

    /// Reports an error without stopping.
    pub(super) fn report_at(&mut self, rule: &'static Rule, span: Span, message: String) {
        self.report(Diagnostic::error(rule, message).at(span));
    }
}

/// The roles of a form in the order of the dialect's generic form; `None` if `sizes`, the numbers of operands in each place of
/// that order, are those of another form.
fn in_order<'f>(form: &'f Form, order: &[&[&str]], sizes: Option<&[usize]>) -> Option<Vec<&'f Role>> {
    let place = |role: &Role| order.iter().position(|roles| roles.contains(&role.name));
    let mut placed: Vec<(usize, &Role)> =
        form.roles().map(|role| Some((place(role)?, role))).collect::<Option<_>>()?;
    placed.sort_by_key(|(place, _)| *place);
    let count = |at: usize| placed.iter().filter(|(place, _)| *place == at).count();
    let fits = sizes
        .filter(|sizes| sizes.len() == order.len())
        .is_none_or(|sizes| sizes.iter().enumerate().all(|(at, size)| count(at) == *size));
    fits.then(|| placed.into_iter().map(|(_, role)| role).collect())
}

/// Gives the operands of an operation the roles of a form.
pub(super) fn assign_roles(operation: &mut Operation, form: &Form) {
    for (operand, role) in operation.operands.iter_mut().zip(form.roles()) {
        operand.role = role.name;
    }
    canonical_places(operation);
}

/// Normalizes operand groups that can be written in several ways: each operand of TMOV has its own type, its
/// scalar may have the keyword `pre_quant`; the dictionary of TCOLSUM is inside `ins(...)` if
/// it has a workspace there, else after the destination.
fn canonical_places(operation: &mut Operation) {
    if operation.is(Op::TMOV) {
        for operand in operation.operands.iter_mut().skip(1) {
            match operand.group {
                OperandGroup::In => operand.group = OperandGroup::Apart,
                OperandGroup::Keyword(_) if operand.role == "q" => operand.group = OperandGroup::Apart,
                _ => {}
            }
        }
    }
    if operation.is(Op::TCOLSUM) {
        let attributes = std::mem::take(&mut operation.attributes);
        let has_workspace = operation.operand("tmp").is_some();
        let is_inner =
            |attribute: &NamedAttribute| has_workspace && table::is_inner(&operation.name, &attribute.name);
        let (inner, outer): (Vec<_>, Vec<_>) = attributes.into_iter().partition(is_inner);
        operation.inner_attributes = inner.len();
        operation.attributes = inner.into_iter().chain(outer).collect();
    }
}

/// The generic form's attribute with the number of operands per role, in the order of the roles.
const SEGMENTS: &str = "operandSegmentSizes";

/// The numbers in [`SEGMENTS`], which is written `array<i32: 1, 0, 2>`.
fn segments(attribute: &NamedAttribute) -> Option<Vec<usize>> {
    let Attribute::Opaque(text) = &attribute.value else { return None };
    let list = text.strip_prefix("array<i32:").filter(|_| attribute.name == SEGMENTS)?.strip_suffix('>')?;
    list.split(',').map(|size| size.trim().parse().ok()).collect()
}

/// Renames attributes of the generic form to the names in the pattern.
fn rename_keys(attributes: &mut [NamedAttribute], pattern: &[Piece]) {
    for attribute in attributes {
        let keys = table::GENERIC_KEYS.iter().filter(|(written, _)| attribute.name == *written);
        let mut meant = keys.map(|(_, meant)| *meant);
        if let Some(meant) = meant.find(|meant| pattern.contains(&Piece::Constant(meant))) {
            attribute.name = meant.to_owned();
        }
    }
}

fn operand_roles(pattern: &[Piece]) -> Vec<&'static str> {
    let mut roles = Vec::new();
    for piece in pattern {
        match piece {
            Piece::Operand(role) | Piece::Operands(role) => roles.push(*role),
            Piece::Optional(pieces) => roles.extend(operand_roles(pieces)),
            _ => {}
        }
    }
    roles
}
