//! Prints a module as canonical text, in any of the three spellings.

mod aliases;
mod control;
mod operation;
mod pattern;
mod types;

pub(crate) use types::type_text;

use crate::ir::{
    Block, BlockId, Comment, Function, Item, Module, ModuleItem, NamedAttribute, RegionId, Spot, TypeId,
    ValueId,
};
use aliases::AliasNames;
use std::collections::HashMap;
use types::symbol;

/// The spelling in which tile instructions are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrintedSpelling {
    /// As it was parsed; the generic spelling becomes destination-passing.
    #[default]
    AsWritten,
    /// `pto.op ins(...) outs(...)`.
    Destination,
    /// `%d = pto.op %a, %b : (T, T) -> T`.
    Ssa,
    /// `%d = op %a, %b : T, T -> T`.
    Assembly,
}

/// How types with aliases are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TypeAliases {
    /// In full; the definitions of aliases are left out.
    #[default]
    Expanded,
    /// By the aliases of the module.
    Kept,
    /// By the aliases of the module and by new ones for types that are used twice or more, if that is shorter.
    Introduced,
}

/// Options of the printer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style<'a> {
    /// Spelling of tile instructions.
    pub spelling: PrintedSpelling,
    /// Whether tile types are written compactly, `!pto.tile_buf<vec, 16x32xf32>`.
    pub compact: bool,
    /// The source text of the module: its blank lines are kept, consecutive ones as one.
    pub source: Option<&'a str>,
    /// How types with aliases are printed.
    pub aliases: TypeAliases,
}

/// The canonical text of a module.
pub fn print(module: &Module, style: &Style<'_>) -> String {
    let mut printer = Printer::new(module, style);
    for alias in &module.location_aliases {
        printer.line(alias);
    }
    printer.type_aliases();
    printer.items(&module.items, u32::MAX);
    printer.comments_before(u32::MAX);
    printer.out
}

struct Printer<'a> {
    module: &'a Module,
    style: &'a Style<'a>,
    out: String,
    indent: usize,
    /// Comments outside functions that are not yet printed.
    comments: &'a [Comment],
    /// Comments of the current function, by spot.
    placed: HashMap<Spot, Vec<&'a Comment>>,
    /// Values of the current function that are printed with the name of another value.
    renamed: HashMap<ValueId, ValueId>,
    /// The types that are printed by name: those whose aliases are defined above.
    aliases: AliasNames,
    /// Every type printed so far, once for each use.
    used: Vec<TypeId>,
}

impl<'a> Printer<'a> {
    fn new(module: &'a Module, style: &'a Style<'a>) -> Printer<'a> {
        Printer {
            module,
            style,
            out: String::new(),
            indent: 0,
            comments: &module.comments,
            placed: HashMap::new(),
            renamed: HashMap::new(),
            aliases: HashMap::new(),
            used: Vec::new(),
        }
    }

    fn start_line(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
    }

    fn line(&mut self, text: &str) {
        self.start_line();
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Ends a line outside functions, with its trailing comment in the source if that starts before byte `limit`.
    fn end_line(&mut self, limit: u32) {
        let inside = |comment: &&Comment| comment.trailing && comment.span.start < limit;
        let count = self.comments.iter().take_while(inside).count();
        let (behind, rest) = self.comments.split_at(count);
        self.comments = rest;
        self.line_end(behind.iter());
    }

    /// Ends a line of a function, with the comments at a spot.
    fn end_line_at(&mut self, spot: Spot) {
        let behind = self.placed.remove(&spot).unwrap_or_default();
        self.line_end(behind.into_iter());
    }

    /// Ends a line that opens a block, with the comments at a spot: those after the first are the first lines inside.
    fn end_opening_line_at(&mut self, spot: Spot) {
        self.indent += 1;
        self.end_line_at(spot);
        self.indent -= 1;
    }

    /// Ends a line with comments: the first on the line, others on lines of their own, as they are read again.
    fn line_end<'b>(&mut self, behind: impl Iterator<Item = &'b Comment>) {
        for (index, comment) in behind.enumerate() {
            match index {
                0 => self.out.push(' '),
                _ => {
                    self.out.push('\n');
                    self.start_line();
                }
            }
            self.out.push_str(&comment.text);
        }
        self.out.push('\n');
    }

    /// Prints a comment on its own line.
    fn comment(&mut self, comment: &Comment) {
        if comment.blank_before && !comment.trailing {
            self.blank_line();
        }
        self.line(&comment.text);
    }

    /// Prints the comments outside functions before byte `start`.
    fn comments_before(&mut self, start: u32) {
        while let Some((comment, rest)) = self.comments.split_first() {
            if comment.span.start >= start {
                break;
            }
            self.comment(comment);
            self.comments = rest;
        }
    }

    /// Prints the comments of a function at a spot.
    fn comments_at(&mut self, spot: Spot) {
        for comment in self.placed.remove(&spot).unwrap_or_default() {
            self.comment(comment);
        }
    }

    /// Prints a blank line if the source has one before byte `start`.
    fn blank_line_before(&mut self, start: u32) {
        if let Some(source) = self.style.source.filter(|source| (start as usize) < source.len()) {
            let before = source[..start as usize].trim_end_matches([' ', '\t']);
            let before = before.strip_suffix('\n').unwrap_or("x");
            if before[before.rfind('\n').map_or(0, |at| at + 1)..].trim().is_empty() {
                self.blank_line();
            }
        }
    }

    fn blank_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") && !self.out.ends_with("{\n") {
            self.out.push('\n');
        }
    }

    fn items(&mut self, items: &'a [Item], end: u32) {
        let starts: Vec<u32> = items.iter().map(|item| item.start(self.module)).collect();
        for (index, item) in items.iter().enumerate() {
            self.comments_before(starts[index]);
            self.blank_line_before(starts[index]);
            let limit = starts.get(index + 1).copied().unwrap_or(end);
            match item {
                Item::Module(module) => self.module_item(module, limit),
                Item::Function(function) => self.function(&self.module.functions[*function], limit),
            }
        }
    }

    fn module_item(&mut self, module: &'a ModuleItem, limit: u32) {
        self.start_line();
        self.out.push_str("module");
        if let Some(name) = &module.name {
            self.out.push_str(&format!(" {}", symbol(name)));
        }
        self.keyed_attributes(&module.attributes);
        self.out.push_str(" {");
        let first = module.items.first().map(|item| item.start(self.module));
        self.indent += 1;
        self.end_line(first.unwrap_or(module.span.end));
        self.items(&module.items, module.span.end);
        self.comments_before(module.span.end);
        self.indent -= 1;
        self.start_line();
        self.out.push('}');
        self.location(&module.location);
        self.end_line(limit);
    }

    fn keyed_attributes(&mut self, attributes: &[NamedAttribute]) {
        if !attributes.is_empty() {
            self.out.push_str(" attributes ");
            self.dictionary(attributes);
        }
    }

    fn location(&mut self, location: &Option<String>) {
        if let Some(location) = location {
            self.out.push(' ');
            self.out.push_str(location);
        }
    }

    fn function(&mut self, function: &'a Function, limit: u32) {
        self.renamed = self.renamed(function);
        for placed in &function.comments {
            self.placed.entry(placed.spot).or_default().push(&placed.comment);
        }
        self.start_line();
        self.out.push_str("func.func ");
        if let Some(visibility) = &function.visibility {
            self.out.push_str(visibility);
            self.out.push(' ');
        }
        self.out.push_str(&format!("{}(", symbol(&function.name)));
        for (index, argument) in function.arguments.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            let value = &function.values[argument.value];
            if !value.name.is_empty() {
                self.out.push_str(&format!("%{}: ", value.name));
            }
            self.ty(value.ty);
            if !argument.attributes.is_empty() {
                self.out.push(' ');
                self.dictionary(&argument.attributes);
            }
        }
        self.out.push(')');
        match function.results.as_slice() {
            [] => {}
            [single] => {
                self.out.push_str(" -> ");
                self.ty(*single);
            }
            several => {
                self.out.push_str(" -> ");
                self.type_list(several);
            }
        }
        self.keyed_attributes(&function.attributes);
        if let Some(body) = function.body {
            self.out.push(' ');
            self.region(function, body, true);
        }
        self.location(&function.location);
        self.end_line(limit);
    }

    /// Prints `{ ... }` without a line end.
    fn region(&mut self, function: &'a Function, region: RegionId, hide_arguments: bool) {
        self.out.push('{');
        self.end_opening_line_at(Spot::Opening(region));
        self.indent += 1;
        for (index, id) in function.regions[region].blocks.iter().enumerate() {
            let block = &function.blocks[*id];
            if index > 0 || !block.name.is_empty() {
                self.block_header(function, *id, index == 0 && hide_arguments);
            }
            for (index, operation) in block.operations.iter().enumerate() {
                self.comments_at(Spot::Above(*operation));
                let span = function.operations[*operation].span;
                // Inserted operations have no position in the source.
                if span.start < span.end {
                    self.blank_line_before(span.start);
                }
                self.operation(function, block, index);
            }
        }
        self.comments_at(Spot::Closing(region));
        self.indent -= 1;
        self.start_line();
        self.out.push('}');
    }

    fn block_header(&mut self, function: &'a Function, id: BlockId, hide_arguments: bool) {
        let block: &Block = &function.blocks[id];
        self.comments_at(Spot::AboveBlock(id));
        self.blank_line_before(block.span.start);
        self.indent -= 1;
        self.start_line();
        self.indent += 1;
        self.out.push_str(&format!("^{}", block.name));
        if !block.arguments.is_empty() && !hide_arguments {
            self.out.push('(');
            for (index, argument) in block.arguments.iter().enumerate() {
                let separator = if index > 0 { ", " } else { "" };
                let value = &function.values[*argument];
                self.out.push_str(&format!("{separator}%{}: ", value.name));
                self.ty(value.ty);
            }
            self.out.push(')');
        }
        self.out.push(':');
        self.end_line_at(Spot::BehindBlock(id));
    }
}
