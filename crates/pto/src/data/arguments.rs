//! Arguments of a launch: their sources, and the sizes of buffers.

mod value;

use super::array::Array;
use super::error::DataError;
use super::{Files, Generator, Integers, Kept, Source, materialize};
use pto_isa::Element;
use pto_isa::diag::Diagnostic;
use pto_lang::ir::Scalar;
use pto_machine::Program;
use pto_machine::sim::{
    Argument, ArgumentKind, MAX_RANKS, Options, Signature, Storage, Value, measure_ranks, rank_base,
};
use std::fmt;
use value::{known_buffer, scalar};

/// Largest buffer, in bytes, whose size is inferred from the program.
const MAX_INFERRED: u64 = 16 << 30;

/// Bytes from which a buffer grows, and most bytes of all buffers that grow.
const LEAST_GROWN: u64 = 1 << 12;
const MOST_GROWN: u64 = 1 << 30;

/// Reason for a failed launch.
#[derive(Debug)]
pub enum Failure {
    /// An error in the arguments.
    Data(DataError),
    /// Errors in the program.
    Program(Vec<Diagnostic>),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Data(error) => write!(f, "{error}"),
            Failure::Program(findings) => {
                let lines: Vec<_> = findings.iter().map(Diagnostic::to_string).collect();
                f.write_str(&lines.join("\n"))
            }
        }
    }
}

impl std::error::Error for Failure {}

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

/// The contents of an argument.
#[derive(Clone, Debug)]
pub enum Given {
    /// A source from the command line.
    Source(Source),
    /// An array.
    Array(Array),
    /// A scalar's bits.
    Bits(u64),
    /// Generated contents as large as the program's views reach; they may reach nothing.
    Reached(Generator),
    /// Integers, as many as the program's views reach.
    Integers(Integers),
}

/// The input of one argument.
#[derive(Clone, Debug)]
pub struct Input {
    /// The argument's number.
    pub argument: usize,
    /// Rank of the input; `None` for all ranks without an input of their own.
    pub rank: Option<u32>,
    /// Contents of the argument.
    pub given: Given,
}

/// The arguments of one launch.
pub struct Arguments {
    /// The signature of the function.
    pub signature: Signature,
    /// For each rank, the values in order.
    pub ranks: Vec<Vec<Value>>,
}

/// Finds an argument by name or number; returns its index.
///
/// # Errors
/// If the function has no such argument; the message lists its arguments.
pub fn position(signature: &Signature, wanted: &str) -> Result<usize, DataError> {
    let wanted = wanted.strip_prefix('%').unwrap_or(wanted);
    let by_name = signature.arguments.iter().position(|argument| argument.name == wanted);
    let number = wanted.parse::<usize>().ok().filter(|number| *number < signature.arguments.len());
    by_name.or(number).ok_or_else(|| {
        let names: Vec<_> = signature.arguments.iter().map(|argument| argument.name.as_str()).collect();
        let message = format!("`@{}` has no argument `{wanted}`", signature.entry);
        let mut help =
            if names.is_empty() { "it takes none".into() } else { format!("it takes {}", names.join(", ")) };
        let begun = names.iter().copied().find(|name| !wanted.is_empty() && name.starts_with(wanted));
        if let Some(near) = begun.or_else(|| pto_isa::diag::nearest(wanted, names.into_iter())) {
            help = format!("did you mean `{near}`? {help}");
        }
        DataError::misuse(message).with_help(help)
    })
}

/// Finds an argument by name or number, and the rank after `@`.
///
/// # Errors
/// If the function has no such argument, or the launch no such rank.
pub fn place(signature: &Signature, wanted: &str, ranks: u32) -> Result<(usize, Option<u32>), DataError> {
    let Some((name, rank)) = wanted.split_once('@') else { return Ok((position(signature, wanted)?, None)) };
    let rank = rank.parse().ok().filter(|rank| *rank < ranks).ok_or_else(|| {
        DataError::misuse(format!("`{wanted}`: the launch has the ranks 0 to {}", ranks - 1))
            .with_help("`--ranks N` launches N ranks")
    })?;
    Ok((position(signature, name)?, Some(rank)))
}

/// A launch whose arguments are being gathered.
#[derive(Clone)]
struct Gathering<'a> {
    signature: Signature,
    inputs: &'a [Input],
    seed: u64,
    ranks: u32,
    files: &'a dyn Files,
}

/// The arguments of a launch, with known sizes; some buffers are not made yet.
#[derive(Clone)]
pub struct Plan<'a> {
    gathering: Gathering<'a>,
    ranks: Vec<Vec<Value>>,
    open: Vec<Open>,
}

/// A buffer that is not made yet.
#[derive(Clone)]
struct Open {
    rank: u32,
    argument: usize,
    element: Element,
    bytes: u64,
}

/// Finds sources and sizes of the arguments of a program, for each rank. [`Plan::make`] makes the buffers.
///
/// Buffers without input, or with a generator without a shape, get the size that the program's views reach; those
/// without input are zeros.
///
/// # Errors
/// An argument that is missing, unknown or of the wrong type or size, or a program whose scalar part cannot be run.
pub fn plan<'a>(
    program: &Program,
    inputs: &'a [Input],
    seed: u64,
    ranks: u32,
    options: &Options,
    files: &'a dyn Files,
) -> Result<Plan<'a>, Failure> {
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let mut plan = Plan {
        gathering: Gathering { signature, inputs, seed, ranks, files },
        ranks: Vec::new(),
        open: Vec::new(),
    };
    for rank in 0..ranks {
        let mut values = Vec::new();
        for (argument, described) in plan.gathering.signature.arguments.iter().enumerate() {
            let value = plan.gathering.value(rank, argument).map_err(|error| error.of_argument(argument))?;
            if let (None, ArgumentKind::Buffer(element)) = (&value, described.kind) {
                plan.open.push(Open { rank, argument, element, bytes: 0 });
            }
            values.push(value.unwrap_or(Value::buffer(Vec::new())));
        }
        plan.ranks.push(values);
    }
    if !plan.open.is_empty() {
        plan.measure(program, options)?;
    }
    Ok(plan)
}

impl Plan<'_> {
    /// Sets the sizes of the open buffers by the extent of the program's views.
    fn measure(&mut self, program: &Program, options: &Options) -> Result<(), Failure> {
        let reach = measure_ranks(program, self.ranks.clone(), options)?;
        for open in &mut self.open {
            open.bytes = reach[open.rank as usize][open.argument].unwrap_or(0);
            if open.bytes > MAX_INFERRED {
                let name = &self.gathering.signature.arguments[open.argument].name;
                let message =
                    format!("the program's views reach {} bytes into argument `{name}`", open.bytes);
                let help = format!("if that is meant, give the buffer: `-i {name}=zeros:SHAPE`");
                return Err(DataError::new(message).with_help(help).of_argument(open.argument).into());
            }
        }
        Ok(())
    }

    /// Size of all buffers in bytes.
    pub fn bytes(&self) -> u64 {
        let made = self.ranks.iter().flatten().map(|value| match value {
            Value::Buffer { bytes } => bytes.len() as u64,
            _ => 0,
        });
        made.sum::<u64>() + self.open.iter().map(|open| open.bytes).sum::<u64>()
    }

    /// Doubles the buffers whose sizes follow from the program; `false` if there are none, or they are too large.
    pub fn grow(&mut self) -> bool {
        let grown = self.open.iter().map(|open| open.bytes.max(LEAST_GROWN).saturating_mul(2));
        let fits = grown.fold(0, u64::saturating_add) <= MOST_GROWN;
        if fits {
            self.open.iter_mut().for_each(|open| open.bytes = open.bytes.max(LEAST_GROWN) * 2);
        }
        fits && !self.open.is_empty()
    }

    /// Makes the open buffers.
    ///
    /// # Errors
    /// A generator for a buffer of unknown size.
    pub fn make(self) -> Result<Arguments, Failure> {
        self.make_from(&mut Kept::default())
    }

    /// Like [`Plan::make`], but generated contents that are kept from an earlier launch of the same program are shared.
    ///
    /// # Errors
    /// As for [`Plan::make`].
    pub fn make_from(mut self, kept: &mut Kept) -> Result<Arguments, Failure> {
        for open in &self.open {
            let fill = || self.gathering.fill(open).map_err(|error| error.of_argument(open.argument));
            let bytes = match self.gathering.given(open.rank, open.argument) {
                Some(Given::Reached(generator)) => {
                    let key = (self.gathering.seed, open.rank, open.argument, *generator);
                    kept.contents(key, open.bytes, fill)?
                }
                _ => fill()?,
            };
            self.ranks[open.rank as usize][open.argument] = Value::Buffer { bytes };
        }
        Ok(Arguments { signature: self.gathering.signature, ranks: self.ranks })
    }
}

impl Gathering<'_> {
    /// The input of an argument of a rank.
    fn given(&self, rank: u32, index: usize) -> Option<&Given> {
        let of = |wanted: Option<u32>| {
            self.inputs.iter().rev().find(move |input| (input.argument, input.rank) == (index, wanted))
        };
        of(Some(rank)).or_else(|| of(None)).map(|input| &input.given)
    }

    /// Number of the random stream of an argument of a rank.
    fn stream(&self, rank: u32, index: usize) -> usize {
        index + rank as usize * self.signature.arguments.len()
    }

    /// The value of an argument; `None` for a buffer whose size depends on the program.
    fn value(&self, rank: u32, index: usize) -> Result<Option<Value>, DataError> {
        let argument = &self.signature.arguments[index];
        let given = self.given(rank, index);
        match (argument.kind, given) {
            (ArgumentKind::Launch, None) => Ok(Some(Value::Launch)),
            (
                ArgumentKind::Launch | ArgumentKind::Scalar(_),
                Some(Given::Source(source @ (Source::Rank | Source::Ranks))),
            ) => {
                let number = if *source == Source::Rank { rank } else { self.ranks };
                Ok(Some(Value::Scalar(u64::from(number))))
            }
            (ArgumentKind::Launch, _) => scalar(argument, Scalar::Number(Element::I32), given).map(Some),
            (ArgumentKind::Scalar(ty), _) => scalar(argument, ty, given).map(Some),
            (ArgumentKind::Buffer(_), Some(Given::Source(Source::Peer { rank, argument: name }))) => {
                let argument = match name {
                    Some(name) => position(&self.signature, name)?,
                    None => index,
                };
                self.check_peer(*rank, argument)?;
                Ok(Some(Value::Peer { rank: *rank, argument, offset: 0 }))
            }
            (ArgumentKind::Buffer(_), Some(Given::Source(Source::Communication))) => {
                Ok(Some(Value::buffer(self.context(rank))))
            }
            // The size of a large array is compared with the extent of the program's views before decompression.
            (ArgumentKind::Buffer(_), Some(Given::Source(source))) if source.is_large_inside(self.files) => {
                Ok(None)
            }
            (ArgumentKind::Buffer(element), _) => {
                let bytes =
                    known_buffer(argument, element, given, self.seed, self.stream(rank, index), self.files)?;
                Ok(bytes.map(|bytes| Value::Buffer { bytes }))
            }
        }
    }

    fn check_peer(&self, rank: u32, argument: usize) -> Result<(), DataError> {
        let name = &self.signature.arguments[argument].name;
        if rank >= self.ranks {
            let message = format!("`@{rank}`: the launch has the ranks 0 to {}", self.ranks - 1);
            return Err(DataError::misuse(message).with_help("`--ranks N` launches N ranks"));
        }
        let own = !matches!(self.given(rank, argument), Some(Given::Source(Source::Peer { .. })));
        if own && matches!(self.signature.arguments[argument].kind, ArgumentKind::Buffer(_)) {
            return Ok(());
        }
        Err(DataError::misuse(format!("argument `{name}` of rank {rank} is not a buffer of its own"))
            .with_help(format!("give that rank one: `-i {name}@{rank}=zeros`")))
    }

    /// The context of a communication domain as a kernel reads it, in 64-bit words: a workspace and its size, the rank
    /// with the number of ranks in the upper half, the size of a window, and the base address of the window of each
    /// rank.
    fn context(&self, rank: u32) -> Vec<u8> {
        let own = [0, 0, u64::from(rank) | u64::from(self.ranks) << 32, rank_base(1)];
        let windows = (0..MAX_RANKS).map(|rank| if rank < self.ranks { rank_base(rank) } else { 0 });
        own.into_iter().chain(windows).flat_map(u64::to_le_bytes).collect()
    }

    /// The contents of a buffer, whose size is known here.
    fn fill(&self, open: &Open) -> Result<Storage, DataError> {
        let Open { rank, argument, element, bytes } = *open;
        let count = (bytes * 8 / u64::from(element.bits())) as usize;
        match self.given(rank, argument) {
            Some(Given::Source(source)) if count > 0 || source.path().is_some() => {
                let stream = self.stream(rank, argument);
                let Argument { name, elements, .. } = &self.signature.arguments[argument];
                let count = count.max(elements.unwrap_or(0) as usize);
                let made = materialize(source, element, Some(count), self.seed, stream, self.files);
                Ok(made.map_err(|error| located(name, error))?.into_bytes())
            }
            Some(Given::Reached(kind)) => {
                let source = Source::Generator { kind: *kind, shape: None };
                let stream = self.stream(rank, argument);
                Ok(materialize(&source, element, Some(count), self.seed, stream, self.files)?.into_bytes())
            }
            Some(Given::Integers(integers)) => Ok(integers.bytes(element, count)),
            Some(_) => {
                let name = &self.signature.arguments[argument].name;
                let message =
                    format!("the size of argument `{name}` does not follow from the program's views");
                Err(DataError::misuse(message).with_help(format!("say it: `-i {name}=randn:16x32`")))
            }
            None => Ok(vec![0; bytes as usize].into()),
        }
    }
}

/// Prefixes an error with the name of its argument.
pub fn located(name: &str, error: DataError) -> DataError {
    DataError { message: format!("argument `{name}`: {}", error.message), ..error }
}

/// A buffer as an array: in the shape of the view that covers it, else in one dimension.
pub fn to_array(element: Element, bytes: Storage, shape: Option<Vec<u64>>) -> Result<Array, DataError> {
    let items = bytes.len() / super::item_bytes(element);
    let mut shape: Vec<usize> = shape.unwrap_or_default().into_iter().map(|extent| extent as usize).collect();
    if shape.iter().product::<usize>() != items || shape.is_empty() {
        shape = vec![items];
    }
    Array::new(element, shape, bytes)
}
