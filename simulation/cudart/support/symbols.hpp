// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <simulation/functions.hpp>
#include <type_traits>

#include "shared/symbols.hpp"
#include "support/thread_state.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// Returns all symbols of the runtime library's spec. Generated.
Symbols all_symbols() noexcept;

/// Whether the simulated release lacks a symbol. The library is always of the newest release, and therefore lacks none.
struct HiddenSymbols {
    constexpr bool operator[](std::size_t) const noexcept { return false; }
};
inline constexpr HiddenSymbols is_hidden;

/// Stores a status that is not cudaSuccess as the calling thread's last error, and returns it.
inline cudaError_t record(cudaError_t status) noexcept {
    if (status != cudaSuccess) [[unlikely]] {
        thread_state.last_error = status;
    }
    return status;
}

/// Counts the call and returns cudaErrorNotSupported, or a value-initialized result if the function returns no status.
template <class Return>
[[gnu::cold]] Return refuse(std::size_t index) noexcept {
    count_unsupported_call(index);
    if constexpr (std::is_same_v<Return, cudaError_t>) {
        return record(cudaErrorNotSupported);
    } else {
        return Return();
    }
}

/// Returns the status of the exception that is being handled.
inline cudaError_t status_of_exception() noexcept {
    return sim::status_of_exception(cudaErrorMemoryAllocation, cudaErrorUnknown, cudaErrorUnknown);
}

/// Calls an implementation and records and returns its status. An exception becomes a status, because no exception may leave a C
/// library. The functions that return the last error do not record it again.
template <class Return, class... Parameters>
Return answer(std::size_t /*index*/, Return (*implementation)(Parameters...),
              std::type_identity_t<Parameters>... arguments) noexcept {
    if constexpr (std::is_same_v<Return, cudaError_t>) {
        cudaError_t status;
        try {
            status = implementation(arguments...);
        } catch (...) {
            status = status_of_exception();
        }
        if constexpr (sizeof...(Parameters) == 0) {
            if (implementation == sim_cudaGetLastError || implementation == sim_cudaPeekAtLastError) return status;
        }
        return record(status);
    } else {
        return implementation(arguments...);
    }
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
