//! A toolchain for the PTO tile ISA: read programs, check them for a target, run them anywhere.
//!
//! PTO (Parallel Tile Operation) is a virtual instruction set for NPUs whose cores compute on *tiles*: matrices of
//! a few kilobytes in on-chip buffers that software manages. The following concepts are used throughout.
//!
//! # Tile
//!
//! A tile is a matrix of one number format at an address in one on-chip buffer. Its type
//! ([`isa::TileType`]) fixes the buffer ([`isa::Location`]: `vec` in the unified buffer of a vector core, `mat`
//! in L1, `left`, `right` and `acc` around the matrix unit, ...), rows and columns, and the order of elements.
//! A tile is only bytes: two tiles at overlapping addresses alias, whatever their types, and programs rely on
//! it, for instance to read a column of sums as a row.
//!
//! # Valid region
//!
//! The declared shape is the storage that the buffer reserves; the *valid region* is the number of rows and
//! columns that hold data. It is static, or given at run time (`v_row=?`). Instructions compute on valid regions;
//! elements outside are undefined or padding.
//!
//! # Layout
//!
//! Elements are stored row-major (ND), column-major (DN), or in boxes of 16 rows by 32 bytes (NZ, ZN, ZZ, NN), as
//! the matrix unit requires. [`isa::Layout`] gives the offset of each element. A move between layouts changes the
//! offset of an element, never its row and column.
//!
//! Feature maps and filters of convolutions are tiles of another type, [`isa::ConvTileType`]: four to six dimensions,
//! such as image, channel block, row, column and channel (NC1HWC0), the last innermost.
//!
//! # Profile
//!
//! A profile is a target's subset of the instruction set: capacities, alignments, element types, layouts.
//! [`Profile::A2A3`] and [`Profile::A5`] are the public targets; [`Profile::Cpu`] accepts everything that any target
//! accepts. Findings have three severities ([`diag::Severity`]): an *error* if no source accepts the program, an
//! *extension* if only a newer page or a device's headers accept it, a *lint* if it is legal but depends on undefined
//! behaviour.
//!
//! # Pipe and event
//!
//! A core issues instructions to *pipes* ([`isa::Pipe`]) that run concurrently: loads on MTE2, vector arithmetic
//! on V, matrix products on M, stores on MTE3 and FIX. Programs order them with flags, identified by *event*
//! identifiers ([`isa::EventId`]). The machine here runs in program order, which is one of the orders that a
//! correctly synchronized program allows.
//!
//! # From text to results
//!
//! ```
//! use pto::sim::{Options, Value};
//!
//! let source = r#"
//! func.func @double(%x: !pto.ptr<f32>, %y: !pto.ptr<f32>) {
//!   %c1 = arith.constant 1 : index
//!   %c8 = arith.constant 8 : index
//!   %c0 = arith.constant 0 : index
//!   %xs = pto.make_tensor_view %x, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
//!   %ys = pto.make_tensor_view %y, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
//!   %xp = pto.partition_view %xs, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
//!   %yp = pto.partition_view %ys, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
//!   %a = pto.alloc_tile : !pto.tile_buf<vec, 1x8xf32>
//!   pto.tload ins(%xp : !pto.partition_tensor_view<1x8xf32>) outs(%a : !pto.tile_buf<vec, 1x8xf32>)
//!   pto.tadd ins(%a, %a : !pto.tile_buf<vec, 1x8xf32>, !pto.tile_buf<vec, 1x8xf32>) outs(%a : !pto.tile_buf<vec, 1x8xf32>)
//!   pto.tstore ins(%a : !pto.tile_buf<vec, 1x8xf32>) outs(%yp : !pto.partition_tensor_view<1x8xf32>)
//!   return
//! }"#;
//! let parsed = pto::parse(source).expect("well-formed text");
//! let checked = pto::check(parsed.module, None).expect("a legal program");
//! let program = pto::Program::decode(&checked, None).expect("a program that runs");
//! let x: Vec<u8> = (0..8).flat_map(|i| (i as f32).to_le_bytes()).collect();
//! let values = vec![Value::buffer(x), Value::buffer(vec![0; 32])];
//! let outcome = program.launch(values, &Options::default(), &mut []).expect("a run to its end");
//! assert_eq!(outcome.buffers[1].bytes[28..], 14f32.to_le_bytes());
//! ```
//!
//! # Features
//!
//! `run`, on by default, adds the machine: launches, observers, sequences, the timeline. Without it the library parses,
//! checks, analyses, rewrites, formats and explains, and compiles in a fraction of the time. `intrinsics`, on by
//! default too, adds the instructions as methods. `serde` reads descriptions of launches from files.
//!
//! # Crates
//!
//! Depend on this crate: its items are the stable ones. It is built on `pto-isa`, `pto-lang`, `pto-machine` and
//! `pto-typed`, whose other public items serve the crates of this repository and may change.

pub mod advice;
#[cfg(feature = "run")]
pub mod data;
#[cfg(feature = "run")]
pub mod launch;
#[cfg(feature = "run")]
pub mod lowering;
#[cfg(feature = "run")]
pub mod prove;
#[cfg(feature = "run")]
pub mod sequence;
pub mod shrink;
#[cfg(feature = "run")]
pub mod timeline;

#[cfg(feature = "run")]
#[doc(inline)]
pub use lowering::lower;
pub use pto_isa::{Profile, diag};
pub use pto_lang::{Checked, build, check, ir, parse, text};
#[cfg(feature = "run")]
pub use pto_machine::{Program, log};
#[cfg(feature = "intrinsics")]
pub use pto_typed as intrinsics;

/// The instruction set: formats, tiles, layouts, buffers, pipes, profiles and instructions.
pub mod isa {
    #[doc(inline)]
    pub use pto_isa::{
        BLayout, Buffer, CompactMode, ConvLayout, ConvTileType, Element, EventId, Layout, LayoutName,
        Location, Op, Pad, Pipe, Profile, SLayout, TileType, ValidRegion, attribute, conv, device, dialect,
        element, foreign, language, layout, meaning, memory, op, pipe, profile, registry, rule, rules, tile,
        types, watcher,
    };
}

/// Static analyses of a module. Results are computed on demand and not cached.
pub mod analysis {
    #[doc(inline)]
    pub use pto_lang::analysis::{
        BufferView, Direction, Expression, Expressions, Facts, FlagPair, Graph, Interface, Inventory,
        Liveness, Node, Parameter, ParameterKind, Range, Role, Steering, Storage, Synchronization, Target,
        Tile, Touch, Use, Way, touches,
    };
}

/// Passes: transformations of a module that preserve its semantics.
pub mod passes {
    #[doc(inline)]
    pub use pto_lang::passes::{
        BufferPlan, Canonicalized, Choices, Insertion, Joins, LowerOptions, Lowered, Place, Reasoned, Reuse,
        Slots, SynchronizeBy, candidates, canonicalize, lower, place, plan, synchronize,
    };
}

/// The machine: global memory, cores, on-chip buffers. A program is decoded once, then run.
#[cfg(feature = "run")]
pub mod sim {
    #[doc(inline)]
    pub use pto_machine::sim::{
        Argument, ArgumentKind, Audit, BufferState, Control, DEFAULT_MAX_STEPS, DecodeError, DivisionByZero,
        IndexUnit, Lent, MAX_RANKS, Observer, Options, Outcome, Printed, Program, Schedule, Shown, Signature,
        Storage, Value, measure, measure_ranks, rank_base, within_buffer,
    };
}

/// Observers of a launch: watchers, logs, records. Each belongs to the caller, and has a result of its own.
#[cfg(feature = "run")]
pub mod observe {
    #[doc(inline)]
    pub use pto_machine::observe::{
        Assumed, ConflictBytes, Contents, Dump, Dumper, Examined, KeepContents, MOST_SNAPSHOTS, Snapshot,
        Snapshots, TileContents, Tracer, Watch, WatchOptions, Watched, Watcher, Watchers, Writer, Writes,
        limited, log, watch,
    };
}
