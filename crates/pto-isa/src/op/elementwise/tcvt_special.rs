//! Results of A5 for infinities and NaN in saturating TCVT to 8-bit floats.
//!
//! Provisional: only golden results of the assembler's templates show them, no device result and no page.

#[cfg(feature = "run")]
use {
    crate::element::Element,
    crate::profile::{A5_ONLY, Profile},
    pto_kernels::Conversion,
    pto_num::{Rounding, convert_one, get_element, set_element},
};

/// Elements tested together.
const CHUNK: usize = 256;

/// Profiles with special saturating conversions.
#[cfg(feature = "run")]
const SPECIAL: &[Profile] = A5_ONLY;

/// A saturating conversion on A5 from f32 or f16 to a float of 8 bits.
#[derive(Clone, Copy)]
#[cfg(feature = "run")]
pub(super) struct Special {
    from: Element,
    to: Element,
}

#[cfg(feature = "run")]
impl Special {
    /// The special conversion, if the profile has one for these formats.
    pub(super) fn of(profile: Profile, from: Element, to: Element, saturate: bool) -> Option<Special> {
        use Element::{E4M3, E5M2, F16, F32, HiF8};
        let listed = matches!((from, to), (F32, E4M3 | E5M2 | HiF8) | (F16, HiF8));
        (SPECIAL.contains(&profile) && saturate && listed).then_some(Special { from, to })
    }

    /// Whether NaN becomes 0.
    pub(super) fn drops_nan(self) -> bool {
        self.to != Element::HiF8
    }

    /// Whether an element is a NaN that becomes 0.
    pub(super) fn is_dropped(self, bits: u64) -> bool {
        self.drops_nan() && self.from.decode(bits).is_nan()
    }

    /// Converts one element.
    pub(super) fn one(self, bits: u64) -> u64 {
        let value = self.from.decode(bits);
        if self.is_dropped(bits) {
            return 0;
        }
        // HiF8 keeps infinities, but finite values saturate.
        let saturate = !(self.to == Element::HiF8 && value.is_infinite());
        convert_one(self.from, self.to, Rounding::NearestEven, saturate, bits).unwrap_or_default()
    }

    /// Converts `count` elements from byte `src` to byte `dst`; returns whether a NaN became 0.
    pub(super) fn run(
        self,
        kernel: &Conversion,
        memory: &mut [u8],
        dst: usize,
        src: usize,
        count: usize,
    ) -> bool {
        let mut dropped = false;
        for start in (0..count).step_by(CHUNK) {
            let length = CHUNK.min(count - start);
            let (dst, src) = (dst + start, src + self.from.bytes(start));
            if !self.has_special(&memory[src..src + self.from.bytes(length)]) {
                kernel.run(memory, dst, src, length);
                continue;
            }
            for at in 0..length {
                let bits = get_element(memory, src, at, self.from);
                dropped |= self.is_dropped(bits);
                set_element(memory, dst, at, self.to, self.one(bits));
            }
        }
        dropped
    }

    /// Whether any of the elements is an infinity or a NaN.
    fn has_special(self, elements: &[u8]) -> bool {
        let is_special = |high: [u8; 2]| match self.from {
            Element::F16 => high[1] & 0x7c == 0x7c,
            _ => high[1] & 0x7f == 0x7f && high[0] & 0x80 != 0,
        };
        match self.from {
            Element::F16 => elements.as_chunks::<2>().0.iter().any(|element| is_special(*element)),
            _ => elements.as_chunks::<4>().0.iter().any(|element| is_special([element[2], element[3]])),
        }
    }
}
