// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_resource.hpp>

#include <cstddef>
#include <optional>

/// @file
/// Options that all plans have.

namespace CUBIND_NAMESPACE::math {

/// How a plan obtains the temporary memory of its operations.
struct PlanOptions {
    /// The resource that allocates the workspace; by default Device::memory_resource().
    std::optional<MemoryResource> memory_resource = std::nullopt;
    /// The highest number of bytes of the workspace, for libraries that can work with less; by default the library's choice.
    std::optional<std::size_t> workspace_limit = std::nullopt;
};

}  // namespace CUBIND_NAMESPACE::math
