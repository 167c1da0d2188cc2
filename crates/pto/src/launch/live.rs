//! Launches that are driven from outside, call by call: for kernels in C++, notebooks and tests.
//!
//! ```
//! use pto::Profile;
//! use pto::launch::live::{Argument, Called, Live, Tile};
//! use pto::observe::{Watch, WatchOptions, Watchers};
//! use pto::sim::{Options, Storage};
//!
//! // Two parts: a load of a vector from global memory, and an addition.
//! let vector = "!pto.tile_buf<vec, 1x8xf32>";
//! let load = format!(
//!     "func.func @load(%p: !pto.ptr<f32>, %t: {vector}) {{
//!        %c0 = arith.constant 0 : index
//!        %c1 = arith.constant 1 : index
//!        %c8 = arith.constant 8 : index
//!        %v = pto.make_tensor_view %p, shape = [%c1, %c8], strides = [%c8, %c1] : !pto.tensor_view<1x8xf32>
//!        %w = pto.partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c8] : !pto.tensor_view<1x8xf32> -> !pto.partition_tensor_view<1x8xf32>
//!        pto.tload ins(%w : !pto.partition_tensor_view<1x8xf32>) outs(%t : {vector})
//!        return
//!      }}"
//! );
//! let add = format!(
//!     "func.func @add(%a: {vector}, %b: {vector}) {{
//!        pto.tadd ins(%a, %a : {vector}, {vector}) outs(%b : {vector})
//!        return
//!      }}"
//! );
//! let profile = Profile::from_word("a2a3").expect("a profile");
//! let watch = Watch::live(profile, &WatchOptions::from(Watchers::ALL), &Options::default());
//! let mut live = Live::new(profile, Options::default(), watch);
//! let (load, add) = (live.define(&load)?, live.define(&add)?);
//! let x = live.buffer("x", Storage::from(1f32.to_le_bytes().repeat(8)), true)?;
//!
//! live.begin_launch(0, 1)?;
//! let core = live.begin_block(0)?[0];
//! let tile = |address, serial| Argument::Tile(Tile { address, rows: 1, cols: 8, serial });
//! live.call(core, load, &[Argument::Pointer(x), tile(0, 1)])?;
//! // On a device the pipe V would have to wait for MTE2 here.
//! assert_eq!(live.call(core, add, &[tile(0, 1), tile(32, 2)])?, Called::Done);
//! assert_eq!(live.on_chip(core, pto::isa::Buffer::Ub, 32, 4)?, 2f32.to_le_bytes());
//! live.end_core(core)?;
//! live.end_launch(0)?;
//!
//! let findings = live.finish().observer.into_watched().findings;
//! assert_eq!(findings[0].rule.to_string(), "race::no-sync");
//! # Ok::<(), Vec<pto::diag::Diagnostic>>(())
//! ```

#[doc(inline)]
pub use pto_machine::sim::Unobserved;
#[doc(inline)]
pub use pto_machine::sim::live::{
    AUTOMATIC, Argument, Called, Core, Cores, Finished, Live, OUTSIDE, Part, Tile,
};
