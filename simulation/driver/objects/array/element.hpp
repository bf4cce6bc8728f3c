// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <optional>

namespace CUBIND_NAMESPACE::sim {

/// The unit of an array: a square of `side` x `side` texels, stored in `bytes` bytes. The side is 1 except for
/// compressed formats.
struct Element {
    std::size_t bytes = 0;
    std::size_t side = 1;
};

/// Returns the element of a format with this number of channels, or nullopt if the format does not allow the number or
/// is not simulated.
std::optional<Element> element_of(driver::CUarray_format format, unsigned channels) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
