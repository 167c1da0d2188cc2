//! Writes elements of a tile to a view of global memory: copied, converted, or added to the old ones.

use super::loading::shifted;
use super::moved::Moved;
use crate::element::Element;
use crate::exec::state::{State, Tile};
use crate::matrix::{Position, Size};
use crate::op::fixpipe::Path;
use crate::op::subtile::SubTile;
use pto_kernels::map::BinaryFn;
use pto_kernels::{Placement, transfer};
use pto_num::{get_element, set_element};

/// The destination of results in global memory.
pub(super) struct Destination<'a> {
    pub(super) moved: &'a Moved,
    pub(super) buffer: usize,
    pub(super) start: u64,
    pub(super) element: Element,
}

impl Destination<'_> {
    /// Copies the moved elements of a tile at byte `address`, piece by piece.
    pub(super) fn copy(&self, state: &mut State<'_>, src: &Tile, address: usize) {
        let Destination { moved, element, .. } = *self;
        let layout = moved.layout(&src.layout);
        let target = state.global.writing(self.buffer);
        moved.pieces(self.start, element, |piece| {
            let target = target.write(&piece.area(element));
            let place = shifted(src, &layout, address, &piece);
            if let Some(place) = place.filter(|_| !moved.overlaps) {
                let (rows, cols) = (piece.rows, piece.cols);
                transfer(target, &piece.placement, state.memory, &place, rows, cols, element.bits());
                return;
            }
            moved.in_order(piece.size(), |i, j| {
                let at = moved.offset(&src.layout, piece.row + i, piece.col + j);
                let value = get_element(state.memory, address, at, element);
                set_element(target, piece.placement.offset, piece.placement.index(i, j), element, value);
            });
        });
    }

    /// Stores the converted elements of a tile, or their sum with the old ones.
    pub(super) fn put(
        &self,
        state: &mut State<'_>,
        path: &Path,
        src: &Tile,
        address: usize,
        add: Option<BinaryFn>,
    ) {
        let Destination { moved, element, .. } = *self;
        let Size { rows, cols } = moved.size;
        let behind = state.spare.start;
        let window = &moved.window;
        let results = match moved.pitch {
            None => {
                let whole = SubTile::new(src, address, Position::default());
                path.stage(state, &whole, moved.size, 0, behind)
            }
            Some(_) => self.gather(state, src, address, behind),
        };
        let memory = &mut *state.memory;
        let target = state.global.writing(self.buffer);
        if moved.overlaps {
            let old = (results + element.bytes(rows * cols)).next_multiple_of(64);
            moved.in_order(moved.size, |i, j| {
                let at = window.offset(i as u64, j as u64) as usize;
                let (index, start) = (i * cols + j, self.start as usize);
                let mut bits = get_element(memory, results, index, element);
                if let Some(add) = add {
                    set_element(memory, old, 0, element, target.get(start, at, element));
                    set_element(memory, old, 1, element, bits);
                    add(memory, old, old, old + element.bytes(1), 1);
                    bits = get_element(memory, old, 0, element);
                }
                target.set(start, at, element, bits);
            });
            return;
        }
        if let Some(add) = add {
            let old = (results + element.bytes(rows * cols)).next_multiple_of(64);
            for i in 0..rows {
                for j in 0..cols {
                    let at = window.offset(i as u64, j as u64) as usize;
                    let bits = target.get(self.start as usize, at, element);
                    set_element(memory, old, i * cols + j, element, bits);
                }
            }
            add(memory, results, old, results, rows * cols);
        }
        moved.pieces(self.start, element, |piece| {
            let from = results + element.bytes(piece.row * cols + piece.col);
            let source = Placement::rows(from, cols);
            let target = target.write(&piece.area(element));
            transfer(target, &piece.placement, memory, &source, piece.rows, piece.cols, element.bits());
        });
    }

    /// Copies the elements of a tile at byte `address` whose line distance differs from the tile's own to spare
    /// memory, row-major, after byte `behind`; returns the address of the copy.
    fn gather(&self, state: &mut State<'_>, src: &Tile, address: usize, behind: usize) -> usize {
        let (Size { rows, cols }, at) = (self.moved.size, behind.next_multiple_of(64));
        for index in 0..rows * cols {
            let offset = self.moved.offset(&src.layout, index / cols, index % cols);
            let bits = get_element(state.memory, address, offset, self.element);
            set_element(state.memory, at, index, self.element, bits);
        }
        at
    }
}
