// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/substitute.hpp>

#include <memory>
#include <vector>

#include "search_outcome.hpp"

namespace CUBIND_NAMESPACE {

namespace {

// Outcomes and texts that the loader no longer uses. They are not freed, because callers, for example of last_failure(), may
// still have pointers to them.
struct Retained {
    std::vector<std::unique_ptr<const detail::SearchOutcome>> outcomes;
    std::vector<const char*> texts;
    std::vector<const detail::SearchOutcome*> previous;
};

Retained& retained() {
    static Retained& objects = *new Retained;
    return objects;
}

const detail::SearchOutcome* outcome_for(const Substitute& substitute) {
    auto outcome = std::make_unique<detail::SearchOutcome>();
    outcome->handle = const_cast<Substitute*>(&substitute);
    outcome->path = substitute.path;
    outcome->found_via = substitute.found_via;
    outcome->find = substitute.find;
    retained().outcomes.push_back(std::move(outcome));
    return retained().outcomes.back().get();
}

}  // namespace

void substitute(Library& library, EntryPoints entries, const Substitute* substitute) noexcept {
    const detail::SearchOutcome* const outcome = substitute != nullptr ? outcome_for(*substitute) : nullptr;
    retained().previous.push_back(__atomic_exchange_n(&library.state.outcome, outcome, __ATOMIC_ACQ_REL));
    __atomic_store_n(&library.state.version, -1, __ATOMIC_RELAXED);
    for (EntryPoint* const entry : entries) {
        const char* const text = __atomic_exchange_n(&entry->missing, nullptr, __ATOMIC_ACQ_REL);
        if (text != nullptr) {
            retained().texts.push_back(text);
        }
        __atomic_store_n(&entry->address, nullptr, __ATOMIC_RELEASE);
    }
}

}  // namespace CUBIND_NAMESPACE
