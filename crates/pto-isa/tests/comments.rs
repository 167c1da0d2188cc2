//! Tests of `pto_isa::diag::comments`.

use pto_isa::diag::comments::*;
use pto_isa::diag::{Diagnostic, Severity, Span};
use pto_isa::rules::{self};

fn hidden(text: &str, code: &str) -> bool {
    let at = text.rfind(code).expect("the code") as u32;
    let lint = Diagnostic::new(Severity::Lint, &rules::sync::REDUNDANT, "").at(Span::new(at, at + 1));
    Allowed::of(text).hides(&lint)
}

#[test]
fn a_comment_is_about_its_line_or_the_next_one_with_code() {
    assert!(hidden("A\nB // pto: allow(sync::redundant)\nC", "B"));
    assert!(hidden("A\n// pto: allow(race::no-sync, sync::redundant)\n\n  // why\nB\nC", "B"));
    assert!(!hidden("A\n// pto: allow(sync::redundant)\nB\nC", "C"));
    assert!(!hidden("A\nB // pto: allow(sync::redundant)\nC", "C"));
    assert!(!hidden("B // pto: allow(sync::wide)", "B"));
    assert!(!hidden("B \"// pto: allow(sync::redundant)\"", "B"));
    assert!(hidden("B \"\\\"\" //pto:allow( sync::redundant )\r\n", "B"));
}

#[test]
fn names_of_no_rule_are_named_with_the_nearest() {
    let found =
        misread_comments("A\nB // pto: allow(sync::redundent)\n// pto: allow sync::wide\n// pto: allows\n");
    assert_eq!(found.len(), 3);
    assert_eq!(found[0].edits[0].replacement, "sync::redundant");
    assert_eq!(found[0].edits[0].span, Span::new(18, 33));
    assert!(misread_comments("// pto is allowed\n// pto: allow(sync::wide)").is_empty());
}
