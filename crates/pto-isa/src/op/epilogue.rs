//! The conversion of accumulator elements on their way into a queue to the vector cores.
//!
//! Both ends of a queue declare it when they open the queue, as `acc_push_epilogue`. SET_QUANT_SCALAR and
//! SET_QUANT_VECTOR set the quantization parameters.
//!
//! Sources: `docs/isa/TPUSH.md`, TConfig; the public assembler's `docs/designs/fixpipe-tpipe-design.md`.

use crate::attribute::Attribute;
use crate::element::Element;
use crate::layout::LayoutName;
use crate::profile::{CPU_AND_A5, Profile};
use crate::registry::Op;
#[cfg(feature = "run")]
use {
    crate::element::element_word,
    crate::exec::registers::{QuantizationColumns, QueueQuantization},
    pto_kernels::map::UnaryFormula,
    pto_kernels::quantization,
    pto_num::{Parameter, Rounding, UnaryOp, convert_one, get_element},
};

/// The attribute key on operations that open a queue.
pub const KEY: &str = "acc_push_epilogue";

/// The source of the quantization parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// No parameters: elements are cast or copied.
    Nothing,
    /// One scale, set by SET_QUANT_SCALAR.
    Scalar,
    /// One parameter per column, set by SET_QUANT_VECTOR.
    Columns,
}

impl By {
    /// The operation that sets the parameters.
    pub fn setter(self) -> Option<Op> {
        match self {
            By::Nothing => None,
            By::Scalar => Some(Op::SET_QUANT_SCALAR),
            By::Columns => Some(Op::SET_QUANT_VECTOR),
        }
    }

    /// The name of the operation that sets the parameters.
    pub fn setter_name(self) -> &'static str {
        self.setter().map_or("", Op::name)
    }
}

use Element::{Bf16, E4M3, F16, F32, HiF8, I8, I32, U8};

/// A conversion mode of an epilogue.
#[derive(Debug, PartialEq, Eq)]
pub struct Mode {
    /// Word for the mode in program text.
    pub word: &'static str,
    /// The accumulator's format, and the entry formats that it may become.
    pub formats: &'static [(Element, &'static [Element])],
    /// The source of the quantization parameters.
    pub by: By,
    /// The profiles that support the mode.
    pub profiles: &'static [Profile],
}

const fn mode(
    word: &'static str,
    formats: &'static [(Element, &'static [Element])],
    by: By,
    profiles: &'static [Profile],
) -> Mode {
    Mode { word, formats, by, profiles }
}

/// The modes of the public assembler.
pub(crate) static MODES: [Mode; 15] = [
    mode("no_convert", &[(F32, &[F32]), (I32, &[I32])], By::Nothing, &Profile::ALL),
    mode("f32_f16", &[(F32, &[F16])], By::Nothing, &Profile::ALL),
    mode("f32_bf16", &[(F32, &[Bf16])], By::Nothing, &Profile::ALL),
    mode("req8_scalar", &[(I32, &[I8, U8])], By::Scalar, &Profile::ALL),
    mode("req8_vec", &[(I32, &[I8])], By::Columns, &Profile::ALL),
    mode("deqf16_scalar", &[(I32, &[F16])], By::Scalar, &Profile::ALL),
    mode("deqf16_vec", &[(I32, &[F16])], By::Columns, &Profile::ALL),
    mode("qf322b8_pre_scalar", &[(F32, &[I8, U8])], By::Scalar, &Profile::ALL),
    mode("qf322b8_pre_vec", &[(F32, &[I8])], By::Columns, &Profile::ALL),
    mode("qf322f16_pre_scalar", &[(F32, &[F16])], By::Scalar, &Profile::ALL),
    mode("qf322bf16_pre_scalar", &[(F32, &[Bf16])], By::Scalar, &Profile::ALL),
    mode("qs322bf16_pre_scalar", &[(I32, &[Bf16])], By::Scalar, CPU_AND_A5),
    mode("qs322bf16_pre_vec", &[(I32, &[Bf16])], By::Columns, CPU_AND_A5),
    mode("qf322hif8_pre_scalar", &[(F32, &[HiF8])], By::Scalar, CPU_AND_A5),
    mode("qf322fp8_pre_scalar", &[(F32, &[E4M3])], By::Scalar, CPU_AND_A5),
];

/// Layouts of entries, by their word in program text.
const LAYOUTS: [(&str, LayoutName); 3] =
    [("nz2nd", LayoutName::Nd), ("nz2dn", LayoutName::Dn), ("nz2nz", LayoutName::Nz)];

/// The conversion that a queue applies to accumulator elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epilogue {
    /// The layout of the consumers' tiles.
    pub layout: LayoutName,
    /// The conversion.
    pub mode: &'static Mode,
    /// Whether negative values become zero.
    pub(crate) relu: bool,
}

impl Epilogue {
    /// Parses `#pto.acc_push_epilogue<layout = L, quant = Q, relu = R>`.
    ///
    /// # Errors
    /// A sentence that names the unknown word and the valid ones.
    pub fn of(attribute: &Attribute) -> Result<Epilogue, String> {
        let words = attribute.as_word().unwrap_or("");
        let word = |key: &str| {
            let mut pairs = words.split(',').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| name.trim() == key).map_or("", |(_, value)| value.trim())
        };
        let unknown = |key: &str, among: Vec<&str>| {
            let (word, among) = (word(key), among.join(", "));
            Err(format!("{KEY}: `{key} = {word}` is none of {among}"))
        };
        let Some((_, layout)) = LAYOUTS.into_iter().find(|(name, _)| *name == word("layout")) else {
            return unknown("layout", LAYOUTS.map(|(name, _)| name).to_vec());
        };
        let Some(mode) = MODES.iter().find(|mode| mode.word == word("quant")) else {
            return unknown("quant", MODES.iter().map(|mode| mode.word).collect());
        };
        let relu = match word("relu") {
            "no_relu" => false,
            "normal_relu" => true,
            _ => return unknown("relu", vec!["no_relu", "normal_relu"]),
        };
        Ok(Epilogue { layout, mode, relu })
    }

    /// The allowed entry formats for accumulator elements of format `from`.
    pub fn targets(&self, from: Element) -> &'static [Element] {
        self.mode.formats.iter().find(|(of, _)| *of == from).map_or(&[], |(_, to)| to)
    }

    /// The allowed entry formats, as text.
    #[cfg(feature = "run")]
    pub fn targets_text(&self, from: Element) -> String {
        match self.targets(from) {
            [] => "nothing".into(),
            list => list.iter().map(|to| element_word(*to)).collect::<Vec<_>>().join(" or "),
        }
    }

    /// Whether entries may have the format `to`.
    pub fn gives(&self, to: Element) -> bool {
        self.mode.formats.iter().any(|(_, list)| list.contains(&to))
    }

    /// Converts row-major accumulator elements of type `from` to the elements of an entry with `cols` columns, also row-major.
    ///
    /// # Errors
    /// A sentence that names the missing parameters.
    #[cfg(feature = "run")]
    pub fn apply(
        &self,
        values: &[u8],
        from: Element,
        to: Element,
        cols: usize,
        set: &QueueQuantization,
        memory: &[u8],
    ) -> Result<Vec<u8>, String> {
        let count = values.len() * 8 / from.bits() as usize;
        let mut entry = vec![0; to.bytes(count)];
        let parameters = self.parameters(to, cols, set, memory)?;
        let quantized = quantization(from, to, self.relu);
        for at in 0..count {
            let bits = get_element(values, 0, at, from);
            let result = match (parameters.get(at % cols.max(1)), quantized) {
                (Some(parameter), Some(quantized)) => quantized.one(*parameter, bits),
                _ => self.cast(from, to, bits),
            };
            pto_kernels::set_element(&mut entry, 0, at, to, result);
        }
        Ok(entry)
    }

    #[cfg(feature = "run")]
    fn cast(&self, from: Element, to: Element, bits: u64) -> u64 {
        let cast = if from == to { None } else { convert_one(from, to, Rounding::NearestEven, false, bits) };
        let value = cast.unwrap_or(bits);
        if self.relu { UnaryOp::Relu.apply(to, value).unwrap_or(value) } else { value }
    }

    /// One parameter per column; empty if elements are not quantized.
    #[cfg(feature = "run")]
    fn parameters(
        &self,
        to: Element,
        cols: usize,
        set: &QueueQuantization,
        memory: &[u8],
    ) -> Result<Vec<Parameter>, String> {
        // Bit 46 of a parameter marks 8-bit results as signed.
        let of_scale = |scale: f32| u64::from(scale.to_bits()) | u64::from(to == I8) << 46;
        match (self.mode.by, set.scale, set.columns) {
            (By::Nothing, ..) => Ok(Vec::new()),
            (By::Scalar, Some(scale), _) => Ok(vec![Parameter::scalar(of_scale(scale)); cols]),
            (By::Columns, _, Some(columns)) if columns.count < cols => Err(format!(
                "an entry has {cols} columns, but the tile of `{}` only {} parameters",
                self.mode.by.setter_name(),
                columns.count
            )),
            (By::Columns, _, Some(columns)) => {
                let parameter = |col: usize| column(&columns, memory, col, of_scale);
                Ok((0..cols).map(parameter).collect())
            }
            _ => Err(format!(
                "`{}` needs parameters: no `{}` for this queue ran before",
                self.mode.word,
                self.mode.by.setter_name()
            )),
        }
    }
}

/// The parameter of a column: taken as 64 bits, or built from a scale.
#[cfg(feature = "run")]
fn column(
    columns: &QuantizationColumns,
    memory: &[u8],
    col: usize,
    of_scale: impl Fn(f32) -> u64,
) -> Parameter {
    let element = columns.element;
    let bits = get_element(memory, columns.address, columns.layout.offset(0, col), element);
    Parameter::column(if element.is_float() { of_scale(element.decode(bits) as f32) } else { bits })
}
