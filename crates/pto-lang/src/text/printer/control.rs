//! Control flow: loops, branches, returns, calls, with their regions.

use super::Printer;
use crate::ir::{Attribute, Function, Operation, Successor, Type};
use pto_isa::meaning::Meaning;

impl<'a> Printer<'a> {
    /// Prints an operation with regions, successors or its own syntax; returns whether it was one.
    pub(super) fn control(&mut self, function: &'a Function, operation: &'a Operation) -> bool {
        match operation.meaning() {
            Meaning::Constant => {
                self.out.push(' ');
                if let Some(value) = operation.attribute("value") {
                    self.attribute(value);
                }
                return true;
            }
            Meaning::For => self.for_header(function, operation),
            Meaning::If => {
                self.out.push(' ');
                self.name(function, operation.operands[0].value);
                self.results(function, operation);
            }
            Meaning::While => self.while_header(function, operation),
            Meaning::Region => self.results(function, operation),
            Meaning::Section(_) => {}
            Meaning::Switch => {
                self.index_switch(function, operation);
                return true;
            }
            Meaning::Branch => {
                self.out.push(' ');
                self.successor(function, &operation.successors[0]);
                return true;
            }
            Meaning::BranchIf => {
                self.out.push(' ');
                self.name(function, operation.operands[0].value);
                for successor in &operation.successors {
                    self.out.push_str(", ");
                    self.successor(function, successor);
                }
                return true;
            }
            _ => return false,
        }
        let section = matches!(operation.meaning(), Meaning::Section(_));
        if section && !operation.attributes.is_empty() {
            self.out.push(' ');
            self.dictionary(&operation.attributes);
        }
        for (index, region) in operation.regions.iter().enumerate() {
            let between = match (index, operation.meaning()) {
                (0, _) => " ",
                (_, Meaning::If) => " else ",
                _ => " do ",
            };
            self.out.push_str(between);
            let hide = index == 0 || operation.meaning() != Meaning::While;
            self.region(function, *region, hide);
        }
        if !operation.attributes.is_empty() && !section {
            self.out.push(' ');
            self.dictionary(&operation.attributes);
        }
        true
    }

    fn results(&mut self, function: &Function, operation: &Operation) {
        let types: Vec<_> = operation.results.iter().map(|result| function.values[*result].ty).collect();
        if !types.is_empty() {
            self.out.push_str(" -> ");
            self.type_list(&types);
        }
    }

    fn carried(&mut self, function: &Function, operation: &Operation, skip: usize) {
        let inits: Vec<_> = operation.operands_in("init").collect();
        let block = function.regions[operation.regions[0]].blocks[0];
        self.out.push('(');
        for (index, init) in inits.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            if let Some(argument) = function.blocks[block].arguments.get(index + skip) {
                self.name(function, *argument);
            }
            self.out.push_str(" = ");
            self.name(function, init.value);
        }
        self.out.push(')');
    }

    fn for_header(&mut self, function: &Function, operation: &Operation) {
        let block = function.regions[operation.regions[0]].blocks[0];
        self.out.push(' ');
        let induction = function.blocks[block].arguments[0];
        self.name(function, induction);
        for (word, role) in [("=", "lower"), ("to", "upper"), ("step", "step")] {
            self.out.push_str(&format!(" {word} "));
            if let Some(operand) = operation.operand(role) {
                self.name(function, operand.value);
            }
        }
        if operation.operand("init").is_some() {
            self.out.push_str(" iter_args");
            self.carried(function, operation, 1);
            self.results(function, operation);
        }
        if !matches!(self.module.types[function.values[induction].ty], Type::Scalar(crate::ir::Scalar::Index))
        {
            self.out.push_str(" : ");
            self.ty(function.values[induction].ty);
        }
    }

    fn while_header(&mut self, function: &Function, operation: &Operation) {
        self.out.push(' ');
        self.carried(function, operation, 0);
        self.out.push_str(" : (");
        let inits: Vec<_> = operation.operands_in("init").collect();
        self.types_of(function, &inits);
        self.out.push_str(") -> ");
        let results: Vec<_> = operation.results.iter().map(|result| function.values[*result].ty).collect();
        match results.as_slice() {
            [single] => self.ty(*single),
            several => self.type_list(several),
        }
    }

    fn index_switch(&mut self, function: &'a Function, operation: &'a Operation) {
        self.out.push(' ');
        self.name(function, operation.operands[0].value);
        // Unlike those of the other operations with regions, several types have no brackets.
        for (index, result) in operation.results.iter().enumerate() {
            self.out.push_str(if index == 0 { " -> " } else { ", " });
            self.ty(function.values[*result].ty);
        }
        let cases = match operation.attribute("cases") {
            Some(Attribute::Array(cases)) => cases.as_slice(),
            _ => &[],
        };
        for (index, region) in operation.regions.iter().enumerate() {
            self.out.push('\n');
            self.start_line();
            match cases.get(index) {
                Some(case) => {
                    self.out.push_str("case ");
                    self.attribute(case);
                    self.out.push(' ');
                }
                None => self.out.push_str("default "),
            }
            self.region(function, *region, true);
        }
    }

    fn successor(&mut self, function: &Function, successor: &Successor) {
        self.out.push_str(&format!("^{}", function.blocks[successor.block].name));
        if !successor.arguments.is_empty() {
            let arguments: Vec<_> = successor.arguments.iter().collect();
            self.out.push('(');
            self.names(function, &arguments);
            self.out.push_str(" : ");
            self.types_of(function, &arguments);
            self.out.push(')');
        }
    }
}
