// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::sim::management {

/// Returns the version of the driver that a CUDA release needs at least, such as "580.00" for 13000. The first number is that of
/// NVIDIA's driver for that release, up to 13.0. Programs compare this number; there are no minor versions of a simulation.
std::string driver_version(int release);

/// Returns the branch of that driver, such as "r580_00".
std::string driver_branch(int release);

/// Returns the version of the management library that belongs to that driver, such as "13.580.00".
std::string library_version(int release);

}  // namespace CUBIND_NAMESPACE::sim::management
