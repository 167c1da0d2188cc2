//! Quantization in chunks: multiply, then one loop for the destination's format.

use super::{Parameter, Parameters, Quantization};
use crate::Element;
use crate::aligned::Aligned;
use crate::convert::small_floats::{e4m3, hif8};
use crate::dispatch::{Features, each_chunk, multiversion};
use crate::number::{Bf16, F16, F32, Number, to_i32};

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

/// The loop for the current level.
#[allow(clippy::type_complexity)]
pub(super) fn select() -> fn(&Quantization, &mut [u8], usize, usize, &Parameters, usize) {
    select_quant::<Chunks>()
}

struct Chunks;

/// The parameters of a chunk, each field in an array of its own, so that loops over them vectorize.
struct Fields {
    scale: [f32; CHUNK],
    shift: [u32; CHUNK],
    offset: [i32; CHUNK],
    /// Smallest and largest result.
    range: [[i32; CHUNK]; 2],
}

impl Fields {
    fn all(parameter: Parameter) -> Fields {
        let (least, most) = parameter.range();
        Fields {
            scale: [parameter.scale; CHUNK],
            shift: [parameter.shift; CHUNK],
            offset: [parameter.offset; CHUNK],
            range: [[least; CHUNK], [most; CHUNK]],
        }
    }

    /// Reads the parameters of consecutive columns, 8 bytes each.
    #[inline(always)]
    fn read(&mut self, bytes: &[u8]) {
        let words = bytes.as_chunks::<8>().0;
        let column = |bytes: &[u8; 8]| Parameter::column(u64::from_le_bytes(*bytes));
        for (scale, bytes) in self.scale.iter_mut().zip(words) {
            *scale = column(bytes).scale;
        }
        for (shift, bytes) in self.shift.iter_mut().zip(words) {
            *shift = column(bytes).shift;
        }
        for (offset, bytes) in self.offset.iter_mut().zip(words) {
            *offset = column(bytes).offset;
        }
        let [least, most] = &mut self.range;
        for ((least, most), bytes) in least.iter_mut().zip(most).zip(words) {
            (*least, *most) = column(bytes).range();
        }
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

/// Clamps a finite value to the range of f16; an infinity too if `infinities`.
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
        let (first, columns) = match *parameters {
            Parameters::One(parameter) => (parameter, count),
            Parameters::Row { columns, .. } => (Parameter::scalar(0), columns),
        };
        let mut fields = Fields::all(first);
        let rows = count.checked_div(columns).unwrap_or(0);
        each_chunk!(columns, CHUNK, |start, length| {
            if let Parameters::Row { at, .. } = *parameters {
                let at = at + start * 8;
                fields.read(&mem[at..at + length * 8]);
            }
            for row in 0..rows {
                let index = row * columns + start;
                let to = dst + quantization.to.bytes(index);
                chunk(quantization, mem, to, src + index * 4, &fields, length);
            }
        });
    }
}

/// Quantizes the elements of a chunk.
#[inline(always)]
fn chunk(
    quantization: &Quantization,
    mem: &mut [u8],
    dst: usize,
    src: usize,
    fields: &Fields,
    length: usize,
) {
    let Quantization { from, to, relu, .. } = *quantization;
    let Aligned(values) = &mut Aligned([0f32; CHUNK]);
    let values = &mut values[..length];
    if to == Element::I16 {
        let Aligned(results) = &mut Aligned([[0; 2]; CHUNK]);
        let least = if relu { 0 } else { -32768 };
        for ((result, word), shift) in results.iter_mut().zip(words(mem, src, length)).zip(fields.shift) {
            *result = ((word >> shift).clamp(least, 32767) as i16).to_le_bytes();
        }
        mem[dst..dst + length * 2].copy_from_slice(results[..length].as_flattened());
        return;
    }
    for ((value, word), scale) in values.iter_mut().zip(words(mem, src, length)).zip(fields.scale) {
        let wide = if from == Element::I32 { word as f32 } else { f32::from_bits(word as u32) };
        *value = wide * scale;
    }
    let bytes = &mut mem[dst..dst + to.bytes(length)];
    if matches!(to, Element::I8 | Element::U8) {
        let floor = if relu { 0 } else { i32::MIN };
        let limits = fields.range[0].iter().zip(&fields.range[1]);
        let fields = fields.offset.iter().zip(limits);
        for ((byte, value), (offset, (least, most))) in bytes.iter_mut().zip(values.iter()).zip(fields) {
            let rounded = to_i32(value.round_ties_even()).clamp(-256, 255);
            *byte = (rounded + offset).max(*least).max(floor).min(*most) as u8;
        }
        return;
    }
    if relu {
        values.iter_mut().for_each(|value| *value = if *value <= 0.0 { 0.0 } else { *value });
    }
    match to {
        Element::F16 => write::<F16>(bytes, values, |x| clamp_half(x, from == Element::I32)),
        Element::Bf16 => write::<Bf16>(bytes, values, |x| x),
        Element::HiF8 => write::<u8>(bytes, values, |x| hif8(x, !x.is_infinite())),
        Element::E4M3 => write::<u8>(bytes, values, |x| if x.is_nan() { 0 } else { e4m3(x, true) }),
        _ => write::<F32>(bytes, values, |x| x),
    }
}
