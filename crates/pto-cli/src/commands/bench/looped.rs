//! A program with one of its instructions in a loop around it, so that its time can be told from all others.

use pto::ir::{Operation, OperationId};

/// How often the instruction stands in the body of the loop.
pub(super) const UNROLLED: u32 = 8;

/// The argument that says how often the loop runs.
pub(super) const ROUNDS: &str = "pto_bench_rounds";

/// The name of an operation as a program writes it: that of an instruction stands without `pto.` in reports.
pub(super) fn written(name: &str) -> String {
    if name.starts_with("arith.") { name.to_owned() } else { format!("pto.{name}") }
}

/// The program with the last instruction of this name run in a loop before itself; the function takes the rounds as one
/// more argument, the first.
pub(super) fn looped(text: &str, instruction: &str) -> Option<String> {
    let module = pto::parse(text).ok()?.module;
    let name = written(instruction);
    let wanted = |(_, operation): &(OperationId, &Operation)| operation.name == name;
    let (function, operation) = module.functions.iter().find_map(|(_, function)| {
        let last = function.operations.iter().filter(wanted).last()?;
        Some((function, last.1))
    })?;
    let statement = &text[operation.span.start as usize..operation.span.end as usize];
    let mut body = String::new();
    for copy in 0..UNROLLED {
        body.push_str("      ");
        body.push_str(&renamed(statement, copy));
        body.push('\n');
    }
    let (zero, one, round) = ("%pto_bench_zero", "%pto_bench_one", "%pto_bench_round");
    let around = format!(
        "{zero} = arith.constant 0 : index\n    {one} = arith.constant 1 : index\n    \
         scf.for {round} = {zero} to %{ROUNDS} step {one} {{\n{body}    }}\n  "
    );
    let at = function.span.start as usize;
    let open = at + text[at..].find('(')? + 1;
    let comma = if function.arguments.is_empty() { "" } else { ", " };
    let start = operation.span.start as usize;
    Some(format!("{}%{ROUNDS}: index{comma}{}{around}{}", &text[..open], &text[open..start], &text[start..]))
}

/// A statement whose results have other names.
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
