// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/reflection.hpp>

namespace cubind {

/// One call of a vendor function, on its way there or back.
struct Call {
    const reflection::LibraryDescription& library;
    const reflection::Function& function;
    void* const* arguments;               ///< address of each argument, in the order of the C parameters
    void* returned;                       ///< where the return value goes; null for void
    void* original;                       ///< the vendor's function

    /// Calls the vendor's function: it reads `arguments` and writes `returned`.
    void proceed() const noexcept { function.invoke(*this); }

    bool returns_status() const noexcept { return function.returns == library.status; }
    /// What was returned, of a function that returns a status.
    int& status() const noexcept { return *static_cast<int*>(returned); }
    bool failed() const noexcept { return returns_status() && status() != 0; }
};

/// Gets every call, from any thread, and decides whether it proceeds; where it does not, zero is returned unless something else
/// has been written.
using Observer = void (*)(const Call&) noexcept;

/// Has every call of the libraries' functions go through `observer` from now on, functions that are looked up later included;
/// null: no longer, and calls cost again what they did before. The list ends with null and lives as long as the process.
/// Nothing is loaded or looked up for it. Any thread may call it; calls under way end as they began.
void intercept(const reflection::LibraryDescription* const* libraries, Observer observer) noexcept;

/// Address of the vendor's function, whether or not its calls are intercepted; null where it is missing. Leaves last_failure() alone.
void* original_address(const reflection::LibraryDescription& library, const reflection::Function& function) noexcept;

}  // namespace cubind
