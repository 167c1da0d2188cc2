//! Arguments for a program: which it takes, where each comes from, how large its buffers are.

use crate::array::{Array, shape_bytes, shape_text};
use crate::dtype::Dtype;
use crate::error::DataError;
use crate::source::{Source, materialize, parse_scalar};
use pto::Program;
use pto::diag::Diagnostic;
use pto::ir::Scalar;
use pto::isa::Element;
use pto::sim::{Argument, ArgumentKind, Options, Signature, Value, measure};

/// Largest buffer that is made without being asked for.
const MAX_INFERRED: u64 = 16 << 30;

/// What stopped a launch.
#[derive(Debug)]
pub enum Failure {
    /// The arguments.
    Data(DataError),
    /// The program.
    Program(Vec<Diagnostic>),
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Failure {
        Failure::Data(error)
    }
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(findings: Vec<Diagnostic>) -> Failure {
        Failure::Program(findings)
    }
}

/// Where an argument comes from.
#[derive(Clone, Debug)]
pub enum Given {
    /// A source as the command line spells it.
    Source(Source),
    /// An array in hand.
    Array(Array),
    /// A scalar's bits.
    Bits(u64),
}

/// The arguments of one launch.
pub struct Arguments {
    /// What the function takes.
    pub signature: Signature,
    /// Values, in order.
    pub values: Vec<Value>,
}

/// Finds an argument by name or number.
///
/// # Errors
/// If the function has none such; the message lists those that it has.
pub fn position(signature: &Signature, wanted: &str) -> Result<usize, DataError> {
    let wanted = wanted.strip_prefix('%').unwrap_or(wanted);
    let by_name = signature.arguments.iter().position(|argument| argument.name == wanted);
    let number = wanted.parse::<usize>().ok().filter(|number| *number < signature.arguments.len());
    by_name.or(number).ok_or_else(|| {
        let names: Vec<_> = signature.arguments.iter().map(|argument| argument.name.as_str()).collect();
        let message = format!("`@{}` has no argument `{wanted}`", signature.entry);
        let help =
            if names.is_empty() { "it takes none".into() } else { format!("it takes {}", names.join(", ")) };
        DataError::new(message).with_help(help)
    })
}

/// Brings the arguments of a program together.
///
/// Buffers that are not given, or given by a generator without a shape, get the size that the program's views
/// reach; those not given are zeros.
///
/// # Errors
/// A missing scalar, a file that does not fit, or a program whose scalar part cannot be run.
pub fn gather(
    program: &Program,
    given: &[(usize, Given)],
    seed: u64,
    options: &Options,
) -> Result<Arguments, Failure> {
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let source_of = |index: usize| given.iter().rev().find(|(at, _)| *at == index).map(|(_, given)| given);
    let mut values = Vec::new();
    let mut open = Vec::new();
    for (index, argument) in signature.arguments.iter().enumerate() {
        let source = source_of(index);
        values.push(match argument.kind {
            ArgumentKind::Launch if source.is_none() => Value::Launch,
            ArgumentKind::Launch => scalar(argument, Scalar::Number(Element::I32), source)?,
            ArgumentKind::Scalar(ty) => scalar(argument, ty, source)?,
            ArgumentKind::Buffer(element) => match known_buffer(argument, element, source, seed, index)? {
                Some(bytes) => Value::Buffer { bytes },
                None => {
                    open.push((index, element));
                    Value::Buffer { bytes: Vec::new() }
                }
            },
        });
    }
    if !open.is_empty() {
        fill_open(program, &signature, given, seed, options, &open, &mut values)?;
    }
    Ok(Arguments { signature, values })
}

fn scalar(argument: &Argument, ty: Scalar, given: Option<&Given>) -> Result<Value, DataError> {
    let name = &argument.name;
    let dtype = match ty {
        Scalar::Index => Dtype::Index,
        Scalar::Bool => Dtype::Bool,
        Scalar::Number(element) => Dtype::Number(element),
    };
    match given {
        Some(Given::Bits(bits)) => Ok(Value::Scalar(*bits)),
        Some(Given::Source(Source::Scalar(text))) => parse_scalar(text, dtype)
            .map(Value::Scalar)
            .map_err(|error| DataError::new(format!("argument `{name}`: {error}"))),
        Some(_) => {
            let message = format!("argument `{name}` is a scalar of type {}, not a buffer", ty.word());
            Err(DataError::new(message).with_help(format!("give a number: `-i {name}=5`")))
        }
        None => {
            let message = format!("argument `{name}` of type {} is missing", ty.word());
            Err(DataError::new(message).with_help(format!("give it as `-i {name}=5`")))
        }
    }
}

/// The contents of a buffer whose size does not depend on the program; `None` where it does.
fn known_buffer(
    argument: &Argument,
    element: Element,
    given: Option<&Given>,
    seed: u64,
    index: usize,
) -> Result<Option<Vec<u8>>, DataError> {
    let name = &argument.name;
    let count = argument.elements.and_then(|count| usize::try_from(count).ok());
    let in_argument = |error: DataError| {
        let located = DataError::new(format!("argument `{name}`: {}", error.message));
        error.help.map_or(located.clone(), |help| located.with_help(help))
    };
    match given {
        Some(Given::Array(array)) => Ok(Some(array.bytes().to_vec())),
        Some(Given::Bits(_) | Given::Source(Source::Scalar(_))) => {
            let message = format!("argument `{name}` is a buffer, not a number");
            let help = format!("give a file or a generator: `-i {name}=x.npy`, `-i {name}=randn:16x32`");
            Err(DataError::new(message).with_help(help))
        }
        Some(Given::Source(Source::Generator { shape: None, .. })) | None if count.is_none() => Ok(None),
        Some(Given::Source(source)) => {
            let array = materialize(source, element, count, seed, index).map_err(in_argument)?;
            let have = array.values();
            if let Some(count) = count.filter(|count| *count > have) {
                let shape = shape_text(array.shape());
                let message = format!("argument `{name}` takes {count} elements, but {shape} are given");
                return Err(DataError::new(message));
            }
            Ok(Some(array.into_bytes()))
        }
        None => {
            let bytes = shape_bytes(element, &[count.unwrap_or(0)]).unwrap_or(0);
            Ok(Some(vec![0; bytes]))
        }
    }
}

/// Sizes the open buffers by how far the program's views reach, and fills them.
fn fill_open(
    program: &Program,
    signature: &Signature,
    given: &[(usize, Given)],
    seed: u64,
    options: &Options,
    open: &[(usize, Element)],
    values: &mut [Value],
) -> Result<(), Failure> {
    let probe = values.to_vec();
    let reach = measure(program, probe, options)?;
    for &(index, element) in open {
        let name = &signature.arguments[index].name;
        let bytes = reach[index].unwrap_or(0);
        if bytes > MAX_INFERRED {
            let message = format!("the program's views reach {bytes} bytes into argument `{name}`");
            let help = format!("if that is meant, give the buffer: `-i {name}=zeros:SHAPE`");
            return Err(DataError::new(message).with_help(help).into());
        }
        let count = (bytes * 8 / u64::from(element.bits())) as usize;
        let source = given.iter().rev().find(|(at, _)| *at == index);
        values[index] = match source {
            Some((_, Given::Source(source))) if count > 0 => {
                let array = materialize(source, element, Some(count), seed, index)?;
                Value::Buffer { bytes: array.into_bytes() }
            }
            Some(_) => {
                let message =
                    format!("the size of argument `{name}` does not follow from the program's views");
                let help = format!("say it: `-i {name}=randn:16x32`");
                return Err(DataError::new(message).with_help(help).into());
            }
            None => Value::Buffer { bytes: vec![0; bytes as usize] },
        };
    }
    Ok(())
}

/// A buffer as an array: in the shape of the view that covers it, else in one dimension.
pub fn to_array(element: Element, bytes: Vec<u8>, shape: Option<Vec<u64>>) -> Result<Array, DataError> {
    let items = bytes.len() / crate::array::item_bytes(element);
    let mut shape: Vec<usize> = shape.unwrap_or_default().into_iter().map(|extent| extent as usize).collect();
    // Two 4-bit values share a byte; arrays count bytes.
    if element.is_packed()
        && let Some(last) = shape.last_mut()
    {
        *last = last.div_ceil(2);
    }
    if shape.iter().product::<usize>() != items || shape.is_empty() {
        shape = vec![items];
    }
    Array::new(element, shape, bytes)
}
