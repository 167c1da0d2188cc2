//! Names of constants that reductions have changed.

use crate::shrink::size::integers;
use pto_lang::ir::{Function, FunctionId, Module, ValueId};
use std::collections::HashSet;

/// Renames integer constants such as `%c16` whose value is another one. No new name is that of another value.
pub(in crate::shrink) fn rename_constants(module: &mut Module) {
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for id in functions {
        rename(&mut module.functions[id]);
    }
}

fn rename(function: &mut Function) {
    let named: Vec<(ValueId, i128)> = integers(function)
        .into_iter()
        .filter(|(value, _)| number(&function.values[*value].name).is_some())
        .collect();
    let renamed: HashSet<ValueId> = named.iter().map(|(value, _)| *value).collect();
    let others = function.values.iter().filter(|(value, _)| !renamed.contains(value));
    let mut taken: HashSet<String> = others.map(|(_, value)| value.name.clone()).collect();
    for (value, constant) in named {
        let base = match constant {
            0.. => format!("c{constant}"),
            _ => format!("cm{}", constant.unsigned_abs()),
        };
        let mut name = base.clone();
        let mut next = 1;
        while !taken.insert(name.clone()) {
            name = format!("{base}_{next}");
            next += 1;
        }
        function.values[value].name = name;
    }
}

/// The number in a name such as `c16` or `c16_i64`.
fn number(name: &str) -> Option<&str> {
    let digits = name.strip_prefix('c')?;
    digits.starts_with(|c: char| c.is_ascii_digit()).then_some(digits)
}
