// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/record_failure.hpp>
#include <cubind/library.hpp>

#include <algorithm>
#include <new>

#include "resolve/retained.hpp"
#include "search/search.hpp"
#include "search/search_outcome.hpp"
#include "search/version_answer.hpp"

namespace CUBIND_NAMESPACE {

namespace detail {

// Takes no lock. dlopen runs constructors while it holds the OS loader's lock, and a constructor may call cubind: with a lock
// here, that thread and a searching thread could wait for each other. Instead, racing threads search concurrently, dlopen returns
// the same library to them, and the first stored outcome is used.
const SearchOutcome* outcome_of(Library& library) noexcept {
    const SearchOutcome* published = __atomic_load_n(&library.state.outcome, __ATOMIC_ACQUIRE);
    if (published != nullptr) {
        return published;
    }
    try {
        const SearchOutcome* const outcome = retain(search(library));
        const bool is_first =
            __atomic_compare_exchange_n(&library.state.outcome, &published, outcome, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
        return is_first ? outcome : published;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace detail

bool load(Library& library) noexcept {
    const detail::SearchOutcome* const outcome = detail::outcome_of(library);
    if (outcome != nullptr && outcome->handle != nullptr) {
        return true;
    }
    detail::record_failure({library.name, "", library.library_missing_status, FailureReason::library_missing,
                            outcome != nullptr ? outcome->missing.c_str() : detail::exhausted_text});
    return false;
}

const char* library_path(Library& library) noexcept {
    const detail::SearchOutcome* const outcome = detail::outcome_of(library);
    return outcome != nullptr && outcome->handle != nullptr ? outcome->path.c_str() : nullptr;
}

const char* library_found_via(Library& library) noexcept {
    const detail::SearchOutcome* const outcome = detail::outcome_of(library);
    return outcome != nullptr ? outcome->found_via : nullptr;
}

const char* library_search_notes(Library& library) noexcept {
    const detail::SearchOutcome* const outcome = detail::outcome_of(library);
    return outcome != nullptr && outcome->handle != nullptr ? outcome->notes.c_str() : nullptr;
}

int version(Library& library) noexcept {
    // Racing threads call the version function concurrently and get the same version.
    int known = __atomic_load_n(&library.state.version, __ATOMIC_RELAXED);
    if (known >= 0) return known;
    const detail::SearchOutcome* const outcome = detail::outcome_of(library);
    if (outcome == nullptr) return 0;
    try {
        const bool can_ask = outcome->handle != nullptr && library.version_function != nullptr;
        known = can_ask ? std::max(detail::ask_version(library, *outcome).version, 0) : 0;
        __atomic_store_n(&library.state.version, known, __ATOMIC_RELAXED);
        return known;
    } catch (const std::bad_alloc&) {
        return 0;  // asks again in the next call
    }
}

}  // namespace CUBIND_NAMESPACE
