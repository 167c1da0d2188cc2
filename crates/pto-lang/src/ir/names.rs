//! Functions by name.

use super::{Function, FunctionId, Module};
use std::collections::HashMap;
use std::sync::Arc;

/// The functions of a module by name. Several modules in a file may have functions of the same name; a call refers
/// to the function of its own module, or else to the first one.
#[derive(Debug, Default)]
pub struct Names<'m> {
    /// By module and name; a module is identified by the attributes that its functions share.
    own: HashMap<(usize, &'m str), FunctionId>,
    first: HashMap<&'m str, FunctionId>,
}

/// A number that identifies the module of a function.
fn scope(function: &Function) -> usize {
    Arc::as_ptr(&function.module_attributes).cast::<()>() as usize
}

impl<'m> Names<'m> {
    /// Collects the functions of a module.
    pub fn of(module: &'m Module) -> Names<'m> {
        let mut names = Names::default();
        for (id, function) in module.functions.iter() {
            names.own.entry((scope(function), &function.name)).or_insert(id);
            names.first.entry(&function.name).or_insert(id);
        }
        names
    }

    /// The function that a call in `caller` refers to.
    pub fn find(&self, caller: &Function, name: &str) -> Option<FunctionId> {
        self.own.get(&(scope(caller), name)).or_else(|| self.first.get(name)).copied()
    }
}
