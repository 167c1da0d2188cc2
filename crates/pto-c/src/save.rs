//! `PTO_SAVE=k.pto`: the calls of block 0 as a program in text, which `pto verify`, `pto shrink` and `pto lower` read.
//!
//! The kernel's control flow is gone: each call is a copy of the body of its part, one after the other, with constants
//! for values that the kernel computed. So the program is valid for these inputs only, also where the kernel read them
//! itself. Tiles keep their addresses, and global memory is an argument for each buffer and element type.

use crate::form::Parameter;
use pto::Profile;
use pto::launch::live::{AUTOMATIC, Argument, Tile};
use pto::sim::within_buffer;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Maximum number of calls that are kept.
const MOST: usize = 100_000;

/// The program so far.
#[derive(Default)]
pub struct Saved {
    /// The file.
    path: String,
    body: String,
    calls: usize,
    left_out: usize,
    /// Constants by value and type.
    constants: BTreeMap<(u64, String), String>,
    /// Tiles by number, type, address and valid region.
    tiles: BTreeMap<(u32, String, u64, u32, u32), String>,
    /// Arguments by the address of their buffer and element type.
    buffers: BTreeMap<(u64, String), String>,
    pointers: BTreeMap<(u64, String), String>,
}

/// Arguments of a call: the name of a value for each name of a parameter.
type Values<'p> = BTreeMap<&'p str, String>;

impl Saved {
    /// A program that goes to a file.
    pub fn to(path: String) -> Saved {
        Saved { path, ..Saved::default() }
    }

    /// Adds a call of a part with this text and these parameters.
    pub fn add(&mut self, part: &str, parameters: &[Parameter], arguments: &[Argument]) {
        if self.calls >= MOST {
            self.left_out += 1;
            return;
        }
        let Some((_, body)) = part.split_once(" {\n") else { return };
        let mut values = Values::new();
        for (Parameter { name, ty }, argument) in parameters.iter().zip(arguments) {
            let value = match argument {
                Argument::Tile(tile) => self.tile(ty, tile),
                Argument::Pointer(address) => self.pointer(ty, *address),
                Argument::Scalar(bits) => self.constant(*bits, ty),
            };
            values.insert(name.as_str(), value);
        }
        for line in body.lines().take_while(|line| !line.trim_start().starts_with("return")) {
            let line = renamed(line, &values, self.calls);
            let _ = writeln!(self.body, "{}", self.with_fixed_event(&line));
        }
        self.calls += 1;
    }

    fn constant(&mut self, bits: u64, ty: &str) -> String {
        if let Some(name) = self.constants.get(&(bits, ty.to_owned())) {
            return name.clone();
        }
        let name = format!("%c{}", self.constants.len());
        let value = match ty {
            "f32" | "f16" | "bf16" => format!("0x{bits:X}"),
            _ => (bits as i64).to_string(),
        };
        let _ = writeln!(self.body, "  {name} = arith.constant {value} : {ty}");
        self.constants.insert((bits, ty.to_owned()), name.clone());
        name
    }

    fn tile(&mut self, ty: &str, tile: &Tile) -> String {
        let key = (tile.serial, ty.to_owned(), tile.address, tile.rows, tile.cols);
        if let Some(name) = self.tiles.get(&key) {
            return name.clone();
        }
        let name = format!("%t{}", self.tiles.len());
        let mut clauses = String::new();
        if tile.address < AUTOMATIC {
            let _ = write!(clauses, " addr = {}", self.constant(tile.address, "i64"));
        }
        if let Ok((known, _)) = pto::text::parse_tile_type(ty) {
            if known.valid_rows.is_none() {
                let _ = write!(clauses, " valid_row = {}", self.constant(tile.rows.into(), "index"));
            }
            if known.valid_cols.is_none() {
                let _ = write!(clauses, " valid_col = {}", self.constant(tile.cols.into(), "index"));
            }
        }
        let _ = writeln!(self.body, "  {name} = pto.alloc_tile{clauses} : {ty}");
        self.tiles.insert(key, name.clone());
        name
    }

    fn pointer(&mut self, ty: &str, address: u64) -> String {
        if let Some(name) = self.pointers.get(&(address, ty.to_owned())) {
            return name.clone();
        }
        let (buffer, bytes) = within_buffer(address);
        let next = self.buffers.len();
        let base = self.buffers.entry((buffer, ty.to_owned())).or_insert_with(|| format!("%b{next}")).clone();
        let element = ty.strip_prefix("!pto.ptr<").and_then(|ty| ty.strip_suffix('>')).unwrap_or("i8");
        let bits = pto::isa::element::element_from_word(element).map_or(8, |element| element.bits());
        let offset = bytes * 8 / u64::from(bits);
        let name = match offset {
            0 => base,
            offset => {
                let (name, offset) = (format!("%p{}", self.pointers.len()), self.constant(offset, "index"));
                let _ = writeln!(self.body, "  {name} = pto.addptr {base}, {offset} : {ty} -> {ty}");
                name
            }
        };
        self.pointers.insert((address, ty.to_owned()), name.clone());
        name
    }

    /// The line with a fixed event id, if it has one in a value that is a constant.
    fn with_fixed_event(&self, line: &str) -> String {
        let Some((start, name)) = line.rsplit_once(", %").filter(|_| line.contains("_flag_dyn[")) else {
            return line.to_owned();
        };
        let name = format!("%{}", name.trim_end_matches(']'));
        let found = self.constants.iter().find(|(_, constant)| **constant == name);
        match found.map(|((bits, _), _)| *bits).filter(|bits| *bits < 8) {
            Some(event) => format!("{}, <EVENT_ID{event}>]", start.replacen("_dyn[", "[", 1)),
            None => line.to_owned(),
        }
    }

    /// Writes the program. Returns a sentence about it.
    pub fn finish(&self, profile: Profile) -> String {
        let arguments = self.buffers.iter().map(|((_, ty), name)| format!("{name}: {ty}"));
        let arguments = arguments.collect::<Vec<_>>().join(", ");
        let left_out = match self.left_out {
            0 => String::new(),
            more => format!(" {more} calls after the first {MOST} are left out."),
        };
        let text = format!(
            "// The calls of block 0 of C++ kernels, fixed to the inputs of one run, also where the host or a kernel read them.{left_out}\n\
             module attributes {{\"pto.target_arch\" = \"{}\"}} {{\nfunc.func @calls({arguments}) {{\n{}  return\n}}\n}}\n",
            profile.capabilities().word,
            self.body
        );
        match std::fs::write(&self.path, text) {
            Ok(()) => format!("{}: {} calls of block 0{left_out}", self.path, self.calls),
            Err(error) => format!("{} cannot be written: {error}", self.path),
        }
    }
}

/// A line with the names of one call: parameters are values of the program, other names get the number of the call.
fn renamed(line: &str, values: &Values<'_>, call: usize) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        match values.get(&rest[..end]) {
            Some(value) => out.push_str(value),
            None => {
                let _ = write!(out, "%{}_{call}", &rest[..end]);
            }
        }
        rest = &rest[end..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_become_a_program() {
        let tile = "!pto.tile_buf<vec, 1x8xf32>";
        let tensor = "tensor<1x1x1x1x8xf32, strides = [8, 8, 8, 8, 1], layout = nd>";
        let made = |pattern: &str, texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            crate::form::text("part", pattern, &texts, &vec![None; texts.len()]).expect("a form")
        };
        let load = made("pto.tload ins(%1 : @1) outs(%0 : @0)", &[tile, tensor]);
        let add = made("pto.tadd ins(%1, %2 : @1, @2) outs(%0 : @0)", &[tile; 3]);
        let flag = made("pto.set_flag_dyn[<PIPE_MTE2>, <PIPE_V>, %0]", &["index"]);
        let place = |address, serial| Argument::Tile(Tile { address, rows: 1, cols: 8, serial });
        let mut saved = Saved::to(String::new());
        for round in 0..2 {
            saved.add(
                &load.text,
                &load.parameters,
                &[place(0, 1), Argument::Pointer((1 << 40) + 32 * round)],
            );
            saved.add(&flag.text, &flag.parameters, &[Argument::Scalar(3)]);
            saved.add(&add.text, &add.parameters, &[place(64, 2), place(0, 1), place(0, 1)]);
        }
        let text = format!("func.func @calls(%b0: !pto.ptr<f32>) {{\n{}  return\n}}\n", saved.body);
        assert!(text.contains("pto.set_flag[<PIPE_MTE2>, <PIPE_V>, <EVENT_ID3>]"), "{text}");
        assert_eq!(text.matches("pto.alloc_tile").count(), 2, "{text}");
        let module = pto::parse(&text).expect("well-formed text").module;
        pto::check(module, None).expect("a legal program");
    }
}
