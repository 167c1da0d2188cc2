//! Values of single arguments that do not depend on the program.

use super::{Given, located};
use crate::data::array::{shape_bytes, shape_text};
use crate::data::dtype::Dtype;
use crate::data::error::DataError;
use crate::data::{Files, Source, materialize, parse_scalar};
use pto_isa::Element;
use pto_lang::ir::Scalar;
use pto_machine::sim::{Argument, Storage, Value};

/// The bits of a scalar argument.
pub(super) fn scalar(argument: &Argument, ty: Scalar, given: Option<&Given>) -> Result<Value, DataError> {
    let name = &argument.name;
    let dtype = match ty {
        Scalar::Index => Dtype::Index,
        Scalar::Bool => Dtype::Bool,
        Scalar::Number(element) => Dtype::Number(element),
    };
    match given {
        Some(Given::Bits(bits)) => Ok(Value::Scalar(*bits)),
        Some(Given::Source(Source::Scalar(text))) => {
            parse_scalar(text, dtype).map(Value::Scalar).map_err(|error| located(name, error))
        }
        Some(_) => {
            let message = format!("argument `{name}` is a scalar of type {}, not a buffer", ty.word());
            Err(DataError::misuse(message).with_help(format!("give a number: `-i {name}=5`")))
        }
        None => {
            let message = format!("argument `{name}` of type {} is missing", ty.word());
            Err(DataError::misuse(message).with_help(format!("give it as `-i {name}=5`")))
        }
    }
}

/// The contents of a buffer whose size does not depend on the program; `None` if it does.
pub(super) fn known_buffer(
    argument: &Argument,
    element: Element,
    given: Option<&Given>,
    seed: u64,
    stream: usize,
    files: &dyn Files,
) -> Result<Option<Storage>, DataError> {
    let name = &argument.name;
    let count = argument.elements.and_then(|count| usize::try_from(count).ok());
    let in_argument = |error: DataError| located(name, error);
    match given {
        Some(Given::Array(array)) => Ok(Some(array.clone().into_bytes())),
        Some(Given::Bits(_) | Given::Source(Source::Scalar(_))) => {
            let message = format!("argument `{name}` is a buffer, not a number");
            let help = format!("give a file or a generator: `-i {name}=x.npy`, `-i {name}=randn:16x32`");
            Err(DataError::misuse(message).with_help(help))
        }
        Some(
            Given::Source(Source::Generator { shape: None, .. }) | Given::Reached(_) | Given::Integers(_),
        )
        | None
            if count.is_none() =>
        {
            Ok(None)
        }
        Some(Given::Reached(kind)) => {
            let source = Source::Generator { kind: *kind, shape: None };
            Ok(Some(materialize(&source, element, count, seed, stream, files)?.into_bytes()))
        }
        Some(Given::Integers(integers)) => Ok(Some(integers.bytes(element, count.unwrap_or(0)))),
        Some(Given::Source(source)) => {
            let array = materialize(source, element, count, seed, stream, files).map_err(in_argument)?;
            let have = array.items();
            if let Some(count) = count.filter(|count| *count > have) {
                let shape = shape_text(array.shape());
                let message = format!("argument `{name}` takes {count} elements, but {shape} are given");
                return Err(DataError::new(message));
            }
            Ok(Some(array.into_bytes()))
        }
        None => {
            let bytes = shape_bytes(element, &[count.unwrap_or(0)]).unwrap_or(0);
            Ok(Some(vec![0; bytes].into()))
        }
    }
}
