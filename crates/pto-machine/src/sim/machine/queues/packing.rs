//! Whether both ends of a queue count the elements of an entry alike.
//!
//! A queue moves the logical elements of an entry here. A device packs them: a slot in global memory holds rows of valid columns, a slot
//! on chip the declared rows or columns of the pushed tile. If the consumer counts another number, rows of the entry run into each
//! other there.

use super::Entry;
use crate::sim::code::Route;
use crate::sim::event::Unlike;
use pto_isa::exec::state::Live;
use pto_isa::op::Slots;
use pto_isa::tile::TileType;

/// The difference between a pushed entry and the tile into which it is popped, on a device; `part` is the number of valid columns that
/// this consumer gets of it.
pub(super) fn unlike(route: Route, entry: &Entry, part: usize, live: Live, ty: &TileType) -> Option<Unlike> {
    let by_rows = matches!(route.split, 1 | 3);
    let by_cols = matches!(route.split, 2 | 4);
    let (declared_rows, declared_cols) = entry.declared;
    let (what, pushed, popped) = match (route.slots, route.to_vector) {
        (Slots::InMemory, true) => ("valid columns", part, live.cols),
        (Slots::InMemory, false) => ("valid columns", entry.cols * if by_cols { 2 } else { 1 }, live.cols),
        (Slots::OnChip, true) => {
            let halves = if by_cols { 2 } else { 1 };
            ("declared columns", (declared_cols as usize).div_ceil(halves), ty.cols)
        }
        (Slots::OnChip, false) => {
            ("declared rows", declared_rows as usize * if by_rows { 2 } else { 1 }, ty.rows)
        }
    };
    (pushed != popped as usize).then_some(Unlike { what, pushed: pushed as u64, popped: u64::from(popped) })
}
