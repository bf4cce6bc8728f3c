// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/record_failure.hpp>
#include <cubind/entry_point.hpp>

#include <new>

#include "intercept/interception.hpp"
#include "intercept/layers_request.hpp"
#include "resolve/missing_symbol.hpp"
#include "resolve/retained.hpp"
#include "search/search_outcome.hpp"
#include "search/symbol_lookup.hpp"

namespace CUBIND_NAMESPACE {

namespace {

// Result of a lookup. If the address is null, the other members describe why.
struct Lookup {
    void* address = nullptr;
    FailureReason reason = FailureReason::none;
    const char* detail = "";
};

// Stores why the function is missing, unless another thread has stored it, and returns the stored text.
const char* store_missing(EntryPoint& entry, const char* text) noexcept {
    const char* stored = nullptr;
    const bool is_first = __atomic_compare_exchange_n(&entry.missing, &stored, text, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return is_first ? text : stored;
}

// Looks up a function of a loaded library.
Lookup find_symbol(EntryPoint& entry, const detail::SearchOutcome& outcome) noexcept {
    const char* text = __atomic_load_n(&entry.missing, __ATOMIC_ACQUIRE);
    try {
        if (text == nullptr) {
            if (void* const found = detail::look_up(*entry.library, outcome, entry.symbol)) {
                return {detail::store_address(entry, found)};
            }
            text = store_missing(entry, detail::retain(detail::missing_symbol_text(entry, outcome)));
        }
    } catch (const std::bad_alloc&) {
        text = detail::exhausted_text;
    }
    return {nullptr, FailureReason::symbol_missing, text};
}

// Resolves the entry without setting last_failure().
Lookup find(EntryPoint& entry) noexcept {
    void* const current = __atomic_load_n(&entry.address, __ATOMIC_ACQUIRE);
    if (current != nullptr) return {current};
    detail::report_unused_layers_request();
    const detail::SearchOutcome* const outcome = detail::outcome_of(*entry.library);
    if (outcome == nullptr) return {nullptr, FailureReason::library_missing, detail::exhausted_text};
    if (outcome->handle != nullptr) return find_symbol(entry, *outcome);
    return {nullptr, FailureReason::library_missing, store_missing(entry, outcome->missing.c_str())};
}

}  // namespace

void* resolve(EntryPoint& entry) noexcept {
    const Lookup lookup = find(entry);
    if (lookup.address == nullptr) {
        const Library& library = *entry.library;
        const bool is_loaded = lookup.reason == FailureReason::symbol_missing;
        detail::record_failure({library.name, entry.symbol,
                                is_loaded ? library.symbol_missing_status : library.library_missing_status, lookup.reason,
                                lookup.detail});
    }
    return lookup.address;
}

bool has(EntryPoint& entry) noexcept {
    return find(entry).address != nullptr;
}

void* exchange_address(EntryPoint& entry, void* replacement) noexcept {
    find(entry);
    return detail::replace_address(entry, replacement);
}

}  // namespace CUBIND_NAMESPACE
