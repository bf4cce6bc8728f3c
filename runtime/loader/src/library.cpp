// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/library.hpp>

#include <algorithm>
#include <memory>

#include <cubind/detail/record_failure.hpp>

#include "search.hpp"
#include "search_outcome.hpp"
#include "version_answer.hpp"

namespace cubind {

namespace detail {

// There is no lock on purpose. dlopen runs constructors while it holds the OS loader's lock, and a
// constructor may call into cubind: with a lock of ours, that thread and one that is just searching would
// wait for each other. Threads that race search side by side instead, dlopen gives them the same library, and
// the first outcome stands.
const SearchOutcome& outcome_of(Library& library) noexcept {
    const SearchOutcome* published = __atomic_load_n(&library.state.outcome, __ATOMIC_ACQUIRE);
    if (published != nullptr) {
        return *published;
    }
    auto outcome = std::make_unique<const SearchOutcome>(search(library));
    if (__atomic_compare_exchange_n(&library.state.outcome, &published, outcome.get(), false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return *outcome.release();
    }
    return *published;
}

}  // namespace detail

bool load(Library& library) noexcept {
    const detail::SearchOutcome& outcome = detail::outcome_of(library);
    if (outcome.handle != nullptr) {
        return true;
    }
    detail::record_failure({library.name, "", library.library_missing_status, FailureReason::library_missing,
                            outcome.missing.c_str()});
    return false;
}

const char* library_path(Library& library) noexcept {
    const detail::SearchOutcome& outcome = detail::outcome_of(library);
    return outcome.handle != nullptr ? outcome.path.c_str() : nullptr;
}

const char* library_found_via(Library& library) noexcept {
    return detail::outcome_of(library).found_via;
}

int version(Library& library) noexcept {
    // Threads that race ask side by side and are told the same.
    int known = __atomic_load_n(&library.state.version, __ATOMIC_RELAXED);
    if (known < 0) {
        const detail::SearchOutcome& outcome = detail::outcome_of(library);
        const bool can_ask = outcome.handle != nullptr && library.version_function != nullptr;
        known = can_ask ? std::max(detail::ask_version(library, outcome).version, 0) : 0;
        __atomic_store_n(&library.state.version, known, __ATOMIC_RELAXED);
    }
    return known;
}

}  // namespace cubind
