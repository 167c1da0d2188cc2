//! A program under construction: arguments, constants, lines, and tile addresses.

use super::layouts::{GlobalShape, global_shape};
use super::tiles::{Tile, full};
use crate::Rng;
use pto::isa::element::element_word;
use pto::isa::{Buffer, Element, Location, Profile, TileType};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A program under construction.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) profile: Profile,
    /// Types of the arguments as text.
    arguments: Vec<String>,
    indices: BTreeSet<u64>,
    addresses: BTreeSet<u64>,
    lines: Vec<String>,
    /// First free byte of each buffer.
    free: [u64; Buffer::ALL.len()],
    names: usize,
    /// The variable of the enclosing loop.
    variable: Option<String>,
    /// Whether the valid rows of this step are dynamic and differ between iterations.
    pub(super) varying_rows: bool,
    /// Whether the step's tiles have addresses.
    pub(super) placed: bool,
}

impl Draft {
    pub(super) fn new(profile: Profile) -> Draft {
        Draft {
            profile,
            arguments: Vec::new(),
            indices: [0, 1].into(),
            addresses: BTreeSet::new(),
            lines: Vec::new(),
            free: [0; Buffer::ALL.len()],
            names: 0,
            variable: None,
            varying_rows: false,
            placed: false,
        }
    }

    /// The whole program.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if self.profile == Profile::Cpu {
            text.push_str("module {\n");
        } else {
            let _ = writeln!(text, "module attributes {{pto.target_arch = \"{}\"}} {{", self.profile.word());
        }
        let arguments: Vec<_> =
            self.arguments.iter().enumerate().map(|(index, ty)| format!("%arg{index}: {ty}")).collect();
        let _ = writeln!(text, "  func.func @generated({}) {{", arguments.join(", "));
        for value in &self.indices {
            let _ = writeln!(text, "    %c{value} = arith.constant {value} : index");
        }
        for value in &self.addresses {
            let _ = writeln!(text, "    %at{value} = arith.constant {value} : i64");
        }
        for line in &self.lines {
            let _ = writeln!(text, "    {line}");
        }
        text.push_str("    return\n  }\n}\n");
        text
    }

    pub(super) fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// A value name that is not taken.
    pub(super) fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("%{base}{}", self.names)
    }

    /// Adds an argument; returns its name.
    pub(super) fn argument(&mut self, ty: String) -> String {
        self.arguments.push(ty);
        format!("%arg{}", self.arguments.len() - 1)
    }

    /// A constant index.
    pub(super) fn index(&mut self, value: u64) -> String {
        self.indices.insert(value);
        format!("%c{value}")
    }

    /// An index whose value is unknown to the checker.
    pub(super) fn hidden_index(&mut self, value: u64) -> String {
        let (constant, name) = (self.index(value), self.name("n"));
        self.line(format!("{name} = arith.addi {constant}, %c0 : index"));
        name
    }

    pub(super) fn open_loop(&mut self, rounds: u64) {
        let (name, upper) = (self.name("k"), self.index(rounds));
        self.line(format!("scf.for {name} = %c0 to {upper} step %c1 {{"));
        self.variable = Some(name);
    }

    pub(super) fn close_loop(&mut self) {
        self.line("}");
        self.variable = None;
    }

    /// Address of a tile in its buffer.
    pub(super) fn place(&mut self, ty: &TileType) -> Option<u64> {
        if !self.placed {
            return None;
        }
        self.place_bytes(ty.buffer(), ty.bytes() as u64)
    }

    /// Address of `bytes` bytes in a buffer.
    pub(super) fn place_bytes(&mut self, buffer: Buffer, bytes: u64) -> Option<u64> {
        let start = self.free[buffer as usize];
        self.reserve(buffer, start + bytes).then_some(start)
    }

    /// A constant address.
    pub(super) fn address(&mut self, value: u64) -> String {
        self.addresses.insert(value);
        format!("%at{value}")
    }

    /// Reserves the bytes before `end`; returns whether the buffer has that many.
    pub(super) fn reserve(&mut self, buffer: Buffer, end: u64) -> bool {
        let fits = end <= self.profile.capacity(buffer);
        if fits {
            let free = &mut self.free[buffer as usize];
            *free = (*free).max(end.next_multiple_of(32));
        }
        fits
    }

    /// Defines a tile at a free address.
    pub(super) fn tile(&mut self, rng: &mut Rng, ty: TileType, rows: u32, cols: u32) -> Tile {
        let address = self.place(&ty);
        self.tile_at(rng, ty, rows, cols, address)
    }

    /// Defines a tile with this valid region, at an address if given.
    pub(super) fn tile_at(
        &mut self,
        rng: &mut Rng,
        ty: TileType,
        rows: u32,
        cols: u32,
        address: Option<u64>,
    ) -> Tile {
        let mut ty = TileType { valid_rows: Some(rows), valid_cols: Some(cols), ..ty };
        let mut head = String::new();
        if let Some(address) = address {
            let _ = write!(head, " addr = {}", self.address(address));
        }
        let varying = self.variable.clone().filter(|_| self.varying_rows && rows > 2);
        if varying.is_some() || rng.chance(25) {
            ty.valid_rows = None;
            let value = match varying {
                Some(variable) => {
                    let (constant, name) = (self.index(u64::from(rows)), self.name("n"));
                    self.line(format!("{name} = arith.subi {constant}, {variable} : index"));
                    name
                }
                None => self.extent(rng, rows),
            };
            let _ = write!(head, " valid_row = {value}");
        }
        if rng.chance(25) {
            ty.valid_cols = None;
            let value = self.extent(rng, cols);
            let _ = write!(head, " valid_col = {value}");
        }
        let name = self.name("t");
        self.line(format!("{name} = pto.alloc_tile{head} : {}", ty.text(false)));
        Tile { name, ty, rows, cols, address }
    }

    fn extent(&mut self, rng: &mut Rng, value: u32) -> String {
        let value = u64::from(value);
        if rng.chance(50) { self.index(value) } else { self.hidden_index(value) }
    }

    /// A view of a tile's storage that is valid as a whole.
    pub(super) fn whole(&mut self, tile: &Tile) -> Tile {
        let (ty, name) = (full(&tile.ty), self.name("w"));
        self.line(format!(
            "{name} = pto.treshape {} : {} -> {}",
            tile.name,
            tile.ty.text(false),
            ty.text(false)
        ));
        Tile { name, ty, rows: ty.rows, cols: ty.cols, address: tile.address }
    }

    /// A view of a new argument (or of `pointer`) from which a tile can be loaded and to which it can be stored.
    /// Returns the view's name and type.
    pub(super) fn view(
        &mut self,
        rng: &mut Rng,
        tile: &TileType,
        element: Element,
        output: bool,
    ) -> (String, String) {
        let word = element_word(element);
        let mut pointer = self.argument(format!("!pto.ptr<{word}>"));
        let GlobalShape { shape, strides, layout, elements } = global_shape(rng, tile);
        if let Some(variable) = self.variable.clone().filter(|_| output) {
            // Each iteration stores to a separate range.
            let (size, offset, moved) = (self.index(elements), self.name("o"), self.name("p"));
            self.line(format!("{offset} = arith.muli {variable}, {size} : index"));
            self.line(format!("{moved} = pto.addptr {pointer}, {offset} : <{word}> -> <{word}>"));
            pointer = moved;
        }
        let names = |draft: &mut Draft, list: &[u64]| {
            list.iter().map(|value| draft.index(*value)).collect::<Vec<_>>().join(", ")
        };
        let (shape_names, stride_names) = (names(self, &shape), names(self, &strides));
        let rank = shape.len();
        let (name, ty) = (self.name("v"), format!("!pto.tensor_view<{}{word}>", "?x".repeat(rank)));
        self.line(format!(
            "{name} = pto.make_tensor_view {pointer}, shape = [{shape_names}], strides = [{stride_names}] \
             {{layout = #pto.layout<{layout}>}} : {ty}"
        ));
        if rng.chance(50) {
            return (name, ty);
        }
        let extents: Vec<_> = shape.iter().map(|extent| format!("{extent}x")).collect();
        let part = self.name("v");
        let part_ty = format!("!pto.partition_tensor_view<{}{word}>", extents.concat());
        let zeros = vec!["%c0"; rank].join(", ");
        self.line(format!(
            "{part} = pto.partition_view {name}, offsets = [{zeros}], sizes = [{shape_names}] : {ty} -> {part_ty}"
        ));
        (part, part_ty)
    }

    /// Fills every byte of a tile from global memory.
    pub(super) fn fill(&mut self, rng: &mut Rng, tile: &Tile) {
        let whole = self.whole(tile);
        let loads = matches!(tile.ty.location, Location::Vec | Location::Mat);
        if loads {
            self.load(rng, &whole);
            return;
        }
        if tile.ty.location == Location::Acc && self.profile != Profile::Cpu {
            // On the devices only products write accumulators.
            return;
        }
        // Via L1.
        let mat = super::layouts::mat_like(rng, self.profile, &whole.ty);
        let mat = self.tile(rng, mat, whole.rows, whole.cols);
        let mat = self.whole(&mat);
        self.load(rng, &mat);
        self.line(format!(
            "pto.tmov ins({} : {}) outs({} : {})",
            mat.name,
            mat.ty.text(false),
            whole.name,
            whole.ty.text(false)
        ));
    }

    fn load(&mut self, rng: &mut Rng, whole: &Tile) {
        let (view, ty) = self.view(rng, &whole.ty, whole.ty.element, false);
        self.line(format!("pto.tload ins({view} : {ty}) outs({} : {})", whole.name, whole.ty.text(false)));
    }

    /// Stores every byte of a tile, if the profile can.
    pub(super) fn store(&mut self, rng: &mut Rng, tile: &Tile) {
        let stores = match tile.ty.location {
            Location::Vec | Location::Acc => true,
            Location::Mat => self.profile != Profile::A5,
            _ => self.profile == Profile::Cpu,
        };
        if stores {
            let whole = self.whole(tile);
            let (view, ty) = self.view(rng, &whole.ty, whole.ty.element, true);
            self.line(format!(
                "pto.tstore ins({} : {}) outs({view} : {ty})",
                whole.name,
                whole.ty.text(false)
            ));
        }
    }
}
