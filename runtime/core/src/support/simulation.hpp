// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Returns whether the driver is cubind's simulation, which exports the symbol cubindSimulation. Loads the driver, if there is
/// one, and calls none of its functions. The symbol is looked up once for each driver.
bool is_simulated_driver();

}  // namespace CUBIND_NAMESPACE::detail
