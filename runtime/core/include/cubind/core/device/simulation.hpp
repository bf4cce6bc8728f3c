// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

/// @file
/// <cubind/core.hpp> does not include this header, because few files need it.
namespace CUBIND_NAMESPACE {

/// Returns whether the driver is cubind's simulated one. For tests and programs that use what it does not execute, such as bulk
/// copies. Loads the driver if there is one, and calls none of its functions. Returns false without a driver. May be called by
/// several threads; looks up the exported symbol cubindSimulation once for each driver.
CUBIND_EXPORT bool is_simulated_driver();

}  // namespace CUBIND_NAMESPACE
