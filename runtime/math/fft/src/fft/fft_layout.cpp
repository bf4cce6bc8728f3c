// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "fft/fft_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "operand/checks.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

using runtime::cudaDataType;

struct Precision {
    DataType real;
    DataType complex;
    cudaDataType native_real;
    cudaDataType native_complex;
};

constexpr Precision precisions[] = {
    {{DataTypeKind::floating_point, 32}, {DataTypeKind::complex, 64}, runtime::CUDA_R_32F, runtime::CUDA_C_32F},
    {{DataTypeKind::floating_point, 64}, {DataTypeKind::complex, 128}, runtime::CUDA_R_64F, runtime::CUDA_C_64F},
    {{DataTypeKind::floating_point, 16}, {DataTypeKind::complex, 32}, runtime::CUDA_R_16F, runtime::CUDA_C_16F},
};

/// A dimension with its extents and strides in both operands.
struct Dimension {
    std::int64_t input_extent;
    std::int64_t output_extent;
    std::int64_t input_stride;
    std::int64_t output_stride;

    static Dimension of(std::size_t index, const Operand& input, const Operand& output) {
        return {input.extent(index), output.extent(index), input.strides()[index], output.strides()[index]};
    }
};

/// Some dimensions, from the outermost one in memory to the innermost one.
struct DimensionList {
    Dimension each[Dimensions::max_rank];
    std::size_t count = 0;

    void add(const Dimension& dimension) { each[count++] = dimension; }
    void sort(std::size_t end) {
        std::stable_sort(each, each + end,
                         [](const Dimension& left, const Dimension& right) { return left.input_stride > right.input_stride; });
    }
};

/// One of the two operands of a transform.
struct Side {
    std::int64_t Dimension::*extent;
    std::int64_t Dimension::*stride;
};
constexpr Side input_side{&Dimension::input_extent, &Dimension::input_stride};
constexpr Side output_side{&Dimension::output_extent, &Dimension::output_stride};

bool is_axis(const Dimensions& axes, std::size_t dimension) {
    return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(dimension)) != axes.end();
}

/// Computes the layouts, and throws with the operands.
class LayoutBuilder {
public:
    LayoutBuilder(const char* operation, const FftTypes& types, const Dimensions& axes, const Operand& input,
                  const Operand& output)
        : operation_(operation), types_(types), axes_(axes), input_(input), output_(output) {
        const std::size_t last = axes.rank() - 1;
        const auto dimension = [&](std::size_t i) { return Dimension::of(static_cast<std::size_t>(axes[i]), input, output); };
        // Axes of one element need no stride, so that they restrict no layout.
        for (std::size_t i = 0; i < last; ++i) {
            if (dimension(i).input_extent > 1) transformed_.add(dimension(i));
        }
        const bool is_complex = types.kind == FftKind::complex;
        if (!is_complex || dimension(last).input_extent > 1 || transformed_.count == 0) transformed_.add(dimension(last));
        transformed_.sort(transformed_.count - (is_complex ? 0 : 1));  // the halved axis is the innermost one
        for (std::size_t i = 0; i < input.rank(); ++i) {
            if (!is_axis(axes, i) && input.extent(i) > 1) batch_.add(Dimension::of(i, input, output));
        }
        batch_.sort(batch_.count);
    }

    FftLayout layout() const {
        FftLayout result;
        result.rank = static_cast<int>(transformed_.count);
        for (std::size_t i = 0; i < transformed_.count; ++i) {
            const Dimension& each = transformed_.each[i];
            result.extents[i] = types_.kind == FftKind::complex_to_real ? each.output_extent : each.input_extent;
        }
        for (std::size_t i = 0; i < batch_.count; ++i) result.batch *= batch_.each[i].input_extent;
        result.input = places("input", input_side);
        result.output = places("output", output_side);
        if (types_.is_half()) check_half(result);
        return result;
    }

private:
    FftPlaces places(const char* name, const Side& side) const {
        FftPlaces result;
        const std::size_t last = transformed_.count - 1;
        const Dimension* const each = transformed_.each;
        if (each[last].*side.extent > 1) result.stride = each[last].*side.stride;
        if (result.stride <= 0) refuse(name, "the stride of the innermost axis is not positive");
        std::int64_t inner = result.stride;
        for (std::size_t i = last; i > 0; --i) {
            const std::int64_t outer = each[i - 1].*side.stride;
            if (outer % inner != 0 || outer / inner < each[i].*side.extent) {
                refuse(name, concat("the stride ", outer, " of an axis is no multiple of the stride ", inner,
                                    " of the next inner axis of ", each[i].*side.extent, " elements, or too small"));
            }
            result.embed[i] = outer / inner;
            inner = outer;
        }
        result.embed[0] = each[0].*side.extent;
        result.distance = batch_.count == 0 ? result.embed[0] * inner : distance(name, side);
        return result;
    }

    long long distance(const char* name, const Side& side) const {
        const Dimension* const each = batch_.each;
        for (std::size_t i = batch_.count - 1; i > 0; --i) {
            if (each[i - 1].*side.stride != each[i].*side.stride * each[i].*side.extent) {
                refuse(name, concat("the other dimensions have no single stride: one of ", each[i].*side.extent,
                                    " elements has the stride ", each[i].*side.stride, ", and the next outer one ",
                                    each[i - 1].*side.stride));
            }
        }
        const std::int64_t innermost = each[batch_.count - 1].*side.stride;
        if (innermost <= 0) refuse(name, "the stride of a dimension that is no axis is not positive");
        return innermost;
    }

    void check_half(const FftLayout& layout) const {
        for (int i = 0; i < layout.rank; ++i) {
            if (!std::has_single_bit(static_cast<unsigned long long>(layout.extents[i]))) {
                throw_misuse(
                    operation_, ": ", describe("input", input_), ", and axes ", to_string(axes_), " have ", layout.extents[i],
                    " elements, but cuFFT transforms only powers of two in half precision: pad the axis, or use float32");
            }
        }
        const bool is_input = types_.kind == FftKind::real_to_complex;
        const FftPlaces& real = is_input ? layout.input : layout.output;
        if (types_.kind != FftKind::complex && real.stride != 1)
            refuse(is_input ? "input" : "output", "real elements of half precision must be adjacent");
    }

    [[noreturn]] void refuse(const char* name, const std::string& reason) const {
        throw_misuse(operation_, ": cuFFT cannot express the layout of the ", name, " for axes ", to_string(axes_), ", because ",
                     reason, ". ", describe("input", input_), "; ", describe("output", output_),
                     ". Copy it to memory without gaps (StridedView::allocate_like(), copy()), or transform parts of it "
                     "(StridedView::select(), slice())");
    }

    const char* operation_;
    const FftTypes& types_;
    const Dimensions& axes_;
    const Operand& input_;
    const Operand& output_;
    DimensionList transformed_;
    DimensionList batch_;
};

}  // namespace

FftTypes fft_types(const char* operation, const Operand& input, const Operand& output) {
    for (const Precision& each : precisions) {
        const bool is_complex[] = {input.dtype() == each.complex, output.dtype() == each.complex};
        const bool is_real[] = {input.dtype() == each.real, output.dtype() == each.real};
        if (is_complex[0] && is_complex[1])
            return {FftKind::complex, each.native_complex, each.native_complex, each.native_complex};
        if (is_real[0] && is_complex[1])
            return {FftKind::real_to_complex, each.native_real, each.native_complex, each.native_complex};
        if (is_complex[0] && is_real[1])
            return {FftKind::complex_to_real, each.native_complex, each.native_real, each.native_complex};
    }
    throw_misuse(operation, ": input has elements of type ", to_string(input.dtype()), " and output of ",
                 to_string(output.dtype()),
                 ", but one must be complex64, complex128 or complex32, and the other of the same type or of its real type: "
                 "float32, float64 or float16");
}

Dimensions fft_axes(const char* operation, const Operand& input, const Dimensions& axes) {
    Dimensions result = axes;
    if (axes.rank() == 0) {
        for (std::size_t i = 0; i < input.rank(); ++i) result.push_back(static_cast<std::int64_t>(i));
    }
    if (result.rank() == 0 || result.rank() > 3) {
        throw_misuse(operation, ": ", describe("input", input), ", and axes are ", to_string(result),
                     ", but cuFFT transforms 1 to 3 dimensions: set FftOptions::axes");
    }
    for (std::size_t i = 0; i < result.rank(); ++i) {
        const std::int64_t axis = result[i];
        const bool is_repeated = std::find(result.begin(), result.begin() + i, axis) != result.begin() + i;
        if (axis >= 0 && axis < static_cast<std::int64_t>(input.rank()) && !is_repeated) continue;
        throw_misuse(operation, ": axes are ", to_string(result), ", but must be different numbers from 0 to ",
                     static_cast<std::int64_t>(input.rank()) - 1, ", because ", describe("input", input));
    }
    return result;
}

void check_fft_shapes(const char* operation, const FftTypes& types, const Dimensions& axes, const Operand& input,
                      const Operand& output) {
    check_rank(operation, "output", output, input.rank(), input.rank());
    const auto halved = static_cast<std::size_t>(axes[axes.rank() - 1]);
    for (std::size_t i = 0; i < input.rank(); ++i) {
        std::int64_t from = input.extent(i);
        std::int64_t to = output.extent(i);
        const bool is_halved = i == halved && types.kind != FftKind::complex;
        if (is_halved) {
            std::int64_t& real = types.kind == FftKind::real_to_complex ? from : to;
            if (real != 0) real = real / 2 + 1;
        }
        if (from == to) continue;
        throw_misuse(
            operation, ": ", describe("input", input), "; ", describe("output", output), ", which differ in dimension ", i,
            is_halved
                ? ": the complex operand needs n / 2 + 1 elements, rounded down, for n real ones in the last axis, which is "
                : ": both need the same number of elements, except in the last axis of a real transform, which is ",
            halved);
    }
}

FftLayout fft_layout(const char* operation, const FftTypes& types, const Dimensions& axes, const Operand& input,
                     const Operand& output) {
    return LayoutBuilder(operation, types, axes, input, output).layout();
}

}  // namespace CUBIND_NAMESPACE::math::detail
