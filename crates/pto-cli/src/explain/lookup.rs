//! Lookup of names, with suggestions of similar ones.

use super::{attribute, search, synonyms};
use pto::data::{DataError, clip};
use pto::isa::Op;
use pto::isa::language::{self, Word};
use pto::isa::op::{Instruction, Page};
use pto::isa::rule::RuleId;
use pto::isa::rules;
use pto::text::nearest;

/// Maximum number of suggestions.
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
    /// A word of the language that is not an operation, such as `valid_row`.
    Word(&'static Word),
    /// Attributes of operations, by key, enumeration or word of one, such as `rmode`, `round_mode` and `RINT`.
    Attribute(&'static str),
    /// The rules of an owner that is not an instruction, such as `barrier`.
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

/// The topic of a name in any case: an operation, a rule id, a word of the language, an attribute, or an owner of
/// rules.
///
/// # Errors
/// If there is none; the help lists similar names.
pub fn find(spelling: &str) -> Result<Topic, DataError> {
    let name = renamed(spelling).map_or_else(|| id_of(spelling), str::to_owned);
    if let Some((owner, _)) = name.split_once("::") {
        return rules::find(&name).map(Topic::Rule).ok_or_else(|| unknown_rule(owner, &name));
    }
    if let Some(op) = Op::find_spelling(&name) {
        return Ok(op.instruction().map_or(Topic::Operation(op), Topic::Instruction));
    }
    if name.is_empty() {
        return Err(unknown(&name));
    }
    let rule = rules::find(&name).map(Topic::Rule);
    let owned = || rules::all().find(|id| id.owner == name).map(|id| Topic::Group(id.owner));
    let word = language::find(spelling).map(Topic::Word);
    let known = rule.or(word).or_else(|| of_attribute(&name)).or_else(owned);
    known.or_else(|| meant(&name)).or_else(|| foreign(&name)).ok_or_else(|| unknown(&name))
}

/// The operation or the type that another language calls so, such as `TSUBVIEW`, `maximum` and `float32`.
fn foreign(name: &str) -> Option<Topic> {
    let operations = pto::isa::foreign::operations(name);
    let name = operations.first().copied().or_else(|| pto::isa::foreign::scalar(name))?;
    find(name).ok()
}

/// The page that a phrase of users means.
fn meant(name: &str) -> Option<Topic> {
    let first = synonyms::meant(name).first()?;
    find(first).ok()
}

/// The attributes with a key, an enumeration or a word of one.
fn of_attribute(name: &str) -> Option<Topic> {
    let spec = attribute::find(name).first()?.spec;
    let same = |known: &&str| known.eq_ignore_ascii_case(language::bare(name));
    attribute::names(spec).chain(attribute::words(spec).iter().copied()).find(same).map(Topic::Attribute)
}

/// The page of an operation.
///
/// # Errors
/// A name that is neither an operation nor a rule of one.
pub fn find_page(name: &str) -> Result<&'static Page, DataError> {
    match find(name)? {
        Topic::Operation(op) => Ok(op.page()),
        _ => find_instruction(name).map(Instruction::page),
    }
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
        Topic::Group(owner) | Topic::Attribute(owner) => owner,
        Topic::Word(word) => word.name,
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
    let message = format!("there is no operation, rule or word `{}`", clip(name, 60));
    DataError::misuse(message).with_help(match near_names(plain) {
        names if names.is_empty() => {
            "`pto explain --list` lists them, `pto explain --search TEXT` searches in them".to_owned()
        }
        names => format!("did you mean {}?", names.join(" or ")),
    })
}

/// Rule ids whose rule has this name, else the most similar of all names.
fn near_names(name: &str) -> Vec<String> {
    let quoted = |name: String| format!("`{name}`");
    // Rules that no instruction owns come first; in the list they are last.
    let mut named: Vec<_> = rules::all().filter(|id| id.rule.name == name).map(|id| id.to_string()).collect();
    named.reverse();
    named.truncate(MOST_NAMES);
    if !named.is_empty() {
        return named.into_iter().map(quoted).collect();
    }
    if name.is_empty() {
        return Vec::new();
    }
    let known = search::names();
    let small: Vec<String> = known.iter().map(|name| name.to_lowercase()).collect();
    let near = nearest(name, small.iter().map(String::as_str));
    let found = near.and_then(|near| known.iter().zip(&small).find(|(_, small)| *small == near));
    found.map(|(name, _)| quoted(name.clone())).into_iter().collect()
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
        assert_eq!(renamed(" pto.BARRIER::pipe"), Some("attribute-word"));
        assert_eq!(renamed("set_flag::direction"), None);
    }

    #[test]
    fn intrinsics_and_words_of_users_are_found() {
        for (name, page) in [("tget", "comm.tget"), ("TSUBVIEW", "subview")] {
            assert_eq!(super::find_page(name).expect("a page").name, page);
        }
        for name in ["507018", "hang"] {
            assert!(matches!(find(name), Ok(super::Topic::Rule(id)) if id == "cores::deadlock"), "{name}");
        }
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
        for name in ["completely different", ""] {
            assert!(help(name).starts_with("`pto explain --list` lists them"), "{name}");
        }
        assert_eq!(help("valid_rwo"), "did you mean `valid_row`?");
        assert_eq!(help("event_id9"), "did you mean `EVENT_ID`?");
        assert_eq!(help("mte4"), "did you mean `MTE1`?");
    }
}
