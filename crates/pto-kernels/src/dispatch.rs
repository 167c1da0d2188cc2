//! SIMD levels, and the macro that compiles one body into one function per level.
//!
//! A kernel is written once, as the `run` method of a body type, marked `#[inline(always)]`. The macro `multiversion!`
//! wraps it into one function per [`Level`], each compiled with that level's target features, and defines a selector
//! that returns a plain `fn` pointer. All levels produce the same bits.

use std::cell::Cell;
use std::sync::OnceLock;

/// The instruction sets that kernels are compiled for, in ascending order. A host has only those of its architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// The instructions that the compilation target guarantees.
    Portable,
    /// aarch64: NEON, fused multiply-adds and conversions of f16, which every host has.
    Neon,
    /// x86-64 with AVX2, FMA, F16C, BMI1 and BMI2.
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ and VL, in addition to those of [`Avx2`](Level::Avx2).
    Avx512,
}

thread_local! {
    static CEILING: Cell<Level> = const { Cell::new(Level::Avx512) };
}

/// The level of kernels that are selected now, on this thread.
pub fn level() -> Level {
    CEILING.get().min(detected())
}

/// Every level that this host can run, [`Level::Portable`] first.
pub fn levels() -> impl Iterator<Item = Level> {
    // On a NEON host the levels above it are of another architecture; on x86-64, NEON is.
    let is_here = |&level: &Level| level <= detected() && (level != Level::Neon || detected() == Level::Neon);
    [Level::Portable, Level::Neon, Level::Avx2, Level::Avx512].into_iter().filter(is_here)
}

/// Runs `body` with the kernels selected on this thread limited to `ceiling`. For tests.
///
/// If the host lacks the level, the best lower level that the host has is used.
pub fn with_level<R>(ceiling: Level, body: impl FnOnce() -> R) -> R {
    struct Restore(Level);
    impl Drop for Restore {
        fn drop(&mut self) {
            CEILING.set(self.0);
        }
    }
    let within = levels().filter(|&level| level <= ceiling).last().unwrap_or(Level::Portable);
    let _restore = Restore(CEILING.replace(within));
    body()
}

/// The best level of this host.
fn detected() -> Level {
    static DETECTED: OnceLock<Level> = OnceLock::new();
    *DETECTED.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") && has!("fma") && has!("f16c") && has!("bmi1") && has!("bmi2") {
                if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                    return Level::Avx512;
                }
                return Level::Avx2;
            }
        }
        // The NEON loops assume that vector lanes are memory words in order (little endian). Miri lacks some
        // instructions.
        if cfg!(all(target_arch = "aarch64", target_endian = "little", not(miri))) {
            return Level::Neon;
        }
        Level::Portable
    })
}

/// Instructions that a body may use beyond plain arithmetic, where a specialized step is faster. The results are the
/// same bits.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))] // Others have no bodies of their own for what is there.
pub(crate) trait Features: 'static {
    /// Whether fused multiply-adds, and conversions between f16 and f32, are instructions. True only inside functions
    /// of [`Level::Neon`], [`Level::Avx2`] and [`Level::Avx512`].
    const FUSED: bool;
    /// Whether AVX2 is available too. True only inside functions of [`Level::Avx2`] and above.
    const AVX2: bool = Self::FUSED && cfg!(target_arch = "x86_64");
    /// Whether AVX-512 is available. True only inside functions of [`Level::Avx512`].
    const AVX512: bool = false;
}

/// Features of [`Level::Portable`].
pub(crate) struct Plain;
/// Features of [`Level::Neon`] and [`Level::Avx2`].
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(crate) struct Fused;
/// Features of [`Level::Avx512`].
#[cfg(target_arch = "x86_64")]
pub(crate) struct Wide;

impl Features for Plain {
    const FUSED: bool = false;
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl Features for Fused {
    const FUSED: bool = true;
}

#[cfg(target_arch = "x86_64")]
impl Features for Wide {
    const FUSED: bool = true;
    const AVX512: bool = true;
}

/// Declares a body trait and its selector: `multiversion!(Trait, selector, fn(name: Type, ...) -> Result)`.
///
/// `selector::<Body>()` returns the `fn` pointer for the current level.
macro_rules! multiversion {
    ($(#[$doc:meta])* $body:ident, $select:ident, fn($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?) => {
        $(#[$doc])*
        pub(crate) trait $body {
            /// The loop itself, `#[inline(always)]` in every implementation.
            fn run<F: $crate::dispatch::Features>($($arg: $ty),*) $(-> $ret)?;
        }

        /// The body compiled for the current level.
        #[allow(clippy::type_complexity)]
        pub(crate) fn $select<B: $body>() -> fn($($ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2")]
                #[allow(clippy::too_many_arguments)]
                fn avx2_inner<B: $body>($($arg: $ty),*) $(-> $ret)? {
                    B::run::<$crate::dispatch::Fused>($($arg),*)
                }
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,bmi1,bmi2")]
                #[allow(clippy::too_many_arguments)]
                fn avx512_inner<B: $body>($($arg: $ty),*) $(-> $ret)? {
                    B::run::<$crate::dispatch::Wide>($($arg),*)
                }
                #[allow(clippy::too_many_arguments)]
                fn avx2<B: $body>($($arg: $ty),*) $(-> $ret)? {
                    // SAFETY: reached only through the selector below, which returns this function only at
                    // `Level::Avx2` or above, that is, after these features were detected.
                    unsafe { avx2_inner::<B>($($arg),*) }
                }
                #[allow(clippy::too_many_arguments)]
                fn avx512<B: $body>($($arg: $ty),*) $(-> $ret)? {
                    // SAFETY: as above, for `Level::Avx512`.
                    unsafe { avx512_inner::<B>($($arg),*) }
                }
                match $crate::dispatch::level() {
                    $crate::dispatch::Level::Avx512 => return avx512::<B>,
                    $crate::dispatch::Level::Avx2 => return avx2::<B>,
                    $crate::dispatch::Level::Neon | $crate::dispatch::Level::Portable => {}
                }
            }
            // No wrapper function is needed: NEON is among the features of the compilation target.
            #[cfg(target_arch = "aarch64")]
            if $crate::dispatch::level() == $crate::dispatch::Level::Neon {
                return B::run::<$crate::dispatch::Fused>;
            }
            B::run::<$crate::dispatch::Plain>
        }
    };
}
pub(crate) use multiversion;

/// Runs `$step` for each chunk, given its first element and its length. The length of whole chunks is a constant.
///
/// A macro, because a closure called at two places is not inlined, and then not compiled for the level.
macro_rules! each_chunk {
    ($count:expr, $chunk:expr, |$start:ident, $length:ident| $step:expr) => {{
        let whole = $count - $count % $chunk;
        for $start in (0..whole).step_by($chunk) {
            let $length = $chunk;
            $step;
        }
        if whole < $count {
            let ($start, $length) = (whole, $count - whole);
            $step;
        }
    }};
}
pub(crate) use each_chunk;
