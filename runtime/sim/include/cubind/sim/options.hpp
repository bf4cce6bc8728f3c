// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace cubind::sim {

/// The machine that is simulated. `Options{.devices = 2, .release = "12.4"}`.
struct Options {
    int devices = 1;
    std::size_t memory = std::size_t{8} << 30;  ///< bytes of each device
    int major = 9;                              ///< compute capability
    int minor = 0;
    std::string release = {};  ///< of the driver, e.g. "12.4": it lacks what came later; empty: the newest
    std::size_t launches_kept = 1000;  ///< by launches(), see kernels.hpp
};

/// The defaults, changed by CUBIND_SIM_DEVICES=2, CUBIND_SIM_MEMORY=1073741824, CUBIND_SIM_COMPUTE_CAPABILITY=8.0 and
/// CUBIND_SIM_RELEASE=12.4. What is no such number is left out.
Options options_from_environment();

}  // namespace cubind::sim
