//! Conversion of the form of a call site to the part of a live launch: its text, and the conversion of the words of a
//! call to arguments.
//!
//! A form is one operation with types. The part is a function with that operation: a tile is an argument as it is; a
//! tensor is a pointer with the extents and strides that its type does not state, from which the function makes a view.

use pto::isa::op::effect::Target;
use pto::isa::{BLayout, Op};
use pto::launch::live::Part;
use std::fmt::Write;

/// An operand of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A tile: valid rows and columns if its type states them.
    Tile([Option<u32>; 2]),
    /// A convolution tile: for its extents, whether they are given at run time.
    ConvTile([bool; 6]),
    /// A tile that an earlier operand names too.
    Same,
    /// A tensor: for its extents and strides, whether they are given at run time.
    Tensor([bool; 10]),
    /// A pointer into global memory.
    Pointer,
    /// A scalar.
    Scalar,
}

/// A part and the operands of its form.
#[derive(Clone, Debug)]
pub struct Site {
    /// The part.
    pub part: Part,
    /// Byte offset of its text in the text of all parts.
    pub start: u32,
    /// The operands.
    pub operands: Vec<Operand>,
    /// Whether it has a result.
    pub has_result: bool,
    /// The parameters of its function.
    pub parameters: Vec<Parameter>,
    /// Whether it sets registers from the parameters of a tile: the tile needs no address.
    pub sets_registers: bool,
    /// The name of its instruction, if that writes global memory.
    pub stores: Option<&'static str>,
    /// Whether it changes a signal, its first operand.
    pub notifies: bool,
    /// Whether it changes nothing that another core sees: a kernel that waits for one in a loop repeats it.
    pub only_looks: bool,
}

/// A parameter of a part: its name without `%`, and its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: String,
}

impl Parameter {
    fn new(name: impl Into<String>, ty: impl Into<String>) -> Parameter {
        Parameter { name: name.into(), ty: ty.into() }
    }
}

/// Whether the operation of a pattern writes registers and accesses no bytes of its operands, according to its page.
pub fn sets_registers(pattern: &str) -> bool {
    let name = pattern.split_whitespace().find(|word| word.starts_with("pto."));
    let Some(instruction) = name.and_then(Op::find).and_then(Op::instruction) else { return false };
    let mut writes_register = false;
    for effect in instruction.page().own_effects() {
        match effect.target {
            Target::Register(_) => writes_register |= effect.access.changes(),
            _ if effect.access.is_of_bytes() => return false,
            _ => {}
        }
    }
    writes_register
}

/// The text of a part and its operands.
#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    /// The function.
    pub text: String,
    /// The operands of the form.
    pub operands: Vec<Operand>,
    /// The parameters of the function.
    pub parameters: Vec<Parameter>,
    /// Whether it has a result.
    pub has_result: bool,
}

/// The operand of a type.
pub fn operand(ty: &str) -> Operand {
    match ty {
        ty if ty.starts_with("!pto.tile_buf<") => Operand::Tile(valid_of(ty)),
        ty if ty.starts_with("!pto.ptr<") => Operand::Pointer,
        ty if ty.starts_with(CONV_TILE) => Operand::ConvTile(conv_extents(ty)),
        ty => match ty.strip_prefix("tensor<").and_then(Tensor::parse) {
            Some(tensor) => Operand::Tensor(tensor.dynamic()),
            None => Operand::Scalar,
        },
    }
}

/// Text of a part with a name. `same` has, for each operand, the index of an earlier operand that is the same tile.
///
/// # Errors
/// A sentence about an invalid form: a fault of the headers.
pub fn text(name: &str, pattern: &str, texts: &[String], same: &[Option<usize>]) -> Result<Text, String> {
    let (mut parameters, mut body, mut kinds) = (Vec::new(), String::new(), Vec::new());
    let mut shown: Vec<String> = texts.to_vec();
    let mut names = names(pattern, same.len());
    for (at, (ty, same)) in texts.iter().zip(same).enumerate() {
        if let Some(earlier) = same {
            names[at] = names[*earlier].clone();
            kinds.push(Operand::Same);
        } else if let Some(tensor) = ty.strip_prefix("tensor<") {
            let tensor = Tensor::parse(tensor).ok_or_else(|| format!("`{ty}` is no type of a tensor"))?;
            tensor.declare(at, &names[at], &mut parameters, &mut body);
            shown[at] = tensor.partition();
            kinds.push(operand(ty));
        } else {
            parameters.push(Parameter::new(&names[at], ty));
            kinds.push(operand(ty));
        }
    }
    let named = replaced(pattern, '%', |number| names.get(number).map(|name| format!("%{name}")))?;
    let operation = replaced(&named, '@', |number| shown.get(number).cloned())?;
    // A merge of lists returns counts by way of an operand.
    if pattern.contains("%result") && !pattern.starts_with("%result") {
        body.push_str("  %result = arith.constant dense<0> : vector<4xi16>\n");
    }
    let result = pattern.contains("%result").then(|| last_type(&operation)).flatten();
    let (arrow, value) = match &result {
        Some(ty) => (format!(" -> {ty}"), format!(" %result : {ty}")),
        None => (String::new(), String::new()),
    };
    let listed: Vec<String> =
        parameters.iter().map(|Parameter { name, ty }| format!("%{name}: {ty}")).collect();
    let text = format!(
        "func.func @{name}({}){arrow} {{\n{body}  {operation}\n  return{value}\n}}\n",
        listed.join(", ")
    );
    Ok(Text { text, operands: kinds, parameters, has_result: result.is_some() })
}

/// The names of operands in messages: destinations and sources in the order in which the operation has them.
fn names(pattern: &str, operands: usize) -> Vec<String> {
    let destinations =
        pattern.split_once("outs(").map_or("", |(_, outs)| outs.split([':', ')']).next().unwrap_or(""));
    let is_destination = |at: usize| {
        destinations.split(',').any(|word| word.trim().strip_prefix('%') == Some(at.to_string().as_str()))
    };
    let count = |wanted: bool| (0..operands).filter(|at| is_destination(*at) == wanted).count();
    let named = |at: usize| {
        let own = is_destination(at);
        let word = if own { "dst" } else { "src" };
        match count(own) {
            1 => word.to_owned(),
            _ => format!("{word}{}", (0..at).filter(|before| is_destination(*before) == own).count()),
        }
    };
    (0..operands).map(named).collect()
}

/// Replaces each mark with a number by the text that `by` returns for the number.
fn replaced(text: &str, mark: char, by: impl Fn(usize) -> Option<String>) -> Result<String, String> {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(mark) {
        out.push_str(&rest[..at]);
        rest = &rest[at + mark.len_utf8()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits == 0 {
            out.push(mark);
            continue;
        }
        let meant = rest[..digits].parse::<usize>().ok().and_then(&by);
        out.push_str(
            &meant.ok_or_else(|| format!("`{mark}{}` of `{text}` stands for nothing", &rest[..digits]))?,
        );
        rest = &rest[digits..];
    }
    Ok(out + rest)
}

/// Type that an operation writes last: the type of its result.
fn last_type(operation: &str) -> Option<String> {
    let written = match operation.rfind("->") {
        Some(at) => &operation[at + 2..],
        None => &operation[operation.rfind([':', ','])? + 1..],
    };
    Some(written.trim().trim_end_matches(')').trim().to_owned())
}

/// Valid rows and columns of a tile type; `None` for those that are given at run time.
fn valid_of(ty: &str) -> [Option<u32>; 2] {
    match pto::text::parse_tile_type(ty) {
        Ok((tile, _)) => [tile.valid_rows, tile.valid_cols],
        Err(_) => [None, None],
    }
}

/// A tile type whose valid region is given at run time.
pub fn with_dynamic_valid(ty: &str) -> String {
    let Ok((mut tile, _)) = pto::text::parse_tile_type(ty) else { return ty.to_owned() };
    (tile.valid_rows, tile.valid_cols) = (None, None);
    tile.text(false)
}

/// A tile type of one column in rows of less than 32 bytes as the type of the same bytes in a column: without pipes, which access
/// blocks of 32 bytes, both are one.
pub fn as_column(ty: &str) -> String {
    match pto::text::parse_tile_type(ty) {
        Ok((mut tile, _)) if tile.cols == 1 && tile.blayout == BLayout::RowMajor && !tile.is_boxed() => {
            tile.blayout = BLayout::ColMajor;
            tile.text(false)
        }
        _ => ty.to_owned(),
    }
}

/// The start of the type of a convolution tile.
const CONV_TILE: &str = "!pto.conv_tile<";

/// Whether the extents of a convolution tile are given at run time.
fn conv_extents(ty: &str) -> [bool; 6] {
    let mut dynamic = [false; 6];
    let extents = ty.rsplit(", ").next().unwrap_or("").split('x');
    dynamic.iter_mut().zip(extents).for_each(|(dynamic, extent)| *dynamic = extent == "?");
    dynamic
}

/// The type of a convolution tile with these extents instead of `?`.
pub fn with_extents(ty: &str, extents: &[u32; 6]) -> String {
    let Some((head, shape)) = ty.rsplit_once(", ").filter(|_| ty.starts_with(CONV_TILE)) else {
        return ty.to_owned();
    };
    let fixed = shape.split('x').enumerate().map(|(at, word)| match extents.get(at) {
        Some(extent) if word == "?" => extent.to_string(),
        _ => word.to_owned(),
    });
    format!("{head}, {}", fixed.collect::<Vec<_>>().join("x"))
}

/// The type of a tensor.
#[derive(Debug, PartialEq, Eq)]
struct Tensor {
    shape: [Option<u64>; 5],
    element: String,
    strides: [Option<u64>; 5],
    layout: String,
}

impl Tensor {
    /// Parses the text after `tensor<`.
    fn parse(text: &str) -> Option<Tensor> {
        let text = text.strip_suffix('>')?;
        let (shape, rest) = text.split_once(", strides = [")?;
        let (strides, layout) = rest.split_once("], layout = ")?;
        let number = |text: &str| match text.trim() {
            "?" => Some(None),
            digits => digits.parse().ok().map(Some),
        };
        let mut words: Vec<&str> = shape.splitn(6, 'x').collect();
        let element = words.pop()?.to_owned();
        let five = |words: Vec<&str>| -> Option<[Option<u64>; 5]> {
            words.into_iter().map(number).collect::<Option<Vec<_>>>()?.try_into().ok()
        };
        Some(Tensor {
            shape: five(words)?,
            element,
            strides: five(strides.split(',').collect())?,
            layout: layout.to_owned(),
        })
    }

    fn dynamic(&self) -> [bool; 10] {
        let mut dynamic = [false; 10];
        let all = self.shape.iter().chain(&self.strides);
        dynamic.iter_mut().zip(all).for_each(|(dynamic, number)| *dynamic = number.is_none());
        dynamic
    }

    fn extents(&self) -> String {
        let extent = |extent: &Option<u64>| extent.map_or("?".into(), |extent| extent.to_string());
        self.shape.iter().map(extent).collect::<Vec<String>>().join("x")
    }

    fn partition(&self) -> String {
        format!("!pto.partition_tensor_view<{}x{}>", self.extents(), self.element)
    }

    /// Adds the parameters of the tensor with the number `at`, and the operations that make its view `named`.
    fn declare(&self, at: usize, named: &str, parameters: &mut Vec<Parameter>, body: &mut String) {
        parameters.push(Parameter::new(format!("p{at}"), format!("!pto.ptr<{}>", self.element)));
        let mut name = |kind: &str, index: usize, number: Option<u64>| {
            let name = format!("{kind}{at}_{index}");
            match number {
                None => parameters.push(Parameter::new(&name, "index")),
                Some(number) => {
                    let _ = writeln!(body, "  %{name} = arith.constant {number} : index");
                }
            }
            format!("%{name}")
        };
        let mut list = |kind: &str, numbers: &[Option<u64>; 5]| -> String {
            let names = numbers.iter().enumerate().map(|(index, number)| name(kind, index, *number));
            names.collect::<Vec<_>>().join(", ")
        };
        let (sizes, strides) = (list("n", &self.shape), list("s", &self.strides));
        let whole = format!("!pto.tensor_view<{}x{}>", self.extents(), self.element);
        let layout = match self.layout.as_str() {
            "nd" => String::new(),
            layout => format!(" {{layout = #pto.layout<{layout}>}}"),
        };
        let _ = writeln!(body, "  %zero{at} = arith.constant 0 : index");
        let _ = writeln!(
            body,
            "  %{named}_tensor = pto.make_tensor_view %p{at}, shape = [{sizes}], strides = [{strides}]{layout} : {whole}"
        );
        let offsets = [format!("%zero{at}"), format!("%zero{at}"), format!("%zero{at}")];
        let offsets = [&offsets[..], &offsets[..2]].concat().join(", ");
        let _ = writeln!(
            body,
            "  %{named} = pto.partition_view %{named}_tensor, offsets = [{offsets}], sizes = [{sizes}] : {whole} -> {}",
            self.partition()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(list: &[&str]) -> Vec<String> {
        list.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn a_tensor_becomes_a_view_of_a_pointer() {
        let tensor = "tensor<1x1x1x?x64xf32, strides = [?, 64, 64, 64, 1], layout = nd>";
        let tile = "!pto.tile_buf<vec, 16x64xf32, valid=?x64>";
        let made = text("tload", "pto.tload ins(%1 : @1) outs(%0 : @0)", &texts(&[tile, tensor]), &[None; 2]);
        let made = made.expect("a form");
        assert_eq!(made.operands[0], Operand::Tile([None, Some(64)]));
        let Operand::Tensor(dynamic) = made.operands[1] else { panic!("{made:?}") };
        assert_eq!(dynamic.iter().filter(|dynamic| **dynamic).count(), 2);
        let parsed = pto::parse(&made.text).expect("well-formed text");
        pto::check(parsed.module, None).expect("a legal function");
    }

    #[test]
    fn a_result_is_returned() {
        let made = text("get", "%result = pto.get_ctrl : i64", &[], &[]).expect("a form");
        assert!(made.has_result && made.text.contains("return %result : i64"), "{}", made.text);
    }

    #[test]
    fn one_tile_in_two_roles_is_one_value() {
        let tile = "!pto.tile_buf<vec, 1x8xf32>";
        let pattern = "pto.tadd ins(%1, %2 : @1, @2) outs(%0 : @0)";
        let made = text("tadd", pattern, &texts(&[tile; 3]), &[None, Some(0), None]).expect("a form");
        assert_eq!(
            made.operands,
            [Operand::Tile([Some(1), Some(8)]), Operand::Same, Operand::Tile([Some(1), Some(8)])]
        );
        assert!(made.text.contains("ins(%dst, %src1 :"), "{}", made.text);
    }

    #[test]
    fn counts_of_a_merge_are_returned() {
        let tile = "!pto.tile_buf<vec, 1x512xf32>";
        let pattern = "pto.tmrgsort ins(%2, %3, %1 {exhausted = @4} : @2, @3, @1) outs(%0, %result : @0, vector<4xi16>)";
        let made =
            text("merge", pattern, &texts(&[tile, tile, tile, tile, "true"]), &[None; 4]).expect("a form");
        assert!(made.has_result && made.text.contains("return %result : vector<4xi16>"), "{}", made.text);
        let parsed = pto::parse(&made.text).expect("well-formed text");
        pto::check(parsed.module, None).expect("a legal function");
    }

    #[test]
    fn broken_forms_are_errors() {
        assert!(text("f", "pto.x @3", &texts(&["f32"]), &[]).is_err());
        assert!(text("f", "pto.x %0", &texts(&["tensor<1x2xf32>"]), &[None]).is_err());
    }
}
