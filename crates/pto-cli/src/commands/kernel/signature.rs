//! The signature of a kernel in C++ as a program in text: a function with its parameters and an empty body.
//!
//! All that makes, compares and prints arguments of programs works on it. What a program knows from its views is missing: formats of
//! untyped pointers come from the data, and sizes of buffers from the shapes of their arrays.

use crate::args::Assignment;
use crate::files::Disk;
use crate::linked::{Kernel, Parameter, ParameterType};
use pto::data::{DataError, Generator, Given, Input, Source, dtype, materialize};
use pto::isa::Element;
use pto::isa::element::element_word;
use pto::launch::ArgumentSource;
use std::collections::BTreeSet;

/// The signature of a kernel.
pub(super) struct Signature {
    /// The program.
    pub(super) text: String,
}

/// What the arguments of a launch say about the format of a buffer.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::commands) struct Format {
    /// The format that is named for it.
    pub(in crate::commands) named: Option<Element>,
    /// The format of its data.
    pub(in crate::commands) of_data: Option<Element>,
}

impl Signature {
    /// The signature of a kernel. `format` has the format of a parameter by number and name.
    ///
    /// # Errors
    /// A parameter that no argument fits, or whose format is not known.
    pub(super) fn of(
        kernel: &Kernel,
        format: &dyn Fn(usize, &str) -> Format,
    ) -> Result<Signature, DataError> {
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
        Ok(Signature { text: format!("func.func @{name}({}) {{\n  return\n}}\n", described.join(", ")) })
    }
}

/// The format that flags say for a parameter: in front of its input, or by the file of its input or expected array.
pub(super) fn format_of(inputs: &[Assignment], expect: &[Assignment], at: usize, name: &str) -> Format {
    let of = |list: &'_ [Assignment]| {
        let is_it = |given: &&Assignment| given.arg == name || given.number() == Some(at);
        list.iter().rev().find(is_it).map(|given| given.value.clone())
    };
    let (named, source) = of(inputs).map_or((None, None), |text| {
        let (named, source) = split(&text);
        (named, Source::parse(source, &Disk).ok())
    });
    let of_file = source.and_then(|source| source.element(&Disk));
    let of_data = of_file.or_else(|| Source::of_file(&of(expect)?).element(&Disk));
    Format { named, of_data }
}

/// The sources of inputs without formats in front of them.
pub(super) fn sources(inputs: &[Assignment]) -> Vec<(String, ArgumentSource)> {
    let source =
        |given: &Assignment| (given.arg.clone(), ArgumentSource::Text(split(&given.value).1.to_owned()));
    inputs.iter().map(source).collect()
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
    /// The data does not say the format.
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

/// The format in front of a source, and the source.
fn split(text: &str) -> (Option<Element>, &str) {
    let split = text.split_once(':').and_then(|(word, rest)| Some((dtype::element(word)?, rest)));
    split.map_or((None, text), |(element, rest)| (Some(element), rest))
}

/// A buffer among the arguments of a kernel.
pub(super) struct Buffer<'s> {
    /// The number of the argument.
    pub(super) argument: usize,
    /// Its name.
    pub(super) name: &'s str,
    /// The format of its elements.
    pub(super) element: Element,
}

/// The size of a buffer.
pub(super) struct Size {
    /// The shape of its array, if it has one.
    pub(super) shape: Option<Vec<usize>>,
    /// Whether no input gives it contents.
    pub(super) is_blank: bool,
}

impl Buffer<'_> {
    /// The size of the buffer: that of its input, else that of its expected array. An input without a size gets it, and a buffer without an
    /// input gets zeros.
    ///
    /// # Errors
    /// A buffer whose size nothing says, or that is an address of the machine.
    pub(super) fn size(&self, inputs: &mut Vec<Input>, expected: Option<&Source>) -> Result<Size, DataError> {
        let wanted = || expected.and_then(|source| source.shape(&Disk));
        let input = inputs.iter_mut().rev().find(|input| input.argument == self.argument);
        let Some(Input { given, .. }) = input else {
            let shape = wanted().ok_or_else(|| self.without_size())?;
            let source = Source::Generator { kind: Generator::Zeros, shape: Some(shape.clone()) };
            inputs.push(Input { argument: self.argument, rank: None, given: Given::Source(source) });
            return Ok(Size { shape: Some(shape), is_blank: true });
        };
        let shape = match given {
            Given::Source(Source::Generator { shape, .. }) => {
                *shape = shape.take().or_else(wanted);
                Some(shape.clone().ok_or_else(|| self.without_size())?)
            }
            Given::Source(Source::Peer { .. } | Source::Communication) => {
                let name = self.name;
                let message = format!("argument `{name}`: a kernel in C++ takes no addresses of ranks");
                return Err(
                    DataError::misuse(message).with_help(format!("give it an array: `-i {name}=x.npy`"))
                );
            }
            Given::Source(source) => {
                let shape = source.shape(&Disk);
                // Its size would be compared with the reach of views first.
                if source.is_large_inside(&Disk) {
                    *given = Given::Array(materialize(source, self.element, None, 0, self.argument, &Disk)?);
                }
                shape
            }
            _ => None,
        };
        Ok(Size { shape, is_blank: false })
    }

    fn without_size(&self) -> DataError {
        let name = self.name;
        DataError::misuse(format!(
            "nothing says how large the buffer `{name}` is: a kernel in C++ has no views that do"
        ))
        .with_help(format!(
            "give it an array, such as `-i {name}=zeros:16x64` or `-i {name}=x.npy`, or a file with --expect"
        ))
    }
}
