// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/record_failure.hpp>
#include <cubind/entry_point.hpp>

#include <stdlib.h>
#include <string.h>
#include <string>

#include "interception.hpp"
#include "layers_request.hpp"
#include "missing_symbol.hpp"
#include "search_outcome.hpp"
#include "symbol_lookup.hpp"

namespace CUBIND_NAMESPACE {

namespace {

// Stores why the symbol is missing.
void store_missing(EntryPoint& entry, const detail::SearchOutcome& outcome) {
    const char* const text =
        outcome.handle == nullptr ? outcome.missing.c_str() : strdup(detail::missing_symbol_text(entry, outcome).c_str());
    const char* expected = nullptr;
    const bool stored = __atomic_compare_exchange_n(&entry.missing, &expected, text, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    if (!stored && outcome.handle != nullptr) {
        free(const_cast<char*>(text));  // another thread has stored the same text, which may be in use
    }
}

// Resolves the entry without setting last_failure().
void* find_address(EntryPoint& entry) {
    void* const current = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    if (current != nullptr || __atomic_load_n(&entry.missing, __ATOMIC_ACQUIRE) != nullptr) {
        return current;
    }
    detail::report_unused_layers_request();
    const detail::SearchOutcome& outcome = detail::outcome_of(*entry.library);
    void* const found = outcome.handle != nullptr ? detail::look_up(*entry.library, outcome, entry.symbol) : nullptr;
    if (found == nullptr) {
        store_missing(entry, outcome);
        return nullptr;
    }
    return detail::store_address(entry, found);
}

}  // namespace

void* resolve(EntryPoint& entry) noexcept {
    void* const address = find_address(entry);
    if (address == nullptr) {
        Library& library = *entry.library;
        const bool loaded = detail::outcome_of(library).handle != nullptr;
        detail::record_failure({library.name, entry.symbol,
                                loaded ? library.symbol_missing_status : library.library_missing_status,
                                loaded ? FailureReason::symbol_missing : FailureReason::library_missing,
                                __atomic_load_n(&entry.missing, __ATOMIC_ACQUIRE)});
    }
    return address;
}

bool has(EntryPoint& entry) noexcept {
    return find_address(entry) != nullptr;
}

void* exchange_address(EntryPoint& entry, void* replacement) noexcept {
    find_address(entry);
    return detail::replace_address(entry, replacement);
}

}  // namespace CUBIND_NAMESPACE
