//! Lookup of names, with suggestions of similar ones.

use crate::error::{DataError, clip};
use pto::isa::Op;
use pto::isa::op::Instruction;
use pto::isa::rule::RuleId;
use pto::isa::rules;
use pto::text::nearest;

/// Most suggestions.
const MOST_NAMES: usize = 3;

/// A subject of `pto explain`.
#[derive(Clone, Copy)]
pub enum Topic {
    /// An instruction.
    Instruction(&'static dyn Instruction),
    /// An operation that is not an instruction.
    Operation(Op),
    /// One rule.
    Rule(RuleId),
    /// The rules of an owner that is not an instruction, such as `race`.
    Group(&'static str),
}

/// The instruction with this mnemonic, with or without the dialect's prefix.
fn instruction(mnemonic: &str) -> Option<&'static dyn Instruction> {
    Op::find_spelling(mnemonic).and_then(Op::instruction)
}

/// A name as in pages and rules: in lower case, and before `::` the page name of an instruction.
fn id_of(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    match name.split_once("::") {
        Some((owner, rule)) => {
            let owner = instruction(owner).map_or(owner, |instruction| instruction.page().name);
            format!("{owner}::{rule}")
        }
        None => name,
    }
}

/// The current name of a renamed rule or group of rules.
pub fn renamed(name: &str) -> Option<&'static str> {
    rules::renamed(&id_of(name))
}

/// The topic of a name in any case: an operation, a rule id, or an owner of rules.
///
/// # Errors
/// If there is none; the help lists similar names.
pub fn find(name: &str) -> Result<Topic, DataError> {
    let name = renamed(name).map_or_else(|| id_of(name), str::to_owned);
    if let Some((owner, _)) = name.split_once("::") {
        return rules::find(&name).map(Topic::Rule).ok_or_else(|| unknown_rule(owner, &name));
    }
    if let Some(op) = Op::find_spelling(&name) {
        return Ok(op.instruction().map_or(Topic::Operation(op), Topic::Instruction));
    }
    let owned = || rules::all().find(|id| id.owner == name && !name.is_empty());
    let rule = rules::find(&name).map(Topic::Rule);
    rule.or_else(|| owned().map(|id| Topic::Group(id.owner))).ok_or_else(|| unknown(&name))
}

/// The instruction with a mnemonic, or that owns a rule.
///
/// # Errors
/// If there is none.
pub fn find_instruction(name: &str) -> Result<&'static dyn Instruction, DataError> {
    let owner = match find(name)? {
        Topic::Instruction(instruction) => return Ok(instruction),
        Topic::Operation(op) => op.page().name,
        Topic::Rule(id) => id.owner,
        Topic::Group(owner) => owner,
    };
    instruction(owner).ok_or_else(|| {
        let message = format!("`{}` belongs to no instruction", clip(name, 60));
        DataError::misuse(message).with_help("`pto explain --list` lists the instructions")
    })
}

/// The error for an unknown `owner::rule`.
fn unknown_rule(owner: &str, id: &str) -> DataError {
    let ids: Vec<String> = rules::all().map(|id| id.to_string()).collect();
    let message = format!("there is no rule `{}`", clip(id, 60));
    let known: Vec<_> = rules::all().filter(|id| id.owner == owner).map(|id| id.rule.name).collect();
    let near = nearest(id, ids.iter().map(String::as_str)).map(|id| format!("did you mean `{id}`?"));
    let list = (!known.is_empty()).then(|| format!("`{owner}` has {}", known.join(", ")));
    match (near, list) {
        (None, None) => {
            DataError::misuse(message).with_help("`pto explain --list` lists instructions and rules")
        }
        (near, list) => {
            DataError::misuse(message).with_help(near.into_iter().chain(list).collect::<Vec<_>>().join(" "))
        }
    }
}

/// The error for a name that is neither an operation, a rule id nor an owner.
fn unknown(name: &str) -> DataError {
    let plain = name.trim_start_matches("pto.");
    let message = format!("there is no operation or rule `{}`", clip(name, 60));
    DataError::misuse(message).with_help(match near_names(plain) {
        names if names.is_empty() => "`pto explain --list` lists them".to_owned(),
        names => format!("did you mean {}?", names.join(" or ")),
    })
}

/// Rule ids whose rule has this name, else the most similar of all mnemonics, ids and owners.
fn near_names(name: &str) -> Vec<String> {
    let quoted = |name: String| format!("`{name}`");
    // Rules that no instruction owns come first; in the list they are last.
    let mut named: Vec<_> = rules::all().filter(|id| id.rule.name == name).map(|id| id.to_string()).collect();
    named.reverse();
    named.truncate(MOST_NAMES);
    if !named.is_empty() {
        return named.into_iter().map(quoted).collect();
    }
    let pages = Op::all().map(Op::page);
    let mut known: Vec<String> = pages
        .flat_map(|page| [page.name].into_iter().chain(page.aliases.iter().copied()))
        .map(str::to_owned)
        .collect();
    known.extend(rules::all().flat_map(|id| [id.to_string(), id.owner.to_owned()]));
    known.retain(|known| !known.is_empty());
    nearest(name, known.iter().map(String::as_str)).map(|name| quoted(name.to_owned())).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{find, renamed};
    use pto::isa::rules;

    fn help(name: &str) -> String {
        find(name).err().and_then(|error| error.help).unwrap_or_else(|| panic!("{name} is known"))
    }

    #[test]
    fn former_names_are_found() {
        for (former, present) in rules::RENAMED {
            assert_eq!(renamed(former), Some(present));
            assert!(find(former).is_ok(), "{former}");
        }
        assert_eq!(renamed(" pto.SET_QUANT_SCALAR::pipe"), Some("set_quant_scalar::queue"));
        assert_eq!(renamed("barrier::pipe"), None);
    }

    #[test]
    fn unknown_names_are_answered_with_near_ones() {
        assert_eq!(help("tcocnat"), "did you mean `tconcat`?");
        assert_eq!(help("operand"), "did you mean `operands`?");
        assert_eq!(help("raze"), "did you mean `race`?");
        assert_eq!(help("read-after-write"), "did you mean `race::read-after-write`?");
        assert!(
            help("race::read-after-writ").starts_with("did you mean `race::read-after-write`? `race` has ")
        );
        assert!(help("tadd::bounds").contains("`tadd` has same-type, "));
        assert_eq!(help("nowhere::nothing"), "`pto explain --list` lists instructions and rules");
        assert_eq!(help("completely different"), "`pto explain --list` lists them");
        assert_eq!(help(""), "`pto explain --list` lists them");
    }
}
