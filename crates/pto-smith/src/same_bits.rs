//! Oracle for programs that run: fast path and formula give equal bits.

use crate::Rng;
use crate::program::{program, sentence};
use pto::isa::Element;
use pto::sim::{ArgumentKind, Options, Outcome, Program, Signature, Value, measure};

/// Result of two equal runs of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Both ended normally with equal bits.
    Ran {
        /// Tile instructions executed.
        instructions: u64,
    },
    /// Both stopped with the same diagnostic.
    Stopped,
}

/// Kind of the initial contents of buffers.
#[derive(Clone, Copy)]
enum Data {
    /// Arbitrary bits: NaN, infinities and subnormals among them.
    Bits,
    /// Small numbers, none of them zero.
    Small,
    /// Small numbers, zeros and special values.
    Mixed,
}

/// Launches a program twice on equal random inputs, once with the fast path of every instruction and once with their
/// formulas, and compares all buffers, printed text, and the ends of the runs.
///
/// # Errors
/// The first difference: the buffer and its argument, the element, both values; or two different ends.
pub fn same_bits(text: &str, rng: &mut Rng) -> Result<Agreement, String> {
    let program = program(text, None)?;
    let signature = Signature::of(program.module(), program.entry())?;
    let values = inputs(&program, &signature, rng).map_err(sentence)?;
    let run = |by_formula: bool| {
        program.launch(values.clone(), &Options::default().by_formula(by_formula), &mut []).map_err(sentence)
    };
    match (run(false), run(true)) {
        (Ok(fast), Ok(formula)) => {
            compare(&signature, &fast, &formula)?;
            Ok(Agreement::Ran { instructions: fast.instructions })
        }
        (Err(fast), Err(formula)) if fast == formula => Ok(Agreement::Stopped),
        (fast, formula) => {
            let end = |end: Result<Outcome, String>| end.map_or_else(|stop| stop, |_| "runs".to_owned());
            Err(format!("the fast path: {}\nthe formula: {}", end(fast), end(formula)))
        }
    }
}

/// Random contents for every argument.
pub(crate) fn inputs(
    program: &Program,
    signature: &Signature,
    rng: &mut Rng,
) -> Result<Vec<Value>, Vec<pto::diag::Diagnostic>> {
    let empty = |kind: ArgumentKind| match kind {
        ArgumentKind::Buffer(_) => Value::buffer(Vec::new()),
        ArgumentKind::Scalar(_) => Value::Scalar(1),
        ArgumentKind::Launch => Value::Launch,
    };
    let first = signature.arguments.iter().map(|argument| empty(argument.kind)).collect();
    let sizes = measure(program, first, &Options::default())?;
    let arguments = signature.arguments.iter().zip(sizes);
    let value = |(argument, size): (&pto::sim::Argument, Option<u64>)| {
        let data = *rng.pick(&[Data::Small, Data::Small, Data::Mixed, Data::Bits]);
        match argument.kind {
            ArgumentKind::Buffer(element) => {
                let bytes = size.unwrap_or(0) as usize;
                Value::buffer(contents(element, bytes, data, rng))
            }
            ArgumentKind::Scalar(scalar) => Value::Scalar(number(scalar.element(), data, rng)),
            ArgumentKind::Launch => Value::Launch,
        }
    };
    Ok(arguments.map(value).collect())
}

fn contents(element: Element, bytes: usize, data: Data, rng: &mut Rng) -> Vec<u8> {
    let mut contents = Vec::with_capacity(bytes + 8);
    while contents.len() < bytes {
        let bits = match element.values() {
            2 => number(element, data, rng) | number(element, data, rng) << 4,
            _ => number(element, data, rng),
        };
        contents.extend_from_slice(&bits.to_le_bytes()[..element.bytes(1)]);
    }
    contents.truncate(bytes);
    contents
}

/// A random number as bits of its format.
fn number(element: Element, data: Data, rng: &mut Rng) -> u64 {
    let mask = u64::MAX >> (64 - element.value_bits());
    let any = matches!(data, Data::Bits) || matches!(data, Data::Mixed) && rng.chance(15);
    if any {
        return rng.bits() & mask;
    }
    let small = rng.between(1, 24) as i64;
    let zero = matches!(data, Data::Mixed) && rng.chance(10);
    let small = if zero {
        0
    } else if rng.chance(40) {
        -small
    } else {
        small
    };
    if element.holds_integers() {
        return small as u64 & mask;
    }
    element.encode(small as f64 / 8.0, pto_num::Rounding::NearestEven, pto_num::Overflow::Saturate)
}

fn compare(signature: &Signature, fast: &Outcome, formula: &Outcome) -> Result<(), String> {
    let kinds = signature.arguments.iter().filter_map(|argument| match argument.kind {
        ArgumentKind::Buffer(element) => Some((argument.name.as_str(), element)),
        _ => None,
    });
    for ((name, element), (fast, formula)) in kinds.zip(fast.buffers.iter().zip(&formula.buffers)) {
        let (fast, formula) = (&fast.bytes, &formula.bytes);
        let Some(byte) = fast.iter().zip(formula).position(|(a, b)| a != b) else { continue };
        let count = fast.iter().zip(formula).filter(|(a, b)| a != b).count();
        let at = |bytes: &[u8], index| pto_num::get_element(bytes, 0, index, element);
        let first = byte / element.bytes(1);
        let index = first + usize::from(at(fast, first) == at(formula, first));
        return Err(format!(
            "`%{name}` differs in {count} bytes, first in element {index} of {element:?}: the formula gives {:#x}, \
             the fast path {:#x}",
            at(formula, index),
            at(fast, index)
        ));
    }
    if fast.printed != formula.printed {
        return Err("the runs print different text".to_owned());
    }
    Ok(())
}
