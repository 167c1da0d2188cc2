//! The part of a function in a kernel, as its names and attributes declare it: the kind of core that runs it, and the
//! arguments that a launch fills in.

use super::flow::Flow;
use super::{Attribute, Function, OperationId, Type, TypeTable, ValueId, find_attribute};
use pto_isa::meaning::{Core, LaunchFact, Meaning};

/// Prefix of the names of arguments that a launch fills in.
const LAUNCH_PREFIX: &str = "__pypto_spmd_";

impl Function {
    /// The kind of core that runs the function; `None` if the function declares none.
    pub fn core(&self) -> Option<Core> {
        match find_attribute(&self.attributes, "pto.kernel_kind").and_then(Attribute::as_word)? {
            "cube" => Some(Core::Cube),
            "vector" => Some(Core::Vector),
            _ => None,
        }
    }

    /// The kind of core that runs an operation: that of the innermost section around it, else that of the function.
    pub fn core_of(&self, flow: &Flow, operation: OperationId) -> Option<Core> {
        let section = flow.around(operation).find_map(|around| match self.operations[around].meaning() {
            Meaning::Section(core) => Some(core),
            _ => None,
        });
        section.or_else(|| self.core())
    }

    /// Whether the function has a section for a kind of core.
    pub fn has_section(&self, core: Core) -> bool {
        self.operations.iter().any(|(_, operation)| operation.meaning() == Meaning::Section(core))
    }

    /// The fact with which a launch fills in an argument; `None` for an argument that the caller gives.
    pub fn launch_fact(&self, types: &TypeTable, argument: ValueId) -> Option<LaunchFact> {
        let value = &self.values[argument];
        let fact = value.name.strip_prefix(LAUNCH_PREFIX)?;
        matches!(types[value.ty], Type::Scalar(_)).then_some(match fact {
            "block_num" => LaunchFact::BlockCount,
            "subblock_idx" => LaunchFact::SubBlockIndex,
            "subblock_num" => LaunchFact::SubBlockCount,
            _ => LaunchFact::BlockIndex,
        })
    }

    /// The facts with which a launch fills in arguments.
    pub fn launch_facts<'a>(&'a self, types: &'a TypeTable) -> impl Iterator<Item = LaunchFact> + 'a {
        self.arguments.iter().filter_map(|argument| self.launch_fact(types, argument.value))
    }
}
