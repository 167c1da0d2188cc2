//! Names of values while a function changes.

use super::Rewriter;
use crate::ir::ValueId;

impl Rewriter<'_> {
    /// A name that no value of the function has: this one, or this one with a number appended.
    pub fn unused_name(&mut self, name: &str) -> String {
        // Results of a packed definition share the part before the `#`.
        let (base, part) = match name.split_once('#') {
            Some((base, part)) => (base, format!("#{part}")),
            None => (name, String::new()),
        };
        let mut candidate = name.to_owned();
        while self.names.contains_key(&candidate) {
            let last = self.numbers.entry(name.to_owned()).or_default();
            *last += 1;
            candidate = format!("{base}_{last}{part}");
        }
        self.names.insert(candidate.clone(), 1);
        candidate
    }

    pub(super) fn make_name_unique(&mut self, value: ValueId) {
        let name = self.function.values[value].name.clone();
        let Some(count) = self.names.get_mut(&name).filter(|count| **count > 1) else { return };
        *count -= 1;
        self.function.values[value].name = self.unused_name(&name);
    }
}
