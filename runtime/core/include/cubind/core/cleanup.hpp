// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace cubind {

/// Is told what could not be released where nothing can be thrown: in a destructor, or when a graph lets go of what it kept. The
/// message is one line that names call, object and status. It may be called by any thread, also by one of cubind's own, and must not
/// throw.
using CleanupHandler = void (*)(const char* message) noexcept;

/// Sets who is told, for the whole process, and returns who was told until now. The first handler prints the message on standard
/// error; nullptr: nobody. What fails because the driver has shut down or the object's context is gone is not told: nothing is left
/// to release then.
CleanupHandler set_cleanup_handler(CleanupHandler handler) noexcept;

}  // namespace cubind
