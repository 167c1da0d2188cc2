//! `pto explain`.

use super::Status;
use crate::args::ExplainArgs;
use crate::explain::{self, Topic};
use crate::output::{Output, write_all};
use crate::picture::diagram;
use crate::printer::print_out;
use pto::data::DataError;
use pto::isa::Op;
use std::path::Path;

pub(super) fn run(args: &ExplainArgs) -> Result<Status, DataError> {
    if let Some(query) = &args.search {
        let found = match args.format.is_json() {
            true => format!("{:#}\n", explain::search_json(query)?),
            false => explain::search(query)?,
        };
        print_out(&found);
        return Ok(Status::Fine);
    }
    match &args.name {
        Some(name) if args.example => print_out(explain::example(name)?),
        Some(name) if !args.list => {
            let topic = explain::find(name)?;
            if let Some(path) = &args.svg {
                draw(name, path)?;
            }
            print_out(&match args.format.is_json() {
                true => format!("{:#}\n", explain::json(topic)),
                false => {
                    // A word of the language may have the former name of a group of rules.
                    let former = !matches!(topic, Topic::Word(_));
                    former
                        .then(|| explain::renamed(name))
                        .flatten()
                        .map(|now| format!("`{name}` is now `{now}`.\n\n"))
                        .unwrap_or_default()
                        + &explain::text(topic)
                }
            });
        }
        _ if args.format.is_json() => print_out(&format!("{:#}\n", explain::list_json())),
        _ => print_out(&explain::list()),
    }
    Ok(Status::Fine)
}

/// Writes the picture of an operation to a file.
fn draw(name: &str, path: &Path) -> Result<(), DataError> {
    let page = explain::find_page(name)?;
    let Some(picture) = diagram(page) else {
        let drawn = Op::all().map(Op::page).filter(|page| !page.pictures.is_empty());
        let drawn: Vec<_> = drawn.map(|page| page.name).collect();
        let message = format!("there is no picture of `{}`", page.name);
        return Err(
            DataError::misuse(message).with_help(format!("there are pictures of {}", drawn.join(", ")))
        );
    };
    write_all(&[Output::new(path, picture.into_bytes())])
}
