//! Quantization in chunks: multiply, then one loop for the destination's format.

use super::{Parameter, Parameters, Quantization};
use crate::Element;
use crate::convert::small_floats::{e4m3, hif8};
use crate::dispatch::{Features, multiversion};
use crate::number::{Bf16, F16, F32, Number};

multiversion!(
    QuantBody,
    select_quant,
    fn(
        quantization: &Quantization,
        mem: &mut [u8],
        dst: usize,
        src: usize,
        parameters: &Parameters,
        count: usize,
    )
);

const CHUNK: usize = 64;

/// The loop for this host.
#[allow(clippy::type_complexity)]
pub(super) fn select() -> fn(&Quantization, &mut [u8], usize, usize, &Parameters, usize) {
    select_quant::<Chunks>()
}

struct Chunks;

/// The parameters of a chunk.
fn fields(mem: &[u8], parameters: &Parameters, start: usize, chunk: &mut [Parameter]) {
    let Parameters::Row(at) = *parameters else { return };
    let at = at + start * 8;
    for (field, bytes) in chunk.iter_mut().zip(mem[at..].as_chunks::<8>().0) {
        *field = Parameter::column(u64::from_le_bytes(*bytes));
    }
}

#[inline(always)]
fn words(mem: &[u8], at: usize, count: usize) -> impl Iterator<Item = i32> {
    mem[at..at + count * 4].as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes))
}

#[inline(always)]
fn write<N: Number>(bytes: &mut [u8], values: &[f32], convert: impl Fn(f32) -> N::Value) {
    for (&value, bytes) in values.iter().zip(bytes.chunks_exact_mut(N::BYTES)) {
        N::write(N::round(convert(value)), bytes);
    }
}

/// An f16 whose finite values are clamped; all of them if `infinities` are clamped too.
#[inline(always)]
fn clamp_half(value: f32, infinities: bool) -> f32 {
    let clamp = infinities || value.is_finite();
    if clamp { value.clamp(-65504.0, 65504.0) } else { value }
}

impl QuantBody for Chunks {
    #[inline(always)]
    fn run<F: Features>(
        quantization: &Quantization,
        mem: &mut [u8],
        dst: usize,
        src: usize,
        parameters: &Parameters,
        count: usize,
    ) {
        let Quantization { from, to, relu, .. } = *quantization;
        let first = match parameters {
            Parameters::One(parameter) => *parameter,
            Parameters::Row(_) => Parameter::scalar(0),
        };
        let mut chunk = [first; CHUNK];
        let mut values = [0f32; CHUNK];
        for start in (0..count).step_by(CHUNK) {
            let length = CHUNK.min(count - start);
            fields(mem, parameters, start, &mut chunk[..length]);
            let (at, values) = (src + start * 4, &mut values[..length]);
            let to_at = dst + to.bytes(start);
            if to == Element::I16 {
                for (index, field) in chunk[..length].iter().enumerate() {
                    let value = words(mem, at + index * 4, 1).next().unwrap_or_default() >> field.shift;
                    let least = if relu { 0 } else { -32768 };
                    let value = value.clamp(least, 32767) as i16;
                    mem[to_at + index * 2..][..2].copy_from_slice(&value.to_le_bytes());
                }
                continue;
            }
            for ((value, word), field) in values.iter_mut().zip(words(mem, at, length)).zip(&chunk) {
                let wide = if from == Element::I32 { word as f32 } else { f32::from_bits(word as u32) };
                *value = wide * field.scale;
            }
            let bytes = &mut mem[to_at..to_at + to.bytes(length)];
            if matches!(to, Element::I8 | Element::U8) {
                for ((byte, value), field) in bytes.iter_mut().zip(values.iter()).zip(&chunk) {
                    let (least, most) = field.range();
                    let least = if relu { 0 } else { least };
                    let rounded = value.round_ties_even().clamp(-256.0, 255.0) as i32;
                    *byte = (rounded + field.offset).clamp(least, most) as u8;
                }
                continue;
            }
            if relu {
                values.iter_mut().for_each(|value| *value = if *value <= 0.0 { 0.0 } else { *value });
            }
            match to {
                Element::F16 => write::<F16>(bytes, values, |x| clamp_half(x, from == Element::I32)),
                Element::Bf16 => write::<Bf16>(bytes, values, |x| x),
                Element::HiF8 => write::<u8>(bytes, values, |x| hif8(x, true)),
                Element::E4M3 => write::<u8>(bytes, values, |x| e4m3(x, true)),
                _ => write::<F32>(bytes, values, |x| x),
            }
        }
    }
}
