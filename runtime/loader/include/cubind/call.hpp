// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/caller.hpp>
#include <cubind/detail/out.hpp>
#include <cubind/entry_point.hpp>
#include <cubind/result.hpp>

namespace CUBIND_NAMESPACE {

/// Calls a function that returns a status and returns that status: `call<CUresult(CUdeviceptr*, size_t)>(entry, &memory, size)`.
/// A status is an enum or an integer of which zero means success, or a struct with StatusTraits. If the function is missing,
/// calls nothing and returns Library::library_missing_status or Library::symbol_missing_status. Every status other than success
/// sets last_failure().
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto call(EntryPoint& entry, Arguments&&... arguments) noexcept {
    return detail::Caller<true, Signature>::call(entry, static_cast<Arguments&&>(arguments)...);
}

/// Calls a function that returns void or a value that is not a status. If the function is missing, calls nothing, sets
/// last_failure() and returns zero of the return type.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto call_plain(EntryPoint& entry, Arguments&&... arguments) noexcept {
    return detail::Caller<false, Signature>::call(entry, static_cast<Arguments&&>(arguments)...);
}

/// Reads a constant that a library exports as a variable: `read_variable<Status, Descriptor>(entry)`.
/// If the variable is missing, sets last_failure() and returns Library::library_missing_status or Library::symbol_missing_status,
/// and zero as value. `Value` must be the type of the variable.
template <class Status, class Value>
Result<Status, Value> read_variable(EntryPoint& entry) noexcept {
    const void* const address = address_of(entry);
    if (address == nullptr) return {StatusTraits<Status>::from_code(detail::last_failure_status()), Value{}};
    return {Status{}, *static_cast<const Value*>(address)};
}

}  // namespace CUBIND_NAMESPACE
