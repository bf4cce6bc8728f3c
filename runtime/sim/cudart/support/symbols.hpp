// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <simulation/functions.hpp>
#include <type_traits>

#include "support/thread_state.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// One function that the runtime library exports.
struct Symbol {
    const char* name;
    void* address;
    int since;  ///< number of the first release whose library exports it
    bool is_simulated;
};

/// All symbols, sorted by name.
struct Symbols {
    const Symbol* first;
    const Symbol* last;
    const Symbol* begin() const noexcept { return first; }
    const Symbol* end() const noexcept { return last; }
};

/// Returns all symbols of the runtime library's spec. Generated.
Symbols all_symbols() noexcept;

/// Limit of the number of symbols, including symbols of other headers.
inline constexpr std::size_t max_symbols = 1024;

/// Whether the simulated release lacks a symbol. The library is always of the newest release, and therefore lacks none.
struct HiddenSymbols {
    constexpr bool operator[](std::size_t) const noexcept { return false; }
};
inline constexpr HiddenSymbols is_hidden;

/// Counts a call of a symbol that is not simulated. Indexes are positions in all_symbols(); those of other symbols follow.
void count_unsupported_call(std::size_t index) noexcept;
/// Returns the number of counted calls of one symbol.
unsigned long unsupported_calls(std::size_t index) noexcept;

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
cudaError_t status_of_exception() noexcept;

/// Calls an implementation and records and returns its status. An exception becomes a status, because no exception may leave a C
/// library. The functions that return the last error do not record it again.
template <class Return, class... Parameters>
Return answer(Return (*implementation)(Parameters...), std::type_identity_t<Parameters>... arguments) noexcept {
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
