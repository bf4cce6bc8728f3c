// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::sim {

/// Thrown to end a body that accesses memory outside of the driver's allocations.
struct IllegalAddress {
    std::string what;
};

}  // namespace CUBIND_NAMESPACE::sim
