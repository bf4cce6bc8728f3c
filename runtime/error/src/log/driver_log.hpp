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
/// thread must not call the driver. An empty function stands for that of the thread's latest failed call.
///
/// Reads the log (cuLogsCurrent, cuLogsDumpToMemory) from the position of the thread's previous read on. Registers no callback
/// and keeps no position in the driver, so that other code of the process can use the log, too.
std::string read_driver_log(int code, std::string_view function) noexcept;

/// Returns the lines of the driver's call because of which a call of the runtime library has failed with the status `code`: those
/// of the thread's latest failed call of the driver, if that has returned the same status. The libraries have the same numbers; a
/// refusal that the runtime library decides itself has no lines, unless the latest failed call happens to have its number.
///
/// Also returns "" in a child of fork(), whose parent may have used the driver without cubind.
std::string read_driver_log_of_caller(int code) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
