// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/library_function.hpp>

#include <new>

#include "search/search_outcome.hpp"
#include "search/symbol_lookup.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Returns the outcome of the search that loaded the library, or null.
const SearchOutcome* loaded(const Library& library) noexcept {
    const SearchOutcome* const outcome = __atomic_load_n(&library.state.outcome, __ATOMIC_ACQUIRE);
    return outcome != nullptr && outcome->handle != nullptr ? outcome : nullptr;
}

}  // namespace

void* find_library_function(const Library& library, const char* symbol) noexcept {
    const SearchOutcome* const outcome = loaded(library);
    try {
        return outcome != nullptr ? look_up(library, *outcome, symbol) : nullptr;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

bool is_loaded(const Library& library) noexcept {
    return loaded(library) != nullptr;
}

}  // namespace CUBIND_NAMESPACE::detail
