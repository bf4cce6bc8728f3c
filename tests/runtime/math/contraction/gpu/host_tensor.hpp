// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Tensors on a GPU with their elements on the host, and the definition of a contraction in double precision.

#include <cubind/core.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace cubind::testing {

using Number = std::complex<double>;

/// Elements of 16 bits.
struct Half {
    std::uint16_t bits;
};
struct Bfloat {
    std::uint16_t bits;
};

}  // namespace cubind::testing

template <>
inline constexpr cubind::DataType cubind::data_type<cubind::testing::Half> = cubind::DataType::float16();
template <>
inline constexpr cubind::DataType cubind::data_type<cubind::testing::Bfloat> = cubind::DataType::bfloat16();

namespace cubind::testing {

// The numbers of the tests are multiples of 1/64 up to 1, which all types represent exactly.
template <class Element>
Element encoded(Number number) {
    if constexpr (std::is_same_v<Element, Half>) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number.real()));
        const std::uint32_t exponent = bits >> 23 & 255;
        if (exponent == 0) return {0};
        return {static_cast<std::uint16_t>((bits >> 16 & 0x8000) | (exponent - 112) << 10 | (bits >> 13 & 1023))};
    } else if constexpr (std::is_same_v<Element, Bfloat>) {
        return {static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number.real())) >> 16)};
    } else if constexpr (std::is_floating_point_v<Element>) {
        return static_cast<Element>(number.real());
    } else {
        return Element(number);
    }
}

template <class Element>
Number decoded(Element element) {
    if constexpr (std::is_same_v<Element, Half>) {
        const int exponent = element.bits >> 10 & 31, mantissa = element.bits & 1023;
        const double magnitude =
            exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);  // no infinity, no NaN
        return (element.bits & 0x8000) != 0 ? -magnitude : magnitude;
    } else if constexpr (std::is_same_v<Element, Bfloat>) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(element.bits) << 16);
    } else {
        return Number(element);
    }
}

/// A tensor of random numbers with any strides. Elements between those of the tensor have the value 0.5.
template <class Element>
class HostTensor {
public:
    HostTensor(const StridedView& view, std::mt19937& random) : view_(view) {
        elements_.assign(static_cast<std::size_t>(view.offset_bounds().highest + 1), encoded<Element>(0.5));
        std::uniform_int_distribution<int> numbers(-64, 64);
        const bool is_complex = view.dtype().kind == DataTypeKind::complex;
        each([&](std::size_t offset) {
            elements_[offset] = encoded<Element>({numbers(random) / 64.0, is_complex ? numbers(random) / 64.0 : 0});
        });
    }

    /// Allocates a tensor of this shape. `padding` elements follow each row; `shift` elements precede the first one.
    static HostTensor of(StreamRef stream, std::mt19937& random, Dimensions shape, std::int64_t padding = 0,
                         std::int64_t shift = 0) {
        Dimensions strides = shape;
        std::int64_t count = 1;
        for (std::size_t i = shape.rank(); i-- > 0;) {
            strides.set(i, count);
            count *= shape[i] + (i + 1 == shape.rank() ? padding : 0);
        }
        const Buffer memory = Device().allocate(stream, static_cast<std::size_t>(count + shift) * sizeof(Element));
        const StridedView whole(memory, data_type<Element>, {count + shift});
        const StridedView rest = whole.slice(0, shift, count + shift);
        HostTensor tensor(StridedView({.data = rest.data(),
                                       .dtype = rest.dtype(),
                                       .shape = shape,
                                       .strides = strides,
                                       .memory_type = MemoryType::device,
                                       .device_ordinal = Device().ordinal(),
                                       .owner = rest.owner()}),
                          random);
        tensor.upload(stream);
        return tensor;
    }

    const StridedView& view() const { return view_; }
    /// Returns the element at an index for each dimension.
    Number at(const std::vector<std::int64_t>& index) const {
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < index.size(); ++i) offset += index[i] * view_.strides()[i];
        return decoded(elements_[static_cast<std::size_t>(offset)]);
    }
    void upload(StreamRef stream) { copy(stream, linear(), host()); }
    /// Reads the elements from the device, and waits for them. Checks that those in between have not changed.
    void download(StreamRef stream) {
        copy(stream, host(), linear());
        stream.synchronize();
        std::vector<bool> is_element(elements_.size());
        each([&](std::size_t offset) { is_element[offset] = true; });
        for (std::size_t i = 0; i < elements_.size(); ++i) {
            if (!is_element[i]) {
                ASSERT_EQ(decoded(elements_[i]), Number(0.5)) << "the element between those of the tensor at " << i;
            }
        }
    }

private:
    template <class Function>
    void each(const Function& function) const {
        for (std::size_t i = 0; i < view_.size(); ++i) {
            std::int64_t offset = 0;
            auto rest = static_cast<std::int64_t>(i);
            for (std::size_t k = view_.rank(); k-- > 0; rest /= view_.shape()[k])
                offset += rest % view_.shape()[k] * view_.strides()[k];
            function(static_cast<std::size_t>(offset));
        }
    }
    StridedView linear() const {
        return StridedView({.data = view_.data(),
                            .dtype = view_.dtype(),
                            .shape = {static_cast<std::int64_t>(elements_.size())},
                            .memory_type = MemoryType::device,
                            .device_ordinal = Device().ordinal(),
                            .owner = view_.owner()});
    }
    StridedView host() {
        return StridedView(
            {.data = elements_.data(), .dtype = view_.dtype(), .shape = {static_cast<std::int64_t>(elements_.size())}});
    }

    StridedView view_;
    std::vector<Element> elements_;
};

/// An operand of the definition: its letters, its shape, and its elements.
struct Definition {
    std::string letters;
    Dimensions shape;
    std::function<Number(const std::vector<std::int64_t>&)> at;
};

/// Returns, for each element of the output in row-major order, the sum of the products.
inline std::vector<Number> contracted(const std::vector<Definition>& inputs, const std::string& output) {
    std::map<char, std::int64_t> extents;
    for (const Definition& input : inputs)
        for (std::size_t i = 0; i < input.letters.size(); ++i) extents[input.letters[i]] = input.shape[i];
    std::string order = output;  // the letters of the output vary most slowly
    for (const auto& [letter, extent] : extents)
        if (output.find(letter) == std::string::npos) order += letter;
    std::map<char, std::int64_t> at;
    std::vector<Number> result;
    const std::function<void(std::size_t)> loop = [&](std::size_t depth) {
        if (depth == output.size()) result.emplace_back(0);
        if (depth == order.size()) {
            Number product = 1;
            for (const Definition& input : inputs) {
                std::vector<std::int64_t> index;
                for (const char letter : input.letters) index.push_back(at[letter]);
                product *= input.at(index);
            }
            result.back() += product;
            return;
        }
        for (std::int64_t i = 0; i < extents[order[depth]]; ++i) {
            at[order[depth]] = i;
            loop(depth + 1);
        }
    };
    loop(0);
    return result;
}

}  // namespace cubind::testing
