//! The target and the kind of cores for which a source is compiled, and their macros.
//!
//! Kernels select their code in the preprocessor, so one compilation holds the code of one kind of core. In order of
//! precedence, the kind follows from `--cores`, the vendor's options, a macro on the command line, or the code in the
//! source. A source with code for both kinds, or with a choice between them, leaves the kind open: a guess would silently
//! leave out half of the source.

use super::arguments::{Argument, Role};
use super::tokens::{Kind, tokens};
use crate::args::{Cores, Target};
use pto::data::DataError;
use std::ffi::OsString;

/// Target and cores by the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) target: Option<Target>,
    pub(crate) cores: Option<Cores>,
    /// The number of the architecture, if it is another than the usual one of the target.
    pub(crate) number: Option<u32>,
    /// Whether the compiler places tiles and synchronizes: `--cce-pto-auto-enable`.
    pub(crate) is_automatic: bool,
}

/// Reads the vendor's options and the macros of the command line.
///
/// # Errors
/// An architecture that is not known.
pub(crate) fn said(arguments: &[Argument]) -> Result<Said, DataError> {
    let mut said = Said::default();
    for argument in arguments {
        let text = argument.text();
        if let Some(name) = text.strip_prefix("--cce-aicore-arch=").or(text.strip_prefix("--npu-arch=")) {
            architecture(name, &mut said).ok_or_else(|| unknown(&text))?;
        } else if text == "--cce-pto-auto-enable" {
            said.is_automatic = true;
        } else if argument.role == Role::Other
            && let Some(defined) = text.strip_prefix("-D")
        {
            let name = defined.trim_start().split('=').next().unwrap_or_default();
            match name {
                "MEMORY_BASE" => said.target = said.target.or(Some(Target::A2a3)),
                "REGISTER_BASE" => said.target = said.target.or(Some(Target::A5)),
                _ if is_choice(name) => said.cores = said.cores.or(Some(chosen(name))),
                _ => {}
            }
        }
    }
    Ok(said)
}

/// `dav-c220-vec`, `dav-c220`, `dav-2201` and their like for A5.
fn architecture(name: &str, said: &mut Said) -> Option<()> {
    let mut parts = name.strip_prefix("dav-")?.splitn(2, '-');
    let number = parts.next()?;
    said.target = Some(match number.trim_start_matches('c') {
        "220" | "2201" => Target::A2a3,
        "310" | "3101" | "3510" => Target::A5,
        _ => return None,
    });
    said.number = number.parse().ok();
    said.cores = Some(match parts.next() {
        None => Cores::Mixed,
        Some("vec") => Cores::Vector,
        Some("cube") => Cores::Cube,
        Some(_) => return None,
    });
    Some(())
}

fn unknown(text: &str) -> DataError {
    DataError::misuse(format!("{text}: this architecture is not known")).with_help(
        "known are dav-c220 and dav-2201 (a2a3), dav-c310, dav-3101 and dav-3510 (a5), with -vec or -cube; or say `--target` and `--cores`",
    )
}

/// Options that define the macros of a target and a kind of core.
pub(crate) fn macros(target: Target, cores: Cores, number: Option<u32>) -> Vec<OsString> {
    let (own, architecture) = match target {
        Target::Cpu => (&["PTO_TARGET_CPU"][..], None),
        Target::A2a3 => (&["PTO_TARGET_A2A3", "PTO_NPU_ARCH_A2A3", "MEMORY_BASE"][..], Some((220, 2201))),
        Target::A5 => (&["PTO_TARGET_A5", "PTO_NPU_ARCH_A5", "REGISTER_BASE"][..], Some((310, 3101))),
    };
    let (kind, short) = match cores {
        Cores::Cube => ("PTO_CORES_CUBE", "CUBE"),
        Cores::Vector | Cores::Mixed => ("PTO_CORES_VECTOR", "VEC"),
    };
    let mut macros: Vec<String> = own.iter().map(|name| format!("-D{name}")).collect();
    if let Some((core, usual)) = architecture {
        let number = number.unwrap_or(usual);
        macros.extend([format!("-D__CCE_AICORE__={core}"), format!("-D__NPU_ARCH__={number}")]);
        macros.push(format!("-D__DAV_C{core}_{short}__"));
    }
    macros.extend([format!("-D{kind}"), format!("-D__DAV_{short}__")]);
    macros.into_iter().map(OsString::from).collect()
}

/// The kind of core for which a source has code. A source without such code has none: a program of the host, for example.
///
/// # Errors
/// A sentence that asks, if the source has code for both kinds.
pub(crate) fn of_source(name: &str, text: &str) -> Result<Option<Cores>, DataError> {
    let mut found: [Option<(usize, String)>; 2] = [None, None];
    for (at, word) in words(text) {
        let Some(cores) = hint(&word) else { continue };
        let first = &mut found[usize::from(cores == Cores::Cube)];
        if first.is_none() {
            *first = Some((1 + text[..at].matches('\n').count(), word));
        }
    }
    match found {
        [None, None] => Ok(None),
        [Some(_), None] => Ok(Some(Cores::Vector)),
        [None, Some(_)] => Ok(Some(Cores::Cube)),
        [Some((vector_line, vector)), Some((cube_line, cube))] => Err(DataError::misuse(format!(
            "{name}: for which cores? It mentions vector cores (line {vector_line}: {vector}) and cube cores (line {cube_line}: {cube})"
        ))
        .with_help("say `--cores vector` or `--cores cube`, or `--cores mixed` if its kernels run on both")),
    }
}

/// Words of a text outside of comments and literals, with their offsets. A word of an enumeration has its form
/// `TileType::Vec`.
fn words(text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    let all = tokens(text, 0..text.len(), true);
    for (at, token) in all.iter().enumerate() {
        let word = &text[token.span.clone()];
        match token.kind {
            Kind::Word
                if at >= 2
                    && all[at - 1].kind == Kind::Scope
                    && text[all[at - 2].span.clone()] == *"TileType" =>
            {
                words.push((token.span.start, format!("TileType::{word}")));
            }
            Kind::Word => words.push((token.span.start, word.to_owned())),
            Kind::Directive => {
                let inner = tokens(text, token.span.clone(), false);
                let inner = inner.iter().filter(|token| token.kind == Kind::Word);
                words.extend(inner.map(|token| (token.span.start, text[token.span.clone()].to_owned())));
            }
            _ => {}
        }
    }
    words
}

/// The kind of core of which a word is a sign.
fn hint(word: &str) -> Option<Cores> {
    const CUBE: [&str; 10] = [
        "TileLeft",
        "TileRight",
        "TileAcc",
        "TileLeftScale",
        "TileRightScale",
        "TileLeftCompact",
        "TileRightCompact",
        "TileType::Left",
        "TileType::Right",
        "TileType::Acc",
    ];
    let is_product = word.starts_with("TMATMUL") || word.starts_with("TGEMV");
    match word {
        "TileType::Vec" => Some(Cores::Vector),
        _ if is_choice(word) => Some(chosen(word)),
        _ if CUBE.contains(&word) || is_product => Some(Cores::Cube),
        _ => None,
    }
}

/// Whether a word is a macro that selects the cores for which code is compiled: `__DAV_VEC__`, `__DAV_C220_CUBE__`.
fn is_choice(word: &str) -> bool {
    word.starts_with("__DAV_") && (word.ends_with("CUBE__") || word.ends_with("VEC__"))
}

fn chosen(word: &str) -> Cores {
    if word.ends_with("CUBE__") { Cores::Cube } else { Cores::Vector }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpp::arguments;

    fn read(line: &str) -> Result<Said, DataError> {
        said(&arguments::read(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>()))
    }

    #[test]
    fn the_vendors_options_name_target_and_cores() {
        let is = |line: &str, target, cores| {
            let said = read(line).expect(line);
            assert_eq!((said.target, said.cores), (target, cores), "{line}");
        };
        is("--cce-aicore-arch=dav-c220-vec", Some(Target::A2a3), Some(Cores::Vector));
        is("--cce-aicore-arch=dav-c310-cube", Some(Target::A5), Some(Cores::Cube));
        is("--cce-aicore-arch=dav-c220", Some(Target::A2a3), Some(Cores::Mixed));
        is("--npu-arch=dav-2201", Some(Target::A2a3), Some(Cores::Mixed));
        is("-D__DAV_VEC__ -D MEMORY_BASE=1", Some(Target::A2a3), Some(Cores::Vector));
        is("-O2 -DREGISTER_BASE", Some(Target::A5), None);
        assert_eq!(read("--npu-arch=dav-3510").expect("known").number, Some(3510));
        assert!(read("--cce-pto-auto-enable").expect("known").is_automatic);
        for unknown in ["--npu-arch=dav-1001", "--cce-aicore-arch=dav-c220-simt", "--npu-arch=x"] {
            assert!(read(unknown).expect_err(unknown).misuse);
        }
    }

    #[test]
    fn a_source_says_its_cores() {
        let kind = |text: &str| of_source("k.cpp", text).expect(text);
        assert_eq!(kind("int main() { /* TileLeft */ puts(\"TMATMUL\"); }"), None);
        assert_eq!(kind("Tile<pto :: TileType :: Vec, float, 8, 8> t;"), Some(Cores::Vector));
        assert_eq!(kind("#if defined(__DAV_VEC__)\nvoid k();\n#endif"), Some(Cores::Vector));
        assert_eq!(kind("TMATMUL_ACC(c, c, a, b);"), Some(Cores::Cube));
        assert_eq!(kind("TileType::Mat"), None);
        let error =
            of_source("k.cpp", "#ifdef __DAV_CUBE__\n#else\nTileType::Vec\n#endif").expect_err("both");
        assert!(error.misuse && error.message.contains("line 3: TileType::Vec"), "{error}");
        assert!(error.message.contains("line 1: __DAV_CUBE__"), "{error}");
    }

    #[test]
    fn macros_of_targets() {
        let line = |target, cores| {
            let macros = macros(target, cores, None);
            macros.iter().map(|one| one.to_string_lossy()[2..].to_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            line(Target::A2a3, Cores::Vector),
            "PTO_TARGET_A2A3 PTO_NPU_ARCH_A2A3 MEMORY_BASE __CCE_AICORE__=220 __NPU_ARCH__=2201 __DAV_C220_VEC__ \
             PTO_CORES_VECTOR __DAV_VEC__"
        );
        assert_eq!(line(Target::Cpu, Cores::Cube), "PTO_TARGET_CPU PTO_CORES_CUBE __DAV_CUBE__");
        assert!(
            line(Target::A5, Cores::Cube).contains("__CCE_AICORE__=310 __NPU_ARCH__=3101 __DAV_C310_CUBE__")
        );
    }
}
