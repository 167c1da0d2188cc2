//! A case folder of PyPTO: runs its kernel on the inputs of `golden.py`, and compares with the expected outputs.

use super::launch::{launch, load};
use crate::args::TestArgs;
use crate::case::pypto::{Argument, Golden};
use crate::commands::programs_below;
use crate::commands::record::dtype;
use crate::files::Disk;
use crate::inspect::Inspected;
use crate::judged::Judged;
use pto::Program;
use pto::data::{Array, DataError, Failure, Given, Input, Tolerance, parse_scalar, read_array};
use pto::launch::Spec;
use pto::sim::{ArgumentKind, Signature};
use std::path::Path;

/// Runs a case of PyPTO.
pub(super) fn run(args: &TestArgs, folder: &Path, judged: &mut Judged) -> Result<Option<String>, Failure> {
    let kernels = folder.join("ptoas");
    let files = programs_below(&kernels)?;
    let [file] = &files[..] else {
        return Err(DataError::new(format!("{}: it has {} programs, not one", kernels.display(), files.len()))
            .with_help(
                "the order of several kernels is in the orchestration, which is C++: `pto replay` runs the tasks of a dump, \
                 `pto run --sequence` a list of launches",
            )
            .into());
    };
    let program = load(&kernels.join(file), None, None, judged)?;
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let golden = Golden::of(folder, args.python.as_deref(), args.run_golden)?;
    let places = places(&signature, &golden)?;
    let inputs = inputs(&program, &signature, &golden, &places)?;
    let spec = Spec { blocks: args.blocks, ..super::limits(args) };
    let tolerance = Tolerance { atol: golden.atol, rtol: golden.rtol, ..Tolerance::default() };
    let mut expected: Vec<(usize, &str)> = Vec::new();
    for output in &golden.expected {
        let at =
            places.iter().find(|(_, number)| golden.args[*number].name == output.name).map(|(at, _)| *at);
        let (Some(at), Some(file)) = (at, &output.file) else {
            return Err(
                DataError::new(format!("the output `{}` is no argument of the kernel", output.name)).into()
            );
        };
        expected.push((at, file));
    }
    if expected.is_empty() {
        return Err(DataError::new("the case expects no output").into());
    }
    let want = |at: usize, element| {
        let (_, file) = expected.iter().find(|(argument, _)| *argument == at)?;
        Some(read_array(file, element, &Disk))
    };
    launch(&program, &spec, &inputs, want, &tolerance, judged)
}

/// Matches the arguments of the case with those of the kernel: arrays by name if every buffer of the kernel has one, or
/// else in order; scalars likewise. Returns pairs of argument numbers: in the kernel, and in the case.
fn places(signature: &Signature, golden: &Golden) -> Result<Vec<(usize, usize)>, DataError> {
    let of_kernel = |buffers: bool| {
        let kinds = signature.arguments.iter().enumerate();
        kinds.filter(move |(_, argument)| match argument.kind {
            ArgumentKind::Buffer(_) => buffers,
            ArgumentKind::Scalar(_) => !buffers,
            ArgumentKind::Launch => false,
        })
    };
    let of_case = |arrays: bool| {
        golden.args.iter().enumerate().filter(move |(_, argument)| argument.file.is_some() == arrays)
    };
    let by_name = |buffers: bool| {
        let place = |(at, argument): (usize, &pto::sim::Argument)| {
            let mut same = of_case(buffers).filter(|(_, given)| given.name == argument.name);
            Some((at, same.next()?.0))
        };
        of_kernel(buffers).map(place).collect::<Option<Vec<_>>>()
    };
    let in_order =
        |buffers: bool| of_kernel(buffers).zip(of_case(buffers)).map(|((at, _), (number, _))| (at, number));
    let (takes, has) = (of_kernel(true).count(), of_case(true).count());
    let buffers = match by_name(true) {
        Some(places) => places,
        None if takes == has => in_order(true).collect(),
        None => {
            let names = |list: Vec<&str>| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
            let has = names(of_case(true).map(|(_, argument)| argument.name.as_str()).collect());
            let takes = names(of_kernel(true).map(|(_, argument)| argument.name.as_str()).collect());
            return Err(DataError::new(format!("the kernel takes {takes}, but the case has {has}"))
                .with_help("arrays are matched by name, or in order if there are as many as buffers"));
        }
    };
    let scalars = by_name(false).unwrap_or_else(|| in_order(false).collect());
    Ok([buffers, scalars].concat())
}

/// The inputs of the launch. Scalars that the case does not have follow from the shapes of its arrays, where they are extents.
fn inputs(
    program: &Program,
    signature: &Signature,
    golden: &Golden,
    places: &[(usize, usize)],
) -> Result<Vec<Input>, DataError> {
    let mut given: Vec<Option<Given>> = vec![None; signature.arguments.len()];
    let mut shapes: Vec<Option<Vec<u64>>> = vec![None; signature.arguments.len()];
    for (at, number) in places {
        let kind = signature.arguments[*at].kind;
        given[*at] = Some(match (kind, &golden.args[*number]) {
            (ArgumentKind::Buffer(element), Argument { file: Some(file), .. }) => {
                let array: Array = read_array(file, element, &Disk)?;
                shapes[*at] = Some(array.shape().iter().map(|extent| *extent as u64).collect());
                Given::Array(array)
            }
            (_, argument) => {
                let text = argument.value.as_deref().unwrap_or_default();
                let bits = parse_scalar(text, dtype(kind))
                    .map_err(|error| pto::data::located(&argument.name, error))?;
                Given::Bits(bits)
            }
        });
    }
    let interface = Inspected::of(program).interface;
    let known = |given: &Option<Given>| match given {
        Some(Given::Bits(bits)) => i64::try_from(*bits).ok(),
        _ => None,
    };
    let mut scalars: Vec<Option<i64>> = given.iter().map(known).collect();
    interface.infer(&shapes, &mut scalars);
    let inferred = |(at, scalar): (usize, Option<i64>)| match signature.arguments[at].kind {
        ArgumentKind::Scalar(_) => scalar.map(|value| Given::Bits(value as u64)),
        _ => None,
    };
    let more = scalars.into_iter().enumerate().map(inferred);
    let all = given.into_iter().zip(more).map(|(given, inferred)| given.or(inferred)).enumerate();
    Ok(all.filter_map(|(argument, given)| Some(Input { argument, rank: None, given: given? })).collect())
}
