//! Keys of call sites: the differences that make two sites distinct, and their lookup.

use crate::abi::{pto_conv_tile, pto_tile};
use crate::caller::object;
use crate::form::Operand;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Key of a site: the form, the place, and the common properties of the operands of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) form: usize,
    pub(crate) place: usize,
    /// One bit for each tile, set if its valid region differs from its type.
    pub(crate) other_region: u64,
    /// Four bits for each operand: one more than the number of the earlier operand that is the same tile, 0 for none.
    pub(crate) same_tile: u64,
    /// The dynamic extents of a convolution tile.
    pub(crate) extents: [u32; 6],
}

/// Form and place nearly always differ: the rest costs more to hash than to compare.
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64((self.form as u64).rotate_left(32) ^ self.place as u64);
        state.write_u64(self.other_region.rotate_left(32) ^ self.same_tile);
    }
}

impl Key {
    /// Common properties of the operands of a call, without form and place.
    pub(crate) fn of(operands: &[Operand], words: &[u64]) -> Key {
        let mut key = Key::default();
        for (index, (operand, word)) in operands.iter().zip(words).enumerate().take(KEYED) {
            // A word is a pointer only if its operand is a tile.
            let [rows, cols] = match operand {
                Operand::Tile(valid) => valid,
                Operand::ConvTile(dynamic) => {
                    let tile = object::<pto_conv_tile>(*word).filter(|_| dynamic.contains(&true));
                    key.extents = tile.map_or(key.extents, |tile| tile.extents);
                    continue;
                }
                _ => continue,
            };
            let Some(tile) = object::<pto_tile>(*word) else { continue };
            let differs =
                |valid: &Option<u32>, now: u32| valid.is_some_and(|valid| valid != now && valid > 0);
            key.other_region |= u64::from(differs(rows, tile.rows) || differs(cols, tile.cols)) << index;
            let is_same = |(operand, word): (&Operand, &u64)| {
                let other = matches!(operand, Operand::Tile(_)).then(|| object::<pto_tile>(*word)).flatten();
                other.is_some_and(|other| (other.data, other.serial) == (tile.data, tile.serial))
            };
            let earlier = operands.iter().zip(words).take(index).position(is_same);
            key.same_tile |= earlier.map_or(0, |earlier| earlier as u64 + 1) << (4 * index);
        }
        key
    }

    /// The earlier operand that is the same tile as an operand.
    pub(crate) fn same_as(&self, at: usize) -> Option<usize> {
        let one_more = if at < KEYED { self.same_tile >> (4 * at) & 0xf } else { 0 };
        (one_more as usize).checked_sub(1)
    }
}

/// Hasher for addresses. A call looks up two keys, and inputs are not adversarial.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks(8).for_each(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        });
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = pto_num::random::mix(self.0 ^ word);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}

pub(crate) type Quick = BuildHasherDefault<Mixed>;

/// Maximum number of operands with bits in a key; no instruction has more.
pub(crate) const KEYED: usize = 16;
