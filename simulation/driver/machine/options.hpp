// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/options.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Throws std::invalid_argument for a number of devices or a release that no machine can have.
void check_options(const Options& options);

}  // namespace CUBIND_NAMESPACE::sim
