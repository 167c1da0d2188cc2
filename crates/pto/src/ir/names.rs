//! Functions by name.

use super::{Function, FunctionId, Module};
use std::collections::HashMap;
use std::sync::Arc;

/// The functions of a module by name. Modules within a file may each have a function of one name: a call means that of its
/// own module, if there is one, else the first.
#[derive(Debug, Default)]
pub(crate) struct Names<'m> {
    /// By the attributes that the functions of one module share, too.
    own: HashMap<(usize, &'m str), FunctionId>,
    first: HashMap<&'m str, FunctionId>,
}

/// What tells the module of a function from others.
fn scope(function: &Function) -> usize {
    Arc::as_ptr(&function.module_attributes).cast::<()>() as usize
}

impl<'m> Names<'m> {
    /// Those of a module.
    pub(crate) fn of(module: &'m Module) -> Names<'m> {
        let mut names = Names::default();
        for (id, function) in module.functions.iter() {
            names.own.entry((scope(function), &function.name)).or_insert(id);
            names.first.entry(&function.name).or_insert(id);
        }
        names
    }

    /// The function that a call within `caller` means.
    pub(crate) fn find(&self, caller: &Function, name: &str) -> Option<FunctionId> {
        self.own.get(&(scope(caller), name)).or_else(|| self.first.get(name)).copied()
    }
}
