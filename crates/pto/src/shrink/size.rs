//! Sizes of programs, by which candidates are compared.

use pto_isa::meaning::Meaning;
use pto_lang::ir::{Attribute, Function, Module, Operation, ValueId};

/// The size of a program. The order is that of shrinking: operations first, bytes last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Size {
    /// Two for each operation, argument, function and type alias, one for each constant, block with a name, and module.
    /// For plain text, the number of lines.
    pub weight: u64,
    /// Words, numbers and punctuation marks, without comments.
    pub tokens: u64,
    /// The sum of the numbers of the text.
    pub numbers: u128,
    /// The sum over operands: small for small constants, larger for values that are defined later.
    pub operands: u64,
    /// Bytes of the text.
    pub bytes: u64,
    /// Operations of all functions. Not part of the order of two different weights.
    pub operations: u64,
    /// Lines of the text, without empty ones.
    pub lines: u64,
}

/// Cost of an operand that is not a constant; constants cost their magnitude, but less than this.
const COMPUTED: u64 = 1 << 16;

impl Size {
    /// The size of plain text.
    pub(super) fn of_text(text: &str) -> Size {
        let (tokens, numbers) = tokens(text);
        let lines = text.lines().filter(|line| !line.trim().is_empty()).count() as u64;
        let weight = text.lines().count() as u64;
        Size { weight, tokens, numbers, lines, bytes: text.len() as u64, ..Size::default() }
    }

    /// The size of a program with its printed text.
    pub(super) fn of_program(module: &Module, text: &str) -> Size {
        let mut size = Size { weight: 0, ..Size::of_text(text) };
        size.weight += 2 * module.type_aliases.len() as u64 + modules(&module.items);
        for (_, function) in module.functions.iter() {
            size.weight += 2 + 2 * function.arguments.len() as u64;
            size.weight += function.blocks.iter().filter(|(_, block)| !block.name.is_empty()).count() as u64;
            size.operations += function.operations.len() as u64;
            let costs = constants(function);
            for (_, operation) in function.operations.iter() {
                size.weight += if operation.meaning() == Meaning::Constant { 1 } else { 2 };
                let passed = operation.successors.iter().flat_map(|successor| &successor.arguments);
                let uses = operation.operands.iter().chain(passed);
                size.operands += uses.map(|operand| costs[operand.value.index()]).sum::<u64>();
            }
        }
        size
    }
}

fn modules(items: &[pto_lang::ir::Item]) -> u64 {
    let mut count = 0;
    let mut open: Vec<&pto_lang::ir::Item> = items.iter().collect();
    while let Some(item) = open.pop() {
        if let pto_lang::ir::Item::Module(inner) = item {
            count += 1;
            open.extend(&inner.items);
        }
    }
    count
}

/// The cost of each value as an operand.
fn constants(function: &Function) -> Vec<u64> {
    let mut costs: Vec<u64> = (0..function.values.len() as u64).map(|index| COMPUTED + index).collect();
    for (_, operation) in function.operations.iter() {
        if let (Some(result), Some(value)) = (operation.result(), integer(operation)) {
            costs[result.index()] = u64::try_from(value.unsigned_abs()).unwrap_or(u64::MAX).min(COMPUTED - 1);
        }
    }
    costs
}

/// The value of an integer constant.
pub(super) fn integer(operation: &Operation) -> Option<i128> {
    match operation.attribute("value")? {
        Attribute::Integer(value, _) if operation.meaning() == Meaning::Constant => Some(*value),
        _ => None,
    }
}

/// The integer constants of a function, with their values.
pub(super) fn integers(function: &Function) -> Vec<(ValueId, i128)> {
    let operations = function.operations.iter();
    operations.filter_map(|(_, operation)| Some((operation.result()?, integer(operation)?))).collect()
}

/// The number of tokens, and the sum of the numbers; comments are skipped.
fn tokens(text: &str) -> (u64, u128) {
    let (mut count, mut sum) = (0, 0u128);
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or(line);
        let mut rest = code;
        while let Some(first) = rest.chars().next() {
            let is_word =
                |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '%' | '!' | '@' | '#' | '$');
            let length = match is_word(first) {
                true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                false => first.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            count += u64::from(!token.trim().is_empty());
            if first.is_ascii_digit() {
                // A number, or extents such as 16x64xf32.
                let digits = token.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
                sum = digits.fold(sum, |sum, digits| {
                    sum.saturating_add(digits.parse().unwrap_or(u128::from(u64::MAX)))
                });
            }
            rest = after;
        }
    }
    (count, sum)
}
