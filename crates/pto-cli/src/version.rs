//! The version of the command, of its sources, and of the crates of others in it.

/// The version, and the commit of the sources where it is known.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("PTO_COMMIT"));

/// Name, version and licence of each crate of others that the command or the library of C++ kernels contains, one a line,
/// for x86-64 Linux. A test compares the file with `Cargo.lock`.
pub const DEPENDENCIES: &str = include_str!("dependencies.txt");

/// The answer to `pto --version --verbose`.
pub fn details() -> String {
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("pto {VERSION}\nfor {arch} {os}, under MIT OR Apache-2.0; with\n{DEPENDENCIES}")
}
