//! `pto explain`.

use super::Status;
use crate::args::ExplainArgs;
use crate::explain::{self, Topic};
use crate::output::{Output, write_all};
use crate::picture::{diagram, reason};
use crate::printer::{print_either, print_out};
use pto::data::DataError;
use pto::isa::Op;
use serde_json::json;
use std::path::Path;

pub(super) fn run(args: &ExplainArgs) -> Result<Status, DataError> {
    let as_json = args.format.is_json();
    if let Some(query) = &args.search {
        let found = explain::search(query)?;
        print_either(as_json, || json!({ "found": found }), || explain::lines(&found));
        return Ok(Status::Fine);
    }
    match &args.name {
        Some(name) if args.example => print_out(explain::example(name)?),
        Some(name) if args.cost => {
            let cost = explain::cost(name)?;
            let topic = explain::find(name)?;
            print_either(as_json, || explain::json(topic), || cost);
        }
        Some(name) if !args.list => {
            let topic = explain::find(name)?;
            if let Some(path) = &args.svg {
                draw(name, path)?;
            }
            // A word of the language may have the former name of a group of rules.
            let renamed = (!matches!(topic, Topic::Word(_))).then(|| explain::renamed(name)).flatten();
            let now = renamed.map_or(String::new(), |now| format!("`{name}` is now `{now}`.\n\n"));
            print_either(as_json, || explain::json(topic), || now + &explain::text(topic));
        }
        _ => print_either(as_json, explain::list_json, explain::list),
    }
    Ok(Status::Fine)
}

/// Writes the picture of an operation to a file.
fn draw(name: &str, path: &Path) -> Result<(), DataError> {
    let page = explain::find_page(name)?;
    let Some(picture) = diagram(page) else {
        let drawn = Op::all().map(Op::page).filter(|page| !page.pictures.is_empty());
        let drawn: Vec<_> = drawn.map(|page| page.name).collect();
        let why = Op::find_spelling(page.name).map_or(String::new(), |op| format!(": {}", reason(op)));
        let message = format!("there is no picture of `{}`{why}", page.name);
        return Err(
            DataError::misuse(message).with_help(format!("there are pictures of {}", drawn.join(", ")))
        );
    };
    write_all(&[Output::new(path, picture.into_bytes())])
}
