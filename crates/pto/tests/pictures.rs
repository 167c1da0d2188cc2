//! Pictures compared with the machine: each patch is moved to the position in the picture.

use crate::support::launch::{self, words};
use pto::Profile;
use pto::isa::op::form::{Form, Kind, Syntax};
use pto::isa::op::picture::{Cells, Paint, Panel, Picture, Span};
use pto::isa::op::{Page, all};
use pto::sim::{Options, Value};
use std::fmt::Write;

/// Declared rows and columns of every tile; larger than any picture.
const SIZE: (usize, usize) = (8, 16);
/// The initial value of a destination's elements.
const BEFORE: i32 = -7;

/// Whether the picture's operands are those of the form, and its destination only holds elements of the sources.
fn is_plain(form: &Form, picture: &Picture) -> bool {
    let drawn = |name: &str| picture.panels().iter().any(|panel| panel.role == name);
    let tiles = form.roles().filter(|role| matches!(role.kind, Kind::Tile | Kind::Scaling));
    let regions = picture.panels().iter().flat_map(|panel| panel.patches);
    let moved = |paint: Paint| matches!(paint, Paint::First | Paint::Second);
    let roles: Vec<_> = tiles.map(|role| role.name).collect();
    // Concrete elements are compared elsewhere.
    let is_abstract = picture.panels().iter().all(|panel| panel.values.is_empty());
    is_abstract
        && !roles.is_empty()
        && roles.len() == picture.panels().len()
        && roles.iter().all(|name| drawn(name))
        && regions.into_iter().all(|patch| moved(patch.paint))
}

/// Rows and columns of a tile that are compared.
fn valid(panel: &Panel) -> (usize, usize) {
    let whole = match panel.ground {
        Paint::Outside => None,
        Paint::Unread => Some((usize::from(panel.rows), usize::from(panel.cols))),
        _ => Some(SIZE),
    };
    let end = |at: fn((u8, u8)) -> u8| {
        let ends = panel.patches.iter().map(|patch| usize::from(at(patch.at)) + usize::from(at(patch.size)));
        ends.max().unwrap_or(0)
    };
    whole.unwrap_or_else(|| (end(|(rows, _)| rows), end(|(_, cols)| cols)))
}

/// A program that loads each tile of the picture completely, runs the instruction, and stores the destination
/// completely.
fn program(page: &Page, form: &Form, picture: &Picture) -> String {
    let (rows, cols) = SIZE;
    let whole = format!("!pto.tile_buf<vec, {rows}x{cols}xi32>");
    let view = format!("!pto.tensor_view<{rows}x{cols}xi32>");
    let offset = |name: &str| {
        let spans = picture.panels().iter().flat_map(|panel| panel.spans);
        let named = |span: &Span| match *span {
            Span::Rows(_, to, label) | Span::Columns(_, to, label) => (label == name).then_some(to),
        };
        spans.into_iter().find_map(named).unwrap_or(0)
    };
    let arguments: Vec<_> =
        picture.panels().iter().map(|panel| format!("%{}_data: !pto.ptr<i32>", panel.role)).collect();
    let mut text = format!("func.func @picture({}) {{\n", arguments.join(", "));
    for value in [1, rows, cols] {
        let _ = writeln!(text, "  %c{value} = arith.constant {value} : index");
    }
    let _ = writeln!(text, "  %row = arith.constant {} : index", offset("indexRow"));
    let _ = writeln!(text, "  %col = arith.constant {} : index", offset("indexCol"));
    let mut types = Vec::new();
    for (at, panel) in picture.panels().iter().enumerate() {
        let (role, (valid_rows, valid_cols)) = (panel.role, valid(panel));
        let pad = if panel.ground == Paint::Fill { ", pad=1" } else { "" };
        let ty = format!("!pto.tile_buf<vec, {rows}x{cols}xi32, valid={valid_rows}x{valid_cols}{pad}>");
        let _ = writeln!(text, "  %at_{role} = arith.constant {} : i64", at * rows * cols * 4);
        let _ = writeln!(text, "  %{role}_all = pto.alloc_tile addr = %at_{role} : {whole}");
        let _ = writeln!(text, "  %{role} = pto.alloc_tile addr = %at_{role} : {ty}");
        let _ = writeln!(
            text,
            "  %{role}_view = pto.make_tensor_view %{role}_data, shape = [%c{rows}, %c{cols}], \
             strides = [%c{cols}, %c1] : {view}\n  pto.tload ins(%{role}_view : {view}) outs(%{role}_all : {whole})"
        );
        types.push((role, ty));
    }
    let of = |name: &str| types.iter().find(|(role, _)| *role == name).map_or("index", |(_, ty)| ty);
    let list = |roles: &[pto::isa::op::form::Role]| {
        let names: Vec<_> = roles.iter().map(|role| format!("%{}", role.name)).collect();
        let words: Vec<_> = roles.iter().map(|role| of(role.name)).collect();
        format!("{} : {}", names.join(", "), words.join(", "))
    };
    let _ = writeln!(text, "  pto.{} ins({}) outs({})", page.name, list(form.ins), list(form.outs));
    for panel in picture.panels().iter().filter(|panel| panel.is_written) {
        let role = panel.role;
        let _ = writeln!(text, "  pto.tstore ins(%{role}_all : {whole}) outs(%{role}_view : {view})");
    }
    text + "  return\n}\n"
}

/// The initial contents of a tile: distinct elements, or a constant.
fn contents(panel: &Panel, number: usize) -> Vec<i32> {
    let count = SIZE.0 * SIZE.1;
    let value = |at: usize| if panel.is_written { BEFORE } else { (1000 * (number + 1) + at) as i32 };
    (0..count).map(value).collect()
}

/// The expected element of a destination according to the picture.
fn expected(picture: &Picture, number: usize, row: u8, col: u8, before: &[Vec<i32>]) -> i32 {
    let panel = &picture.panels()[number];
    let inside = |start: u8, size: u8, at: u8| at.checked_sub(start).filter(|at| *at < size);
    for (index, patch) in panel.patches.iter().enumerate() {
        let place = inside(patch.at.0, patch.size.0, row).zip(inside(patch.at.1, patch.size.1, col));
        let Some((i, j)) = place else { continue };
        let arrow = picture.arrows().iter().find(|arrow| arrow.to == (number as u8, index as u8));
        let from = arrow.expect("an arrow to each patch").from;
        let source = &picture.panels()[usize::from(from.0)].patches[usize::from(from.1)];
        let (i, j) = if patch.cells == Cells::Down { (j, i) } else { (i % source.size.0, j % source.size.1) };
        let at = usize::from(source.at.0 + i) * SIZE.1 + usize::from(source.at.1 + j);
        return before[usize::from(from.0)][at];
    }
    if panel.ground == Paint::Fill { 0 } else { BEFORE }
}

fn run(text: &str, before: &[Vec<i32>]) -> Vec<Vec<i32>> {
    let bytes = |values: &Vec<i32>| values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let values = before.iter().map(|values| Value::buffer(bytes(values))).collect();
    let program = launch::program(text, Some(Profile::Cpu));
    let outcome = program.launch(values, &Options::default(), &mut []).expect("a run to its end");
    outcome.buffers.iter().map(|buffer| words(&buffer.bytes)).collect()
}

#[test]
fn regions_land_where_the_pictures_say() {
    let mut seen = Vec::new();
    for instruction in all() {
        let page = instruction.page();
        let Syntax::Destination(forms) = page.syntax else { continue };
        for picture in page.pictures.iter().filter(|picture| is_plain(&forms[0], picture)) {
            let text = program(page, &forms[0], picture);
            let before: Vec<_> =
                picture.panels().iter().enumerate().map(|(at, panel)| contents(panel, at)).collect();
            let after = run(&text, &before);
            for (number, panel) in picture.panels().iter().enumerate().filter(|(_, panel)| panel.is_written) {
                for row in 0..panel.rows {
                    for col in 0..panel.cols {
                        let got = after[number][usize::from(row) * SIZE.1 + usize::from(col)];
                        let wanted = expected(picture, number, row, col, &before);
                        assert_eq!(got, wanted, "{} ({row}, {col}), {}\n{text}", page.name, picture.caption);
                    }
                }
            }
            seen.push(page.name);
        }
    }
    let wanted = [
        "tcolexpand",
        "trowexpand",
        "tconcat",
        "tdeinterleave",
        "textract",
        "tfillpad",
        "tfillpad",
        "tfillpad_expand",
        "tfillpad_inplace",
        "tinsert",
        "tinterleave",
        "tmov",
        "ttrans",
    ];
    assert_eq!(seen, wanted);
}

/// Boxes of the operands of matrix products are numbered in memory order.
#[test]
fn boxes_have_the_numbers_of_the_layouts() {
    let mut seen = 0;
    for page in all().map(|instruction| instruction.page()) {
        for panel in page.pictures.iter().flat_map(|picture| picture.panels()) {
            let is_boxed =
                panel.patches.iter().any(|patch| matches!(patch.cells, Cells::Along | Cells::Down));
            let (Some(buffer), Some(element), true) = (panel.buffer, panel.element, is_boxed) else {
                continue;
            };
            let layout = match buffer {
                pto::isa::Buffer::L0a => "left, SHAPE, blayout=col_major, slayout=row_major",
                pto::isa::Buffer::L0b => "right, SHAPE, slayout=col_major",
                pto::isa::Buffer::L0c => "acc, SHAPE, blayout=col_major, slayout=row_major, fractal=1024",
                other => panic!("{other:?}"),
            };
            let (rows, cols) = (16 * u32::from(panel.rows), 16 * u32::from(panel.cols));
            let word = pto::isa::element::element_word(element);
            let text = layout.replace("SHAPE", &format!("{rows}x{cols}x{word}"));
            let layout = pto::text::parse_tile_type(&text).expect("a tile type").0.layout();
            assert_eq!((layout.box_rows, layout.box_cols), (16, 16), "{text}");
            for (row, col) in (0..panel.rows).flat_map(|row| (0..panel.cols).map(move |col| (row, col))) {
                let number = layout.offset(16 * usize::from(row), 16 * usize::from(col)) / 256;
                assert_eq!(panel.cell_text(row, col), number.to_string(), "{}: {text}", page.name);
            }
            seen += 1;
        }
    }
    assert_eq!(seen, 9);
}
