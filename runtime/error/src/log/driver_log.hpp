// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// Returns what the driver has written to its log in the calling thread's latest failed call of `function` with the status
/// `code`;
/// "" if it has written nothing, has no log (before CUDA 12.9), or memory is exhausted, or CUBIND_DRIVER_LOG is 0, or if the
/// thread must not call the driver. An empty function stands for any.
///
/// Reads the log (cuLogsCurrent, cuLogsDumpToMemory) from the position of the thread's previous read on. Registers no callback
/// and keeps no position in the driver, so that other code of the process can use the log, too.
std::string read_driver_log(int code, std::string_view function) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
