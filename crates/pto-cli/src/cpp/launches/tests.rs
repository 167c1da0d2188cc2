//! Launches in all their forms, texts that only look like launches, and random texts.

use super::rewrite;
use pto_num::random;

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        (random::next(&mut self.0) % limit as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// The rewritten text, which has as many lines as the text.
fn rewritten(text: &str) -> String {
    let result = rewrite(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(result.matches('\n').count(), text.matches('\n').count(), "{text}");
    result
}

#[track_caller]
fn becomes(text: &str, wanted: &str) {
    assert_eq!(rewritten(text), wanted);
}

#[track_caller]
fn stays(text: &str) {
    becomes(text, text);
}

#[track_caller]
fn fails(text: &str, line: usize, reason: &str) {
    let error = rewrite(text).expect_err(text);
    assert_eq!(error.line, line, "{text}");
    assert!(error.reason.contains(reason), "{text}: {error}");
}

#[test]
fn a_launch_becomes_a_call() {
    becomes("k<<<1, nullptr, s>>>(a, b);", "pto::launch(pto::Config(1, nullptr, s), k)(a, b);");
    becomes(
        "if (x) k<<<n * 2, nullptr, ctx.s>>>();",
        "if (x) pto::launch(pto::Config(n * 2, nullptr, ctx.s), k)();",
    );
    becomes(
        "a<<<1>>>(x); b<<<2>>>(y);",
        "pto::launch(pto::Config(1), a)(x); pto::launch(pto::Config(2), b)(y);",
    );
    becomes("k <<< 1 >>> (x);", "pto::launch(pto::Config( 1 ), k ) (x);");
}

#[test]
fn callees() {
    for callee in [
        "k<float, 64>",
        "k<A<B<int>>, (3 > 2)>",
        "k<A<B<C<int>>>>",
        "k<1 << 3>",
        "k<sizeof(T) - 1, N->x>",
        "a::b::k",
        "A<int>::k<2>",
        "::a::k",
        "ops.add",
        "ops->table[i + 1]",
        "ops->template add<2>",
        "(*function)",
        "find(\"add\")",
        "find<T>(x)",
        "m[i][j]",
        "größe",
        "k\n<\n    int,\n    2 // two\n>",
    ] {
        for front in ["", "return ", "x = ", "if (a > b) ", "case 1: ", "{ ", "a < b; ", "else "] {
            let call = format!("{front}pto::launch(pto::Config(1, nullptr, s), {callee})(x);");
            becomes(&format!("{front}{callee}<<<1, nullptr, s>>>(x);"), &call);
        }
    }
}

#[test]
fn configurations() {
    for configuration in [
        "n >> 2, nullptr, s",
        "n << 2, nullptr, s",
        "a < b ? a : b, nullptr, s",
        "a > b ? a : b, nullptr, s",
        "std::min<int>(a, b), nullptr, c->stream",
        "f<A<B<int>>>(0), nullptr, s",
        "a <= b, nullptr, t[i >> 1]",
        "[&] { int x = 1; return x >> 1; }(), nullptr, s",
        "A{1, 2}.size(), nullptr, '>' > \">>>\"[0]",
        "n /* >>> */, nullptr, s",
        "N<int>",
        "\n    blocks, // one per core\n    nullptr,\n    s\n",
        "",
    ] {
        let call = format!("pto::launch(pto::Config({configuration}), k)(x);");
        becomes(&format!("k<<<{configuration}>>>(x);"), &call);
    }
}

#[test]
fn lines_after_a_launch_keep_their_numbers() {
    becomes(
        "k<\n  A,\n  B\n> // which\n<<<\n  1,\n  s\n>>>\n(x,\n y);\nend",
        "pto::launch(pto::Config(\n  1,\n  s\n), k<\n  A,\n  B\n> // which\n)\n(x,\n y);\nend",
    );
    becomes("k\r\n<<<1>>>(x);\r\n", "pto::launch(pto::Config(1), k\r\n)(x);\r\n");
}

#[test]
fn what_only_looks_like_a_launch_stays() {
    for text in [
        "// k<<<1>>>(x)\n",
        "// k \\\nk<<<1>>>(x)\n",
        "/* k<<<1>>>(x) */",
        "/* k<<<1>>>(x)",
        "auto s = \"k<<<1>>>(x)\";",
        "auto s = \"\\\"k<<<1>>>(x)\";",
        "auto s = R\"(\"k<<<1>>>(x))\";",
        "auto s = u8R\"x( )\" k<<<1>>>(x) )x\";",
        "auto s = R\"(k<<<1>>>(x)",
        "int n = 1'000; // don't k<<<1>>>(x)",
        "#error don't k<<<1>>>(x)\n",
        "#if 0 /* a\n */ k<<<1>>>(x)\n",
        "#if A \\\n k<<<1>>>(x)\n",
        "std::ostream& operator<<<int>(std::ostream&, int);",
        "<<<<<<< HEAD\n",
        "a << < b",
        "#define BEGIN k<<<1\n#define SHAPE <<<1, nullptr, s>>>\n",
    ] {
        stays(text);
    }
    becomes("char c = '\"'; k<<<1>>>(x);", "char c = '\"'; pto::launch(pto::Config(1), k)(x);");
    becomes("int n = 1'0'0; k<<<1'0>>>(x);", "int n = 1'0'0; pto::launch(pto::Config(1'0), k)(x);");
}

#[test]
fn the_body_of_a_macro_is_rewritten() {
    becomes(
        "# define RUN(k, n) \\\n  k<<<n, \\\n  nullptr>>>(x)\nRUN(a, 1);\n",
        "# define RUN(k, n) \\\n  pto::launch(pto::Config(n, \\\n  nullptr), k)(x)\nRUN(a, 1);\n",
    );
    // Lines between the parts of a launch go with their part.
    becomes(
        "k<<<1,\n#ifdef S\ns\n#else\n0\n#endif\n>>>(x);",
        "pto::launch(pto::Config(1,\n#ifdef S\ns\n#else\n0\n#endif\n), k)(x);",
    );
}

#[test]
fn errors_name_the_line() {
    fails("\n\nk<<<1, s(x);\n", 3, "no `>>>`");
    fails("k<<<1, (s>>>(x);", 1, "no `>>>`");
    fails("k<<<1, s)>>>(x);", 1, "no `>>>`");
    fails("x;\n<<<1, s>>>(x);", 2, "no name");
    fails("1 <<<1, s>>>(x);", 1, "no name");
    fails("A> <<<1, s>>>(x);", 1, "no name");
    fails("k<<<1, s>>>;", 1, "no arguments");
    fails("k<<<a<<<1>>>(x), s>>>(x);", 1, "");
    fails("k<<<", 1, "no `>>>`");
}

#[test]
fn random_texts_keep_their_lines() {
    const PIECES: [&str; 34] = [
        "<<<",
        ">>>",
        "<",
        ">",
        ">>",
        "<<",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "k",
        "::",
        ".",
        "->",
        ",",
        ";",
        "\n",
        " ",
        "\\\n",
        "\"",
        "'",
        "//",
        "/*",
        "*/",
        "R\"(",
        ")\"",
        "#define M ",
        "\n#if ",
        "operator",
        "template",
        "1'0",
        "é",
    ];
    let mut random = Random(7);
    let mut rewritten = 0;
    for _ in 0..20_000 {
        let count = random.below(24);
        let text: String = (0..count).map(|_| random.pick(&PIECES)).collect();
        if let Ok(result) = rewrite(&text) {
            assert_eq!(result.matches('\n').count(), text.matches('\n').count(), "{text:?}");
            rewritten += usize::from(result != text);
        }
    }
    assert!(rewritten > 0);
}

#[test]
fn random_launches_are_rewritten() {
    const CALLEES: [&str; 6] = ["k", "k<A<int>, 2>", "a::k", "a<b>::k<c>", "o->k", "(*f)"];
    const CONFIGURATIONS: [&str; 5] = ["1", "n >> 1, nullptr, s", "a < b", "f<A<B<int>>>(x)", "c->s"];
    const BETWEEN: [&str; 7] =
        [";\n", " // don't <<<\n;", ";\"<<<\";", "\n#if '\n;", ";{", ";}", "; a << b;"];
    let mut random = Random(11);
    for _ in 0..2_000 {
        let (mut text, mut wanted) = (String::new(), String::new());
        for _ in 0..random.below(6) {
            let (callee, between) = (random.pick(&CALLEES), random.pick(&BETWEEN));
            let configuration = random.pick(&CONFIGURATIONS);
            text += &format!("{callee}<<<{configuration}>>>(x){between}");
            wanted += &format!("pto::launch(pto::Config({configuration}), {callee})(x){between}");
        }
        becomes(&text, &wanted);
    }
}
