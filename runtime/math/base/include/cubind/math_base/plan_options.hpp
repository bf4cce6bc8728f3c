// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_resource.hpp>

#include <cstddef>
#include <optional>

/// @file
/// Options that plans share.

namespace CUBIND_NAMESPACE::math {

/// How a plan obtains the temporary memory of its operations.
struct PlanOptions {
    /// The resource that allocates the workspace; by default Device::memory_resource().
    std::optional<MemoryResource> memory_resource = std::nullopt;
    /// The highest number of bytes of the workspace, for libraries that can work with less; by default the library's choice.
    std::optional<std::size_t> workspace_limit = std::nullopt;
};

/// How autotune() of a plan measures. The medians of the rounds are compared.
struct AutotuneOptions {
    /// The most algorithms that are timed, at least 1.
    int candidates = 16;
    /// How often each algorithm is timed, at least once; one that is much slower than another is timed once.
    int rounds = 7;
    /// The calls of a round, at least 1.
    int calls = 5;
};

}  // namespace CUBIND_NAMESPACE::math
