// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Views of the memory of a view with elements of another type.
#include <cubind/core/strided/strided_view.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>

#include "errors/misuse.hpp"
#include "strided/layout.hpp"

namespace CUBIND_NAMESPACE {
namespace {

using detail::throw_misuse;

// A number of elements of one size, converted to elements of another size.
class Conversion {
public:
    Conversion(std::size_t from, std::size_t to)
        : factor_(static_cast<std::int64_t>(from / std::gcd(from, to))),
          divisor_(static_cast<std::int64_t>(to / std::gcd(from, to))) {}

    // Returns nothing if no whole number is as large, or if it exceeds 2^63 - 1.
    std::optional<std::int64_t> operator()(std::int64_t count) const {
        std::int64_t converted = 0;
        if (count % divisor_ != 0 || __builtin_mul_overflow(count / divisor_, factor_, &converted)) return std::nullopt;
        return converted;
    }

private:
    std::int64_t factor_;
    std::int64_t divisor_;
};

// Only padded views can have such elements.
bool has_parts_of_bytes(DataType type) {
    return std::size_t{type.bits} * type.lanes % 8 != 0;
}

// Processors access at most 16 bytes at once.
std::size_t alignment_of(std::size_t size) {
    return std::min<std::size_t>(size & (~size + 1), 16);
}

}  // namespace

StridedView StridedView::view_as(DataType type) const {
    if (type.size() != dtype().size()) {
        if (rank() != 0) return view_as(type, rank() - 1);
        throw_misuse("cannot view a scalar of ", to_string(dtype()), ", which has ", dtype().size(), " bytes, as ",
                     to_string(type), ", which has ", type.size(), ": add a dimension with unsqueeze(0)");
    }
    detail::check_type(type, is_padded_);
    StridedView result = *this;
    result.memory_.dtype = type;
    result.is_padded_ = has_parts_of_bytes(type);
    return result;
}

StridedView StridedView::view_as(DataType type, std::size_t dimension) const {
    const std::int64_t extent = shape()[dimension];
    const std::size_t old_size = dtype().size();
    const std::size_t new_size = type.size();
    if (old_size == new_size) return view_as(type);
    detail::check_type(type, is_padded_);
    const auto refuse = [&](const auto&... why) {
        throw_misuse("cannot view elements of ", to_string(dtype()), ", which have ", old_size, " bytes, as ", to_string(type),
                     ", which have ", new_size, ": ", why...);
    };
    const bool is_empty = size() == 0;
    if (!is_empty && extent > 1 && strides()[dimension] != 1) {
        refuse("the elements of dimension ", dimension, " must be adjacent, but its stride is ", strides()[dimension],
               "; copy the view to a contiguous one first");
    }
    const Conversion convert(old_size, new_size);
    Dimensions shape = this->shape();
    if (const auto converted = convert(extent)) {
        shape.set(dimension, *converted);
    } else {
        refuse("dimension ", dimension, " has ", extent, " elements, which are not a whole number of the others below 2^63");
    }
    Dimensions strides = is_empty ? detail::row_major_strides(shape) : this->strides();
    for (std::size_t i = 0; i < rank() && !is_empty; ++i) {
        const auto converted = i == dimension ? std::optional<std::int64_t>(1) : convert(strides[i]);
        if (!converted && shape[i] > 1) {
            refuse("the stride ", strides[i], " of dimension ", i, " is not a whole number of the others");
        }
        strides.set(i, converted.value_or(1));  // the stride of a single element has no effect
    }
    const auto address = reinterpret_cast<std::uintptr_t>(data());
    if (!is_empty && address % alignment_of(new_size) != 0) {
        refuse("the address ", address, " is not a multiple of ", alignment_of(new_size));
    }
    StridedView result = *this;
    result.memory_.dtype = type;
    result.is_padded_ = has_parts_of_bytes(type);
    result.memory_.shape = shape;
    result.memory_.strides = strides;
    return result;
}

}  // namespace CUBIND_NAMESPACE
