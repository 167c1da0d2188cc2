//! `pto explain`.

use super::{Status, print_out};
use crate::args::ExplainArgs;
use crate::error::DataError;
use crate::explain;

pub(super) fn run(args: &ExplainArgs) -> Result<Status, DataError> {
    match &args.name {
        Some(name) if !args.list => print_out(&explain::explain(name)?),
        _ => print_out(&explain::list()),
    }
    Ok(Status::Fine)
}
