// Tensors in global memory: five extents, five strides, a layout and an address.
#ifndef PTO_TENSOR_HPP
#define PTO_TENSOR_HPP

#include "pto/call.hpp"
#include "pto/constants.hpp"

#include <cstdint>
#include <type_traits>

namespace pto {
namespace detail {

struct TensorTag {};

constexpr int count_dynamic(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d, std::int64_t e) {
    return (a < 0) + (b < 0) + (c < 0) + (d < 0) + (e < 0);
}

/// Five numbers, each of which is a template argument or, where that is DYNAMIC, a value.
template <std::int64_t N1, std::int64_t N2, std::int64_t N3, std::int64_t N4, std::int64_t N5>
struct Five {
    static constexpr std::int64_t fixed[5] = {N1, N2, N3, N4, N5};
    static constexpr int dynamic = count_dynamic(N1, N2, N3, N4, N5);

    template <typename... Values>
    static constexpr void set_all(std::int64_t (&numbers)[5], Values... values) {
        const std::int64_t given[] = {static_cast<std::int64_t>(values)...};
        for (int at = 0; at < 5; ++at) {
            numbers[at] = fixed[at] < 0 ? given[at] : fixed[at];
        }
    }

    template <typename... Values>
    static constexpr void set_dynamic(std::int64_t (&numbers)[5], Values... values) {
        const std::int64_t given[] = {static_cast<std::int64_t>(values)...};
        int next = 0;
        for (int at = 0; at < 5; ++at) {
            numbers[at] = fixed[at] < 0 ? given[next++] : fixed[at];
        }
    }
};

template <typename... Values>
inline constexpr bool all_numbers_v = (std::is_convertible_v<Values, std::int64_t> && ...);

} // namespace detail

/// The extents of a tensor, outermost first; DYNAMIC ones are values.
template <std::int64_t N1 = DYNAMIC, std::int64_t N2 = DYNAMIC, std::int64_t N3 = DYNAMIC, std::int64_t N4 = DYNAMIC,
          std::int64_t N5 = DYNAMIC>
struct Shape {
    using Numbers = detail::Five<N1, N2, N3, N4, N5>;

    static constexpr std::int64_t staticShape[5] = {N1, N2, N3, N4, N5};
    std::int64_t shape[5] = {};

    /// Dynamic extents are 1.
    constexpr Shape() { Numbers::set_all(shape, 1, 1, 1, 1, 1); }

    /// All five extents; those for static ones are ignored.
    template <typename A, typename B, typename C, typename D, typename E,
              std::enable_if_t<detail::all_numbers_v<A, B, C, D, E>, int> = 0>
    constexpr Shape(A a, B b, C c, D d, E e) {
        Numbers::set_all(shape, a, b, c, d, e);
    }

    /// The dynamic extents alone.
    template <typename... Values, std::enable_if_t<(sizeof...(Values) > 0) && sizeof...(Values) < 5 &&
                                                       sizeof...(Values) == Numbers::dynamic &&
                                                       detail::all_numbers_v<Values...>,
                                                   int> = 0>
    constexpr Shape(Values... values) {
        Numbers::set_dynamic(shape, values...);
    }
};

/// An operand that states a shape, whichever of its extents are static.
using ShapeRef = const Shape<> &;

/// The strides of a tensor in elements, outermost first; DYNAMIC ones are values.
template <std::int64_t N1 = DYNAMIC, std::int64_t N2 = DYNAMIC, std::int64_t N3 = DYNAMIC, std::int64_t N4 = DYNAMIC,
          std::int64_t N5 = DYNAMIC>
struct Stride {
    using Numbers = detail::Five<N1, N2, N3, N4, N5>;

    static constexpr std::int64_t staticStride[5] = {N1, N2, N3, N4, N5};
    std::int64_t stride[5] = {};

    /// Dynamic strides are 1.
    constexpr Stride() { Numbers::set_all(stride, 1, 1, 1, 1, 1); }

    /// All five strides; those for static ones are ignored.
    template <typename A, typename B, typename C, typename D, typename E,
              std::enable_if_t<detail::all_numbers_v<A, B, C, D, E>, int> = 0>
    constexpr Stride(A a, B b, C c, D d, E e) {
        Numbers::set_all(stride, a, b, c, d, e);
    }

    /// The dynamic strides alone.
    template <typename... Values, std::enable_if_t<(sizeof...(Values) > 0) && sizeof...(Values) < 5 &&
                                                       sizeof...(Values) == Numbers::dynamic &&
                                                       detail::all_numbers_v<Values...>,
                                                   int> = 0>
    constexpr Stride(Values... values) {
        Numbers::set_dynamic(stride, values...);
    }
};

/// A tensor in global memory: an address with extents, strides and a layout.
template <typename Element_, typename Shape_, typename Stride_, Layout Layout_ = Layout::ND>
struct GlobalTensor : detail::TensorTag {
    using DType = Element_;
    using RawDType = std::remove_cv_t<Element_>;
    using Shape = Shape_;
    using Stride = Stride_;
    static constexpr Layout layout = Layout_;
    static constexpr const std::int64_t (&staticShape)[5] = Shape_::staticShape;
    static constexpr const std::int64_t (&staticStride)[5] = Stride_::staticStride;

    constexpr GlobalTensor() = default;
    constexpr GlobalTensor(DType *data, const Shape &shape = Shape(), const Stride &stride = Stride())
        : data_(data), shape_(shape), stride_(stride) {}

    constexpr std::int64_t GetShape(int dimension) const { return shape_.shape[dimension]; }
    constexpr std::int64_t GetStride(int dimension) const { return stride_.stride[dimension]; }

    template <int dimension>
    static constexpr std::int64_t GetShape() {
        return Shape_::staticShape[dimension];
    }
    template <int dimension>
    static constexpr std::int64_t GetStride() {
        return Stride_::staticStride[dimension];
    }

    /// Sets dynamic extents: `SetShape<3, 4>(rows, columns)`.
    template <int... dimensions, typename... Values>
    constexpr void SetShape(Values... values) {
        static_assert(sizeof...(dimensions) == sizeof...(Values), "SetShape takes one extent for each dimension");
        ((shape_.shape[dimensions] = dynamic<dimensions>(Shape_::staticShape, values)), ...);
    }

    /// Sets dynamic strides, in elements.
    template <int... dimensions, typename... Values>
    constexpr void SetStride(Values... values) {
        static_assert(sizeof...(dimensions) == sizeof...(Values), "SetStride takes one stride for each dimension");
        ((stride_.stride[dimensions] = dynamic<dimensions>(Stride_::staticStride, values)), ...);
    }

    constexpr DType *&data() { return data_; }
    constexpr DType *data() const { return data_; }

  private:
    // A static number stays as it is.
    template <int dimension>
    static constexpr std::int64_t dynamic(const std::int64_t (&fixed)[5], std::int64_t value) {
        return fixed[dimension] < 0 ? value : fixed[dimension];
    }

    DType *data_ = nullptr;
    Shape shape_;
    Stride stride_;
};

/// Whether a type is a tensor in global memory.
template <typename T>
inline constexpr bool is_global_data_v = std::is_base_of_v<detail::TensorTag, std::remove_cv_t<T>>;

namespace detail {

constexpr std::int64_t times(std::int64_t a, std::int64_t b) { return a < 0 || b < 0 ? DYNAMIC : a * b; }
constexpr std::int64_t over(std::int64_t a, std::int64_t b) { return a < 0 ? DYNAMIC : a / b; }

struct Numbers {
    std::int64_t at[5];
};

/// The extents of a matrix of `r` x `c` elements in a layout whose blocks have `c0` columns.
constexpr Numbers matrix_shape(Layout layout, std::int64_t r, std::int64_t c, std::int64_t c0) {
    switch (layout) {
    case Layout::NZ:
        return {{1, over(c, c0), over(r, FRACTAL_NZ_ROW), FRACTAL_NZ_ROW, c0}};
    case Layout::MX_A_ZZ:
        return {{1, over(r, 16), over(c, 2), 16, 2}};
    case Layout::MX_A_ND:
        return {{1, 1, r, over(c, 2), 2}};
    case Layout::MX_A_DN:
        return {{1, 1, over(c, 2), r, 2}};
    case Layout::MX_B_NN:
        return {{1, over(c, 16), over(r, 2), 16, 2}};
    case Layout::MX_B_ND:
        return {{1, 1, over(r, 2), c, 2}};
    case Layout::MX_B_DN:
        return {{1, 1, c, over(r, 2), 2}};
    case Layout::HIF4_A_ZZ:
        return {{1, over(r, 16), c, 16, 4}};
    case Layout::HIF4_B_NN:
        return {{1, over(c, 16), r, 16, 4}};
    default:
        return {{1, 1, 1, r, c}};
    }
}

/// The strides of such a matrix in elements, if nothing lies between its elements.
constexpr Numbers matrix_stride(Layout layout, std::int64_t r, std::int64_t c, std::int64_t c0) {
    const std::int64_t all = times(r, c);
    switch (layout) {
    case Layout::DN:
        return {{all, all, all, 1, r}};
    case Layout::NZ:
        return {{all, times(r, c0), FRACTAL_NZ_ROW * c0, c0, 1}};
    case Layout::MX_A_ZZ:
        return {{all, times(16, c), 32, 2, 1}};
    case Layout::MX_A_ND:
        return {{all, all, c, 2, 1}};
    case Layout::MX_A_DN:
        return {{all, all, times(2, r), 2, 1}};
    case Layout::MX_B_NN:
        return {{all, times(16, r), 32, 2, 1}};
    case Layout::MX_B_ND:
        return {{all, all, times(2, c), 2, 1}};
    case Layout::MX_B_DN:
        return {{all, all, r, 2, 1}};
    case Layout::HIF4_A_ZZ:
        return {{all, times(16, c), 64, 4, 1}};
    case Layout::HIF4_B_NN:
        return {{all, times(16, r), 64, 4, 1}};
    default:
        return {{all, all, all, c, 1}};
    }
}

template <typename T, std::int64_t rows, std::int64_t cols, Layout layout>
struct Matrix {
    static constexpr std::int64_t c0 = C0_SIZE_BYTE / static_cast<std::int64_t>(sizeof(T));
    static constexpr Numbers shape = matrix_shape(layout, rows, cols, c0);
    static constexpr Numbers stride = matrix_stride(layout, rows, cols, c0);
    using Shape = pto::Shape<shape.at[0], shape.at[1], shape.at[2], shape.at[3], shape.at[4]>;
    using Stride = pto::Stride<stride.at[0], stride.at[1], stride.at[2], stride.at[3], stride.at[4]>;
};

} // namespace detail

/// The extents of a matrix of rows x cols elements in a layout.
template <typename T, int rows = DYNAMIC, int cols = DYNAMIC, Layout layout = Layout::ND>
struct TileShape2D : detail::Matrix<T, rows, cols, layout>::Shape {
    using Base = typename detail::Matrix<T, rows, cols, layout>::Shape;

    constexpr TileShape2D() = default;
    constexpr TileShape2D(std::int64_t r, std::int64_t c) {
        const auto extents = detail::matrix_shape(layout, r, c, detail::Matrix<T, rows, cols, layout>::c0);
        Base::Numbers::set_all(this->shape, extents.at[0], extents.at[1], extents.at[2], extents.at[3], extents.at[4]);
    }
};

/// The strides of a whole matrix of rows x cols elements in a layout.
template <typename T, int rows = DYNAMIC, int cols = DYNAMIC, Layout layout = Layout::ND>
struct BaseShape2D : detail::Matrix<T, rows, cols, layout>::Stride {
    using Base = typename detail::Matrix<T, rows, cols, layout>::Stride;

    constexpr BaseShape2D() = default;
    constexpr BaseShape2D(std::int64_t r, std::int64_t c) {
        const auto strides = detail::matrix_stride(layout, r, c, detail::Matrix<T, rows, cols, layout>::c0);
        Base::Numbers::set_all(this->stride, strides.at[0], strides.at[1], strides.at[2], strides.at[3], strides.at[4]);
    }
};

namespace detail {

/// The extent or the stride of a dimension as the dialect counts it: numbers of 4 bits follow each other along the rows of DN, else the columns.
template <typename Tensor, typename Number>
constexpr Number extent_in_dialect(int dimension, Number extent) {
    const bool is_along = dimension == (Tensor::layout == Layout::DN ? 3 : 4);
    return in_pairs(is_pair_v<typename Tensor::RawDType> && is_along, extent);
}
template <typename Tensor, typename Number>
constexpr Number stride_in_dialect(int dimension, Number stride) {
    const bool is_along = dimension == (Tensor::layout == Layout::DN ? 3 : 4);
    return in_pairs(is_pair_v<typename Tensor::RawDType> && !is_along, stride);
}

/// `tensor<1x1x1x16x64xf32, strides = [1024, 1024, 1024, 64, 1], layout = nd>`.
template <typename Tensor>
struct Operand<Tensor, std::enable_if_t<!std::is_const_v<Tensor> && is_global_data_v<Tensor>>> {
    static constexpr Text<320> composed() {
        Text<320> spelling;
        spelling.add("tensor<");
        for (int at = 0; at < 5; ++at) {
            spelling.add_extent(extent_in_dialect<Tensor>(at, Tensor::Shape::staticShape[at])).add("x");
        }
        spelling.add(element_word<typename Tensor::RawDType>()).add(", strides = [");
        for (int at = 0; at < 5; ++at) {
            spelling.add(at == 0 ? "" : ", ").add_extent(stride_in_dialect<Tensor>(at, Tensor::Stride::staticStride[at]));
        }
        return spelling.add("], layout = ").add(word(Tensor::layout)).add(">");
    }
    static constexpr Text<320> composed_text = composed();
    static constexpr const char *text = composed_text.characters;

    struct Passed {
        pto_tensor tensor;
        std::uint64_t word() const { return reinterpret_cast<std::uintptr_t>(&tensor); }
    };

    PTO_INST static Passed pass(const Tensor &tensor) {
        Passed passed;
        passed.tensor.data = const_cast<typename Tensor::RawDType *>(tensor.data());
        for (int at = 0; at < 5; ++at) {
            passed.tensor.shape[at] = extent_in_dialect<Tensor>(at, tensor.GetShape(at));
            passed.tensor.stride[at] = stride_in_dialect<Tensor>(at, tensor.GetStride(at));
        }
        return passed;
    }
};

} // namespace detail
} // namespace pto

#endif
