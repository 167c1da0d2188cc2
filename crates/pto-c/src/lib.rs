//! The library of the C++ headers in `cpp/include`: kernels in C++ run on the machine, unchanged.
//!
//! A kernel is compiled with an ordinary compiler. Each intrinsic of the headers is inlined into the kernel and calls
//! [`abi::pto_call`] with a *form*, which describes the operation as text, and with its operands. The first call at a
//! code address makes a part of a live launch ([`form`], [`pto::launch::live`]), and each call runs that part. Control
//! flow, scalars and global memory are those of the process.
//!
//! | module | holds |
//! |---|---|
//! | [`abi`] | the functions of `pto.h`: no unwinding, no return after a finding |
//! | [`cores`] | cores as threads that hand the turn to each other |
//! | [`form`] | forms as parts |
//! | [`ranks`], `outsiders` | ranks as threads that run one at a time; threads that no launch has started, which become cores |
//! | [`announced`], `plain` | plain loads and stores as accesses of the scalar unit, of kernels compiled with `-fsanitize=thread` |
//! | [`host`] | host memory as global memory |
//! | [`session`], `calls`, `tiles` | the launches of a process, and their shared state |
//! | `turns`, `key`, `caller` | passes the turn between threads; finds sites again; reads memory of the caller |
//! | [`redirected`] | output of kernels while stdout is reserved for a report |
//! | [`findings`] | findings and recordings with the lines and names of the kernel |
//! | `command` | commands such as `pto run` of a kernel in C++, in the program that they make of the kernel |
//! | [`linked`] | the kernels of a file |
//! | [`loaded`] | kernels in shared objects that this process loads, as the package for Python does |
//! | [`invoke`] | calls of functions whose parameters are known when the program runs |
//! | [`lines`] | from addresses to source lines |
//! | [`save`] | the calls of a block as a program in text |
//!
//! The environment of the process configures the launches: `PTO_WATCH=race,sync,init,mem` selects watchers,
//! `PTO_STOP=first` stops at the first error that a watcher finds, `PTO_SAVE=k.pto` saves the calls of block 0 as a
//! program, `PTO_TARGET` must be the target for which the kernels were compiled.

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
