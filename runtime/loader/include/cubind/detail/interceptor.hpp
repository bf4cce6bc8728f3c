// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/intercept.hpp>

#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// Passes the call of function `index` to the observer, or calls the vendor's function if the observer was removed in the
/// meantime.
CUBIND_EXPORT void observe(const reflection::LibraryDescription& library, std::size_t index, void* const* arguments,
                           void* returned) noexcept;

/// Calls a function with the arguments whose addresses a Call stores.
template <class Signature>
struct Invocation;

template <class Returned, class... Parameters>
struct Invocation<Returned(Parameters...)> {
    static void invoke(const Call& call) noexcept { invoke(call, std::index_sequence_for<Parameters...>()); }

    template <std::size_t... positions>
    static void invoke(const Call& call, std::index_sequence<positions...>) noexcept {
        const auto function = reinterpret_cast<Returned (*)(Parameters...)>(call.original);
        if constexpr (std::is_void_v<Returned>) {
            function(*static_cast<Parameters*>(call.arguments[positions])...);
        } else {
            *static_cast<Returned*>(call.returned) = function(*static_cast<Parameters*>(call.arguments[positions])...);
        }
    }
};

/// The function that replaces function `index` of `library` while calls are intercepted.
template <const reflection::LibraryDescription& library, std::size_t index, class Signature>
struct Interceptor;

template <const reflection::LibraryDescription& library, std::size_t index, class Returned, class... Parameters>
struct Interceptor<library, index, Returned(Parameters...)> {
    static Returned call(Parameters... parameters) noexcept {
        void* const arguments[] = {const_cast<void*>(static_cast<const void*>(&parameters))..., nullptr};
        if constexpr (std::is_void_v<Returned>) {
            observe(library, index, arguments, nullptr);
        } else {
            Returned returned{};
            observe(library, index, arguments, &returned);
            return returned;
        }
    }
    static void* address() noexcept { return reinterpret_cast<void*>(&call); }
};

}  // namespace CUBIND_NAMESPACE::detail
