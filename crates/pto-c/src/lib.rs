//! The library behind the C++ headers in `cpp/include`: kernels in C++ run on the machine, unchanged.
//!
//! A kernel is compiled with an ordinary compiler. Each intrinsic of the headers is inlined into it and calls [`abi::pto_call`] with a
//! *form*, which says as text what the call does, and with its operands. The first call of a place makes a part of a live launch
//! ([`form`], [`pto::launch::live`]), each call runs it. Control flow, scalars and global memory are those of the process.
//!
//! | module | holds |
//! |---|---|
//! | [`abi`] | the functions of `pto.h`: no unwinding, no return after a finding |
//! | [`cores`] | cores as threads that hand the turn to each other |
//! | [`form`] | forms as parts |
//! | [`ranks`], `outsiders` | ranks as threads that run one at a time; threads of somebody else, which become cores |
//! | [`announced`], `plain` | plain loads and stores of kernels that are compiled with `-fsanitize=thread`, as accesses of the scalar unit |
//! | [`host`] | host memory as global memory |
//! | [`session`] | the launches of a process, and what they share; `calls` and `tiles` are two of its sides, `turns` hands the turn from thread to thread, `key` finds sites again, `caller` reads memory of the caller |
//! | [`redirected`] | what kernels print while stdout is for a report |
//! | [`findings`] | findings and recordings with the lines and names of the kernel |
//! | `command`, [`linked`] | commands such as `pto run` of a kernel in C++, in the program that they make of the kernel; the kernels of a file |
//! | [`loaded`] | kernels in shared objects that this process loads, as the package for Python does |
//! | [`invoke`] | calls of functions whose parameters are known when the program runs |
//! | [`lines`] | from addresses to source lines |
//! | [`save`] | the calls of a block as a program in text |
//!
//! A process sets what it wants by its environment: `PTO_WATCH=race,sync,init,mem` has the launches watched, `PTO_STOP=first` stops at the
//! first error that a watcher finds, `PTO_SAVE=k.pto` saves the calls of block 0 as a program, `PTO_TARGET` must be the target for which the kernels were compiled.

pub mod abi;
pub mod announced;
mod caller;
mod calls;
#[cfg(feature = "command")]
pub mod command;
pub mod cores;
pub mod findings;
pub mod form;
pub mod host;
pub mod invoke;
mod key;
pub mod lines;
pub mod linked;
pub mod loaded;
mod outsiders;
mod plain;
pub mod ranks;
pub mod redirected;
pub mod save;
pub mod session;
mod tiles;
mod turns;
