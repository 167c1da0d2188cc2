//! Pictures with concrete elements: the instruction runs on the elements of the sources, and the destinations must equal
//! the elements in the picture.

use crate::support::launch;
use pto::Profile;
use pto::isa::element::element_word;
use pto::isa::op::form::{Form, Kind, Role, Syntax};
use pto::isa::op::picture::{Panel, Picture};
use pto::isa::op::{Page, all};
use pto::isa::{Buffer, Element};
use pto::sim::{Options, Value};
use pto_num::{Overflow, Rounding, get_element, set_element};
use std::fmt::Write;

/// The element of destinations before the instruction runs.
const BEFORE: f64 = -7.0;
/// Columns of tiles in UB whose rows are not a multiple of 32 bytes.
const COLS: usize = 32;
/// Rows and columns of the operands of a matrix product: one or more boxes of every format.
const SIDE: usize = 32;

/// Whether the picture has elements in every panel.
fn is_concrete(picture: &Picture) -> bool {
    let panels = picture.panels();
    !panels.is_empty() && panels.iter().all(|panel| !panel.values.is_empty())
}

/// The form whose tiles are the panels of the picture.
fn form_of(page: &Page, picture: &Picture) -> &'static Form {
    let Syntax::Destination(forms) = page.syntax else { panic!("{}: an own syntax", page.name) };
    let operand = |role: &&Role| !matches!(role.kind, Kind::Other);
    let fits = |form: &&Form| {
        let names: Vec<_> = form.roles().filter(operand).map(|role| role.name).collect();
        names.len() == picture.panels().len()
            && picture.panels().iter().all(|panel| names.contains(&panel.role))
    };
    forms.iter().find(fits).unwrap_or_else(|| panic!("{}: no form for `{}`", page.name, picture.caption))
}

fn is_view(form: &Form, panel: &Panel) -> bool {
    form.roles().any(|role| role.name == panel.role && matches!(role.kind, Kind::View))
}

fn is_scalar(form: &Form, panel: &Panel) -> bool {
    form.roles().any(|role| role.name == panel.role && matches!(role.kind, Kind::Scalar | Kind::Integer))
}

/// Whether an operand is in a buffer of the cube core.
fn on_cube(panel: &Panel) -> bool {
    panel.buffer.is_some_and(|buffer| buffer != Buffer::Ub)
}

/// Rows and columns of the array from which a panel is filled. A view has the extents of the panel; a tile may be declared larger.
fn extents(form: &Form, panel: &Panel) -> (usize, usize) {
    let (rows, cols) = (usize::from(panel.rows), usize::from(panel.cols));
    match panel.buffer {
        _ if is_view(form, panel) => (rows, cols),
        Some(Buffer::BiasTable) => (1, SIDE),
        _ if on_cube(panel) => (SIDE, SIDE),
        // A column is column-major: as such it is a legal operand of every instruction.
        _ if cols == 1 => (COLS, 1),
        // Some instructions need tiles without padding.
        _ if element(panel).bytes(cols).is_multiple_of(32) => (rows, cols),
        _ => (rows, COLS),
    }
}

fn element(panel: &Panel) -> Element {
    panel.element.unwrap_or_else(|| panic!("{} has no element type", panel.role))
}

/// The type of a panel's tile, with its declared extents or those of the picture as valid region.
fn tile(form: &Form, panel: &Panel, is_whole: bool) -> String {
    let word = element_word(element(panel));
    let (rows, cols) = extents(form, panel);
    let valid = if is_whole { String::new() } else { format!(", valid={}x{}", panel.rows, panel.cols) };
    let (location, layout) = match panel.buffer {
        Some(Buffer::L0a) => ("left", ", blayout=col_major, slayout=row_major"),
        Some(Buffer::L0b) => ("right", ", slayout=col_major"),
        Some(Buffer::L0c) => ("acc", ", blayout=col_major, slayout=row_major, fractal=1024"),
        Some(Buffer::BiasTable) => ("bias", ""),
        _ if cols == 1 => ("vec", ", blayout=col_major"),
        _ => ("vec", ""),
    };
    format!("!pto.tile_buf<{location}, {rows}x{cols}x{word}{valid}{layout}>")
}

/// Declares operand `number`, and fills it from its argument: `%role_all` is the whole tile, `%role` its valid region.
fn declare(text: &mut String, form: &Form, panel: &Panel, number: usize) {
    let (role, (rows, cols)) = (panel.role, extents(form, panel));
    if is_scalar(form, panel) {
        let (value, word) = (panel.values[0], element_word(element(panel)));
        let point = if element(panel).holds_integers() { "" } else { ".0" };
        let _ = writeln!(text, "  %{role} = arith.constant {value}{point} : {word}");
        return;
    }
    let view = view(form, panel);
    let name = if is_view(form, panel) { role.to_owned() } else { format!("{role}_view") };
    let _ = writeln!(
        text,
        "  %{role}_rows = arith.constant {rows} : index\n  %{role}_cols = arith.constant {cols} : index\n  \
         %{name} = pto.make_tensor_view %{role}_data, shape = [%{role}_rows, %{role}_cols], \
         strides = [%{role}_cols, %c1] : {view}"
    );
    if is_view(form, panel) {
        return;
    }
    let (whole, part) = (tile(form, panel, true), tile(form, panel, false));
    let address = if panel.buffer == Some(Buffer::BiasTable) { 0 } else { number * 8192 };
    let _ = writeln!(
        text,
        "  %{role}_at = arith.constant {address} : i64\n  %{role}_all = pto.alloc_tile addr = %{role}_at : {whole}\n  \
         %{role} = pto.alloc_tile addr = %{role}_at : {part}"
    );
    if on_cube(panel) {
        let vec = format!("!pto.tile_buf<vec, {rows}x{cols}x{}>", element_word(element(panel)));
        let _ = writeln!(
            text,
            "  %{role}_from = arith.constant {} : i64\n  %{role}_vec = pto.alloc_tile addr = %{role}_from : {vec}\n  \
             pto.tload ins(%{role}_view : {view}) outs(%{role}_vec : {vec})\n  \
             pto.tmov ins(%{role}_vec : {vec}) outs(%{role}_all : {whole})",
            (8 + number) * 8192
        );
    } else {
        let _ = writeln!(text, "  pto.tload ins(%{role}_view : {view}) outs(%{role}_all : {whole})");
    }
}

/// The type of the view of a panel's array.
fn view(form: &Form, panel: &Panel) -> String {
    let (rows, cols) = extents(form, panel);
    format!("!pto.tensor_view<{rows}x{cols}x{}>", element_word(element(panel)))
}

/// A program that fills every panel of the picture, runs the instruction, and stores the destinations.
fn program(page: &Page, form: &Form, picture: &Picture) -> String {
    let panels = picture.panels();
    let argument =
        |panel: &Panel| format!("%{}_data: !pto.ptr<{}>", panel.role, element_word(element(panel)));
    let arguments: Vec<_> = panels.iter().filter(|panel| !is_scalar(form, panel)).map(argument).collect();
    let mut text = format!(
        "func.func @picture({}) {{\n  %c1 = arith.constant 1 : index\n  \
         %executed = arith.constant dense<0> : vector<4xi16>\n",
        arguments.join(", ")
    );
    for (number, panel) in panels.iter().enumerate() {
        declare(&mut text, form, panel, number);
    }
    let of = |role: &Role| match panels.iter().find(|panel| panel.role == role.name) {
        Some(panel) if is_scalar(form, panel) => element_word(element(panel)).to_owned(),
        Some(panel) if is_view(form, panel) => view(form, panel),
        Some(panel) => tile(form, panel, false),
        None => "vector<4xi16>".to_owned(),
    };
    let list = |roles: &[Role]| {
        let names: Vec<_> = roles.iter().map(|role| format!("%{}", role.name)).collect();
        let types: Vec<_> = roles.iter().map(of).collect();
        (names.join(", "), types.join(", "))
    };
    let ((ins, in_types), (outs, out_types)) = (list(form.ins), list(form.outs));
    let attributes = match picture.attributes {
        "" => String::new(),
        attributes => format!(" {{{attributes}}}"),
    };
    let _ =
        writeln!(text, "  pto.{} ins({ins}{attributes} : {in_types}) outs({outs} : {out_types})", page.name);
    for panel in panels.iter().filter(|panel| panel.is_written && !is_view(form, panel)) {
        let (role, whole, view) = (panel.role, tile(form, panel, true), view(form, panel));
        let _ = writeln!(text, "  pto.tstore ins(%{role}_all : {whole}) outs(%{role}_view : {view})");
    }
    text + "  return\n}\n"
}

/// The format of element `at` of a panel: indices of pairs are integers of the width of the values.
fn format_of(panel: &Panel, at: usize) -> Element {
    if panel.is_paired && !at.is_multiple_of(2) { Element::U32 } else { element(panel) }
}

fn encode(element: Element, value: f64) -> u64 {
    match element.holds_integers() {
        true => element.encode_int(value as i128, Overflow::Saturate),
        false => element.encode(value, Rounding::NearestEven, Overflow::Ieee),
    }
}

/// The bytes of a panel's array before the run.
fn before(form: &Form, panel: &Panel) -> Vec<u8> {
    let (rows, cols) = extents(form, panel);
    let mut bytes = vec![0; element(panel).bytes(rows * cols)];
    for row in 0..rows {
        for col in 0..cols {
            let (width, height) = (usize::from(panel.cols), usize::from(panel.rows));
            let shown = (row < height && col < width).then(|| row * width + col);
            let (value, format) = match shown {
                _ if panel.is_written => (BEFORE.max(least(element(panel))), element(panel)),
                Some(at) => (panel.values[at], format_of(panel, at)),
                None => (0.0, element(panel)),
            };
            set_element(&mut bytes, 0, row * cols + col, element(panel), encode(format, value));
        }
    }
    bytes
}

/// The least value of an integer format; no bound for floats.
fn least(element: Element) -> f64 {
    if element.holds_integers() { element.int_range().0 as f64 } else { f64::NEG_INFINITY }
}

fn run(text: &str, buffers: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let values = buffers.into_iter().map(Value::buffer).collect();
    let outcome = launch::program(text, Some(Profile::Cpu)).launch(values, &Options::default(), &mut []);
    let outcome = outcome.unwrap_or_else(|error| panic!("{text}\n{error:?}"));
    outcome.buffers.into_iter().map(|buffer| buffer.bytes.into_vec()).collect()
}

/// Compares a destination with the picture.
fn compare(page: &Page, form: &Form, panel: &Panel, after: &[u8]) {
    let (_, cols) = extents(form, panel);
    for row in 0..usize::from(panel.rows) {
        for col in 0..usize::from(panel.cols) {
            let at = row * usize::from(panel.cols) + col;
            let format = format_of(panel, at);
            let bits = get_element(after, 0, row * cols + col, element(panel));
            let shown = panel.values[at];
            let wanted = if shown.is_nan() { BEFORE } else { shown };
            assert_eq!(format.decode(bits), wanted, "{}: {} ({row}, {col})", page.name, panel.role);
        }
    }
}

#[test]
fn destinations_hold_what_the_instruction_makes_of_the_sources() {
    let mut seen = Vec::new();
    for page in all().map(|instruction| instruction.page()) {
        for picture in page.pictures.iter().filter(|picture| is_concrete(picture)) {
            let form = form_of(page, picture);
            let text = program(page, form, picture);
            let arrays: Vec<_> = picture.panels().iter().filter(|panel| !is_scalar(form, panel)).collect();
            let after = run(&text, arrays.iter().map(|panel| before(form, panel)).collect());
            for (panel, after) in arrays.into_iter().zip(&after).filter(|(panel, _)| panel.is_written) {
                compare(page, form, panel, after);
            }
            seen.push(page.name);
        }
        // Some elements without the others would not be compared.
        let concrete = |panel: &Panel| !panel.values.is_empty();
        let partly = |picture: &Picture| picture.panels().iter().any(concrete) && !is_concrete(picture);
        assert!(!page.pictures.iter().any(partly), "{}", page.name);
    }
    assert_eq!(seen.len(), 44, "{seen:?}");
}
