//! Programs of one core: a vector core, or the cube core.

use super::super::facts::Pipe;
use super::super::program::{Act, Core, Source, Statement};
use super::memory::{
    Cut, Operand, adding_store, cube_tile, element, fill, half_tile, one, vec_tile, window, work,
};
use super::{part, profile, source};
use crate::Rng;

/// Tiles and windows of a vector core.
pub(super) struct VectorRoom {
    pub tiles: Vec<Operand>,
    halves: Vec<Operand>,
    pub windows: Vec<Operand>,
    half_windows: Vec<Operand>,
}

impl VectorRoom {
    /// `shift` is the shift of windows in rows per block and per core.
    pub(super) fn new(shift: (u64, u64), head: &mut String, rng: &mut Rng) -> VectorRoom {
        let mut addresses = vec![0, 512, 1024, 1536, 2048];
        // Tiles that overlap others.
        addresses.extend(rng.chance(40).then_some(256));
        addresses.extend(rng.chance(20).then_some(768));
        let tiles: Vec<_> = addresses.into_iter().map(|address| vec_tile(address, head)).collect();
        let halves = [false, true].map(|right| half_tile(&tiles[0], right, head)).to_vec();
        let cut = |buffer, row, col, cols| Cut { buffer, row, col, rows: 8, cols, shift };
        let rows = [0, 4, 16, 24];
        let windows = (0..2).flat_map(|buffer| rows.map(|row| cut(buffer, row, 0, 16)));
        let windows = windows.map(|cut| window(cut, head)).collect();
        let half_windows = [0, 8].map(|col| window(cut(0, 16, col, 8), head)).to_vec();
        VectorRoom { tiles, halves, windows, half_windows }
    }

    /// A random instruction of a vector core.
    pub(super) fn step(&self, serial: usize, rng: &mut Rng) -> Statement {
        let tile = one(&self.tiles, rng);
        match rng.below(12) {
            0..3 => work("tload", Pipe::Mte2, &[one(&self.windows, rng)], tile),
            3..5 => work("texp", Pipe::V, &[one(&self.tiles, rng)], tile),
            5 => work("tadd", Pipe::V, &[one(&self.tiles, rng), one(&self.tiles, rng)], tile),
            6 => fill(tile),
            7..9 => work("tstore", Pipe::Mte3, &[tile], one(&self.windows, rng)),
            9 if rng.chance(50) => adding_store(Pipe::Mte3, tile, one(&self.windows, rng)),
            9 | 10 => {
                let (half, window) = (one(&self.halves, rng), one(&self.half_windows, rng));
                match rng.below(3) {
                    0 => work("tload", Pipe::Mte2, &[window], half),
                    1 => work("tstore", Pipe::Mte3, &[half], window),
                    _ => work("texp", Pipe::V, &[one(&self.halves, rng)], half),
                }
            }
            _ => element(tile, *rng.pick(&[0, 3, 64]), rng.chance(60), serial),
        }
    }
}

/// Tiles and windows of a cube core.
pub(super) struct CubeRoom {
    mats: Vec<Operand>,
    lefts: Vec<Operand>,
    rights: Vec<Operand>,
    pub accs: Vec<Operand>,
    pub windows: Vec<Operand>,
}

/// Numbers of the buffers of a cube core.
const L1: (u64, &str) = (1, "!mat");
const LEFT: (u64, &str) = (2, "!left");
const RIGHT: (u64, &str) = (3, "!right");
const ACC: (u64, &str) = (4, "!acc");

impl CubeRoom {
    pub(super) fn new(shift: u64, head: &mut String, rng: &mut Rng) -> CubeRoom {
        let mut tiles = |(space, ty), addresses: &[u64]| -> Vec<Operand> {
            addresses.iter().map(|address| cube_tile(space, ty, *address, head)).collect()
        };
        let mats: &[u64] = if rng.chance(30) { &[0, 1024, 512] } else { &[0, 1024, 2048] };
        let mats = tiles(L1, mats);
        let (lefts, rights) = (tiles(LEFT, &[0, 1024]), tiles(RIGHT, &[0, 1024]));
        let accs = tiles(ACC, &[0, 1024]);
        let cut = |buffer, row| Cut { buffer, row, col: 0, rows: 16, cols: 16, shift: (shift, 0) };
        let windows = [(0, 0), (0, 8), (0, 24), (1, 0), (1, 16)];
        let windows = windows.map(|(buffer, row)| window(cut(buffer, row), head)).to_vec();
        CubeRoom { mats, lefts, rights, accs, windows }
    }

    /// A random instruction of a cube core.
    pub(super) fn step(&self, rng: &mut Rng) -> Statement {
        let (left, right, acc) = (one(&self.lefts, rng), one(&self.rights, rng), one(&self.accs, rng));
        match rng.below(8) {
            0..2 => work("tload", Pipe::Mte2, &[one(&self.windows, rng)], one(&self.mats, rng)),
            2 => work("tmov", Pipe::Mte1, &[one(&self.mats, rng)], left),
            3 => work("tmov", Pipe::Mte1, &[one(&self.mats, rng)], right),
            4 => work("tmatmul", Pipe::M, &[left, right], acc),
            5 => work("tmatmul.acc", Pipe::M, &[acc, left, right], acc),
            _ => work("tstore", Pipe::Fix, &[acc], one(&self.windows, rng)),
        }
    }
}

/// A program of one vector core.
pub(super) fn vector(rng: &mut Rng) -> Source {
    let mut source = source(profile(rng), Some(Core::Vector), 1);
    let mut head = String::new();
    let room = VectorRoom::new((0, 0), &mut head, rng);
    let body = (0..rng.between(3, 14)).map(|serial| room.step(serial, rng)).collect();
    source.parts.push(part(Core::Vector, 1, head, body));
    source
}

/// A program of a cube core.
pub(super) fn cube(rng: &mut Rng) -> Source {
    let mut source = source(profile(rng), Some(Core::Cube), 1);
    let mut head = String::new();
    let room = CubeRoom::new(0, &mut head, rng);
    let body = (0..rng.between(3, 14)).map(|_| room.step(rng)).collect();
    source.parts.push(part(Core::Cube, 1, head, body));
    source
}

/// Repeats all statements of a program in a loop, with a barrier between iterations.
pub(super) fn repeat(source: &mut Source, rng: &mut Rng) {
    let body = &mut source.parts[0].body;
    let statement = |act| Statement { text: String::new(), act };
    body.insert(0, statement(Act::Repeat(rng.between(2, 3))));
    body.push(statement(Act::BarrierAll));
    body.push(statement(Act::End));
}
