//! Dumps of the arguments of tasks: `args_dump.json` with a record for each argument, `args.bin` with the contents of tensors.
//!
//! The format is that of the public runtime's `--dump-args`; `docs/replay.md` describes it.

mod entry;
mod kernels;
mod manifest;
mod scalar;
mod tasks;
mod write;

pub use entry::{Entry, Kind, Layout, Raw, Role, Stage};
pub use kernels::{Kernel, Mapping};
pub use manifest::Dump;
pub use tasks::{Argument, Task, tasks};
pub use write::{Writer, Written};

use pto::isa::Element;

/// Names of the files of a dump.
const MANIFEST: &str = "args_dump.json";
const CONTENTS: &str = "args.bin";

/// Element types, each with its names in dumps; the first name is written.
const DTYPES: [(Element, &[&str]); 15] = [
    (Element::F32, &["float32", "fp32", "f32", "float"]),
    (Element::F16, &["float16", "fp16", "f16", "half"]),
    (Element::Bf16, &["bfloat16", "bf16"]),
    (Element::I8, &["int8", "i8"]),
    (Element::I16, &["int16", "i16"]),
    (Element::I32, &["int32", "i32", "int"]),
    (Element::I64, &["int64", "i64"]),
    (Element::U8, &["uint8", "u8", "bool"]),
    (Element::U16, &["uint16", "u16"]),
    (Element::U32, &["uint32", "u32"]),
    (Element::U64, &["uint64", "u64"]),
    (Element::E4M3, &["float8_e4m3fn", "fp8e4m3fn", "fp8_e4m3"]),
    (Element::E5M2, &["float8_e5m2", "fp8e5m2", "fp8_e5m2"]),
    (Element::E8M0, &["float8_e8m0", "float8_e8m0fnu", "fp8e8m0"]),
    (Element::HiF8, &["hifloat8", "hif8"]),
];

/// The element type that a dump names.
fn element(name: &str) -> Option<Element> {
    let name = name.to_ascii_lowercase();
    DTYPES.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(element, _)| *element)
}

/// The name of an element type in dumps; `None` for one that dumps do not have.
fn dtype_name(element: Element) -> Option<&'static str> {
    DTYPES.iter().find(|(known, _)| *known == element).map(|(_, names)| names[0])
}

#[cfg(test)]
mod tests;
