// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/substitute.hpp>

#include "resolve/retained.hpp"

namespace CUBIND_NAMESPACE {

namespace {

const detail::SearchOutcome* outcome_for(const Substitute& substitute) {
    return detail::retain(detail::SearchOutcome{.handle = const_cast<Substitute*>(&substitute),
                                                .path = substitute.path,
                                                .found_via = substitute.found_via,
                                                .missing = {},
                                                .notes = {},
                                                .find = substitute.find});
}

}  // namespace

void substitute(Library& library, EntryPoints entries, const Substitute* substitute) {
    const detail::SearchOutcome* const outcome = substitute != nullptr ? outcome_for(*substitute) : nullptr;
    __atomic_store_n(&library.state.outcome, outcome, __ATOMIC_RELEASE);
    __atomic_store_n(&library.state.version, -1, __ATOMIC_RELAXED);
    for (EntryPoint* const entry : entries) {
        __atomic_store_n(&entry->missing, nullptr, __ATOMIC_RELEASE);
        __atomic_store_n(&entry->address, nullptr, __ATOMIC_RELEASE);
    }
}

}  // namespace CUBIND_NAMESPACE
