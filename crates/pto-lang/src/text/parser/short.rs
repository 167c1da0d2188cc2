//! The SSA and assembly spellings.
//!
//! SSA: `%d = pto.op %a, %b {...} : (T, T) -> T`, followed by `into %t` for an existing destination. Assembly: `%d
//! = op %a[%r, %c] : T -> T`, or destination first, `op %d, %a, %b : T`. Both become the destination-passing
//! operation; for a result without `into`, a new tile is allocated before it.

use super::destination::assign_roles;
use super::operation::{Target, new_operation};
use super::{Parse, Parser};
use crate::ir::{Attribute, NamedAttribute, Operand, OperandGroup, Operation, Spelling, TypeId};
use crate::text::cursor::Token;
use crate::text::table;
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::op::form::{Form, Kind, Role};
use pto_isa::registry::Op;
use pto_isa::rules;

/// The parsed parts of a line in a short spelling.
#[derive(Default)]
struct Line {
    operands: Vec<Operand>,
    /// The index of the first operand in brackets.
    offsets: Option<usize>,
    types: Vec<TypeId>,
    results: Vec<TypeId>,
    into: Vec<Operand>,
    attributes: Vec<NamedAttribute>,
}

impl<'a> Parser<'a> {
    /// Parses the operation if its name is an instruction's; returns whether it was.
    pub(super) fn parse_short(
        &mut self,
        name: &'a str,
        operation: &mut Operation,
        start: usize,
        targets: &[Target<'a>],
    ) -> Parse<bool> {
        let spelling = if name.starts_with("pto.") { Spelling::Ssa } else { Spelling::Assembly };
        let Some(instruction) = Op::find_spelling(name).and_then(Op::instruction) else { return Ok(false) };
        let pto_isa::op::form::Syntax::Destination(forms) = instruction.page().syntax else {
            return Ok(false);
        };
        if self.at('(') {
            let end = Span::new(operation.name_span.end, operation.name_span.end);
            let error = self.expected("`ins(...)`").with_help("write `ins` before the sources");
            return self.fail(error.with_edit(end, " ins"));
        }
        // In C++ the destination is the first argument.
        if self.token() == Token::Word("outs") {
            let error = Diagnostic::error(&rules::text::SYNTAX, "`outs(...)` is written before `ins(...)`");
            let help = "exchange them: the sources come first, then the destinations";
            return self.fail(error.at(self.span()).with_help(help));
        }
        let line = self.eliding(Self::parse_line)?;
        if self.at_word("outs") && !self.is_on_next_line() {
            return self.no_ins(&line.operands);
        }
        let spelled = name.strip_prefix("pto.").unwrap_or(name);
        let mut made = new_operation(format!("pto.{spelled}").as_str(), operation.name_span);
        made.spelling = spelling;
        let is_inner = |attribute: &NamedAttribute| table::is_inner(&made.name, &attribute.name);
        let (inner, outer): (Vec<_>, Vec<_>) = line.attributes.into_iter().partition(is_inner);
        made.inner_attributes = inner.len();
        made.attributes = inner.into_iter().chain(outer).collect();
        let written = line.operands.clone();
        let (sources, destinations) = self.split(line.operands, line.into, targets, forms);
        // `(T, T, V) -> ()` also lists the types of destinations.
        let all = targets.is_empty() && line.types.len() == written.len();
        self.check_types(if all { &written } else { &sources }, &line.types, &line.results);
        let mut line_results = line.results;
        if destinations.is_empty() {
            self.write_out(&mut line_results, spelled, &sources)?;
        }
        let new_tiles = targets.len().saturating_sub(destinations.len()).min(targets.len());
        let mut operands = sources;
        let mut results = Vec::new();
        if destinations.is_empty() {
            for (target, &ty) in targets.iter().zip(&line_results) {
                operands.push(self.make_destination(target, ty, spelling));
            }
        } else {
            operands.extend(destinations);
            results = operands
                .iter()
                .filter(|operand| operand.group == OperandGroup::Out)
                .map(|o| self.type_of(o.value))
                .collect();
        }
        if new_tiles > 0 && line_results.len() != targets.len() {
            let message =
                format!("{} results are named, but {} types are given", targets.len(), line_results.len());
            return self.syntax(operation.name_span, message);
        }
        made.operands = operands;
        if made.is_one_of(table::APART) {
            let ins = made.operands.iter_mut().filter(|operand| operand.group == OperandGroup::In);
            ins.skip(1).for_each(|operand| operand.group = OperandGroup::Apart);
        }
        self.bind_short(&mut made, forms, line.offsets);
        let aliases = if results.is_empty() { &[][..] } else { targets };
        let types = if aliases.is_empty() { Vec::new() } else { results };
        self.finish(made, start, aliases, &types)?;
        Ok(true)
    }

    fn parse_line(&mut self) -> Parse<Line> {
        let mut line = Line::default();
        while let Token::Value(_) = self.token() {
            line.operands.push(self.operand("ins", OperandGroup::In)?);
            if self.eat('[') {
                line.offsets.get_or_insert(line.operands.len());
                self.list(']', |parser| {
                    line.operands.push(parser.operand("ins", OperandGroup::In)?);
                    Ok(())
                })?;
            }
            if !self.eat(',') {
                break;
            }
        }
        self.parse_optional_attributes(&mut line.attributes)?;
        self.expect(':')?;
        if self.at('(') {
            line.types = self.parse_type_list()?;
        } else {
            line.types.push(self.parse_type()?);
            while self.eat(',') {
                line.types.push(self.parse_type()?);
            }
        }
        if self.token() == Token::Arrow {
            self.advance();
            line.results = self.parse_type_or_list()?;
            while self.eat(',') {
                line.results.push(self.parse_type()?);
            }
        }
        if self.eat_word("into") {
            loop {
                line.into.push(self.operand("outs", OperandGroup::Out)?);
                if !self.eat(',') {
                    break;
                }
            }
        }
        while let Token::Hash(name) = self.token() {
            let start = self.cursor.start();
            self.advance();
            self.expect('=')?;
            let value = match self.token() {
                Token::Word(word) if word != "true" && word != "false" => {
                    self.advance();
                    Attribute::String(word.to_owned())
                }
                _ => self.parse_attribute()?,
            };
            line.attributes.push(NamedAttribute::new(name, value).at(self.since(start)));
        }
        Ok(line)
    }

    /// Reports `outs(...)` after operands that are not in `ins(...)`.
    fn no_ins(&mut self, operands: &[Operand]) -> Parse<bool> {
        let end = self.cursor.previous_end() as u32;
        let error = Diagnostic::error(&rules::text::SYNTAX, "`outs(...)` follows `ins(...)`").at(self.span());
        self.fail(match operands {
            [first, ..] => {
                let at = first.span.start;
                let error = error.with_help("write the operands and their types in `ins(...)`");
                error.with_edit(Span::new(at, at), "ins(").with_edit(Span::new(end, end), ")")
            }
            [] => error,
        })
    }

    /// Splits operands into sources and existing destinations. Destinations are those after `into`; in a line
    /// without results, the first operands, or the last ones if only they can be destinations.
    fn split(
        &self,
        mut operands: Vec<Operand>,
        into: Vec<Operand>,
        targets: &[Target<'a>],
        forms: &[Form],
    ) -> (Vec<Operand>, Vec<Operand>) {
        if !targets.is_empty() || !into.is_empty() {
            return (operands, into);
        }
        let counts: Vec<_> =
            forms.iter().filter(|form| form.ins.len() + form.outs.len() == operands.len()).collect();
        let fits = |roles: &mut dyn Iterator<Item = &Role>| {
            operands.iter().zip(roles).all(|(operand, role)| self.kind_fits(operand, role))
        };
        let first = counts.iter().any(|form| fits(&mut form.outs.iter().chain(form.ins)));
        let last = counts.iter().find(|form| !first && fits(&mut form.roles()));
        let destination = |operand| Operand { group: OperandGroup::Out, ..operand };
        if let Some(form) = last {
            let destinations = operands.split_off(form.ins.len());
            return (operands, destinations.into_iter().map(destination).collect());
        }
        let count = counts.first().map_or(1, |form| form.outs.len()).min(operands.len());
        let rest = operands.split_off(count);
        (rest, operands.into_iter().map(destination).collect())
    }

    /// Checks the written types: one per operand, one per tile, or one for all tiles.
    fn check_types(&mut self, sources: &[Operand], types: &[TypeId], results: &[TypeId]) {
        let tiles: Vec<_> = sources
            .iter()
            .filter(|operand| Kind::of(&self.module.types[self.type_of(operand.value)]) != Kind::Scalar)
            .cloned()
            .collect();
        if types.len() == sources.len() {
            sources.iter().zip(types).for_each(|(operand, &ty)| self.agree(operand.value, ty, operand.span));
        } else if sources.iter().any(|operand| self.type_of(operand.value) == self.poison) {
            // A source is not yet defined, so it is unknown whether it is a tile.
        } else if types.len() == tiles.len() {
            tiles.iter().zip(types).for_each(|(operand, &ty)| self.agree(operand.value, ty, operand.span));
        } else if types.len() == 1 && !results.is_empty() {
            tiles.iter().for_each(|operand| self.agree(operand.value, types[0], operand.span));
        } else if types.len() != 1
            && !sources.iter().any(|operand| self.type_of(operand.value) == self.poison)
        {
            // Without undefined sources, the number of tiles is known, and the types do not match it.
            let span = sources.first().map_or(self.span(), |operand| operand.span);
            let message = format!("{} operands, but {} types", sources.len(), types.len());
            self.report_at(&rules::text::SYNTAX, span, message);
        }
    }

    /// Allocates the new tile that the operation's result names.
    fn make_destination(&mut self, target: &Target<'a>, ty: TypeId, spelling: Spelling) -> Operand {
        let value = self.define(target.name, ty, target.span);
        let mut alloc = new_operation(Op::ALLOC_TILE, target.span);
        alloc.spelling = spelling;
        alloc.results.push(value);
        self.push_operation(alloc);
        Operand { value, role: "outs", group: OperandGroup::Out, span: target.span }
    }

    /// Assigns roles by counts and kinds. If kinds are unknown, the brackets determine which operands are offsets.
    fn bind_short(&mut self, operation: &mut Operation, forms: &[Form], offsets: Option<usize>) {
        let begins = |form: &&Form| {
            offsets.is_none_or(|at| form.roles().nth(at).is_some_and(|role| role.name.starts_with("row")))
        };
        let (first, second): (Vec<&Form>, Vec<&Form>) = forms.iter().partition(begins);
        for form in first.into_iter().chain(second) {
            let outs = operation.operands.iter().filter(|operand| operand.group == OperandGroup::Out).count();
            let kinds = operation.operands.iter().zip(form.roles()).all(|(operand, role)| {
                let ty = self.type_of(operand.value);
                ty == self.poison || role.kind.fits(&self.module.types[ty])
            });
            if operation.operands.len() == form.ins.len() + form.outs.len()
                && outs == form.outs.len()
                && kinds
            {
                for (operand, role) in operation.operands.iter_mut().zip(form.roles()) {
                    if let Some(keyword) = role.keyword {
                        operand.group = OperandGroup::Keyword(keyword);
                    }
                }
                assign_roles(operation, form);
                return;
            }
        }
        // The checker reports operands that fit no form.
    }
}
