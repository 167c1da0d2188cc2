//! A sequence with its kernels, checked before the first launch; `plan/run.rs` runs it.

mod run;

use super::describe::{Arguments, BufferType, Number, PartText, Range, Sequence, Step};
use super::expression::{Expression, Names};
use super::session::{BufferId, Session};
use crate::data::{DataError, Dtype, Failure, dtype, parse_scalar};
use pto_isa::Element;
use pto_isa::diag::nearest;
use pto_lang::ir::Scalar;
use pto_machine::Program;
use pto_machine::sim::{Argument, ArgumentKind, Signature};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum nesting depth of groups.
const DEEPEST: usize = 32;

/// A function of a file that a sequence launches.
#[derive(Clone)]
pub struct Kernel {
    /// The file, as the sequence spells it.
    pub file: String,
    /// The function, if the sequence names one.
    pub entry: Option<String>,
    /// The program.
    pub program: Arc<Program>,
}

/// A sequence with its kernels.
#[derive(Clone)]
pub struct Plan {
    /// Kernels of the sequence, each once.
    pub kernels: Vec<Kernel>,
    /// Buffers of the sequence: name, element type and shape.
    pub buffers: Vec<(String, Element, Vec<usize>)>,
    /// Names of the buffers that are results.
    pub results: Vec<String>,
    scalars: BTreeMap<String, i64>,
    nodes: Vec<Node>,
}

#[derive(Clone, Debug)]
enum Node {
    Launch(Planned),
    Group(Group),
}

#[derive(Clone, Debug)]
struct Planned {
    /// The step's place in the file, such as `step 3.1`.
    at: String,
    name: String,
    kernel: usize,
    blocks: Expression,
    arguments: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Group {
    at: String,
    repeat: Option<Range>,
    parallel: bool,
    buffers: Vec<(String, BufferType)>,
    nodes: Vec<Node>,
}

/// Source of an argument.
#[derive(Clone, Debug)]
enum Source {
    Fact,
    Bits(u64),
    Value(Expression, Dtype),
    Part(PartText),
}

/// Why a sequence stopped.
#[derive(Debug)]
pub struct Stopped {
    /// The launch that failed, if it was one: its name, and its kernel.
    pub launch: Option<(String, usize)>,
    /// The reason.
    pub failure: Failure,
}

impl From<DataError> for Stopped {
    fn from(error: DataError) -> Stopped {
        Stopped { launch: None, failure: error.into() }
    }
}

/// Makes the program of a file: given the file, as the sequence spells it, and the function.
pub type Load<'a> = dyn FnMut(&str, Option<&str>) -> Result<Program, Failure> + 'a;

impl Plan {
    /// Reads all texts of a sequence, and loads its kernels, each once.
    ///
    /// # Errors
    /// A text that is wrong, an argument that does not fit its kernel, a kernel that cannot be loaded.
    pub fn of(sequence: &Sequence, load: &mut Load<'_>) -> Result<Plan, Failure> {
        let scalars = scalars(&sequence.scalars)?;
        let mut plan = Plan {
            kernels: Vec::new(),
            buffers: Vec::new(),
            results: sequence.results.clone(),
            scalars,
            nodes: Vec::new(),
        };
        for (name, text) in &sequence.buffers {
            plan.is_new(name, &[])?;
            let in_buffer = |error| within(&format!("buffer `{name}`"), error);
            let ty = BufferType::parse(text).map_err(in_buffer)?;
            let extents = ty.extents(&Scope::fixed(&plan.scalars)).map_err(in_buffer)?;
            plan.buffers.push((name.clone(), ty.element, extents));
        }
        for result in &sequence.results {
            plan.buffer(result, &[]).map_err(|error| within("results", error))?;
        }
        plan.nodes = plan.nodes_of(&sequence.step, "step ", &[], load)?;
        Ok(plan)
    }

    /// Checks that a name is neither a buffer nor a scalar. `local` has the names of the enclosing groups.
    fn is_new(&self, name: &str, local: &[(String, Option<Element>)]) -> Result<(), DataError> {
        let known = self.scalars.contains_key(name)
            || self.buffers.iter().any(|(known, ..)| known == name)
            || local.iter().any(|(known, _)| known == name);
        if known { Err(DataError::new(format!("the name `{name}` is given twice"))) } else { Ok(()) }
    }

    /// The element type of a buffer.
    fn buffer(&self, name: &str, local: &[(String, Option<Element>)]) -> Result<Element, DataError> {
        let inner = local.iter().filter_map(|(known, element)| Some((known.as_str(), (*element)?)));
        let outer = self.buffers.iter().map(|(known, element, _)| (known.as_str(), *element));
        let all: Vec<(&str, Element)> = inner.chain(outer).collect();
        if let Some((_, element)) = all.iter().find(|(known, _)| *known == name) {
            return Ok(*element);
        }
        let error = DataError::new(format!("there is no buffer `{name}`"));
        Err(match nearest(name, all.iter().map(|(known, _)| *known)) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error.with_help("declare it under `[buffers]`, with element type and shape"),
        })
    }

    fn nodes_of(
        &mut self,
        steps: &[Step],
        prefix: &str,
        local: &[(String, Option<Element>)],
        load: &mut Load<'_>,
    ) -> Result<Vec<Node>, Failure> {
        if prefix.matches('.').count() >= DEEPEST {
            return Err(DataError::new(format!("more than {DEEPEST} groups within each other")).into());
        }
        let mut nodes = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let at = format!("{prefix}{}", number + 1);
            let node = match &step.kernel {
                Some(file) => self.planned(step, file, &at, local, load).map(Node::Launch),
                None => self.group(step, &at, local, load).map(Node::Group),
            };
            nodes.push(node.map_err(|failure| match failure {
                Failure::Data(error) if !error.message.starts_with("step ") => within(&at, error).into(),
                other => other,
            })?);
        }
        Ok(nodes)
    }

    fn group(
        &mut self,
        step: &Step,
        at: &str,
        local: &[(String, Option<Element>)],
        load: &mut Load<'_>,
    ) -> Result<Group, Failure> {
        if step.step.is_empty() {
            let help = "a launch has a `kernel`, a group has steps";
            return Err(DataError::new("neither a launch nor a group").with_help(help).into());
        }
        if step.entry.is_some() || step.blocks.is_some() || step.arguments != Arguments::default() {
            let error = DataError::new("`entry`, `blocks` and `arguments` belong to launches");
            return Err(error.with_help("name the `kernel`, or give them to the steps of the group").into());
        }
        let mut local = local.to_vec();
        let repeat = step.repeat.as_deref().map(Range::parse).transpose()?;
        if let Some(range) = &repeat {
            self.is_new(&range.index, &local)?;
            local.push((range.index.clone(), None));
        }
        let mut buffers = Vec::new();
        for (name, text) in &step.buffers {
            self.is_new(name, &local)?;
            let ty = BufferType::parse(text).map_err(|error| within(&format!("buffer `{name}`"), error))?;
            local.push((name.clone(), Some(ty.element)));
            buffers.push((name.clone(), ty));
        }
        let nodes = self.nodes_of(&step.step, &format!("{at}."), &local, load)?;
        Ok(Group { at: at.to_owned(), repeat, parallel: step.parallel, buffers, nodes })
    }

    fn planned(
        &mut self,
        step: &Step,
        file: &str,
        at: &str,
        local: &[(String, Option<Element>)],
        load: &mut Load<'_>,
    ) -> Result<Planned, Failure> {
        if step.repeat.is_some() || step.parallel || !step.step.is_empty() || !step.buffers.is_empty() {
            let error = DataError::new("`repeat`, `parallel`, `buffers` and steps belong to groups");
            return Err(error.with_help("put the launch as a step into a group").into());
        }
        let kernel = self.kernel(file, step.entry.as_deref(), load)?;
        let program = &self.kernels[kernel].program;
        let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
        let texts = in_order(&signature, &step.arguments)?;
        let mut arguments = Vec::new();
        for (at, (argument, text)) in signature.arguments.iter().zip(texts).enumerate() {
            let source = self.source(argument, text, local);
            arguments.push(
                source.map_err(|error| {
                    within(&format!("argument `{}`", argument.name), error).of_argument(at)
                })?,
            );
        }
        let blocks = step.blocks.as_ref().map_or("1".to_owned(), Number::text);
        let blocks = Expression::parse(&blocks).map_err(|error| within("blocks", error))?;
        let name = step.name.clone().unwrap_or(signature.entry);
        Ok(Planned { at: at.to_owned(), name, kernel, blocks, arguments })
    }

    /// The number of a kernel, which is loaded if it is new.
    fn kernel(&mut self, file: &str, entry: Option<&str>, load: &mut Load<'_>) -> Result<usize, Failure> {
        let is_it = |kernel: &Kernel| kernel.file == file && kernel.entry.as_deref() == entry;
        if let Some(known) = self.kernels.iter().position(is_it) {
            return Ok(known);
        }
        let program = Arc::new(load(file, entry)?);
        self.kernels.push(Kernel { file: file.to_owned(), entry: entry.map(str::to_owned), program });
        Ok(self.kernels.len() - 1)
    }

    /// Source of an argument, given its text; `None` for arguments that the launch fills in.
    fn source(
        &self,
        argument: &Argument,
        text: Option<String>,
        local: &[(String, Option<Element>)],
    ) -> Result<Source, DataError> {
        let Some(text) = text else { return Ok(Source::Fact) };
        let ty = match argument.kind {
            ArgumentKind::Launch => return Ok(Source::Fact),
            ArgumentKind::Scalar(Scalar::Index) => Dtype::Index,
            ArgumentKind::Scalar(Scalar::Bool) => Dtype::Bool,
            ArgumentKind::Scalar(Scalar::Number(element)) => Dtype::Number(element),
            ArgumentKind::Buffer(element) => {
                let part = PartText::parse(&text)?;
                let has = self.buffer(&part.buffer, local)?;
                if has != element {
                    let (wants, has) = (dtype::word(element), dtype::word(has));
                    return Err(DataError::new(format!(
                        "it takes {wants}, but `{}` holds {has}",
                        part.buffer
                    )));
                }
                return Ok(Source::Part(part));
            }
        };
        match parse_scalar(&text, ty) {
            Ok(bits) => Ok(Source::Bits(bits)),
            Err(error) => match Expression::parse(&text) {
                // A text that starts like a number is a wrong one.
                Err(_) if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => Err(error),
                expression => Ok(Source::Value(expression?, ty)),
            },
        }
    }
}

/// Values of the names in expressions.
struct Scope<'a> {
    scalars: &'a BTreeMap<String, i64>,
    indices: &'a [(String, i64)],
    buffers: &'a [(String, BufferId)],
    session: Option<&'a Session>,
}

impl<'a> Scope<'a> {
    /// Scalars alone.
    fn fixed(scalars: &'a BTreeMap<String, i64>) -> Scope<'a> {
        Scope { scalars, indices: &[], buffers: &[], session: None }
    }

    fn buffer(&self, name: &str) -> Option<BufferId> {
        self.buffers.iter().rev().find(|(known, _)| known == name).map(|(_, buffer)| *buffer)
    }
}

impl Names for Scope<'_> {
    fn scalar(&self, name: &str) -> Option<i64> {
        let index = self.indices.iter().rev().find(|(known, _)| known == name);
        index.map(|(_, value)| *value).or_else(|| self.scalars.get(name).copied())
    }

    fn element(&self, name: &str, index: &[i64]) -> Result<i64, DataError> {
        match self.buffer(name).zip(self.session) {
            Some((buffer, session)) => session.integer(buffer, index),
            None => Err(DataError::new(format!("`{name}` is no buffer whose elements are known here"))),
        }
    }
}

/// The values of scalars, each of which may name others.
fn scalars(texts: &BTreeMap<String, Number>) -> Result<BTreeMap<String, i64>, DataError> {
    let mut open = Vec::new();
    for (name, text) in texts {
        let parsed = Expression::parse(&text.text());
        open.push((name, parsed.map_err(|error| within(&format!("scalar `{name}`"), error))?));
    }
    let mut known = BTreeMap::new();
    while !open.is_empty() {
        let before = open.len();
        let mut last = None;
        open.retain(|(name, expression)| match expression.evaluate(&Scope::fixed(&known)) {
            Ok(value) => {
                known.insert((*name).clone(), value);
                false
            }
            Err(error) => {
                last = Some(within(&format!("scalar `{name}`"), error));
                true
            }
        });
        if let Some(error) = last.filter(|_| open.len() == before) {
            return Err(error);
        }
    }
    Ok(known)
}

/// Text of each argument; `None` for arguments that the launch supplies itself.
fn in_order(signature: &Signature, arguments: &Arguments) -> Result<Vec<Option<String>>, DataError> {
    let is_fact = |argument: &Argument| argument.kind == ArgumentKind::Launch;
    let takes = || {
        let names: Vec<&str> =
            signature.arguments.iter().filter(|a| !is_fact(a)).map(|a| a.name.as_str()).collect();
        format!(
            "`@{}` takes {}",
            signature.entry,
            if names.is_empty() { "none".into() } else { names.join(", ") }
        )
    };
    match arguments {
        Arguments::List(list) => {
            let wanted = signature.arguments.iter().filter(|argument| !is_fact(argument)).count();
            if list.len() != wanted {
                let message = format!("{} arguments are given, not {wanted}", list.len());
                return Err(DataError::new(message).with_help(takes()));
            }
            let mut list = list.iter();
            let next =
                |argument: &Argument| if is_fact(argument) { None } else { list.next().map(Number::text) };
            Ok(signature.arguments.iter().map(next).collect())
        }
        Arguments::Named(table) => {
            let known = |name: &str| signature.arguments.iter().any(|argument| argument.name == name);
            if let Some(unknown) = table.keys().find(|name| !known(name)) {
                return Err(DataError::new(format!("there is no argument `{unknown}`")).with_help(takes()));
            }
            let text = |argument: &Argument| match table.get(&argument.name) {
                Some(text) => Ok(Some(text.text())),
                None if is_fact(argument) => Ok(None),
                None => {
                    Err(DataError::new(format!("argument `{}` is missing", argument.name)).with_help(takes()))
                }
            };
            signature.arguments.iter().map(text).collect()
        }
    }
}

/// Adds a place to the message of an error.
fn within(place: &str, error: DataError) -> DataError {
    DataError { message: format!("{place}: {}", error.message), ..error }
}
