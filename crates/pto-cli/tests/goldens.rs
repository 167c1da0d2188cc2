//! Recorded goldens beside the checkout, which are not part of this repository: outputs are equal bit for bit.
//!
//! Without them the test prints a note and passes.

#![allow(clippy::print_stderr)]

use crate::support::command;
use std::path::Path;

/// Products with scales in views without a layout: see `tests/results/mx_views.pto`.
#[test]
fn views_of_mx_scales_without_a_layout_agree_with_public_goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/repro");
    for name in ["mx_gemv", "mx_matmul"] {
        let case = folder.join(name);
        if !case.join("case.json").is_file() {
            eprintln!("{} is absent: nothing is compared", case.display());
            continue;
        }
        let output = command(&["test", &case.to_string_lossy(), "--quiet"]);
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && text.contains("1 passed, 0 failed"), "{name}: {text}");
    }
}
