// Constructs outside the tile instruction set: micro-instructions, SIMT and copies of CCE. A use does not compile, and
// the error explains it.
#ifndef PTO_REFUSED_HPP
#define PTO_REFUSED_HPP

namespace pto {
namespace detail {

template <typename...>
inline constexpr bool never = false;

} // namespace detail
} // namespace pto

#ifndef __VEC_SCOPE__
#define __VEC_SCOPE__                                                                                                  \
    static_assert(false, "micro-instructions (__VEC_SCOPE__) are no tile instructions: write the loop with tiles");
#endif
// The word is among the specifiers of a function, where no declaration is possible.
#ifndef __simt_vf__
#define __simt_vf__                                                                                                    \
    _Pragma("GCC error \"SIMT functions (__simt_vf__) are no tile instructions: write the function with tiles\"")
#endif

namespace pto {

template <typename T = void>
struct RegTensor {
    static_assert(detail::never<T>, "registers (RegTensor) belong to micro-instructions, which are no tile instructions");
};

} // namespace pto

// Each function needs its own definition: kernels call it by its own name.
template <typename... Operands>
void vlds(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "vlds is a micro-instruction and no tile instruction: use TLOAD");
}
template <typename... Operands>
void vsts(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "vsts is a micro-instruction and no tile instruction: use TSTORE");
}
template <typename... Operands>
void async_invoke(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "async_invoke starts SIMT functions, which are no tile instructions");
}
template <typename... Operands>
void copy_gm_to_ubuf(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "copy_gm_to_ubuf is no tile instruction: use TLOAD");
}
template <typename... Operands>
void copy_gm_to_ubuf_align(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "copy_gm_to_ubuf_align is no tile instruction: use TLOAD");
}
template <typename... Operands>
void copy_ubuf_to_gm(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "copy_ubuf_to_gm is no tile instruction: use TSTORE");
}
template <typename... Operands>
void copy_ubuf_to_gm_align(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "copy_ubuf_to_gm_align is no tile instruction: use TSTORE");
}
template <typename... Operands>
void copy_gm_to_cbuf(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "copy_gm_to_cbuf is no tile instruction: use TLOAD");
}
template <typename... Operands>
void copy_cbuf_to_ubuf(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "copy_cbuf_to_ubuf is no tile instruction: use TMOV");
}
template <typename... Operands>
void copy_ubuf_to_cbuf(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "copy_ubuf_to_cbuf is no tile instruction: use TMOV");
}
template <typename... Operands>
void copy_ubuf_to_ubuf(Operands &&...) {
    static_assert(pto::detail::never<Operands...>, "copy_ubuf_to_ubuf is no tile instruction: use TMOV");
}

#endif
