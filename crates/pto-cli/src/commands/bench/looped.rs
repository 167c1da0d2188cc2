//! Rewrites a program to repeat one of its instructions in a loop, for timing it.

use pto::ir::{Attribute, FunctionId, Module, Operation, OperationId};

/// Copies of the instruction in the body of the loop.
pub(super) const UNROLLED: u32 = 8;

/// The argument with the number of rounds.
pub(super) const ROUNDS: &str = "pto_bench_rounds";

/// The name of an operation in a program; reports omit the `pto.` of instructions.
pub(super) fn written(name: &str) -> String {
    if name.starts_with("arith.") { name.to_owned() } else { format!("pto.{name}") }
}

/// The program with a loop of the last instruction of this name in front of it. The function gets the number of rounds
/// as its first argument.
pub(super) fn looped(text: &str, instruction: &str) -> Option<String> {
    let module = pto::parse(text).ok()?.module;
    let name = written(instruction);
    let wanted = |(_, operation): &(OperationId, &Operation)| operation.name.as_str() == name;
    let (function, operation) = module.functions.iter().find_map(|(id, function)| {
        let last = function.operations.iter().filter(wanted).last()?;
        Some((id, last.0))
    })?;
    looped_at(text, &module, function, operation)
}

/// The program with a loop of this operation of a function in front of it. All functions that are not called get the
/// number of rounds, since two of them may be one kernel; a called function cannot.
pub(super) fn looped_at(
    text: &str,
    module: &Module,
    function: FunctionId,
    operation: OperationId,
) -> Option<String> {
    let roots: Vec<FunctionId> =
        module.functions.iter().map(|(id, _)| id).filter(|id| is_root(module, *id)).collect();
    if !roots.contains(&function) {
        return None;
    }
    let operation = &module.functions[function].operations[operation];
    let mut additions = vec![(operation.span.start as usize, repeated(text, operation))];
    for function in roots.into_iter().map(|id| &module.functions[id]) {
        let at = function.span.start as usize;
        let comma = if function.arguments.is_empty() { "" } else { ", " };
        additions.push((at + text[at..].find('(')? + 1, format!("%{ROUNDS}: index{comma}")));
    }
    additions.sort_unstable();
    let (mut out, mut done) = (String::new(), 0);
    for (at, addition) in additions {
        out.push_str(&text[done..at]);
        out.push_str(&addition);
        done = at;
    }
    Some(out + &text[done..])
}

/// Whether a function has a body and no caller.
fn is_root(module: &Module, id: FunctionId) -> bool {
    let name = &module.functions[id].name;
    let mut operations = module.functions.iter().flat_map(|(_, function)| function.operations.iter());
    let is_callee =
        |attribute: Option<&Attribute>| matches!(attribute, Some(Attribute::Symbol(found)) if found == name);
    module.functions[id].body.is_some()
        && !operations.any(|(_, operation)| is_callee(operation.attribute("callee")))
}

/// A loop with [`UNROLLED`] copies of an operation.
fn repeated(text: &str, operation: &Operation) -> String {
    let statement = &text[operation.span.start as usize..operation.span.end as usize];
    let mut body = String::new();
    for copy in 0..UNROLLED {
        body.push_str("      ");
        body.push_str(&renamed(statement, copy));
        body.push('\n');
    }
    let (zero, one, round) = ("%pto_bench_zero", "%pto_bench_one", "%pto_bench_round");
    format!(
        "{zero} = arith.constant 0 : index\n    {one} = arith.constant 1 : index\n    \
         scf.for {round} = {zero} to %{ROUNDS} step {one} {{\n{body}    }}\n  "
    )
}

/// A copy of a statement with renamed results.
fn renamed(statement: &str, copy: u32) -> String {
    match statement.split_once('=') {
        Some((results, rest)) if results.trim_start().starts_with('%') => {
            let results: Vec<String> =
                results.split(',').map(|result| format!("{}_pto_bench_{copy}", result.trim())).collect();
            format!("{} ={rest}", results.join(", "))
        }
        _ => statement.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_get_other_names() {
        assert_eq!(
            renamed("%a, %b = pto.x(%c) {k = 1}", 2),
            "%a_pto_bench_2, %b_pto_bench_2 = pto.x(%c) {k = 1}"
        );
        assert_eq!(renamed("pto.x ins(%a {k = 1})", 2), "pto.x ins(%a {k = 1})");
    }
}
