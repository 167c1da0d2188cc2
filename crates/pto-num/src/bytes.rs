//! Elements in byte buffers: little endian, two 4-bit values in a byte.

use crate::Element;

#[inline(always)]
fn read<const BYTES: usize>(mem: &[u8], start: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes[..BYTES].copy_from_slice(&mem[start..start + BYTES]);
    u64::from_le_bytes(bytes)
}

#[inline(always)]
fn write<const BYTES: usize>(mem: &mut [u8], start: usize, bits: u64) {
    mem[start..start + BYTES].copy_from_slice(&bits.to_le_bytes()[..BYTES]);
}

/// The bits of element `index` of the row that starts at byte `base`.
#[inline]
pub fn get_element(mem: &[u8], base: usize, index: usize, element: Element) -> u64 {
    match element.bits() {
        8 => u64::from(mem[base + index]),
        16 => read::<2>(mem, base + index * 2),
        32 => read::<4>(mem, base + index * 4),
        _ => read::<8>(mem, base + index * 8),
    }
}

/// Sets element `index` of the row that starts at byte `base` to the low bits of `bits`.
#[inline]
pub fn set_element(mem: &mut [u8], base: usize, index: usize, element: Element, bits: u64) {
    match element.bits() {
        8 => mem[base + index] = bits as u8,
        16 => write::<2>(mem, base + index * 2, bits),
        32 => write::<4>(mem, base + index * 4, bits),
        _ => write::<8>(mem, base + index * 8, bits),
    }
}

/// The bits of value `index` of the row that starts at byte `base`. A packed pair has two values, the first in its low
/// half.
#[inline]
pub fn get_value(mem: &[u8], base: usize, index: usize, element: Element) -> u64 {
    if element.is_packed() {
        return u64::from(mem[base + index / 2] >> (index % 2 * 4) & 15);
    }
    get_element(mem, base, index, element)
}

/// Sets value `index` of the row that starts at byte `base`; the other value of a packed pair is kept.
#[inline]
pub fn set_value(mem: &mut [u8], base: usize, index: usize, element: Element, bits: u64) {
    if !element.is_packed() {
        return set_element(mem, base, index, element, bits);
    }
    let (byte, shift) = (&mut mem[base + index / 2], index % 2 * 4);
    *byte = *byte & !(15 << shift) | ((bits & 15) as u8) << shift;
}

/// Indices of elements in a row: `first`, `first + step`, `first + 2 * step` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indices {
    /// The first index.
    pub first: usize,
    /// The distance from each index to the next.
    pub step: usize,
}

impl Indices {
    #[inline]
    fn at(self, i: usize) -> usize {
        self.first + i * self.step
    }
}

/// Reads the bits of elements of the row that starts at byte `base`: `values[i]` is element `indices.first + i * indices.step`.
#[inline]
pub fn get_elements(mem: &[u8], base: usize, indices: Indices, element: Element, values: &mut [u64]) {
    if element.bits() != 32 {
        return get_others(mem, base, indices, element, values);
    }
    for (i, value) in values.iter_mut().enumerate() {
        *value = read::<4>(mem, base + indices.at(i) * 4);
    }
}

/// [`get_elements`] for elements that are not 32 bits wide: matches the width for each element. Not inlined, which
/// keeps the loop over 32-bit elements small.
#[inline(never)]
fn get_others(mem: &[u8], base: usize, indices: Indices, element: Element, values: &mut [u64]) {
    for (i, value) in values.iter_mut().enumerate() {
        *value = get_element(mem, base, indices.at(i), element);
    }
}

/// Sets elements of the row that starts at byte `base`: element `indices.first + i * indices.step` to the low bits of `values[i]`.
#[inline]
pub fn set_elements(mem: &mut [u8], base: usize, indices: Indices, element: Element, values: &[u64]) {
    if element.bits() != 32 {
        return set_others(mem, base, indices, element, values);
    }
    for (i, value) in values.iter().enumerate() {
        write::<4>(mem, base + indices.at(i) * 4, *value);
    }
}

/// [`set_elements`] for elements that are not 32 bits wide. Not inlined, which keeps the loop over 32-bit elements
/// small.
#[inline(never)]
fn set_others(mem: &mut [u8], base: usize, indices: Indices, element: Element, values: &[u64]) {
    for (i, value) in values.iter().enumerate() {
        set_element(mem, base, indices.at(i), element, *value);
    }
}
