//! Tests of `pto_lang::text::cursor`.

use pto_lang::text::cursor::*;

fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut comments = Comments::default();
    let mut cursor = Cursor::new(source, &mut comments);
    let mut list = Vec::new();
    while cursor.token() != Token::End {
        list.push(cursor.token());
        cursor.advance(&mut comments);
    }
    list
}

#[test]
fn sigils_words_and_numbers() {
    use Token::*;
    assert_eq!(
        tokens("%a#1 = pto.tadd @f ^bb0 -> 12 0x1F 1.5e-3 \"x\\\"y\" !pto.ptr<f32>"),
        [
            Value("a#1"),
            Punct('='),
            Word("pto.tadd"),
            Symbol("f"),
            Block("bb0"),
            Arrow,
            Integer("12"),
            Integer("0x1F"),
            Float("1.5e-3"),
            Text("x\\\"y"),
            Bang("pto.ptr"),
            Punct('<'),
            Word("f32"),
            Punct('>'),
        ]
    );
}

#[test]
fn comments_are_set_aside_once() {
    let source = "// first\na // behind\n# listing\nb";
    let mut comments = Comments::default();
    let mut cursor = Cursor::new(source, &mut comments);
    let start = cursor.clone();
    cursor.advance(&mut comments);
    cursor = start;
    cursor.advance(&mut comments);
    let list = comments.into_list();
    let texts: Vec<_> = list.iter().map(|comment| (comment.text.as_str(), comment.trailing)).collect();
    assert_eq!(texts, [("// first", false), ("// behind", true), ("# listing", false)]);
}

#[test]
fn odd_bytes_do_not_panic() {
    for source in ["\"abc", "\"abc\\", "@\"", "%", "#", "\u{1F600}", "1e", "0x", "1."] {
        tokens(source);
    }
}
