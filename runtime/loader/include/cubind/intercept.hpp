// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/reflection.hpp>

namespace CUBIND_NAMESPACE {

/// One intercepted call of a vendor function, before or after the vendor's function ran.
struct Call {
    const reflection::LibraryDescription& library;  ///< library of the function
    const reflection::Function& function;           ///< function that was called
    void* const* arguments;                         ///< address of each argument, in the order of the C parameters
    void* returned;                                 ///< address of the return value; null for void
    void* original;                                 ///< address of the vendor's function

    /// Calls the vendor's function with `arguments` and writes its return value to `returned`.
    void proceed() const noexcept { function.invoke(*this); }

    /// Returns whether the function returns a status.
    bool returns_status() const noexcept { return reflection::returns_status(library, function); }
    /// Returns the status of the call. Requires returns_status().
    int& status() const noexcept { return *static_cast<int*>(returned); }
    /// Returns whether the call returned a status other than success.
    bool failed() const noexcept { return returns_status() && status() != 0; }
};

/// Receives every intercepted call, on the thread that made it, and decides whether to call Call::proceed(). If it does not, the
/// caller receives zero unless the observer wrote another value to Call::returned.
using Observer = void (*)(const Call&) noexcept;

/// Passes every call of the libraries' functions to `observer`, including functions that are looked up later. A null `observer`
/// ends the interception; calls then cost as much as before the interception. The list ends with null and must live as long as
/// the process. Loads no library and looks up no function. Any thread may call it; calls that have begun are not affected.
CUBIND_EXPORT void intercept(const reflection::LibraryDescription* const* libraries, Observer observer) noexcept;

/// Returns the address of the vendor's function, whether or not its calls are intercepted; null if the function is missing. Does
/// not change last_failure().
CUBIND_EXPORT void* original_address(const reflection::LibraryDescription& library,
                                     const reflection::Function& function) noexcept;

}  // namespace CUBIND_NAMESPACE
