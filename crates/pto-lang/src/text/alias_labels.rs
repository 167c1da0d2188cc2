//! Labels at the definitions of aliases that findings point at.

use crate::ir::TypeAlias;
use pto_isa::diag::{Diagnostic, Span};
use std::collections::HashMap;

/// Adds a label at the definition of a type alias to each finding whose span in `source` is a use of the alias: the
/// definition is the text to change.
pub fn label_aliases(aliases: &[TypeAlias], source: &str, findings: &mut [Diagnostic]) {
    let written = aliases.iter().filter(|alias| alias.span.start < alias.span.end);
    let definitions: HashMap<&str, Span> = written.map(|alias| (alias.name.as_str(), alias.span)).collect();
    for finding in findings.iter_mut().filter(|_| !definitions.is_empty()) {
        let Some(place) = finding.primary.as_ref().map(|label| label.span) else { continue };
        let Some(word) = source.get(place.start as usize..place.end as usize) else { continue };
        let Some(definition) = word.strip_prefix('!').and_then(|name| definitions.get(name)) else {
            continue;
        };
        // A finding about the definition itself is there already.
        if definition.start <= place.start && place.end <= definition.end
            || finding.secondary.iter().any(|label| label.span == *definition)
        {
            continue;
        }
        let message = format!("`{word}` is defined here");
        finding.secondary.push(pto_isa::diag::Label { span: *definition, message });
    }
}
