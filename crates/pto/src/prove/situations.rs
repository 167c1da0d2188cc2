//! Launches under which two programs are compared: values of scalars and numbers of blocks that reach different control flow.

use crate::data::{Given, Input, Source, guess};
use pto_isa::meaning::Meaning;
use pto_lang::analysis::{Interface, Parameter, ParameterKind, Role};
use pto_lang::ir::Operation;
use pto_machine::Program;
use std::collections::BTreeSet;

/// Most situations of a comparison.
const MOST: usize = 32;
/// Most steps of loops from which values are made.
const MOST_STEPS: usize = 4;
/// A value that is no multiple of a power of two.
const ODD: i64 = 37;

/// One launch: the inputs, and the number of blocks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Situation {
    /// Number of blocks.
    pub blocks: u32,
    /// Inputs of all arguments that a launch does not fill in.
    pub inputs: Vec<Input>,
    /// The scalars by name, as text.
    pub scalars: Vec<(String, String)>,
    /// Whether a value of it was made up to reach other control flow.
    pub(super) is_generated: bool,
}

impl Situation {
    /// The launch in words: `rows = 3, 2 blocks`.
    pub fn describe(&self) -> String {
        let mut parts: Vec<String> =
            self.scalars.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        parts.push(format!("{} block{}", self.blocks, if self.blocks == 1 { "" } else { "s" }));
        parts.join(", ")
    }

    /// How large the launch is, to begin with small ones.
    fn size(&self) -> i128 {
        let scalars = self.scalars.iter().filter_map(|(_, value)| value.parse::<i128>().ok());
        scalars.map(i128::abs).sum::<i128>() + i128::from(self.blocks)
    }
}

/// The situations for a program, small ones first. What `given` names is fixed, and `blocks` too if it is given.
pub(super) fn situations(program: &Program, given: &[Input], blocks: Option<u32>) -> Vec<Situation> {
    let interface = program.interface();
    let steps = steps(program);
    let open: Vec<usize> = (0..interface.parameters.len())
        .filter(|at| given.iter().all(|input| input.argument != *at))
        .filter(|at| is_varied(&interface.parameters[*at]))
        .collect();
    let mut all = vec![situation(&interface, given, blocks.unwrap_or(1), None)];
    for at in &open {
        for value in values(&steps) {
            all.push(situation(&interface, given, blocks.unwrap_or(1), Some((&[*at], value))));
        }
    }
    if open.len() > 1 {
        all.extend(
            values(&steps)
                .into_iter()
                .map(|value| situation(&interface, given, blocks.unwrap_or(1), Some((&open, value)))),
        );
    }
    if blocks.is_none() && reads_blocks(program) {
        let more = |blocks| Situation { is_generated: true, ..situation(&interface, given, blocks, None) };
        all.extend([2, 3].map(more));
    }
    all.sort_by_key(Situation::size);
    all.dedup_by(|a, b| a.blocks == b.blocks && a.scalars == b.scalars);
    thin(all)
}

/// At most [`MOST`] of them, evenly chosen, with the first and the last.
fn thin(all: Vec<Situation>) -> Vec<Situation> {
    let count = all.len();
    if count <= MOST {
        return all;
    }
    let kept: BTreeSet<usize> = (0..MOST).map(|at| at * (count - 1) / (MOST - 1)).collect();
    all.into_iter().enumerate().filter(|(at, _)| kept.contains(at)).map(|(_, one)| one).collect()
}

/// Whether a scalar decides how often loops run, how much a tile holds, or which branch runs.
fn is_varied(parameter: &Parameter) -> bool {
    let roles = [Role::Extent, Role::Size, Role::Loop, Role::ValidRegion, Role::Condition];
    let is_integer = matches!(parameter.kind, ParameterKind::Scalar(scalar) if scalar.is_integer());
    is_integer && roles.into_iter().any(|role| parameter.has(role))
}

/// Constant steps of loops.
fn steps(program: &Program) -> BTreeSet<i64> {
    let mut steps = BTreeSet::new();
    for id in program.functions() {
        let function = &program.module().functions[id];
        let facts = pto_lang::analysis::Facts::of(function, &program.module().types);
        let loops = function.operations.iter().filter(|(_, operation)| operation.meaning() == Meaning::For);
        let step = |operation: &Operation| facts.constant(operation.value("step")?).filter(|step| *step > 1);
        steps.extend(loops.filter_map(|(_, operation)| step(operation)));
    }
    steps.into_iter().take(MOST_STEPS).collect()
}

/// Values that give 0, 1, 2 and 3 rounds, more, and odd rests.
fn values(steps: &BTreeSet<i64>) -> BTreeSet<i64> {
    let mut values: BTreeSet<i64> = (0..=3).chain([ODD]).collect();
    for step in steps {
        values.extend([*step, 2 * step, 3 * step, 3 * step - step / 2 - 1, 5 * step + 1]);
    }
    values
}

fn reads_blocks(program: &Program) -> bool {
    let module = program.module();
    program.functions().any(|id| {
        let function = &module.functions[id];
        let facts = function
            .operations
            .iter()
            .any(|(_, operation)| matches!(operation.meaning(), Meaning::Launch(_)));
        facts || function.launch_facts(&module.types).next().is_some()
    })
}

/// A situation in which some scalars have a value, and everything else is given or guessed.
fn situation(
    interface: &Interface,
    given: &[Input],
    blocks: u32,
    value: Option<(&[usize], i64)>,
) -> Situation {
    let mut inputs = given.to_vec();
    let mut scalars = Vec::new();
    for (at, parameter) in interface.parameters.iter().enumerate() {
        if given.iter().any(|input| input.argument == at) {
            continue;
        }
        let varied = value.filter(|(which, _)| which.contains(&at)).map(|(_, value)| value);
        let input = match varied {
            Some(value) => Some(Given::Source(Source::Scalar(value.to_string()))),
            None => guess::input(interface, parameter),
        };
        let Some(input) = input else { continue };
        if let Given::Source(Source::Scalar(text)) = &input {
            scalars.push((parameter.name.clone(), text.clone()));
        }
        inputs.push(Input { argument: at, rank: None, given: input });
    }
    Situation { blocks, inputs, scalars, is_generated: value.is_some() }
}
