// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <cstddef>
#include <type_traits>

#include "machine/per_thread_default_stream.hpp"
#include "shared/symbols.hpp"
#include "support/calls.hpp"
#include "support/observe.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Returns all symbols of the driver's spec. Generated.
Symbols all_symbols() noexcept;

/// Returns the symbol that only a simulated driver exports, in all releases.
const Symbol& simulation_mark() noexcept;

/// Whether the simulated release lacks a symbol, by the symbol's index in all_symbols(). False for other symbols. Threads may
/// read it while the first call of another thread creates the machine.
class HiddenSymbols {
public:
    bool operator[](std::size_t index) const noexcept { return flags_[index].load(std::memory_order_relaxed); }
    void set(std::size_t index, bool is_hidden) noexcept { flags_[index].store(is_hidden, std::memory_order_relaxed); }

private:
    std::atomic<bool> flags_[max_symbols] = {};
};
extern constinit HiddenSymbols is_hidden;

/// Hides the symbols that are newer than this release.
void hide_symbols_after(int release) noexcept;

/// Writes to the driver's log that the call of a symbol returned a status, after the reason: the call has written it, or it is
/// the text of a device's fault, or it is not known. Ignores CUDA_ERROR_NOT_READY. `index` is the position in all_symbols().
[[gnu::cold, gnu::noinline]] void log_failure(std::size_t index, driver::CUresult status) noexcept;
/// Writes to the driver's log that a symbol is not simulated.
[[gnu::cold]] void log_unsupported(std::size_t index) noexcept;

/// Counts the call and returns CUDA_ERROR_NOT_SUPPORTED, or a value-initialized result if the function returns no
/// CUresult.
template <class Return>
[[gnu::cold]] Return refuse(std::size_t index) noexcept {
    count_unsupported_call(index);
    log_unsupported(index);
    if constexpr (std::is_same_v<Return, driver::CUresult>) {
        log_failure(index, driver::CUDA_ERROR_NOT_SUPPORTED);
        return driver::CUDA_ERROR_NOT_SUPPORTED;
    } else {
        return Return();
    }
}

/// Returns the status of the exception that is being handled.
driver::CUresult status_of_exception() noexcept;

/// Calls the implementation of a symbol and returns its result. An exception becomes a status, because no exception may leave a
/// driver.
template <class Return, class... Parameters>
Return answer(std::size_t index, Return (*implementation)(Parameters...),
              std::type_identity_t<Parameters>... arguments) noexcept {
    ObservedCall call(index);
    const CallScope scope;
    if constexpr (std::is_same_v<Return, driver::CUresult>) {
        driver::CUresult status;
        try {
            status = implementation(arguments...);
        } catch (...) {
            status = status_of_exception();
        }
        if (status != driver::CUDA_SUCCESS) [[unlikely]]
            log_failure(index, status);
        call.status = status;
        return status;
    } else {
        try {
            return implementation(arguments...);
        } catch (...) {
            return Return();
        }
    }
}

/// Returns the symbol with exactly this name, or null if it does not exist or the simulated release lacks it.
const Symbol* find_symbol(const char* name) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
