use super::{Missing, Report, Spec};
use crate::data::{Failure, NoFiles};
use pto_machine::Program;

/// Stores a scalar in a buffer.
const TEXT: &str = "func.func @one(%x: !pto.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %v = pto.make_tensor_view %x, shape = [%c2], strides = [%c2] : !pto.tensor_view<2xi32>
  pto.store_scalar %n, %x[%c0] : !pto.ptr<i32>, i32
  return
}";

/// The names and contents of the buffers after a launch, or the error.
fn run(inputs: &[(&str, &str)], spec: Spec) -> Result<Vec<String>, String> {
    let checked =
        pto_lang::check(pto_lang::parse(TEXT).expect("a program").module, None).expect("a legal program");
    let program = Program::decode(&checked, None).expect("a program that runs");
    let inputs = inputs.iter().map(|(name, text)| ((*name).to_owned(), (*text).into())).collect();
    let launched = Spec { inputs, ..spec }.prepare(&program, &NoFiles);
    let launched = launched.and_then(|launch| launch.run(&mut []).map_err(Failure::from));
    let results = launched.and_then(|mut report: Report<'_>| Ok(report.results()?));
    let results = results.map_err(|failure| failure.to_string())?;
    Ok(results.iter().map(|one| format!("{} = {}", one.name, one.array.full())).collect())
}

#[test]
fn arguments_without_input_are_errors_or_have_a_value() {
    let missing = |missing| Spec { missing, ..Spec::default() };
    let x = ("x", "zeros:2");
    assert!(run(&[x], missing(Missing::Error)).unwrap_err().contains("argument `n` of type i32 is missing"));
    assert_eq!(run(&[x], missing(Missing::Usual)).unwrap(), ["x = [1 0]"]);
    assert_eq!(run(&[x, ("n", "5")], missing(Missing::Usual)).unwrap(), ["x = [5 0]"]);
    assert_eq!(run(&[x], missing(Missing::Guessed)).unwrap(), ["x = [1 0]"]);
}

#[test]
fn inputs_of_ranks_have_their_own_buffers() {
    let inputs = [("x", "zeros:2"), ("n", "rank"), ("x@1", "ones:2")];
    let results = run(&inputs, Spec { ranks: 2, ..Spec::default() }).unwrap();
    assert_eq!(results, ["x@0 = [0 0]", "x@1 = [1 1]"]);
    assert!(run(&inputs, Spec::default()).unwrap_err().contains("the launch has the ranks 0 to 0"));
}

#[test]
fn an_argument_is_named_once() {
    assert!(run(&[("x", "ones"), ("0", "zeros")], Spec::default()).unwrap_err().contains("is given twice"));
    let error = run(&[("x", "nosuch")], Spec::default()).unwrap_err();
    assert!(error.starts_with("argument `x`: `nosuch` is neither a file"), "{error}");
}
