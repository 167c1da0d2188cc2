//! The signature of a kernel in C++ as a program in text: a function with its parameters and an empty body.
//!
//! All that makes, compares and prints arguments of programs works on it.

use super::{Kernel, Parameter, ParameterType};
use pto::data::DataError;
use pto::isa::Element;
use pto::isa::element::element_word;
use std::collections::BTreeSet;

/// Facts about the format of a buffer from the arguments of a launch.
#[derive(Clone, Copy, Debug, Default)]
pub struct Format {
    /// The format that is named for it.
    pub named: Option<Element>,
    /// The format of its data.
    pub of_data: Option<Element>,
}

/// The text of the signature of a kernel. `format` has the format of a parameter by number and name.
///
/// # Errors
/// A parameter that no argument fits, or whose format is not known.
pub fn signature(kernel: &Kernel, format: &dyn Fn(usize, &str) -> Format) -> Result<String, DataError> {
    let Some(parameters) = &kernel.parameters else {
        return Err(DataError::misuse(format!(
            "no debug information describes the parameters of `{}`",
            kernel.name
        ))
        .with_help("the kernel is compiled with -g, which `-- -g0` overrules"));
    };
    let names = names(parameters);
    let mut described = Vec::new();
    for (at, (parameter, name)) in parameters.iter().zip(&names).enumerate() {
        let ty = ty(&parameter.ty, || format(at, name)).map_err(|error| error.of_parameter(name))?;
        described.push(format!("%{name}: {ty}"));
    }
    let is_plain = kernel.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let name = if is_plain { kernel.name.as_str() } else { "kernel" };
    Ok(format!("func.func @{name}({}) {{\n  return\n}}\n", described.join(", ")))
}

/// A name for each parameter: its own, if no other has it.
fn names(parameters: &[Parameter]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut name = |(at, parameter): (usize, &Parameter)| {
        let own = Some(&parameter.name).filter(|name| !name.is_empty() && !taken.contains(*name));
        let name = own.cloned().unwrap_or_else(|| format!("arg{at}"));
        taken.insert(name.clone());
        name
    };
    parameters.iter().enumerate().map(&mut name).collect()
}

/// A reason for which a parameter has no type, before its name is known.
enum NoType {
    /// No argument fits the type.
    Other(String),
    /// The data does not determine the format.
    Open,
}

impl NoType {
    fn of_parameter(self, name: &str) -> DataError {
        match self {
            NoType::Other(ty) => DataError::misuse(format!(
                "parameter `{name}` has the type `{ty}`: no argument fits it"
            ))
            .with_help(
                "parameters of a kernel that this command launches are pointers and numbers of the ISA",
            ),
            NoType::Open => {
                DataError::misuse(format!("the type of `{name}` does not say to which numbers it points"))
                    .with_help(format!(
                        "give it a .npy file, or name the format: `-i {name}=f32:randn:16x64`"
                    ))
            }
        }
    }
}

/// The type of a parameter in the text. Pointers to bytes may point to anything, as `void *`.
fn ty(ty: &ParameterType, format: impl FnOnce() -> Format) -> Result<String, NoType> {
    let element = match ty {
        ParameterType::Number(element) => return Ok(element_word(*element).to_owned()),
        ParameterType::Bool => return Ok("i1".to_owned()),
        ParameterType::Other(name) => return Err(NoType::Other(name.clone())),
        ParameterType::Pointer(element) => *element,
    };
    let is_open = matches!(element, None | Some(Element::U8 | Element::I8));
    let Format { named, of_data } = format();
    let element = named.or(of_data.filter(|_| is_open)).or(element).ok_or(NoType::Open)?;
    Ok(format!("!pto.ptr<{}>", element_word(element)))
}
