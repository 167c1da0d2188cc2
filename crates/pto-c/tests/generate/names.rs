//! The names of instructions in events, and the pipe of each.

use super::signature::WITHOUT;
use pto_isa::op::Set;
use pto_isa::pipe::Pipe;
use pto_isa::registry::Op;
use pto_lang::check::probe::legal_sites;
use std::fmt::Write;

/// Names of classes of instructions. Where an instruction runs on several pipes, each of its paths has a name.
const CLASSES: [(&str, &str); 25] = [
    ("SCALAR", "PIPE_S"),
    ("VECTOR", "PIPE_V"),
    ("TLOAD", "PIPE_MTE2"),
    ("TPREFETCH", "PIPE_MTE2"),
    ("TSTORE_VEC", "PIPE_MTE3"),
    ("TSTORE_ACC", "PIPE_FIX"),
    ("TSTORE_MAT", "PIPE_MTE3"),
    ("TMOV_V2V", "PIPE_V"),
    ("TMOV_V2M", "PIPE_FIX"),
    ("TMOV_M2L", "PIPE_MTE1"),
    ("TMOV_M2R", "PIPE_MTE1"),
    ("TMOV_M2B", "PIPE_MTE1"),
    ("TMOV_M2S", "PIPE_FIX"),
    ("TMOV_A2V", "PIPE_FIX"),
    ("TMOV_A2M", "PIPE_FIX"),
    ("TEXTRACT_M2LR", "PIPE_MTE1"),
    ("TEXTRACT_V2M", "PIPE_FIX"),
    ("TEXTRACT_A2M", "PIPE_FIX"),
    ("TINSERT_A2M", "PIPE_FIX"),
    ("TIMG2COL", "PIPE_MTE1"),
    ("TEXPANDS_MAT", "PIPE_MTE2"),
    ("TFILLPAD_VEC", "PIPE_V"),
    ("TFILLPAD_MAT", "PIPE_MTE2"),
    ("MGATHER_VEC", "PIPE_V"),
    ("MGATHER_MAT", "PIPE_MTE2"),
];

/// Vector instructions whose pipe the probe cannot determine: no use with sample operands is legal.
const VECTOR: [&str; 3] = ["TQUANT", "TRANDOM", "TDEQUANT"];

fn word(pipe: Pipe) -> &'static str {
    match pipe {
        Pipe::Scalar => "PIPE_S",
        Pipe::Vector => "PIPE_V",
        Pipe::Matrix => "PIPE_M",
        Pipe::Mte1 => "PIPE_MTE1",
        Pipe::Mte2 => "PIPE_MTE2",
        Pipe::Mte3 => "PIPE_MTE3",
        Pipe::Fixpipe => "PIPE_FIX",
        _ => "PIPE_ALL",
    }
}

/// Instructions that always run on the same pipe, by the names of their intrinsics.
fn instructions() -> Vec<(String, &'static str)> {
    let mut all: Vec<(String, &'static str)> = Vec::new();
    let sets = [
        Set::Elementwise,
        Set::TileScalar,
        Set::Reduce,
        Set::Expand,
        Set::Matmul,
        Set::Layout,
        Set::Irregular,
    ];
    let is_named = |op: &Op| sets.contains(&op.page().set) && !WITHOUT.contains(&op.page().name);
    for op in Op::all().filter(is_named) {
        let Some(instruction) = op.instruction() else { continue };
        let name = op.page().name.replace('.', "_").to_uppercase();
        let sites = legal_sites(instruction).into_iter().flat_map(|(_, sites)| sites);
        let mut pipes: Vec<Pipe> = sites.map(|site| instruction.pipe(&site)).collect();
        pipes.dedup();
        let pipe = match pipes.as_slice() {
            [pipe] => word(*pipe),
            [] if VECTOR.contains(&name.as_str()) => "PIPE_V",
            // An instruction on tiles of several locations is named by its vector path too.
            [_, ..] => "PIPE_V",
            [] => continue,
        };
        let known = |(other, _): &(&str, &str)| *other == name;
        if !CLASSES.iter().any(known) {
            all.push((name, pipe));
        }
    }
    all
}

/// The header.
pub(super) fn names() -> String {
    let classes = CLASSES.iter().map(|(name, pipe)| (name.to_string(), *pipe));
    let all: Vec<(String, &str)> = classes.chain(instructions()).collect();
    let mut text = String::from(
        "// The names of instructions in events, written from the registry of instructions; not for editing.\n\
         #ifndef PTO_OPS_HPP\n#define PTO_OPS_HPP\n\n#include \"pto/enumerations.hpp\"\n\nnamespace pto {\n\n\
         /// A class of instructions that one pipe runs.\nenum class Op : std::uint16_t {\n",
    );
    for (name, _) in &all {
        writeln!(text, "    {name},").expect("text grows");
    }
    text.push_str("};\n\nnamespace detail {\n\n/// The pipe that runs a class of instructions.\n");
    text.push_str("constexpr pipe_t pipe_of(Op op) {\n    switch (op) {\n");
    let mut others: Vec<&str> = all.iter().map(|(_, pipe)| *pipe).filter(|pipe| *pipe != "PIPE_V").collect();
    others.sort_unstable();
    others.dedup();
    for pipe in others {
        for (name, _) in all.iter().filter(|(_, own)| *own == pipe) {
            writeln!(text, "    case Op::{name}:").expect("text grows");
        }
        writeln!(text, "        return {pipe};").expect("text grows");
    }
    text.push_str("    default:\n        return PIPE_V;\n    }\n}\n\n");
    text + "} // namespace detail\n} // namespace pto\n\n#endif\n"
}
