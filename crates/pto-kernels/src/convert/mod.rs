//! Conversion from format to format, element by element.
//!
//! [`convert_one`] defines the result. [`convert`] chooses the loop: pairs that pass exactly through f32, and pairs of
//! integers, go in chunks whose stages (read, round, write) each vectorize; sources of 8 bits or less use a table; all
//! others go element by element.

pub(crate) mod directed;
pub(crate) mod small_floats;
mod stages;

use std::collections::BTreeMap;
use std::sync::Mutex;

pub use pto_num::convert_one;

use crate::format::{get_value, set_value};
use crate::{Element, Rounding};

type Table = &'static [u64; 256];

/// A conversion, chosen once: formats, rounding and loop.
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    from: Element,
    to: Element,
    rounding: Rounding,
    saturate: bool,
    table: Option<Table>,
    run: fn(&Conversion, &mut [u8], usize, usize, usize),
}

impl Conversion {
    /// Converts `count` values from byte `src` to byte `dst`.
    ///
    /// The ranges are disjoint, or equal if the formats have the same width. If the last pair of 4-bit values is
    /// incomplete, the other half of its byte is kept.
    #[inline]
    pub fn run(&self, mem: &mut [u8], dst: usize, src: usize, count: usize) {
        (self.run)(self, mem, dst, src, count);
    }
}

/// The conversion between two formats, or `None` where there is none: between equal formats other than f32.
///
/// f32 to f32 rounds to an integral value.
pub fn convert(from: Element, to: Element, rounding: Rounding, saturate: bool) -> Option<Conversion> {
    if !pto_num::converts(from, to) {
        return None;
    }
    let mut conversion = Conversion { from, to, rounding, saturate, table: None, run: by_element };
    if let Some(stages) = stages::select(from, to, rounding) {
        conversion.run = stages;
    } else if from.bits() <= 8 {
        conversion.table = Some(table(from, to, rounding, saturate));
        conversion.run = by_table;
    }
    Some(conversion)
}

fn by_element(conversion: &Conversion, mem: &mut [u8], dst: usize, src: usize, count: usize) {
    let Conversion { from, to, rounding, saturate, .. } = *conversion;
    for i in 0..count {
        let bits = get_value(mem, src, i, from);
        let converted = convert_one(from, to, rounding, saturate, bits).unwrap_or(bits);
        set_value(mem, dst, i, to, converted);
    }
}

fn by_table(conversion: &Conversion, mem: &mut [u8], dst: usize, src: usize, count: usize) {
    /// Sources and destinations of whole bytes.
    fn whole<const WIDTH: usize>(table: Table, mem: &mut [u8], dst: usize, src: usize, count: usize) {
        let mut results = [[0; WIDTH]; 64];
        for start in (0..count).step_by(64) {
            let results = &mut results[..64.min(count - start)];
            let sources = &mem[src + start..src + start + results.len()];
            for (result, &bits) in results.iter_mut().zip(sources) {
                result.copy_from_slice(&table[usize::from(bits)].to_le_bytes()[..WIDTH]);
            }
            let at = dst + start * WIDTH;
            mem[at..at + results.len() * WIDTH].copy_from_slice(results.as_flattened());
        }
    }
    let Some(table) = conversion.table else { return };
    match (conversion.from.value_bits(), conversion.to.value_bits()) {
        (8, 8) => return whole::<1>(table, mem, dst, src, count),
        (8, 16) => return whole::<2>(table, mem, dst, src, count),
        (8, 32) => return whole::<4>(table, mem, dst, src, count),
        (8, 64) => return whole::<8>(table, mem, dst, src, count),
        _ => {}
    }
    for i in 0..count {
        let bits = get_value(mem, src, i, conversion.from);
        set_value(mem, dst, i, conversion.to, table[bits as usize & 0xff]);
    }
}

/// The results for all sources of 8 bits or less, made once per conversion.
fn table(from: Element, to: Element, rounding: Rounding, saturate: bool) -> Table {
    type Key = (Element, Element, Rounding, bool);
    static TABLES: Mutex<BTreeMap<Key, Table>> = Mutex::new(BTreeMap::new());
    // A poisoned lock still guards a valid map: entries are complete when they are inserted.
    let mut tables = TABLES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    tables.entry((from, to, rounding, saturate)).or_insert_with(|| {
        let result = |bits| convert_one(from, to, rounding, saturate, bits as u64).unwrap_or(0);
        Box::leak(Box::new(std::array::from_fn(result)))
    })
}
