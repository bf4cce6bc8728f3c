// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/linker_options.hpp>
#include <cubind/driver/types.hpp>

#include <string>
#include <utility>
#include <vector>

/// LinkerOptions in the form of each linker. The functions check the options first, as LinkerOptions::check() does, and return
/// the same result for the same options.
namespace CUBIND_NAMESPACE::detail {

/// Returns the flags for nvJitLinkCreate. Throws std::invalid_argument, which names the option, if nvJitLink of this version,
/// 12030 for 12.3, lacks a flag; version 0 accepts all flags.
std::vector<std::string> nvjitlink_flags(const LinkerOptions& options, int nvjitlink_version = 0);

/// Returns the options for cuLinkCreate except those for logs, which the caller adds. Each option is paired with its value. The
/// driver replaces the value of CU_JIT_WALL_TIME, which represents LinkerOptions::time, with milliseconds as a float. Throws
/// std::invalid_argument, which names the option and the reason, for options that the driver's linker does not have. Throws it
/// also for options that a driver of this version, 13000 for 13.0, does not have; version 0 accepts the options of all drivers.
std::vector<std::pair<driver::CUjit_option, unsigned>> driver_options(const LinkerOptions& options, int driver_version = 0);

}  // namespace CUBIND_NAMESPACE::detail
