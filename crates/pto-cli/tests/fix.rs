//! `pto check --fix`: what it corrects, and what it leaves alone.

use crate::support::folder::{Folder, err};
use crate::support::root;

impl Folder {
    /// A folder with copies of programs of `tests/mistakes`.
    fn of_mistakes(programs: &[&str]) -> Folder {
        let folder = Folder::new();
        for program in programs {
            let mistake = root().join("tests/mistakes").join(program);
            std::fs::copy(mistake, folder.0.join(program)).expect("a program");
        }
        folder
    }
}

/// Programs that the edits of their findings make legal, with the change.
const FIXED: [(&str, &str); 16] = [
    ("alias_definition.pto", ":4:46: tile-type: `rowmajor` is now `row_major`"),
    ("alias_typo.pto", ":21:51: unknown-type: `!tiel` is now `!tile`"),
    ("fewer_types.pto", ":22:43: syntax: added `, f32`"),
    ("missing_parenthesis.pto", ":21:36: syntax: added `)`"),
    ("missing_parenthesis_last.pto", ":23:57: syntax: added `)`"),
    ("misspelt_attribute.pto", ":24:51: syntax: `validcol` is now `valid_col`"),
    ("misspelt_key.pto", ":25:57: unknown-attribute: `rmod` is now `rmode`"),
    ("misspelt_keyword.pto", ":17:32: syntax: `stp` is now `step`"),
    ("misspelt_operation.pto", ":22:7: unknown-operation: `pto.tmlus` is now `pto.tmuls`"),
    ("misspelt_outs.pto", ":21:38: syntax: `out` is now `outs`"),
    ("misspelt_pipe.pto", ":19:19: attribute-word: `PIPE_MET2` is now `PIPE_MTE2`"),
    ("misspelt_type.pto", ":9:33: unknown-type: `ff32` is now `f32`"),
    ("redefined_value.pto", ":19:7: redefined-value: `%x_part` is now `%y_part`"),
    ("type_of_result_missing.pto", ":10:35: syntax: added `: !tile`"),
    ("types_missing.pto", ":9:22: syntax: added `: !tile, !tile`"),
    ("undefined_value.pto", ":23:42: undefined-value: `%y_pat` is now `%y_part`"),
];

#[test]
fn a_fixed_program_is_legal_and_stays_as_it_is() {
    let programs = FIXED.map(|(name, _)| name);
    let folder = Folder::of_mistakes(&programs);
    let words = [&["check", "--fix"], &programs[..]].concat();
    let first = folder.run(&words);
    assert_eq!(first.status.code(), Some(0), "{}", err(&first));
    for (name, change) in FIXED {
        assert!(err(&first).contains(&format!("{name}{change}\n")), "{name}{change}\n{}", err(&first));
        assert!(err(&first).contains(&format!("{name}: legal")), "{}", err(&first));
    }
    let texts = programs.map(|name| folder.read(name));
    let second = folder.run(&words);
    assert!(second.status.success() && !err(&second).contains("is now"), "{}", err(&second));
    assert_eq!(programs.map(|name| folder.read(name)), texts);
}

#[test]
fn a_mistake_without_an_edit_is_reported_and_left() {
    let programs = ["wrong_dtype.pto", "row_major_column.pto", "misspelt_type.pto"];
    let folder = Folder::of_mistakes(&programs);
    let before = programs.map(|name| folder.read(name));
    let output = folder.run(&["check", "--fix", programs[0], programs[1], programs[2]]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("tload::element-size"), "{}", err(&output));
    assert_eq!([folder.read(programs[0]), folder.read(programs[1])], before[..2]);
    assert_ne!(folder.read(programs[2]), before[2]);
}

#[test]
fn a_value_with_another_number_is_no_misspelling() {
    let folder = Folder::of_mistakes(&[]);
    let text = "func.func @k(%x: !pto.ptr<f32>) {\n  %c16 = arith.constant 16 : index\n  %a = arith.addi %c16, %c15 : index\n  \
                return\n}\n";
    std::fs::write(folder.0.join("k.pto"), text).expect("a file");
    let output = folder.run(&["check", "--fix", "k.pto"]);
    assert!(err(&output).contains("did you mean `%c16`?"), "{}", err(&output));
    assert_eq!((output.status.code(), folder.read("k.pto").as_str()), (Some(1), text));
}

#[test]
fn stdin_is_refused() {
    let output = Folder::of_mistakes(&[]).run(&["check", "--fix", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("`--fix` changes files"), "{}", err(&output));
}
