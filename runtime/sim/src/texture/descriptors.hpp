// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include <cubind/driver/types.hpp>

namespace cubind::sim {

using namespace driver;

/// Bytes of an element of the memory that a texture shall read; none where that cannot be read.
std::optional<std::size_t> element_bytes(const CUDA_RESOURCE_DESC& resource);

bool is_valid(const CUDA_TEXTURE_DESC& texture) noexcept;

/// Whether memory of such elements can be seen in this way.
bool is_valid(const CUDA_RESOURCE_VIEW_DESC& view, std::size_t element_bytes) noexcept;

}  // namespace cubind::sim
