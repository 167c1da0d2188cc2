//! The flags of `pto c++`, and those of other commands that compile kernels.

use clap::{Args, ValueEnum};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The last part of `--help`.
const CPP: &str = "Calls g++ (11 or newer) or clang++ (14 or newer) with the headers, macros and library of pto, so that kernels for the
vendor's compiler compile unchanged and run on this machine:

    pto c++ -O2 -shared -fPIC add.cpp -o libadd.so
    pto c++ -O2 main.cpp kernel.cpp -o demo && ./demo
    pto c++ --target a5 --cores cube -c matmul.cpp -o matmul.o
    pto c++ --show kernel.cpp            # the compiler's command lines
    cmake -DCMAKE_CXX_COMPILER='pto;c++' .
    pto c++ --as bisheng ascend && . ascend/set_env.sh && bash run.sh -r npu -v Ascend910B1

The last line is for build scripts that call the vendor's compiler: --as bisheng makes a folder with this command under the names bisheng
and ccec, and with a set_env.sh that puts the folder into PATH, ASCEND_HOME_PATH and ASCEND_TOOLKIT_HOME.

All other arguments go to the compiler unchanged; flags of this command may stand between them. The compiler is the one that
PTO_CXX names, else that of CXX, else g++, clang++, or one of their names with a version. Added are -g, since findings name lines,
-std=c++17 if no other standard is named, and at a link the library. Launches k<<<blocks, nullptr, stream>>>(args) become calls;
messages and debug information name the original file.

Without --target the vendor's --cce-aicore-arch and --npu-arch name the target, or -DMEMORY_BASE (a2a3) and -DREGISTER_BASE (a5);
else it is a2a3. Without --cores the vendor's flags name the kind of cores, or -D__DAV_VEC__ and -D__DAV_CUBE__; else it is the kind
for which the source has code: cube for products and their tiles, vector for vector tiles. A source that mentions both needs the flag;
one that mentions neither, such as a program of the host, is compiled for the cores of the other sources, else for vector cores.
Included files do not count. The vendor's flags and libraries do not reach the compiler, nor does -s: findings need symbols.

Headers and library are those beside this program, those in $PTO_HOME/include and $PTO_HOME/lib, or those of the source tree.
The exit status is that of the compiler; 2 if there is no compiler, or no headers.";

/// The flags of `pto c++`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = CPP)]
pub struct CppArgs {
    /// Device for which the source selects its code: cpu, a2a3 or a5. A triple is a flag of clang.
    #[arg(long, value_name = "PROFILE")]
    pub target: Option<String>,
    /// Kind of cores for which the source is compiled.
    #[arg(long, value_name = "KIND")]
    pub cores: Option<Cores>,
    /// Print the folder of the headers, and stop.
    #[arg(long)]
    pub include: bool,
    /// Print the flags that link the library, and stop.
    #[arg(long)]
    pub libs: bool,
    /// Print the command lines instead of running them.
    #[arg(long)]
    pub show: bool,
    /// Make a folder in which this command has the name of the vendor's compiler, and stop.
    #[arg(long = "as", value_name = "NAME")]
    pub name: Option<Vendor>,
    /// The arguments of the compiler.
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

/// Compilers of vendors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Vendor {
    /// That of CANN, whose older name is `ccec`.
    Bisheng,
}

impl Vendor {
    /// The names of the program.
    pub const BISHENG: [&str; 2] = ["bisheng", "ccec"];
}

/// The arguments of the command for those of its process: under a name of the vendor's compiler all are those of `pto c++`.
pub fn of_process(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut words: Vec<OsString> = words.into_iter().collect();
    let name = words.first().and_then(|name| Path::new(name).file_name());
    if name.and_then(OsStr::to_str).is_some_and(|name| Vendor::BISHENG.contains(&name)) {
        words.insert(1, "c++".into());
    }
    words
}

/// Kinds of cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Cores {
    /// Vector cores: a block is one vector core.
    Vector,
    /// Cube cores: a block is one cube core.
    Cube,
    /// Both: a block is a cube core and two vector cores. The source is compiled for each kind.
    Mixed,
}

/// The last part of `pto run --help`.
pub(super) const RUN: &str = "A kernel in C++ runs as a program in text does:

    pto run kernel.cpp --entry add -i x=x.npy -i y=randn:16x64 --expect z=want.npy --watch all
    pto run kernel.cpp -i x=f16:x.bin -i n=16 -o y=y.npy -i y=zeros:32x64 -- -I include

The source is compiled as by `pto c++`, with the target of --target and the cores of --cores; arguments after `--` are those of the compiler.
A buffer has the size of its array: a file, a generator with a shape, or the array of --expect, which leaves the buffer unwritten. A format
in front of a source, such as f32:x.bin, says what a `void *` or a pointer to bytes points to; a .npy file says it itself.";

/// The compilation of a kernel in C++.
#[derive(Clone, Debug, Default, Args)]
pub struct KernelArgs {
    /// For a kernel in C++: the kind of cores for which it is compiled. Default: the kind for which its source has code.
    #[arg(long, value_name = "KIND")]
    pub cores: Option<Cores>,
    /// For a kernel in C++: arguments of the compiler.
    #[arg(last = true, value_name = "ARG")]
    pub compiler: Vec<OsString>,
}
