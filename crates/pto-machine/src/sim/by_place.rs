//! Values by operation.

use super::event::Place;

/// Values by operation: lists for functions and operations, since instructions look their operation up whenever they run.
pub struct ByPlace<T> {
    functions: Vec<Vec<Option<T>>>,
}

impl<T> Default for ByPlace<T> {
    fn default() -> ByPlace<T> {
        ByPlace { functions: Vec::new() }
    }
}

impl<T> ByPlace<T> {
    /// The value of an operation; `make` creates it if there is none yet.
    pub fn get_or_insert_with(&mut self, at: Place, make: impl FnOnce() -> T) -> &mut T {
        let functions = &mut self.functions;
        let operations = entry(functions, at.function, Vec::new);
        entry(operations, at.operation, || None).get_or_insert_with(make)
    }
}

/// An element of a list, which grows as needed.
pub fn entry<T>(list: &mut Vec<T>, at: u32, new: impl FnMut() -> T) -> &mut T {
    let at = at as usize;
    if at >= list.len() {
        list.resize_with(at + 1, new);
    }
    &mut list[at]
}
