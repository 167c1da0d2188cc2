//! `pto lower`.

use super::{Status, Text, check_text, print_diagnostics, print_out, read_text};
use crate::args::LowerArgs;
use crate::output::{Output, write_all};
use crate::settings::Settings;
use pto::data::DataError;
use pto::passes::{Canonicalized, canonicalize};
use pto::text::{Style, TypeAliases};

pub(super) fn run(args: &LowerArgs) -> Result<Status, DataError> {
    let settings = Settings::from(&args.profile);
    let text = read_text(&args.file)?;
    // A program that is not legal has no meaning to preserve.
    let checked = match check_text(&text.text, &settings) {
        Ok((checked, _)) => checked,
        Err(findings) => {
            print_diagnostics(&findings, &text);
            return Ok(Status::Wrong);
        }
    };
    let mut module = checked.module().clone();
    let done = canonicalize(&mut module);
    let lowered = pto::text::print(
        &module,
        &Style { source: Some(&text.text), aliases: TypeAliases::Kept, ..Style::default() },
    );
    if let Err(findings) = check_text(&lowered, &settings) {
        // With constants folded, the check finds errors that only a run would have found before.
        print_diagnostics(&findings, &Text { name: format!("{} (canonicalized)", text.name), text: lowered });
        return Ok(Status::Wrong);
    }
    eprintln!("{}: {}", text.name, summary(done));
    match &args.output {
        Some(path) => write_all(&[Output::new(path, lowered.into_bytes())])?,
        None => print_out(&lowered),
    }
    Ok(Status::Fine)
}

fn summary(done: Canonicalized) -> String {
    let Canonicalized { folded, branches, moves, unused, .. } = done;
    let parts = [
        (folded, "operation folded", "operations folded"),
        (branches, "branch decided", "branches decided"),
        (moves, "move left out", "moves left out"),
        (unused, "unused operation erased", "unused operations erased"),
    ];
    let said: Vec<String> = parts
        .into_iter()
        .filter(|(count, ..)| *count > 0)
        .map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }))
        .collect();
    if said.is_empty() { "nothing to simplify".to_owned() } else { said.join(", ") }
}
