//! Statements of the manual's five pages on element types, sizes and forms, as tables; and `docs/pages.md`, which
//! names the test for each statement.

mod calls;
mod concatenation;
mod formulas;
mod listed;
mod matrix;
mod order;

use crate::support::launch::{findings, module};
use pto::Profile;
use pto::Profile::{A2A3, A5};
use pto::diag::Severity;
use pto::isa::op::Set;

/// The verdict on a program, by its most severe finding: `legal`, `extension` or `error`.
fn judged(body: &str, arguments: &[(&str, &str)], profile: Profile) -> &'static str {
    let list: Vec<_> = arguments.iter().map(|(name, ty)| format!("%{name}: {ty}")).collect();
    let text = format!(
        "func.func @k({}) {{\n  %c0 = arith.constant 0 : index\n  {body}\n  return\n}}\n",
        list.join(", ")
    );
    let findings = findings(module(&text), Some(profile));
    match findings.iter().map(|finding| finding.severity).max_by_key(|severity| weight(*severity)) {
        Some(Severity::Error) => "error",
        Some(Severity::Extension) => "extension",
        _ => "legal",
    }
}

fn weight(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 2,
        Severity::Extension => 1,
        _ => 0,
    }
}

const ND: &str = "";
const NZ: &str = ", blayout=col_major, slayout=row_major";

fn tile(location: &str, shape: &str, element: &str, rest: &str) -> String {
    format!("!pto.tile_buf<{location}, {shape}x{element}{rest}>")
}

/// The quantization of a move from an accumulator.
#[derive(Clone, Copy, PartialEq)]
enum Quant {
    None,
    Scalar,
    Vector,
}

/// A move of a 16x64 accumulator by an instruction to a location and element type.
fn leaving(
    op: &str,
    from: &str,
    (location, layout): (&str, &str),
    to: &str,
    quant: Quant,
    profile: Profile,
) -> &'static str {
    let acc = tile("acc", "16x64", from, ", blayout=col_major, slayout=row_major, fractal=1024");
    let dst = tile(location, "16x64", to, layout);
    let fp = tile("scaling", "1x64", "ui64", "");
    let at = if op == "tmov" { ("", "") } else { (", %c0, %c0", ", index, index") };
    let source = format!("%s{} : {acc}{}", at.0, at.1);
    let ins = match (quant, op) {
        (Quant::None, _) => source,
        (Quant::Vector, _) => format!("{source} fp %f : {fp}"),
        (Quant::Scalar, "textract") => format!("%s{}, %q : {acc}{}, i64", at.0, at.1),
        (Quant::Scalar, _) => format!("{source} pre_quant %q : i64"),
    };
    let body = format!("pto.{op} ins({ins}) outs(%d : {dst})");
    judged(&body, &[("s", &acc), ("d", &dst), ("q", "i64"), ("f", &fp)], profile)
}

const EVERY: [&str; 15] = [
    "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64", "ui64", "f16", "bf16", "f32", "hif8", "f8E4M3FN",
    "f8E5M2", "f8E8M0",
];
const MAT: (&str, &str) = ("mat", NZ);
const ROWS: (&str, &str) = ("vec", ND);

/// A profile, the destination, the quantization, the accumulator's element type, and the legal result types.
type Leaving<'a> = (Profile, (&'a str, &'a str), Quant, &'a str, &'a [&'a str]);

/// Legal element types of results, by quantization and profile: exactly these are legal for TINSERT and TMOV.
#[test]
fn accumulators_leave_as_the_pages_list() {
    let a5 = ["i8", "ui8", "hif8", "f16", "bf16", "f8E4M3FN"];
    let a5_ints = ["i8", "ui8", "f16", "bf16"];
    let rows: &[Leaving] = &[
        (A2A3, MAT, Quant::None, "f32", &["f16", "bf16"]),
        (A2A3, MAT, Quant::Scalar, "f32", &["i8"]),
        (A2A3, MAT, Quant::Scalar, "i32", &["i8", "ui8", "f16", "i16"]),
        (A2A3, MAT, Quant::Vector, "f32", &["i8", "ui8"]),
        (A2A3, MAT, Quant::Vector, "i32", &["i8", "ui8", "f16", "i16"]),
        (A5, MAT, Quant::None, "f32", &["f16", "bf16", "f32"]),
        (A5, MAT, Quant::None, "i32", &["i32"]),
        (A5, MAT, Quant::Scalar, "f32", &a5),
        (A5, MAT, Quant::Scalar, "i32", &a5_ints),
        (A5, MAT, Quant::Vector, "f32", &a5),
        (A5, MAT, Quant::Vector, "i32", &a5_ints),
        (A5, ROWS, Quant::None, "f32", &["f16", "bf16", "f32"]),
        (A5, ROWS, Quant::None, "i32", &["i32"]),
        (A5, ROWS, Quant::Scalar, "f32", &a5),
        (A5, ROWS, Quant::Scalar, "i32", &a5_ints),
        (A5, ROWS, Quant::Vector, "f32", &a5),
        (A5, ROWS, Quant::Vector, "i32", &a5_ints),
    ];
    for (profile, to, quant, from, listed) in rows {
        for element in EVERY {
            let legal = leaving("tinsert", from, *to, element, *quant, *profile) == "legal";
            assert_eq!(legal, listed.contains(&element), "tinsert {profile:?} {from} to {to:?} {element}");
            let legal = leaving("tmov", from, *to, element, *quant, *profile) == "legal";
            assert_eq!(legal, listed.contains(&element), "tmov {profile:?} {from} to {to:?} {element}");
        }
    }
}

/// A2/A3 has no move from an accumulator to UB, and none of the moves that the page lists only for A5.
#[test]
fn ways_of_the_profiles() {
    for op in ["tinsert", "tmov"] {
        assert_eq!(leaving(op, "f32", ROWS, "f32", Quant::None, A2A3), "error");
        assert_eq!(leaving(op, "f32", ROWS, "f32", Quant::None, A5), "legal");
    }
    for (from, to, a2a3) in [("vec", "vec", "extension"), ("vec", "mat", "error")] {
        assert_eq!(inserted(from, to, "f16", NZ, A2A3), a2a3, "{from} to {to}");
        assert_eq!(inserted(from, to, "f16", NZ, A5), "legal", "{from} to {to}");
    }
}

/// Layouts of moves from an accumulator, on both devices: NZ to NZ with rows of 32 bytes.
#[test]
fn accumulators_and_their_destinations_have_boxes() {
    let judge = |op: &str, src: &str, dst: &str, profile| {
        let at = if op == "tmov" { ("", "") } else { (", %c0, %c0", ", index, index") };
        let body = format!("pto.{op} ins(%s{} : {src}{}) outs(%d : {dst})", at.0, at.1);
        judged(&body, &[("s", src), ("d", dst)], profile)
    };
    let acc = |rest| tile("acc", "16x16", "f32", rest);
    let boxes = acc(", blayout=col_major, slayout=row_major, fractal=1024");
    let mat = tile("mat", "16x16", "f16", NZ);
    for profile in [A2A3, A5] {
        for op in ["tinsert", "tmov"] {
            assert_eq!(judge(op, &boxes, &mat, profile), "legal");
            assert_eq!(judge(op, &acc(""), &mat, profile), "error", "an accumulator in rows");
            assert_eq!(judge(op, &boxes, &tile("mat", "16x16", "f16", ND), profile), "error", "rows in L1");
        }
    }
    let narrow = tile("vec", "16x16", "f16", ", blayout=col_major");
    assert_eq!(judge("tmov", &boxes, &narrow, A5), "legal", "columns of 32 bytes");
    let (columns, rows) =
        (tile("vec", "16x16", "f32", ", blayout=col_major"), tile("vec", "16x16", "f32", ND));
    assert_eq!(judge("tinsert", &boxes, &columns, A5), "legal", "NZ to columns");
    assert_eq!(judge("tinsert", &boxes, &rows, A5), "legal", "NZ to rows");
    assert_eq!(judge("tinsert", &boxes, &tile("vec", "16x16", "f32", NZ), A5), "legal", "NZ to NZ");
}

/// TMOV on A2/A3: the pairs of locations, one declared shape, single rows for bias and scaling tiles.
#[test]
fn moves_on_a2a3() {
    let moved = |from: (&str, &str, &str), to: (&str, &str, &str), element: &str| {
        let (src, dst) = (tile(from.0, from.1, element, from.2), tile(to.0, to.1, element, to.2));
        judged(&format!("pto.tmov ins(%s : {src}) outs(%d : {dst})"), &[("s", &src), ("d", &dst)], A2A3)
    };
    let zz = ", slayout=row_major";
    let zn = ", slayout=col_major";
    assert_eq!(moved(("mat", "64x64", NZ), ("left", "64x64", zz), "f16"), "legal");
    assert_eq!(moved(("mat", "64x64", NZ), ("right", "64x64", zn), "f16"), "legal");
    assert_eq!(moved(("vec", "64x64", ND), ("vec", "64x64", ND), "f16"), "legal");
    assert_eq!(moved(("vec", "64x64", ND), ("vec", "64x128", ND), "f16"), "error");
    assert_eq!(moved(("mat", "64x64", NZ), ("left", "32x64", zz), "f16"), "error");
    for (from, to) in [("vec", "mat"), ("mat", "vec"), ("vec", "left"), ("left", "mat")] {
        assert_eq!(moved((from, "64x64", ND), (to, "64x64", ND), "f16"), "error", "{from} to {to}");
    }
    assert_eq!(moved(("mat", "2x64", ND), ("bias", "2x64", ND), "f32"), "error", "two rows");
    assert_eq!(moved(("mat", "2x16", ND), ("scaling", "2x16", ND), "ui64"), "error", "two rows");
}

/// TINSERT of a 16x64 tile without conversion.
fn inserted(from: &str, to: &str, element: &str, layout: &str, profile: Profile) -> &'static str {
    inserted_with(from, to, element, layout, profile, "")
}

/// [`inserted`] with attributes of the insertion.
fn inserted_with(
    from: &str,
    to: &str,
    element: &str,
    layout: &str,
    profile: Profile,
    attributes: &str,
) -> &'static str {
    let (src, dst) = (tile(from, "16x64", element, layout), tile(to, "32x128", element, layout));
    let body = format!("pto.tinsert ins(%s, %c0, %c0 : {src}, index, index) outs(%d : {dst}){attributes}");
    judged(&body, &[("s", &src), ("d", &dst)], profile)
}

/// The element types of TINSERT from vec tiles on A5, row-major and boxed, whole and split: nine of a byte and more, and
/// two of four bits.
#[test]
fn vec_tiles_are_inserted_in_the_listed_types() {
    let listed = [
        "f16",
        "bf16",
        "f32",
        "i32",
        "i8",
        "hif8",
        "f8E4M3FN",
        "f8E5M2",
        "f8E8M0",
        "!pto.f4E2M1x2",
        "!pto.f4E1M2x2",
    ];
    for (to, layout) in [("vec", ND), ("vec", NZ), ("mat", ND), ("mat", NZ)] {
        for element in EVERY.into_iter().chain(listed) {
            let legal = inserted("vec", to, element, layout, A5) == "legal";
            assert_eq!(legal, listed.contains(&element), "{to}{layout} {element}");
        }
    }
    for mode in ["split2", "split4"] {
        let attribute = format!(" {{tinsertMode = #pto.tinsert_mode<{mode}>}}");
        for element in EVERY.into_iter().chain(listed) {
            let legal = inserted_with("vec", "mat", element, NZ, A5, &attribute) == "legal";
            assert_eq!(legal, listed.contains(&element), "{mode} {element}");
        }
    }
}

/// The rows of a destination of a move from an accumulator are not empty: no tile is declared without columns.
#[test]
fn a_tile_without_columns_cannot_be_declared() {
    let declared = |columns: u32| {
        let ty = format!("!pto.tile_buf<mat, 32x{columns}xf16, blayout=col_major, slayout=row_major>");
        let text = format!("func.func @k(%d: {ty}) {{\n  return\n}}\n");
        pto::parse(&text).is_ok_and(|parsed| pto::check(parsed.module, Some(A2A3)).is_ok())
    };
    assert!(declared(16));
    assert!(!declared(0));
}

/// TCONCAT accepts the nine types of its page, and six types of indices.
#[test]
fn tconcat_takes_the_types_of_its_page() {
    let listed = ["i8", "ui8", "i16", "ui16", "i32", "ui32", "f16", "bf16", "f32"];
    for profile in [A2A3, A5] {
        for element in EVERY {
            let (part, whole) = (tile("vec", "16x32", element, ND), tile("vec", "16x64", element, ND));
            let body = format!("pto.tconcat ins(%a, %b : {part}, {part}) outs(%d : {whole})");
            let found = judged(&body, &[("a", &part), ("b", &part), ("d", &whole)], profile);
            assert_eq!(found == "legal", listed.contains(&element), "{profile:?} {element}: {found}");
        }
        for element in EVERY {
            let (part, whole) = (tile("vec", "16x32", "f32", ND), tile("vec", "16x64", "f32", ND));
            let index = tile("vec", "16x32", element, ", valid=16x1");
            let body = format!(
                "pto.tconcat ins(%a, %a, %i, %i : {part}, {part}, {index}, {index}) outs(%d : {whole})"
            );
            let found = judged(&body, &[("a", &part), ("i", &index), ("d", &whole)], profile);
            assert_eq!(
                found == "legal",
                listed[..6].contains(&element),
                "{profile:?} index {element}: {found}"
            );
        }
    }
}

/// TROWEXPANDADD accepts four types on every profile and two more on A5, in both modes.
#[test]
fn trowexpandadd_takes_the_types_of_its_page() {
    let everywhere = ["f16", "f32", "i16", "i32"];
    let on_a5 = ["ui16", "ui32"];
    for (profile, more) in [(A2A3, &[][..]), (A5, &on_a5[..])] {
        for element in EVERY {
            let full = tile("vec", "32x64", element, ND);
            let column = tile("vec", "32x1", element, ", blayout=col_major");
            let body = format!("pto.trowexpandadd ins(%a, %e : {full}, {column}) outs(%d : {full})");
            let found = judged(&body, &[("a", &full), ("e", &column), ("d", &full)], profile);
            let listed = everywhere.contains(&element) || more.contains(&element);
            assert_eq!(found == "legal", listed, "{profile:?} {element}: {found}");
        }
        for (element, block) in [("f16", "32x16"), ("i16", "32x16"), ("f32", "32x8"), ("i32", "32x8")] {
            let (full, blocks) = (tile("vec", "32x64", element, ND), tile("vec", block, element, ND));
            for ins in [format!("%a, %e : {full}, {blocks}"), format!("%e, %a : {blocks}, {full}")] {
                let body = format!("pto.trowexpandadd ins({ins}) outs(%d : {full})");
                let found = judged(&body, &[("a", &full), ("e", &blocks), ("d", &full)], profile);
                assert_eq!(found, "legal", "{profile:?} {element}");
            }
        }
    }
}

/// TMOV of a 1x64 row from L1 into a bias or scaling tile.
fn row(to: &str, from: &str, element: &str, cols: u32, profile: Profile) -> &'static str {
    let (src, dst) =
        (tile("mat", &format!("1x{cols}"), from, ND), tile(to, &format!("1x{cols}"), element, ND));
    judged(&format!("pto.tmov ins(%s : {src}) outs(%d : {dst})"), &[("s", &src), ("d", &dst)], profile)
}

/// The pairs of types for bias tiles, and the row sizes that fit the bias table and the fixpipe buffer.
#[test]
fn bias_and_scaling_tiles_take_the_types_and_sizes_of_the_page() {
    let pairs = [("i32", "i32"), ("f32", "f32"), ("f16", "f32")];
    for from in ["i8", "i32", "f16", "bf16", "f32"] {
        for to in ["i32", "f16", "bf16", "f32"] {
            let listed = pairs.contains(&(from, to));
            assert_eq!(row("bias", from, to, 64, A2A3) == "legal", listed, "{from} {to}");
            let listed = listed || (from, to) == ("bf16", "f32");
            assert_eq!(row("bias", from, to, 64, A5) == "legal", listed, "{from} {to}");
        }
    }
    for profile in [A2A3, A5] {
        assert_eq!(row("bias", "f32", "f32", 8, profile), "error", "32 bytes");
        assert_eq!(row("scaling", "ui64", "ui64", 16, profile), "legal");
        assert_eq!(row("scaling", "ui64", "ui64", 8, profile), "error", "64 bytes");
        assert_eq!(row("scaling", "i32", "i32", 64, profile), "error");
        assert_eq!(row("scaling", "ui64", "i64", 16, profile), "error");
    }
    assert_eq!(row("bias", "f32", "f32", 2048, A5), "error", "8192 bytes");
    assert_eq!(row("scaling", "ui64", "ui64", 1024, A5), "error", "8192 bytes");
}

/// The types of a move from L1 to a left or right tile on A5.
#[test]
fn left_and_right_tiles_take_the_types_of_the_page() {
    let listed = ["i8", "hif8", "f8E5M2", "f8E4M3FN", "f16", "bf16", "f32"];
    for (to, layout) in [("left", NZ), ("right", ", slayout=col_major")] {
        for element in EVERY {
            let (src, dst) = (tile("mat", "64x64", element, NZ), tile(to, "64x64", element, layout));
            let body = format!("pto.tmov ins(%s : {src}) outs(%d : {dst})");
            let found = judged(&body, &[("s", &src), ("d", &dst)], A5);
            assert_eq!(found == "legal", listed.contains(&element), "{to} {element}: {found}");
        }
    }
    let (src, dst) = (tile("mat", "64x64", "f16", NZ), tile("left", "64x64", "bf16", NZ));
    let body = format!("pto.tmov ins(%s : {src}) outs(%d : {dst})");
    assert_eq!(judged(&body, &[("s", &src), ("d", &dst)], A5), "error");
}

/// The workspace of a row expansion on A2/A3: 256 bytes per eight rows, at most 7,680.
#[test]
fn the_workspace_of_a_row_expansion_is_bounded() {
    let with = |rows: u32, bytes: u32| {
        let full = tile("vec", &format!("{rows}x16"), "f16", ND);
        let column = tile("vec", &format!("{rows}x1"), "f16", ", blayout=col_major");
        let tmp = tile("vec", &format!("1x{}", bytes / 2), "f16", ND);
        let body = format!("pto.trowexpandadd ins(%a, %e, %t : {full}, {column}, {tmp}) outs(%d : {full})");
        let arguments =
            [("a", full.as_str()), ("e", column.as_str()), ("t", tmp.as_str()), ("d", full.as_str())];
        [A2A3, A5].map(|profile| judged(&body, &arguments, profile))
    };
    for (rows, bytes) in [(16, 512), (64, 2048), (128, 4096), (240, 7680), (256, 7680), (1024, 7680)] {
        assert_eq!(with(rows, bytes), ["legal", "legal"], "{rows} rows, {bytes} bytes");
        assert_eq!(with(rows, bytes - 32), ["error", "legal"], "{rows} rows, {} bytes", bytes - 32);
    }
    assert_eq!(with(1024, 8192), ["legal", "legal"]);
}

/// The instruction sets to which the pages belong, and the instructions that they name beside their own.
#[test]
fn the_pages_belong_to_their_sets_and_name_instructions() {
    let set = |name: &str| pto::isa::Op::find_spelling(name).map(|op| op.page().set);
    assert_eq!(set("trowexpandadd"), Some(Set::Expand));
    for name in ["trowexpandsub", "trowexpandmax"] {
        assert_eq!(set(name), set("trowexpandadd"), "{name}");
    }
    for name in matrix::names().into_iter().chain(["tinsert", "textract", "treshape"]) {
        assert_eq!(set(name), Some(Set::Layout), "{name}");
    }
    assert_eq!(set("tadd"), Some(Set::Elementwise));
}
