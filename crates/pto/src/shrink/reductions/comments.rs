//! Comments are removed.

use super::InModule;
use pto_lang::ir::{FunctionId, Module};

/// A comment: its function, or `None` outside of functions, and its number there.
pub(super) const COMMENTS: InModule<(Option<FunctionId>, usize)> =
    InModule { name: "comments", does: "removes comments", places, change };

fn places(module: &Module) -> Vec<(Option<FunctionId>, usize)> {
    let outside = (0..module.comments.len()).map(|at| (None, at));
    let inside = module
        .functions
        .iter()
        .flat_map(|(id, function)| (0..function.comments.len()).map(move |at| (Some(id), at)));
    outside.chain(inside).collect()
}

fn change(module: &mut Module, places: &[(Option<FunctionId>, usize)]) {
    for (function, at) in places.iter().rev() {
        match function {
            Some(function) => drop(module.functions[*function].comments.remove(*at)),
            None => drop(module.comments.remove(*at)),
        }
    }
}
