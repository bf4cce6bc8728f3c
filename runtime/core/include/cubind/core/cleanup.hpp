// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE {

/// A function that receives failures to release a resource where nothing can be thrown: in a destructor, or when a graph
/// releases the objects that it retained. The message is one line that names the call, the object and the status. Any
/// thread may call the handler. The handler must not throw.
using CleanupHandler = void (*)(const char* message) noexcept;

/// Installs the process-wide cleanup handler and returns the previous one; nullptr disables reporting. The initial
/// handler prints the message on standard error. Failures because the driver has shut down or the object's context has
/// been destroyed or reset are not reported: nothing is left to release in these cases. Once a context has ended, invalid
/// handles are therefore not reported.
CUBIND_EXPORT CleanupHandler set_cleanup_handler(CleanupHandler handler) noexcept;

}  // namespace CUBIND_NAMESPACE
