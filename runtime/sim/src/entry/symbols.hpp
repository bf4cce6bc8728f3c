// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>

#include <cubind/driver/types.hpp>

namespace cubind::sim {

/// One function that a driver exports.
struct Symbol {
    const char* name;
    void* address;
    int since;  ///< release number of the first driver that has it
    bool has_behaviour;
};

/// In the order of their names.
struct Symbols {
    const Symbol* first;
    const Symbol* last;
    const Symbol* begin() const noexcept { return first; }
    const Symbol* end() const noexcept { return last; }
};

/// Generated: one for each symbol of the driver's spec.
Symbols all_symbols() noexcept;

inline constexpr std::size_t most_symbols = 2048;

/// By a symbol's place in all_symbols(): whether the simulated release does not have it yet. Changes only while nobody calls.
extern constinit bool is_hidden[most_symbols];

/// Hides what is newer than this release.
void hide_symbols_after(int release) noexcept;

/// Notes the call of a symbol that nobody has simulated, or that the release does not have.
void count_refusal(std::size_t index) noexcept;
unsigned long refusals(std::size_t index) noexcept;
void forget_refusals() noexcept;

/// What a function without a behaviour returns.
template <class Return>
[[gnu::cold]] Return refuse(std::size_t index) noexcept {
    count_refusal(index);
    if constexpr (std::is_same_v<Return, driver::CUresult>) {
        return driver::CUDA_ERROR_NOT_SUPPORTED;
    } else {
        return Return();
    }
}

/// The symbol with exactly this name, where the simulated release has it; null otherwise.
const Symbol* find_symbol(const char* name) noexcept;

}  // namespace cubind::sim
