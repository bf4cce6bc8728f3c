// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <simulation/functions.hpp>
#include <type_traits>

#include "shared/symbols.hpp"
#include "support/session.hpp"

namespace CUBIND_NAMESPACE::sim::management {

/// Returns all symbols of the management library's spec. Generated.
Symbols all_symbols() noexcept;

/// Whether the driver's release lacks a symbol, by the symbol's index in all_symbols(). The management library is part of the
/// driver. False for all symbols before the first session.
struct HiddenSymbols {
    bool operator[](std::size_t index) const noexcept { return all_symbols().first[index].since > driver_release(); }
};
inline constexpr HiddenSymbols is_hidden;

/// Counts the call and returns its status, or a value-initialized result if the function returns no status.
template <class Return>
[[gnu::cold]] Return refuse(std::size_t index) noexcept {
    count_unsupported_call(index);
    if constexpr (std::is_same_v<Return, nvmlReturn_t>) {
        if (!is_initialized()) return NVML_ERROR_UNINITIALIZED;
        return is_hidden[index] ? NVML_ERROR_FUNCTION_NOT_FOUND : NVML_ERROR_NOT_SUPPORTED;
    } else {
        return Return();
    }
}

/// Returns whether the function begins a session.
template <class Function>
bool begins_session(Function* function) noexcept {
    if constexpr (std::is_same_v<Function, decltype(sim_nvmlInit)>) {
        return function == sim_nvmlInit || function == sim_nvmlInit_v2;
    } else if constexpr (std::is_same_v<Function, decltype(sim_nvmlInitWithFlags)>) {
        return function == sim_nvmlInitWithFlags;
    } else {
        return false;
    }
}

/// Calls an implementation and returns its status. Without a session, only the functions that begin one are called. An exception
/// becomes a status, because no exception may leave a C library.
template <class Return, class... Parameters>
Return answer(std::size_t /*index*/, Return (*implementation)(Parameters...),
              std::type_identity_t<Parameters>... arguments) noexcept {
    if constexpr (std::is_same_v<Return, nvmlReturn_t>) {
        if (!is_initialized() && !begins_session(implementation)) return NVML_ERROR_UNINITIALIZED;
        try {
            return implementation(arguments...);
        } catch (...) {
            return status_of_exception(NVML_ERROR_MEMORY, NVML_ERROR_UNKNOWN, NVML_ERROR_UNKNOWN);
        }
    } else {
        return implementation(arguments...);
    }
}

}  // namespace CUBIND_NAMESPACE::sim::management
