//! Launches under which two programs are compared: values of scalars and numbers of blocks that reach different control flow.

use super::landmarks::Landmarks;
use crate::data::{Generator, Given, Input, Source, guess};
use pto_isa::meaning::Meaning;
use pto_lang::analysis::{Interface, Parameter, ParameterKind};
use pto_machine::Program;
use std::collections::BTreeSet;

/// Maximum number of situations of a comparison.
const MOST: usize = 32;
/// Maximum number of further situations, which are tried if instructions have not run.
const MOST_MORE: usize = 32;
/// Further seeds of random contents.
const SEEDS: [u64; 2] = [1, 2];
/// Maximum number of arguments that are not guessed alone.
const MOST_OPEN: usize = 256;
/// Maximum number of arguments that are varied one by one.
const MOST_VARIED: usize = 32;
/// Maximum number of arguments, and of values of each, that are combined in pairs.
const MOST_PAIRED: usize = 4;

/// The number of blocks, the seed, and the values that were varied.
pub(super) type Key = (u32, u64, Vec<(String, String)>);

/// One launch: the inputs, and the number of blocks.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Situation {
    /// Number of blocks.
    pub blocks: u32,
    /// Inputs of all arguments that a launch does not fill in.
    pub inputs: Vec<Input>,
    /// The scalars, and the buffers whose contents were varied, by name: values, or kinds of contents.
    pub scalars: Vec<(String, String)>,
    /// Offset of the seed of random contents.
    pub(super) seed: u64,
    /// Whether a value of it was made up to reach other control flow.
    pub(super) is_generated: bool,
}

impl Situation {
    /// The launch in words: `rows = 3, 2 blocks`.
    pub fn describe(&self) -> String {
        let mut parts: Vec<String> =
            self.scalars.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        parts.push(format!("{} block{}", self.blocks, if self.blocks == 1 { "" } else { "s" }));
        parts.extend((self.seed > 0).then(|| format!("random contents of seed + {}", self.seed)));
        parts.join(", ")
    }

    /// Difference from other situations of a comparison.
    pub(super) fn key(&self) -> Key {
        (self.blocks, self.seed, self.scalars.clone())
    }

    /// Whether contents are random.
    fn is_random(&self) -> bool {
        let is_random = |kind: &Generator| matches!(kind, Generator::Rand | Generator::Randn);
        self.inputs.iter().any(|input| match &input.given {
            Given::Reached(kind) | Given::Source(Source::Generator { kind, .. }) => is_random(kind),
            _ => false,
        })
    }

    /// Size of the launch; small ones are tried first.
    fn size(&self) -> i128 {
        let scalars = self.scalars.iter().filter_map(|(_, value)| value.parse::<i128>().ok());
        scalars.map(i128::abs).sum::<i128>() + i128::from(self.blocks)
    }
}

/// Situations for a program, small ones first, and further ones that are tried only if instructions have not run. The
/// inputs in `given` are fixed, and so is the number of `blocks` if it is given.
pub(super) fn situations(
    program: &Program,
    interface: &Interface,
    given: &[Input],
    blocks: Option<u32>,
) -> (Vec<Situation>, Vec<Situation>) {
    let open = |at: &usize| given.iter().all(|input| input.argument != *at);
    let open: Vec<usize> = (0..interface.parameters.len()).filter(open).take(MOST_OPEN).collect();
    let marks = Landmarks::of(program);
    let choices: Vec<(usize, Vec<Given>)> = open
        .iter()
        .map(|at| (*at, choices(&interface.parameters[*at], &marks)))
        .filter(|(_, choices)| !choices.is_empty())
        .take(MOST_VARIED)
        .collect();
    let count = blocks.unwrap_or(1);
    let one = |varied: &[(usize, &Given)]| situation(interface, given, count, varied);
    let mut all = vec![one(&[])];
    for (at, values) in &choices {
        all.extend(values.iter().map(|value| one(&[(*at, value)])));
    }
    // All arguments of a kind at once: scalars with one value, buffers with one kind of contents.
    if choices.len() > 1 {
        let mut values: Vec<&Given> = Vec::new();
        for value in choices.iter().flat_map(|(_, values)| values) {
            if !values.iter().any(|known| text(known) == text(value)) {
                values.push(value);
            }
        }
        all.extend(values.into_iter().map(|value| one(&together(&choices, value))));
    }
    if blocks.is_none() && reads_blocks(program) {
        let more = |blocks| Situation { is_generated: true, ..situation(interface, given, blocks, &[]) };
        all.extend([2, 3].map(more));
    }
    let (mut first, mut more) = thin(sorted(all), MOST);
    for other in [other_floats, other_integers] {
        let data = open.iter().filter_map(|at| Some((*at, other(&interface.parameters[*at])?)));
        let data: Vec<(usize, Given)> = data.collect();
        let data: Vec<(usize, &Given)> = data.iter().map(|(at, given)| (*at, given)).collect();
        first.extend((!data.is_empty()).then(|| one(&data)));
    }
    // A small summand shows in few numbers.
    if first.first().is_some_and(Situation::is_random) {
        first.extend(SEEDS.map(|seed| Situation { seed, ..one(&[]) }));
    }
    more.extend(pairs(&choices).iter().map(|varied| one(varied.as_slice())));
    (first, thin(sorted(more), MOST_MORE).0)
}

/// Small ones first, each once.
fn sorted(mut all: Vec<Situation>) -> Vec<Situation> {
    all.sort_by_key(Situation::size);
    let mut seen = BTreeSet::new();
    all.retain(|one| seen.insert(one.key()));
    all
}

/// At most `most` of them, evenly chosen, with the first and the last; and the others.
fn thin(all: Vec<Situation>, most: usize) -> (Vec<Situation>, Vec<Situation>) {
    let count = all.len();
    if count <= most {
        return (all, Vec::new());
    }
    let kept: BTreeSet<usize> = (0..most).map(|at| at * (count - 1) / (most - 1)).collect();
    let (kept, rest): (Vec<_>, Vec<_>) = all.into_iter().enumerate().partition(|(at, _)| kept.contains(at));
    let without = |list: Vec<(usize, Situation)>| list.into_iter().map(|(_, one)| one).collect();
    (without(kept), without(rest))
}

/// The arguments that have this value among their choices, with it.
fn together<'c>(choices: &'c [(usize, Vec<Given>)], wanted: &Given) -> Vec<(usize, &'c Given)> {
    let same = |(at, values): &'c (usize, Vec<Given>)| {
        Some((*at, values.iter().find(|value| text(value) == text(wanted))?))
    };
    choices.iter().filter_map(same).collect()
}

/// Different values for two arguments: the few smallest of each.
fn pairs(choices: &[(usize, Vec<Given>)]) -> Vec<[(usize, &Given); 2]> {
    let mut pairs = Vec::new();
    for (nth, (one, values)) in choices.iter().enumerate().take(MOST_PAIRED) {
        for (other, others) in choices.iter().skip(nth + 1).take(MOST_PAIRED) {
            for value in values.iter().take(MOST_PAIRED) {
                let differs = |second: &&Given| text(second) != text(value);
                let second = others.iter().take(MOST_PAIRED).filter(differs);
                pairs.extend(second.map(|second| [(*one, value), (*other, second)]));
            }
        }
    }
    pairs
}

/// Values to try for an argument that determines trip counts, valid regions or branches.
fn choices(parameter: &Parameter, marks: &Landmarks) -> Vec<Given> {
    if !parameter.decides() {
        return Vec::new();
    }
    match parameter.kind {
        ParameterKind::Scalar(scalar) if scalar.is_integer() => {
            let bits = scalar.bits().clamp(1, 64);
            let most = if bits == 1 { 1 } else { i64::MAX >> (64 - bits) };
            let values = marks.values().into_iter().filter(|value| (-most..=most).contains(value));
            let values = values.filter(|value| bits > 1 || *value >= 0);
            values.map(|value| Given::Source(Source::Scalar(value.to_string()))).collect()
        }
        // Zeros are guessed.
        ParameterKind::Buffer(element) if element.is_integer() => {
            [Generator::Ones, Generator::Arange, Generator::Rand].map(Given::Reached).into()
        }
        _ => Vec::new(),
    }
}

/// Floats beyond 0 to 1, which are guessed.
fn other_floats(parameter: &Parameter) -> Option<Given> {
    match parameter.kind {
        ParameterKind::Buffer(element) if element.is_float() && parameter.reads => {
            Some(Given::Reached(Generator::Randn))
        }
        ParameterKind::Scalar(scalar) if !scalar.is_integer() => {
            Some(Given::Source(Source::Scalar("2.5".to_owned())))
        }
        _ => None,
    }
}

/// Integers in memory beside zeros, which are guessed: sums and products of zeros are equal.
fn other_integers(parameter: &Parameter) -> Option<Given> {
    match parameter.kind {
        ParameterKind::Buffer(element) if !element.is_float() && parameter.reads => {
            Some(Given::Reached(Generator::Rand))
        }
        _ => None,
    }
}

/// A generated input as text.
pub(super) fn text(given: &Given) -> String {
    match given {
        Given::Source(Source::Scalar(text)) => text.clone(),
        Given::Reached(generator) => generator.word().to_owned(),
        Given::Integers(integers) => integers.to_string(),
        _ => String::new(),
    }
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

/// A situation in which some arguments are given in this way, and everything else is given by the user or guessed.
pub(super) fn situation(
    interface: &Interface,
    given: &[Input],
    blocks: u32,
    varied: &[(usize, &Given)],
) -> Situation {
    let mut inputs = given.to_vec();
    let mut scalars = Vec::new();
    for (at, parameter) in interface.parameters.iter().enumerate() {
        if given.iter().any(|input| input.argument == at) {
            continue;
        }
        let chosen = varied.iter().find(|(which, _)| *which == at).map(|(_, value)| (*value).clone());
        let is_chosen = chosen.is_some();
        let Some(input) = chosen.or_else(|| guess::input(interface, parameter)) else { continue };
        if is_chosen || matches!(input, Given::Source(Source::Scalar(_))) {
            scalars.push((parameter.name.clone(), text(&input)));
        }
        inputs.push(Input { argument: at, rank: None, given: input });
    }
    Situation { blocks, inputs, scalars, seed: 0, is_generated: !varied.is_empty() }
}
