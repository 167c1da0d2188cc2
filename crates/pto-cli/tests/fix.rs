//! `pto check --fix`: the mistakes that it corrects, and those that it leaves alone.

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
const FIXED: [(&str, &str); 45] = [
    ("alias_definition.pto", ":4:46: tile-type: `rowmajor` is now `row_major`"),
    ("alias_typo.pto", ":21:51: unknown-type: `!tiel` is now `!tile`"),
    ("attribute_with_colon.pto", ":18:28: syntax: `:` is now `=`"),
    ("attribute_without_braces.pto", ":18:22: syntax: added `{`, added `}`"),
    ("brace_missing.pto", ":18:40: syntax: added `{`"),
    ("brace_too_many.pto", ":19:5: syntax: removed `}`"),
    ("colon_missing.pto", ":18:26: syntax: added `:`"),
    ("comma_missing.pto", ":18:21: syntax: added `,`"),
    ("comment_of_c.pto", ":18:5: syntax: `/*` is now `//`, removed `*/`"),
    ("dtype_of_scalar.pto", ":18:31: unknown-type: `bool` is now `i1`"),
    ("dtype_word.pto", ":18:55: manual-type: `float32` is now `f32`"),
    ("event_as_number.pto", ":18:41: syntax: `3` is now `<EVENT_ID3>`"),
    ("fewer_types.pto", ":22:43: syntax: added `, f32`"),
    ("infinity.pto", ":18:29: syntax: `-inf : f32` is now `0xFF800000 : f32`"),
    ("ins_missing.pto", ":18:14: syntax: added `ins(`, added `)`"),
    ("integer_as_float.pto", ":22:29: constant: `2` is now `2.0`"),
    ("loop_header.pto", ":18:18: syntax: `in` is now `=`"),
    ("missing_parenthesis.pto", ":21:36: syntax: added `)`"),
    ("missing_parenthesis_last.pto", ":23:57: syntax: added `)`"),
    ("misspelt_attribute.pto", ":24:51: syntax: `validcol` is now `valid_col`"),
    ("misspelt_key.pto", ":25:57: unknown-attribute: `rmod` is now `rmode`"),
    ("misspelt_keyword.pto", ":17:32: syntax: `stp` is now `step`"),
    ("misspelt_operation.pto", ":22:7: unknown-operation: `pto.tmlus` is now `pto.tmuls`"),
    ("misspelt_outs.pto", ":21:38: syntax: `out` is now `outs`"),
    ("misspelt_pipe.pto", ":19:19: attribute-word: `PIPE_MET2` is now `PIPE_MTE2`"),
    ("misspelt_type.pto", ":9:33: unknown-type: `ff32` is now `f32`"),
    ("name_of_cpp.pto", ":18:5: unknown-operation: `pto.TMULS` is now `pto.tmuls`"),
    ("name_of_numpy.pto", ":18:5: unknown-operation: `pto.exp` is now `pto.texp`"),
    ("name_of_python.pto", ":18:5: unknown-operation: `for` is now `scf.for`"),
    ("name_without_prefix.pto", ":18:5: unknown-operation: `tmul` is now `pto.tmul`"),
    ("offsets_as_numbers.pto", ":18:51: syntax: `0` is now `%c0`"),
    ("percent_missing.pto", ":18:18: syntax: `in` is now `%in`"),
    ("pipe_in_square_brackets.pto", ":19:16: syntax: `[PIPE_V]` is now `<PIPE_V>`"),
    (
        "pipes_without_brackets.pto",
        ":18:18: syntax: `PIPE_MTE2` is now `<PIPE_MTE2>`, `PIPE_V` is now `<PIPE_V>`, `EVENT_ID0` is now `<EVENT_ID0>`",
    ),
    ("redefined_value.pto", ":19:7: redefined-value: `%x_part` is now `%y_part`"),
    ("scalar_as_tile.pto", ":22:7: operands: `pto.tmul` is now `pto.tmuls`"),
    ("semicolons.pto", ":18:49: syntax: removed `;`, removed `;`"),
    ("suffix_of_number.pto", ":18:31: syntax: removed `f`"),
    ("tile_as_scalar.pto", ":22:7: operands: `pto.tmuls` is now `pto.tmul`"),
    ("type_of_result_missing.pto", ":10:35: syntax: added `: !tile`"),
    ("types_missing.pto", ":9:22: syntax: added `: !tile, !tile`"),
    ("undefined_value.pto", ":23:42: undefined-value: `%y_pat` is now `%y_part`"),
    (
        "word_in_quotes.pto",
        ":18:23: attribute-kind: `rmode = \"FLOOR\"` is now `rmode = #pto<round_mode FLOOR>`",
    ),
    ("word_of_attribute.pto", ":18:31: syntax: `RINT` is now `#pto<round_mode RINT>`"),
    ("word_without_enumeration.pto", ":18:31: syntax: `#pto<CEIL>` is now `#pto<round_mode CEIL>`"),
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
