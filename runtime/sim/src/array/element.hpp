// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <cubind/driver/types.hpp>

namespace cubind::sim {

using namespace driver;

/// What an array consists of: squares of `side` x `side` texels, in `bytes` each. The side is 1 but for compressed formats.
struct Element {
    std::size_t bytes = 0;
    std::size_t side = 1;
};

/// The element of a format with so many channels; none where the two do not go together, or nobody has arrays of that format.
std::optional<Element> element_of(CUarray_format format, unsigned channels) noexcept;

}  // namespace cubind::sim
