//! Reads operations by their formats in the table. A format is a row of words:
//!
//! | word | reads |
//! |---|---|
//! | `%`, `*2`, `*1-3` | an operand, 2 operands, 1 to 3 of them, whose types follow |
//! | `%_`, `%index`, `*index` | an operand of any type that is not written, one of type `index`, any number of these |
//! | `T`, `T~`, `same`, `same=` | the types of the operands before, in reverse order, one for all, which is the result's too |
//! | `R`, `R*`, `=i64`, `infer` | the type of a result, of each result, one that is not written, one that may be left out |
//! | `F` | a type of functions: of the operands and the results |
//! | `{}`, `A`, `I`, `S`, `P`, `@`, `W` | a dictionary or nothing, an attribute, a number, a string, `[1, 2]`, a symbol, a name |
//! | `C`, `region`, `block` | a number with its type, a region, a block with its arguments |
//! | `keys:a!,b`, `operands:a,b` | `{a = 1, b = 2}` with `a`, `(a = %x : T, b = %y : U)`, each at most once |
//! | `?(` ... `)?` | words that may be absent |
//!
//! `2-3>1` is short for `ins ( *2-3 : T ) outs ( *1 : T ) {}`. An operation with several formats has several rows.

use super::table::{CONTROL, FORMATS, SEGMENTS, extension, is_known};
use super::{Known, Read, Reader, fail};

/// Text that a format has read so far.
#[derive(Default)]
struct Parts {
    /// Operands whose types are not read yet.
    pending: Vec<(String, Known)>,
    results: Vec<Known>,
}

impl<'a> Reader<'a> {
    pub(super) fn operation(&mut self) -> Read<()> {
        let mut targets = Vec::new();
        while self.sees("%") {
            let name = self.name()?;
            let count = if self.eat(":") {
                self.number()?.parse::<u32>().map_err(|_| "a count of results")?
            } else {
                1
            };
            targets.push(name.clone());
            targets.extend((1..count).map(|at| format!("{name}#{at}")));
            if !self.eat(",") {
                self.expect("=")?;
                break;
            }
        }
        let results = if self.sees("\"") { self.generic()? } else { self.custom(targets.len())? };
        if !targets.is_empty() && targets.len() != results.len() {
            return fail(format!("{} names for {} results", targets.len(), results.len()));
        }
        targets.into_iter().zip(results).try_for_each(|(name, ty)| self.define(name, ty))
    }

    /// An operation in its own format: of several that fit, the longest.
    fn custom(&mut self, targets: usize) -> Read<Vec<Known>> {
        let name = self.word()?;
        if let Some(known) = extension(name) {
            self.extensions.insert(known);
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            return Ok(vec![None; targets]);
        }
        if CONTROL.contains(&name) {
            return self.control(name);
        }
        let formats = FORMATS.get(name).ok_or_else(|| format!("`{name}` is no operation"))?;
        let (start, mut refused) = (self.at, (0, String::new()));
        let mut read: Option<(usize, Vec<Known>, &Option<&'static str>)> = None;
        for (format, extended) in formats {
            let words: Vec<&str> = format.split_whitespace().collect();
            let mut parts = Parts::default();
            self.at = start;
            match self.follow(&words, &mut parts) {
                Ok(()) if read.as_ref().is_none_or(|(at, ..)| *at < self.at) => {
                    read = Some((self.at, parts.results, extended));
                }
                Err(message) if self.at >= refused.0 => refused = (self.at, format!("`{name}`: {message}")),
                _ => {}
            }
        }
        match read {
            Some((at, results, extended)) => {
                self.at = at;
                self.extensions.extend(extended);
                Ok(results)
            }
            None => {
                self.at = refused.0;
                Err(refused.1)
            }
        }
    }

    fn follow(&mut self, words: &[&str], parts: &mut Parts) -> Read<()> {
        let mut at = 0;
        while let Some(&word) = words.get(at) {
            at += 1;
            if word == "?(" {
                let mut depth = 1;
                let inner = at;
                while depth > 0 {
                    depth += i32::from(words[at] == "?(") - i32::from(words[at] == ")?");
                    at += 1;
                }
                if self.begins(&words[inner..]) {
                    self.follow(&words[inner..at - 1], parts)?;
                }
            } else {
                self.step(word, parts)?;
            }
        }
        Ok(())
    }

    /// Whether words that may be absent are there. Several groups of one format may begin with a comma, so a key after it counts.
    fn begins(&mut self, words: &[&str]) -> bool {
        let start = self.at;
        let found = match words {
            [",", key, ..] if key.starts_with(|c: char| c.is_ascii_lowercase()) => {
                self.eat(",") && self.sees(key)
            }
            [first, ..] => self.sees(if first.starts_with(['%', '*']) { "%" } else { first }),
            [] => false,
        };
        self.at = start;
        found
    }

    /// Reads the text that one word of a format denotes.
    fn step(&mut self, word: &str, parts: &mut Parts) -> Read<()> {
        match word {
            "T" => return self.types(parts.pending.drain(..)),
            "T~" => return self.types(parts.pending.drain(..).rev()),
            "same" | "same=" => {
                let start = self.at;
                for operand in parts.pending.drain(..) {
                    self.at = start;
                    self.type_of(&operand.0, &operand.1)?;
                }
                self.at = start;
                let ty = self.ty()?;
                parts.results.extend((word == "same=").then_some(Some(ty)));
            }
            "F" => {
                let start = self.at;
                self.expect("(")?;
                let operands: Vec<_> = parts.pending.drain(..).collect();
                self.types(operands.into_iter())?;
                self.expect(")")?;
                self.at = start;
                parts.results.extend(self.function_type()?.1.into_iter().map(Some));
            }
            "R" => parts.results.push(Some(self.ty()?)),
            "RS" if self.sees("(") => parts.results.extend(self.types_in_brackets()?.into_iter().map(Some)),
            "RS" => parts.results.push(Some(self.ty()?)),
            "R*" if !self.sees("}") => {
                parts.results.push(Some(self.ty()?));
                while self.eat(",") {
                    parts.results.push(Some(self.ty()?));
                }
            }
            "R*" => {}
            "infer" if parts.results.is_empty() => parts.results.push(None),
            "infer" => {}
            "{}" => return self.dictionary_if_any(),
            "A" => return self.implied(),
            "I" => return self.attribute(),
            "S" => return self.string().map(drop),
            "@" => return self.symbol(),
            "W" => return self.word().map(drop),
            "C" => {
                self.dictionary_if_any()?;
                let ty = self.constant()?;
                parts.results.push(Some(ty.ok_or("the constant has no type")?));
            }
            "P" => {
                self.expect("[")?;
                return self.list("]", |reader| reader.number().map(drop)).map(drop);
            }
            "region" => return self.region(Vec::new()),
            "block" => return self.successor(),
            _ => return self.operand_or_literal(word, parts),
        }
        Ok(())
    }

    fn operand_or_literal(&mut self, word: &str, parts: &mut Parts) -> Read<()> {
        if let Some(keys) = word.strip_prefix("keys:") {
            return self.clauses("{", "}", keys, |reader| reader.attribute());
        }
        if let Some(keys) = word.strip_prefix("operands:") {
            return self.clauses("(", ")", keys, |reader| {
                let value = reader.value()?;
                reader.expect(":")?;
                reader.type_of(&value.0, &value.1)
            });
        }
        if let Some(ty) = word.strip_prefix('=').filter(|ty| !ty.is_empty()) {
            parts.results.push(Some(ty.to_owned()));
            return Ok(());
        }
        if let Some(ty) = word.strip_prefix('%') {
            let (name, known) = self.value()?;
            match ty {
                "" => parts.pending.push((name, known)),
                "_" => {}
                _ if known.as_ref().is_some_and(|known| known != ty) => {
                    return fail(format!("`%{name}` is of type {}, not {ty}", known.unwrap_or_default()));
                }
                _ => {}
            }
            return Ok(());
        }
        let Some(count) = word.strip_prefix('*') else { return self.expect(word) };
        if count == "index" {
            while self.sees("%") {
                self.operand_or_literal("%index", parts)?;
                if !self.eat(",") {
                    break;
                }
            }
            return Ok(());
        }
        let (least, most) = count.split_once('-').unwrap_or((count, count));
        let before = parts.pending.len();
        while self.sees("%") {
            parts.pending.push(self.value()?);
            if !self.eat(",") {
                break;
            }
        }
        let found = parts.pending.len() - before;
        let bound = |text: &str| text.parse::<usize>().unwrap_or(usize::MAX);
        if (bound(least)..=bound(most)).contains(&found) { Ok(()) } else { fail(format!("{found} operands")) }
    }

    fn types(&mut self, operands: impl Iterator<Item = (String, Known)>) -> Read<()> {
        for (index, operand) in operands.enumerate() {
            if index > 0 {
                self.expect(",")?;
            }
            self.type_of(&operand.0, &operand.1)?;
        }
        Ok(())
    }

    /// `{key = ..., key = ...}`: keys of a list, each at most once, those with `!` once.
    fn clauses(
        &mut self,
        open: &str,
        close: &str,
        keys: &str,
        one: impl Fn(&mut Self) -> Read<()>,
    ) -> Read<()> {
        let mut missing: Vec<&str> = keys.split(',').collect();
        self.expect(open)?;
        self.list(close, |reader| {
            let key = reader.word()?;
            let known = missing.iter().position(|known| known.trim_end_matches('!') == key);
            missing.remove(known.ok_or_else(|| format!("`{key}` is not expected"))?);
            reader.expect("=")?;
            one(reader)
        })?;
        match missing.iter().find(|key| key.ends_with('!')) {
            Some(key) => fail(format!("`{key}` is missing")),
            None => Ok(()),
        }
    }

    /// `^name` or `^name(%a, %b : T, U)`
    fn successor(&mut self) -> Read<()> {
        self.expect("^")?;
        self.suffix()?;
        if self.eat("(") {
            let words = ["*1-99", ":", "T", ")"];
            self.follow(&words, &mut Parts::default())?;
        }
        Ok(())
    }

    /// `(%a = %b, ...)`: names inside a loop and their first values.
    fn carried(&mut self) -> Read<Vec<(String, Known)>> {
        let mut carried = Vec::new();
        self.expect("(")?;
        self.list(")", |reader| {
            let name = reader.name()?;
            reader.expect("=")?;
            carried.push((name, reader.value()?.1));
            Ok(())
        })?;
        Ok(carried)
    }

    /// Loops and switches.
    fn control(&mut self, name: &str) -> Read<Vec<Known>> {
        let mut parts = Parts::default();
        match name {
            "scf.for" => {
                let index = self.name()?;
                self.follow(&["=", "%", "to", "%", "step", "%"], &mut parts)?;
                let mut arguments = Vec::new();
                if self.eat("iter_args") {
                    arguments = self.carried()?;
                    self.follow(&["->", "RS"], &mut parts)?;
                    if arguments.iter().map(|(_, ty)| ty).ne(&parts.results) {
                        return fail("the types of the loop's values are not those of its results");
                    }
                }
                let ty = if self.eat(":") { self.ty()? } else { "index".to_owned() };
                if parts.pending.iter().any(|(_, known)| known.as_ref().is_some_and(|known| *known != ty)) {
                    return fail(format!("the bounds are not of type {ty}"));
                }
                arguments.insert(0, (index, Some(ty)));
                self.region(arguments)?;
                self.dictionary_if_any()?;
            }
            "scf.while" => {
                let arguments = if self.sees("(") { self.carried()? } else { Vec::new() };
                self.expect(":")?;
                let (from, to) = self.function_type()?;
                if arguments.iter().map(|(_, ty)| ty).ne(&from.into_iter().map(Some).collect::<Vec<_>>()) {
                    return fail("the types of the loop's values are not those written");
                }
                parts.results.extend(to.into_iter().map(Some));
                self.region(arguments)?;
                self.expect("do")?;
                self.region(Vec::new())?;
                self.attributes()?;
            }
            _ => {
                self.follow(&["%index", "{}", "?(", "->", "R*", ")?"], &mut parts)?;
                while self.eat("case") {
                    self.follow(&["I", "region"], &mut parts)?;
                }
                self.follow(&["default", "region"], &mut parts)?;
            }
        }
        Ok(parts.results)
    }

    /// `"name"(operands) <{properties}> {attributes} : (types) -> types`; as many operands as the segments state.
    fn generic(&mut self) -> Read<Vec<Known>> {
        let name = self.string()?;
        if let Some(known) = extension(name) {
            self.extensions.insert(known);
        } else if !is_known(name) {
            return fail(format!("`{name}` is no operation"));
        }
        let mut parts = Parts::default();
        self.follow(&["(", "*0-99", ")"], &mut parts)?;
        let (start, count) = (self.at, parts.pending.len());
        if self.eat("<") {
            self.dictionary()?;
            self.expect(">")?;
        }
        self.dictionary_if_any()?;
        let written = &self.text[start..self.at];
        let short = name.strip_prefix("pto.").unwrap_or_default();
        if let Some((kinds, _)) =
            SEGMENTS.iter().find(|(_, names)| names.split(' ').any(|name| name == short))
        {
            let sizes = written
                .split_once("operandSegmentSizes = array<i32:")
                .and_then(|(_, rest)| rest.split_once('>'));
            let (sizes, _) = sizes.ok_or("the counts of the operands are missing")?;
            let sizes: Vec<usize> =
                sizes.split(',').map(|size| size.trim().parse().unwrap_or(usize::MAX)).collect();
            let fits = |(kind, size): (char, &usize)| kind == '*' || *size == 1 || kind == '?' && *size == 0;
            if sizes.len() != kinds.len()
                || !kinds.chars().zip(&sizes).all(fits)
                || sizes.iter().sum::<usize>() != count
            {
                return fail("the counts of the operands are not those of the operation");
            }
        }
        self.follow(&[":", "F"], &mut parts)?;
        Ok(parts.results)
    }
}
