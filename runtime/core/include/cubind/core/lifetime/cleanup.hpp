// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE {

/// A function that receives failures to release a resource where nothing can be thrown: in a destructor, or when a graph
/// releases the objects that it retained. The message is one line that names the call, the object and the status. Any
/// thread may call the handler. The handler must not throw.
using CleanupHandler = void (*)(const char* message) noexcept;

/// Installs the process-wide cleanup handler and returns the previous one; nullptr disables reporting. The initial handler
/// prints the message on standard error. A failure is not reported if the driver has shut down, or if the object's context was
/// destroyed or reset, because nothing is left to release. For the same reason, invalid handles are not reported once a context
/// has ended.
CUBIND_EXPORT CleanupHandler set_cleanup_handler(CleanupHandler handler) noexcept;

}  // namespace CUBIND_NAMESPACE
