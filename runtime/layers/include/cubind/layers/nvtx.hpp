// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

/// @file
/// A layer that shows each call as a range of NVTX, so that a profiler such as Nsight Systems has the calls of all libraries on
/// the time axis of their threads, also of those that it does not know itself:
///
///     layers::nvtx::start();
///
/// The ranges are in the domain "cubind", with a category for each library and the function's symbol as the text. A call that
/// returns another status than success is followed by a mark with the symbol and the status. The tool is looked for at the first
/// call; if there is none, that is reported once on the standard error stream, and calls are passed on. Any thread may call these
/// functions.
namespace CUBIND_NAMESPACE::layers::nvtx {

/// Starts to show calls. Throws std::bad_alloc if there is no memory for the texts of the functions.
CUBIND_EXPORT void start();

/// Stops showing calls. Calls that are running end their ranges.
CUBIND_EXPORT void stop();

}  // namespace CUBIND_NAMESPACE::layers::nvtx
