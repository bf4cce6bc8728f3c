// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/symbols.hpp"

#include <algorithm>
#include <string_view>

namespace CUBIND_NAMESPACE::sim {

namespace {

std::size_t index_of(const Symbol& symbol) noexcept {
    return static_cast<std::size_t>(&symbol - all_symbols().begin());
}

}  // namespace

constinit HiddenSymbols is_hidden;

void hide_symbols_after(int release) noexcept {
    for (const Symbol& symbol : all_symbols()) is_hidden.set(index_of(symbol), symbol.since > release);
}

driver::CUresult status_of_exception() noexcept {
    return status_of_exception(driver::CUDA_ERROR_OUT_OF_MEMORY, driver::CUDA_ERROR_OPERATING_SYSTEM, driver::CUDA_ERROR_UNKNOWN);
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
