// The words of device compilers that an ordinary C++ compiler lacks. All kernel code runs on the host, so words for
// address spaces and for kinds of functions mean nothing here.
#ifndef PTO_KEYWORDS_HPP
#define PTO_KEYWORDS_HPP

// A file may define these two before it includes this header, as `[aicore]`, which only the vendor's compiler accepts.
#undef __aicore__
#define __aicore__
#undef AICORE
#define AICORE

// A file may define these before it includes this header, and means the same by them.
#ifndef __global__
#define __global__
#endif
#ifndef __gm__
#define __gm__
#endif
#ifndef __ubuf__
#define __ubuf__
#endif
#ifndef __cbuf__
#define __cbuf__
#endif
#ifndef __ca__
#define __ca__
#endif
#ifndef __cb__
#define __cb__
#endif
#ifndef __cc__
#define __cc__
#endif
#ifndef __fbuf__
#define __fbuf__
#endif
#ifndef __biasbuf__
#define __biasbuf__
#endif
#ifndef __tf__
#define __tf__
#endif
#ifndef __in__
#define __in__
#endif
#ifndef __out__
#define __out__
#endif

// Instructions are inlined into the kernel even without optimization: then the return address of the remaining call is
// in the kernel, and debug information maps it to the kernel's line. Instructions are hidden, so that the objects of a
// mixed kernel, one for each kind of core, do not share constants of equal names and different values.
#ifdef PTO_INST
#error "other headers of PTO were included before these: compile with the include folder of `pto c++ --include` alone"
#endif
#define PTO_INST inline __attribute__((always_inline, visibility("hidden")))
#ifndef PTO_INTERNAL
#define PTO_INTERNAL inline __attribute__((always_inline))
#endif
#ifndef PTO_INLINE
#define PTO_INLINE inline __attribute__((always_inline))
#endif

// Some kernels define the missing PIPE_FIX as a macro; here it is an enumerator.
#undef PIPE_S
#undef PIPE_V
#undef PIPE_M
#undef PIPE_MTE1
#undef PIPE_MTE2
#undef PIPE_MTE3
#undef PIPE_ALL
#undef PIPE_FIX

#if defined(PTO_TARGET_A2A3) + defined(PTO_TARGET_A5) + defined(PTO_TARGET_CPU) > 1
#error "PTO_TARGET_A2A3, PTO_TARGET_A5 and PTO_TARGET_CPU exclude each other"
#endif

#endif
