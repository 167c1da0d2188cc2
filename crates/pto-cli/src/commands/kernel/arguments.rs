//! The arguments of a kernel in C++ as flags give them.
//!
//! Kernels in C++ have no views in a signature: formats of untyped pointers come from the data, and sizes of buffers from the shapes of
//! their arrays.

use crate::args::Assignment;
use crate::files::Disk;
use crate::linked::Format;
use pto::data::{DataError, Generator, Given, Input, Source, dtype, materialize};
use pto::isa::Element;
use pto::launch::ArgumentSource;

/// Returns the format that flags give for a parameter: the prefix of its input, or the format of the file of its input or
/// expected array.
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

/// The format in front of a source, and the source.
fn split(text: &str) -> (Option<Element>, &str) {
    let split = text.split_once(':').and_then(|(word, rest)| Some((dtype::element(word)?, rest)));
    split.map_or((None, text), |(element, rest)| (Some(element), rest))
}

/// A buffer among the arguments of a kernel.
pub(super) struct Buffer<'s> {
    /// The number of the argument.
    pub(super) argument: usize,
    /// Name of the argument.
    pub(super) name: &'s str,
    /// The format of its elements.
    pub(super) element: Element,
}

/// The size of a buffer.
pub(super) struct Size {
    /// Shape of the array; `None` without an array.
    pub(super) shape: Option<Vec<usize>>,
    /// Whether no input gives it contents.
    pub(super) is_blank: bool,
}

impl Buffer<'_> {
    /// Determines the size of the buffer: that of its input, or else that of its expected array. An input without a size
    /// gets this size, and a buffer without an input gets zeros.
    ///
    /// # Errors
    /// A buffer without any known size, or an address of the machine.
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
                // A large generator gets its array now: otherwise its size would first be compared with the extent of
                // views.
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
