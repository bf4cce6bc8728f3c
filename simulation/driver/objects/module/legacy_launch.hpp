// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/launch.hpp>

#include <mutex>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// Settings of the next launch by the oldest launch functions (cuFuncSetBlockShape, cuParamSet*, cuLaunchGrid).
struct LegacyLaunch {
    std::mutex mutex;  ///< guards all members below
    Extent3 block{0, 0, 0};
    unsigned shared_bytes = 0;
    std::vector<std::byte> arguments;
};

}  // namespace CUBIND_NAMESPACE::sim
