//! Calls of functions whose parameters are known only when the program runs.
//!
//! The calling conventions of Linux on x86-64 (System V) and on 64-bit ARM (AAPCS64) number integers and floats
//! separately: the first few of each are in registers of their kind, further integers in slots of eight bytes on the
//! stack. So a call with [`MOST_INTEGERS`] integers and [`MOST_FLOATS`] floats passes any shorter list, too: the function
//! reads its declared parameters, in any order of the two kinds. Classes of our headers for formats that C++ lacks
//! consist of one integer, and are passed as one.
#![allow(unsafe_code)]

use pto_cli::linked::ParameterType;
use pto_num::Element;

/// Maximum number of integers and pointers of a call.
pub const MOST_INTEGERS: usize = 32;

/// Maximum number of floats of a call: one for each floating-point register.
pub const MOST_FLOATS: usize = 8;

/// Whether calls work on this host.
pub const IS_SUPPORTED: bool =
    cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")));

/// Arguments of a call, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Arguments {
    integers: [u64; MOST_INTEGERS],
    floats: [f64; MOST_FLOATS],
    count: (usize, usize),
}

impl Arguments {
    /// Adds an argument with the bits of its type; a pointer with its address. Returns whether there was room.
    pub fn push(&mut self, ty: &ParameterType, bits: u64) -> bool {
        let (integers, floats) = &mut self.count;
        if *ty == ParameterType::Number(Element::F32) {
            let Some(place) = self.floats.get_mut(*floats) else { return false };
            // The register holds the float in its lower half.
            *place = f64::from_bits(bits & 0xffff_ffff);
            *floats += 1;
            return true;
        }
        let Some(place) = self.integers.get_mut(*integers) else { return false };
        *place = extended(ty, bits);
        *integers += 1;
        true
    }

    /// Calls a function without result with the arguments.
    ///
    /// # Safety
    /// The address is that of a function with parameters of these types in this order.
    pub unsafe fn call(&self, function: usize) {
        macro_rules! call {
            ($($integer:literal)* ; $($float:literal)*) => {{
                type Function = unsafe extern "C-unwind" fn($(word!($integer u64),)* $(word!($float f64),)*);
                // SAFETY: the caller promises a function, which reads those of the registers and slots that it declares.
                unsafe {
                    let function = std::mem::transmute::<usize, Function>(function);
                    function($(self.integers[$integer],)* $(self.floats[$float],)*);
                }
            }};
        }
        macro_rules! word {
            ($place:literal $type:ty) => {
                $type
            };
        }
        call!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31; 0 1 2 3 4 5 6 7);
    }
}

/// An integer in a register: some compilers rely on bits above those of its type.
fn extended(ty: &ParameterType, bits: u64) -> u64 {
    match ty {
        ParameterType::Number(Element::I8) => i64::from(bits as i8) as u64,
        ParameterType::Number(Element::I16) => i64::from(bits as i16) as u64,
        ParameterType::Number(Element::I32) => i64::from(bits as i32) as u64,
        ParameterType::Number(element) if element.bits() < 64 => bits & ((1 << element.bits()) - 1),
        ParameterType::Bool => bits & 1,
        _ => bits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    static SEEN: Mutex<Vec<f64>> = Mutex::new(Vec::new());

    #[allow(clippy::too_many_arguments)]
    extern "C" fn seen(
        a: f32,
        b: i8,
        c: u64,
        d: i32,
        e: f32,
        f: u16,
        g: u32,
        h: i64,
        i: i16,
        j: u8,
        k: bool,
    ) {
        let all = [
            a.into(),
            b.into(),
            c as f64,
            d.into(),
            e.into(),
            f.into(),
            g.into(),
            h as f64,
            i.into(),
            j.into(),
        ];
        SEEN.lock().expect("a lock").extend(all.into_iter().chain([f64::from(u8::from(k))]));
    }

    #[test]
    fn a_function_gets_its_arguments_in_any_order_of_kinds() {
        if !IS_SUPPORTED {
            return;
        }
        use Element::*;
        let given: [(Element, u64); 10] = [
            (F32, u64::from(1.5f32.to_bits())),
            (I8, 0xfe),
            (U64, 3),
            (I32, 0xffff_fffc),
            (F32, u64::from((-5.5f32).to_bits())),
            (U16, 6),
            (U32, 7),
            (I64, 8),
            (I16, 0xfff7),
            (U8, 10),
        ];
        let mut arguments = Arguments::default();
        assert!(given.iter().all(|(element, bits)| arguments.push(&ParameterType::Number(*element), *bits)));
        assert!(arguments.push(&ParameterType::Bool, 1));
        // SAFETY: the function has parameters of these types.
        unsafe { arguments.call(seen as *const () as usize) };
        let wanted = [1.5, -2.0, 3.0, -4.0, -5.5, 6.0, 7.0, 8.0, -9.0, 10.0, 1.0];
        assert_eq!(*SEEN.lock().expect("a lock"), wanted);
        let pushed = (0..9).filter(|_| arguments.push(&ParameterType::Number(F32), 0)).count();
        assert_eq!(pushed, MOST_FLOATS - 2);
    }
}
