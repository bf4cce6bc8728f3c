// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/substitute.hpp>

#include <memory>
#include <vector>

#include "search_outcome.hpp"

namespace cubind {

namespace {

// What others may still hold pointers to: outcomes, and texts that last_failure() has handed out.
struct Kept {
    std::vector<std::unique_ptr<const detail::SearchOutcome>> outcomes;
    std::vector<const char*> texts;
    std::vector<const detail::SearchOutcome*> former;
};

Kept& kept() {
    static Kept& forever = *new Kept;
    return forever;
}

const detail::SearchOutcome* outcome_for(const Substitute& substitute) {
    auto outcome = std::make_unique<detail::SearchOutcome>();
    outcome->handle = const_cast<Substitute*>(&substitute);
    outcome->path = substitute.path;
    outcome->found_via = substitute.found_via;
    outcome->find = substitute.find;
    kept().outcomes.push_back(std::move(outcome));
    return kept().outcomes.back().get();
}

}  // namespace

void substitute(Library& library, EntryPoints entries, const Substitute* substitute) noexcept {
    const detail::SearchOutcome* const outcome = substitute != nullptr ? outcome_for(*substitute) : nullptr;
    kept().former.push_back(__atomic_exchange_n(&library.state.outcome, outcome, __ATOMIC_ACQ_REL));
    __atomic_store_n(&library.state.version, -1, __ATOMIC_RELAXED);
    for (EntryPoint* const entry : entries) {
        const char* const text = __atomic_exchange_n(&entry->missing, nullptr, __ATOMIC_ACQ_REL);
        if (text != nullptr) {
            kept().texts.push_back(text);
        }
        __atomic_store_n(&entry->address, nullptr, __ATOMIC_RELEASE);
    }
}

}  // namespace cubind
