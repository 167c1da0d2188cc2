//! A second reader of programs: the judge of printed text.
//!
//! It is written from MLIR's grammar and from the assembler's manual and operation definitions (`PTO_IR_manual.md`,
//! `PTOOps.td`), and shares no code with the parser and the printer: a common error of both is found here. It reads
//! tokens, types, attributes and the syntax of each operation, and compares the type of each use with that of the
//! definition. It does not check rules.
//!
//! - `mod.rs`: text, values and their scopes, modules and functions.
//! - `types.rs`, `attributes.rs`: types, and attributes with their words.
//! - `table.rs`: the table of operations; `operations.rs`: the small language of its formats.

mod attributes;
mod operations;
mod table;
mod types;

pub use table::{EXTENSIONS, FORMS, is_known};

use std::collections::{HashMap, HashSet};

/// Reads a program. Returns the operations and types that the assembler's dialect lacks ([`EXTENSIONS`]), which are skipped up to
/// the end of their line, or the first error, with its line.
pub fn read(text: &str) -> Result<HashSet<&'static str>, String> {
    let mut reader = Reader { text, ..Reader::default() };
    reader.items(true).map_err(|message| {
        let start = text[..reader.at].rfind('\n').map_or(0, |at| at + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        let number = text[..start].matches('\n').count() + 1;
        format!("line {number}: {message}, at `{}` of `{}`", &line[reader.at - start..], line.trim())
    })?;
    Ok(reader.extensions)
}

/// The result of reading a part: an error is a sentence.
type Read<T> = Result<T, String>;

fn fail<T>(message: impl Into<String>) -> Read<T> {
    Err(message.into())
}

/// A type in one spelling; `None` if an operation does not state it.
type Known = Option<String>;

#[derive(Default)]
struct Reader<'a> {
    text: &'a str,
    at: usize,
    aliases: HashMap<&'a str, String>,
    /// Values in scope, and their names in the order of definition.
    values: HashMap<String, Known>,
    order: Vec<String>,
    /// Names that are used in a block before the block that defines them.
    forward: HashSet<String>,
    extensions: HashSet<&'static str>,
}

/// Whether a character belongs to a bare name.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.')
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips blanks and comments.
    fn skip(&mut self) {
        loop {
            self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
            if !self.rest().starts_with("//") {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    /// Whether a literal is next. A word ends at its last letter.
    fn sees(&mut self, literal: &str) -> bool {
        self.skip();
        let Some(after) = self.rest().strip_prefix(literal) else { return false };
        !literal.ends_with(is_letter) || !after.starts_with(is_letter)
    }

    fn eat(&mut self, literal: &str) -> bool {
        let found = self.sees(literal);
        self.at += if found { literal.len() } else { 0 };
        found
    }

    fn expect(&mut self, literal: &str) -> Read<()> {
        if self.eat(literal) { Ok(()) } else { fail(format!("expected `{literal}`")) }
    }

    /// The longest run of characters that `holds` from here on, without blanks before it.
    fn run(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !holds(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A bare name: a letter or `_`, then letters, digits, `_`, `$` and `.`.
    fn word(&mut self) -> Read<&'a str> {
        self.skip();
        if !self.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return fail("expected a name");
        }
        Ok(self.run(is_letter))
    }

    /// The name after `%`, `^`, `@` or `!`: digits alone, or a name that may start with `$`, `.` or `-`.
    fn suffix(&mut self) -> Read<&'a str> {
        let name = match self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            true => self.run(|c| c.is_ascii_digit()),
            false => self.run(|c| is_letter(c) || c == '-'),
        };
        if name.is_empty() { fail("expected a name") } else { Ok(name) }
    }

    /// Items between commas, up to a closing literal.
    fn list(&mut self, close: &str, mut one: impl FnMut(&mut Self) -> Read<()>) -> Read<usize> {
        if self.eat(close) {
            return Ok(0);
        }
        for count in 1.. {
            one(self)?;
            if self.eat(close) {
                return Ok(count);
            }
            self.expect(",")?;
        }
        fail("the list does not end")
    }

    fn string(&mut self) -> Read<&'a str> {
        self.expect("\"")?;
        let start = self.at;
        while let Some(c) = self.rest().chars().next().filter(|c| *c != '\n') {
            self.at += c.len_utf8();
            match c {
                '"' => return Ok(&self.text[start..self.at - 1]),
                '\\' => self.at += self.rest().chars().next().map_or(0, char::len_utf8),
                _ => {}
            }
        }
        fail("the string is not closed")
    }

    fn symbol(&mut self) -> Read<()> {
        self.expect("@")?;
        match self.rest().starts_with('"') {
            true => self.string().map(drop),
            false => self.suffix().map(drop),
        }
    }

    /// Modules, functions and aliases up to the end, or to `}`.
    fn items(&mut self, top: bool) -> Read<()> {
        loop {
            self.skip();
            if self.rest().is_empty() || !top && self.sees("}") {
                return Ok(());
            }
            if self.eat("module") || self.eat("builtin.module") {
                if self.sees("@") {
                    self.symbol()?;
                }
                self.attributes()?;
                self.expect("{")?;
                self.items(false)?;
                self.expect("}")?;
                self.location()?;
            } else if self.eat("func.func") {
                self.function()?;
            } else if top && self.eat("!") {
                let name = self.suffix()?;
                self.expect("=")?;
                let ty = self.ty()?;
                self.aliases.insert(name, ty);
            } else if top && self.eat("#") {
                self.suffix()?;
                self.expect("=")?;
                if self.sees("loc(") { self.location()? } else { self.attribute()? }
            } else {
                return fail("expected a module, a function or an alias");
            }
        }
    }

    /// `attributes {...}`, which may be absent.
    fn attributes(&mut self) -> Read<()> {
        if self.eat("attributes") { self.dictionary() } else { Ok(()) }
    }

    /// `loc(...)`, which may be absent: names, strings, numbers and `at`, in brackets.
    fn location(&mut self) -> Read<()> {
        if !self.eat("loc(") {
            return Ok(());
        }
        let mut depth = 1;
        while depth > 0 {
            self.skip();
            match self.rest().chars().next() {
                Some('"') => drop(self.string()?),
                Some(c) => {
                    depth +=
                        i32::from(matches!(c, '(' | '[' | '<')) - i32::from(matches!(c, ')' | ']' | '>'));
                    self.at += c.len_utf8();
                }
                None => return fail("the location is not closed"),
            }
        }
        Ok(())
    }

    fn function(&mut self) -> Read<()> {
        let _ = self.eat("private") || self.eat("public") || self.eat("nested");
        self.symbol()?;
        self.expect("(")?;
        let mut arguments = Vec::new();
        self.list(")", |reader| {
            if reader.sees("%") {
                arguments.push(reader.argument()?);
            } else {
                reader.ty()?;
            }
            reader.dictionary_if_any()?;
            reader.location()
        })?;
        if self.eat("->") {
            if self.eat("(") {
                self.list(")", |reader| reader.ty().and_then(|_| reader.dictionary_if_any()))?;
            } else {
                self.ty()?;
            }
        }
        self.attributes()?;
        if self.sees("{") {
            self.region(arguments)?;
        }
        if let Some(name) = self.forward.drain().next() {
            return fail(format!("`%{name}` is not defined"));
        }
        self.location()
    }

    /// `%name : type`
    fn argument(&mut self) -> Read<(String, Known)> {
        let name = self.name()?;
        self.expect(":")?;
        Ok((name, Some(self.ty()?)))
    }

    /// `{...}`: operations, or blocks with labels. Values that it defines end with it.
    fn region(&mut self, arguments: Vec<(String, Known)>) -> Read<()> {
        self.expect("{")?;
        let outside = self.order.len();
        arguments.into_iter().try_for_each(|(name, ty)| self.define(name, ty))?;
        while !self.eat("}") {
            if !self.eat("^") {
                self.operation()?;
                self.location()?;
                continue;
            }
            self.suffix()?;
            if self.eat("(") {
                self.list(")", |reader| {
                    let (name, ty) = reader.argument()?;
                    reader.define(name, ty)
                })?;
            }
            self.expect(":")?;
        }
        for name in self.order.split_off(outside) {
            self.values.remove(&name);
        }
        Ok(())
    }

    /// `%name`, or `%name#1`, one of several results.
    fn name(&mut self) -> Read<String> {
        self.expect("%")?;
        let name = self.suffix()?;
        if !self.rest().starts_with('#') {
            return Ok(name.to_owned());
        }
        self.at += 1;
        Ok(format!("{name}#{}", self.run(|c| c.is_ascii_digit())))
    }

    fn define(&mut self, name: String, ty: Known) -> Read<()> {
        self.forward.remove(&name);
        self.order.push(name.clone());
        match self.values.insert(name.clone(), ty) {
            None => Ok(()),
            Some(_) => fail(format!("`%{name}` is defined twice")),
        }
    }

    /// A use of a value: its name and its type. A value of a later block is not known yet.
    fn value(&mut self) -> Read<(String, Known)> {
        let name = self.name()?;
        let name = name.strip_suffix("#0").map_or(name.clone(), str::to_owned);
        match self.values.get(&name) {
            Some(ty) => Ok((name, ty.clone())),
            None => {
                self.forward.insert(name.clone());
                Ok((name, None))
            }
        }
    }

    /// A type that is written for a value.
    fn type_of(&mut self, name: &str, known: &Known) -> Read<()> {
        let written = self.ty()?;
        match known {
            Some(known) if *known != written => fail(format!("`%{name}` is of type {known}, not {written}")),
            _ => Ok(()),
        }
    }
}
