// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/symbols.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace CUBIND_NAMESPACE::sim {

namespace {

constinit std::atomic<unsigned long> counts[max_symbols] = {};

std::size_t index_of(const Symbol& symbol) noexcept {
    return static_cast<std::size_t>(&symbol - all_symbols().begin());
}

}  // namespace

constinit HiddenSymbols is_hidden;

void hide_symbols_after(int release) noexcept {
    for (const Symbol& symbol : all_symbols()) is_hidden.set(index_of(symbol), symbol.since > release);
}

void count_unsupported_call(std::size_t index) noexcept {
    counts[index].fetch_add(1, std::memory_order_relaxed);
}

unsigned long unsupported_calls(std::size_t index) noexcept {
    return counts[index].load(std::memory_order_relaxed);
}

void reset_unsupported_calls() noexcept {
    for (auto& count : counts) count.store(0, std::memory_order_relaxed);
}

driver::CUresult status_of_exception() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return driver::CUDA_ERROR_OUT_OF_MEMORY;
    } catch (const std::length_error&) {  // a container of more elements than memory can hold
        return driver::CUDA_ERROR_OUT_OF_MEMORY;
    } catch (const std::system_error&) {
        return driver::CUDA_ERROR_OPERATING_SYSTEM;
    } catch (...) {
        return driver::CUDA_ERROR_UNKNOWN;
    }
}

const Symbol* find_symbol(const char* name) noexcept {
    const Symbols symbols = all_symbols();
    const std::string_view requested = name;
    if (simulation_mark().name == requested) return &simulation_mark();
    const Symbol* const found = std::lower_bound(symbols.begin(), symbols.end(), requested,
                                                 [](const Symbol& symbol, std::string_view text) { return symbol.name < text; });
    const bool exists = found != symbols.end() && found->name == requested && !is_hidden[index_of(*found)];
    return exists ? found : nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim
