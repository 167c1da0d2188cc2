//! A program under construction: constants, lines, tiles and counters in scope.

use super::Automatic;
use crate::Rng;
use pto::isa::Profile;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A tile whose valid region is written.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    pub(super) name: String,
    /// Type of the tile as text.
    pub(super) ty: &'static str,
}

/// The counter of a loop.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) name: String,
    /// Largest value of the counter.
    pub(super) most: u64,
}

/// Type aliases and arguments of every program.
const TYPES: &str = "!t = !pto.tile_buf<vec, 8x32xf32>
!part = !pto.tile_buf<vec, 4x16xf32>
!wide = !pto.tile_buf<vec, 64x128xf32>
!column = !pto.tile_buf<vec, 8x1xf32, blayout=col_major>
!several = !pto.multi_tile_buf<vec, 8x32xf32, count=2>
!indices = !pto.tile_buf<vec, 1x8xi32>
!view = !pto.tensor_view<?x?xf32>
!window = !pto.partition_tensor_view<8x32xf32>
!broad = !pto.partition_tensor_view<64x128xf32>
!ma = !pto.tile_buf<mat, 16x32xf16, blayout=col_major, slayout=row_major>
!mb = !pto.tile_buf<mat, 32x16xf16, blayout=col_major, slayout=row_major>
!mw = !pto.tile_buf<mat, 32x64xf16, blayout=col_major, slayout=row_major>
!right = !pto.tile_buf<right, 32x16xf16, slayout=col_major>
!acc = !pto.tile_buf<acc, 16x16xf32, blayout=col_major, slayout=row_major, fractal=1024>
!hview = !pto.tensor_view<?x?xf16>
!wa = !pto.partition_tensor_view<16x32xf16>
!wb = !pto.partition_tensor_view<32x16xf16>
!ww = !pto.partition_tensor_view<32x64xf16>
!wo = !pto.partition_tensor_view<16x16xf32>
";

const ARGUMENTS: &str = "%x: !pto.ptr<f32>, %y: !pto.ptr<f32>, %z: !pto.ptr<f32>, %a: !pto.ptr<f16>, \
                         %b: !pto.ptr<f16>, %o: !pto.ptr<f32>, %n: index, %m: index, %kind: i32, %factor: f32";

/// A program under construction.
pub(super) struct Draft<'r> {
    pub(super) rng: &'r mut Rng,
    pub(super) profile: Profile,
    constants: BTreeMap<String, String>,
    views: BTreeMap<String, String>,
    lines: Vec<String>,
    depth: usize,
    names: usize,
    features: BTreeSet<&'static str>,
    /// Written tiles in scope.
    pub(super) tiles: Vec<Tile>,
    /// Counters in scope, outermost first.
    pub(super) counters: Vec<Counter>,
    /// Statements that may still be added.
    pub(super) budget: usize,
    /// First free address of tiles that the program places itself.
    pub(super) placed: u64,
    /// Event ids that the program uses itself.
    pub(super) events: usize,
    /// Whether only constants and arguments decide paths here, outside of every loop.
    pub(super) is_straight: bool,
}

impl<'r> Draft<'r> {
    pub(super) fn new(rng: &'r mut Rng, profile: Profile) -> Draft<'r> {
        let budget = rng.between(3, 16);
        Draft {
            rng,
            profile,
            constants: BTreeMap::new(),
            views: BTreeMap::new(),
            lines: Vec::new(),
            depth: 2,
            names: 0,
            features: BTreeSet::new(),
            tiles: Vec::new(),
            counters: Vec::new(),
            budget,
            placed: 0x1_0000,
            events: 0,
            is_straight: true,
        }
    }

    /// The whole program.
    pub(super) fn finish(self) -> Automatic {
        let mut text = TYPES.to_owned();
        let left = match self.profile {
            Profile::A5 => "blayout=col_major, slayout=row_major",
            _ => "slayout=row_major",
        };
        let _ = writeln!(text, "!left = !pto.tile_buf<left, 16x32xf16, {left}>");
        let _ = writeln!(text, "module attributes {{pto.target_arch = \"{}\"}} {{", self.profile.word());
        let _ = writeln!(text, "  func.func @automatic({ARGUMENTS}) {{");
        let first = self.constants.iter().map(|(name, text)| format!("{name} = {text}"));
        for line in first.chain(self.views.into_values()) {
            let _ = writeln!(text, "    {line}");
        }
        for line in &self.lines {
            let _ = writeln!(text, "{line}");
        }
        text.push_str("    return\n  }\n}\n");
        Automatic { text, profile: self.profile, features: self.features }
    }

    /// Notes that the program contains something.
    pub(super) fn has(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    pub(super) fn line(&mut self, line: &str) {
        self.lines.push(format!("{}{line}", "  ".repeat(self.depth)));
    }

    /// A line that opens a block.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// Goes on in the block that the last line opens.
    pub(super) fn open_again(&mut self) {
        self.depth += 1;
    }

    pub(super) fn close(&mut self) {
        self.close_with("}");
    }

    pub(super) fn close_with(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    /// A value name that is not taken.
    pub(super) fn name(&mut self, base: &str) -> String {
        self.names += 1;
        format!("%{base}{}", self.names)
    }

    /// A constant integer.
    pub(super) fn constant(&mut self, value: u64, ty: &str) -> String {
        let name = if ty == "index" { format!("%c{value}") } else { format!("%c{value}_{ty}") };
        self.constants.insert(name.clone(), format!("arith.constant {value} : {ty}"));
        name
    }

    /// A constant f32.
    pub(super) fn float(&mut self, tenths: u64) -> String {
        let name = format!("%f{tenths}");
        self.constants.insert(name.clone(), format!("arith.constant {}.{} : f32", tenths / 10, tenths % 10));
        name
    }

    /// A view of a whole buffer, defined at the start.
    pub(super) fn view(&mut self, buffer: &str, [rows, cols]: [u64; 2], ty: &str) -> String {
        let name = format!("%v{buffer}_{cols}");
        let (rows, cols, one) =
            (self.constant(rows, "index"), self.constant(cols, "index"), self.constant(1, "index"));
        let line = format!(
            "{name} = pto.make_tensor_view %{buffer}, shape = [{rows}, {cols}], strides = [{cols}, {one}] : {ty}"
        );
        self.views.insert(name.clone(), line);
        name
    }

    /// Adds the result of a binary operation on indices.
    pub(super) fn index(&mut self, op: &str, a: &str, b: &str) -> String {
        let name = self.name("i");
        self.line(&format!("{name} = arith.{op} {a}, {b} : index"));
        name
    }

    /// Runs `body` in a scope: tiles that it defines are not visible afterwards.
    pub(super) fn scoped(&mut self, body: impl FnOnce(&mut Self)) {
        let (tiles, counters, is_straight) = (self.tiles.clone(), self.counters.len(), self.is_straight);
        self.is_straight = false;
        body(self);
        self.tiles = tiles;
        self.counters.truncate(counters);
        self.is_straight = is_straight;
    }

    /// A written tile in scope with a type.
    pub(super) fn tile(&mut self, ty: &str) -> Option<Tile> {
        let all: Vec<usize> = (0..self.tiles.len()).filter(|at| self.tiles[*at].ty == ty).collect();
        if all.is_empty() {
            return None;
        }
        Some(self.tiles[*self.rng.pick(&all)].clone())
    }

    /// Allocates a tile, which is not written yet.
    pub(super) fn allocate(&mut self, ty: &'static str) -> Tile {
        let name = self.name("t");
        let bytes = match ty {
            "!t" => 1024,
            "!part" | "!column" => 256,
            _ => 0,
        };
        // Tiles with addresses must not be used twice at a time, and a loop does not allocate anew.
        if bytes > 0 && self.rng.chance(6) && self.placed + bytes < 0x2_0000 {
            self.has("given address");
            let address = self.constant(self.placed, "i64");
            self.placed += bytes;
            self.line(&format!("{name} = pto.alloc_tile addr = {address} : {ty}"));
        } else {
            self.line(&format!("{name} = pto.alloc_tile : {ty}"));
        }
        Tile { name, ty }
    }

    /// A tile to write: a new one, or one that is written already.
    pub(super) fn target(&mut self, ty: &'static str) -> Tile {
        let known = self.tile(ty).filter(|_| self.tiles.len() > 8 || self.rng.chance(45));
        known.unwrap_or_else(|| self.allocate(ty))
    }

    /// Notes that a tile is written.
    pub(super) fn written(&mut self, tile: &Tile) {
        if !self.tiles.iter().any(|known| known.name == tile.name) {
            self.tiles.push(tile.clone());
        }
    }
}
