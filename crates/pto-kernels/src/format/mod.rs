//! The formats and codecs of [`pto_num`], and bulk conversions between them.

mod half;

use crate::Element;

pub(crate) use half::{narrow_in_place, narrow_to_bfloats, narrow_to_halves, widen_bfloats, widen_halves};
pub use pto_num::{
    Overflow, Rounding, bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32, get_element, get_elements,
    get_value, set_element, set_elements, set_value,
};
pub(crate) use pto_num::{e1m2_to_f32, e2m1_to_f32, e4m3_to_f32, e5m2_to_f32};

/// Gathers 32-bit elements: element `i` of the row at byte `dst` becomes element `indices[i]` of the row at byte `src`,
/// where `indices` is the byte offset of a row of u32. Stops before the first index that is at least `places`; returns
/// the number of elements copied.
pub fn gather_words(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    indices: usize,
    count: usize,
    places: usize,
) -> usize {
    for i in 0..count {
        let place = get_element(mem, indices, i, Element::U32) as usize;
        if place >= places {
            return i;
        }
        let word = get_element(mem, src, place, Element::U32);
        set_element(mem, dst, i, Element::U32, word);
    }
    count
}
