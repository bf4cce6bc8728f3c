// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/entry_point.hpp>
#include <cubind/status.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Sets last_failure() and returns `status`, so that the failing path of a wrapper is one tail call.
[[gnu::cold, gnu::noinline]] CUBIND_EXPORT int record_failed_status(const EntryPoint& entry, int status) noexcept;

/// Returns the status of this thread's last failure. Call it directly after resolve() has returned null on this thread.
[[gnu::cold, gnu::noinline]] CUBIND_EXPORT int last_failure_status() noexcept;

/// Calls the function at `address`, which is not null.
template <bool returns_status, class Returned, class... Parameters>
[[gnu::always_inline]] inline Returned call_address(const EntryPoint& entry, void* address,
                                                    const Parameters&... parameters) noexcept {
    const auto function = reinterpret_cast<Returned (*)(Parameters...)>(address);
    if constexpr (returns_status) {
        const Returned status = function(parameters...);
        if (!StatusTraits<Returned>::is_success(status)) [[unlikely]] {
            const int code = record_failed_status(entry, StatusTraits<Returned>::code(status));
            // The other fields of a struct are preserved. Any other status is returned from the call, so that it is a tail call.
            if constexpr (!__is_class(Returned)) return static_cast<Returned>(code);
        }
        return status;
    } else {
        return function(parameters...);
    }
}

/// Resolves an entry that has no address and calls the function. The call is made here and not in Caller: otherwise Caller
/// would have to preserve its parameters across resolve(), and every later call would pay for that.
template <bool returns_status, class Signature, class... Passed>
struct FirstCall;

template <bool returns_status, class Returned, class... Parameters, class... Passed>
struct FirstCall<returns_status, Returned(Parameters...), Passed...> {
    // The entry is the last parameter so that the other parameters stay in the registers in which they arrived.
    [[gnu::cold, gnu::noinline]] static Returned call(Passed... parameters, EntryPoint& entry) noexcept {
        void* const address = resolve(entry);
        if (address != nullptr) {
            return call_address<returns_status, Returned, Parameters...>(entry, address, parameters...);
        }
        if constexpr (returns_status) {
            return StatusTraits<Returned>::from_code(last_failure_status());
        } else {
            return Returned();
        }
    }
};

/// Calls one function. The primary template handles up to five parameters.
template <bool returns_status, class Signature>
struct Caller;

template <bool returns_status, class Returned, class... Parameters>
struct Caller<returns_status, Returned(Parameters...)> {
    [[gnu::always_inline]] static inline Returned call(EntryPoint& entry, Parameters... parameters) noexcept {
        void* const address = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
        if (address == nullptr) [[unlikely]] {
            return FirstCall<returns_status, Returned(Parameters...), Parameters...>::call(parameters..., entry);
        }
        return call_address<returns_status, Returned, Parameters...>(entry, address, parameters...);
    }
};

/// Calls one function with six or more parameters. The parameters after the sixth arrive in memory, and FirstCall receives them
/// by reference. If it received them by value, both branches would need the values, and compilers would load them before the
/// branch: eleven more instructions for cuLaunchKernel.
template <bool returns_status, class Returned, class P1, class P2, class P3, class P4, class P5, class P6, class... Rest>
struct Caller<returns_status, Returned(P1, P2, P3, P4, P5, P6, Rest...)> {
    [[gnu::always_inline]] static inline Returned call(EntryPoint& entry, P1 p1, P2 p2, P3 p3, P4 p4, P5 p5, P6 p6,
                                                       const Rest&... rest) noexcept {
        void* const address = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
        if (address == nullptr) [[unlikely]] {
            return FirstCall<returns_status, Returned(P1, P2, P3, P4, P5, P6, Rest...), P1, P2, P3, P4, P5, P6,
                             const Rest&...>::call(p1, p2, p3, p4, p5, p6, rest..., entry);
        }
        return call_address<returns_status, Returned, P1, P2, P3, P4, P5, P6, Rest...>(entry, address, p1, p2, p3, p4, p5, p6,
                                                                                       rest...);
    }
};

}  // namespace CUBIND_NAMESPACE::detail
