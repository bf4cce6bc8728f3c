// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/symbol_lookup.hpp"

#include <string_view>

#include "platform/dynamic_library.hpp"
#include "platform/loader_error.hpp"

namespace CUBIND_NAMESPACE::detail {

std::string fallback_symbol(const Library& library, const char* symbol) {
    constexpr std::string_view placeholder = "{symbol}";
    std::string name = library.fallback_symbol != nullptr ? library.fallback_symbol : "";
    const std::size_t at = name.find(placeholder);
    return at != std::string::npos ? name.replace(at, placeholder.size(), symbol) : name;
}

OwnLookup find_own_lookup(void* handle) {
    void* const found = find_symbol(handle, "cubindSimulatedSymbol");
    if (found == nullptr) take_loader_error();
    return reinterpret_cast<OwnLookup>(found);
}

void* look_up(const Library& library, const SearchOutcome& library_found, const char* symbol) {
    if (library_found.find != nullptr) {
        return library_found.find(symbol);
    }
    void* const handle = library_found.handle;
    void* found = find_symbol(handle, symbol);
    if (found == nullptr) take_loader_error();
    if (found == nullptr && library.fallback_symbol != nullptr) {
        found = find_symbol(handle, fallback_symbol(library, symbol).c_str());
        if (found == nullptr) take_loader_error();
    }
    return found;
}

}  // namespace CUBIND_NAMESPACE::detail
