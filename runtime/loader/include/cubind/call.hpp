// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/caller.hpp>
#include <cubind/detail/out.hpp>
#include <cubind/entry_point.hpp>

namespace cubind {

/// Calls a function that returns a status (an enum or an integer, success being zero) and returns that
/// status: `call<CUresult(CUdeviceptr*, size_t)>(entry, &memory, size)`. When the function is missing,
/// nothing is called and the status is the one that the library's row has for it. Whatever is not success
/// sets last_failure().
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto call(EntryPoint& entry, Arguments&&... arguments) noexcept {
    return detail::Caller<true, Signature>::call(entry, static_cast<Arguments&&>(arguments)...);
}

/// Calls a function that returns something else than a status, or nothing. When it is missing, nothing is
/// called, last_failure() is set and the answer is zero of the return type.
template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto call_plain(EntryPoint& entry, Arguments&&... arguments) noexcept {
    return detail::Caller<false, Signature>::call(entry, static_cast<Arguments&&>(arguments)...);
}

}  // namespace cubind
