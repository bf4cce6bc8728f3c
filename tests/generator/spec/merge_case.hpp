// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/random_facts.hpp"
#include "support/release_facts.hpp"

/// Laws of merging, tried on facts that are made up at random, the same ones each time.
namespace cubind::testing {

constexpr unsigned case_count = 200;

/// What the headers of some releases state, and all of it merged.
struct MergeCase {
    explicit MergeCase(unsigned seed) : random(seed) {
        for (const auto& release : random.releases()) headers.push_back(random.facts(release));
        all = merged(headers);
    }
    std::string release(std::size_t index) const { return headers[index].releases.front(); }
    std::size_t any_index() { return static_cast<std::size_t>(random.below(static_cast<int>(headers.size()))); }

    RandomFacts random;
    std::vector<gen::spec::Facts> headers;  ///< of each release, oldest first
    gen::spec::Facts all;
};

/// Tries a law on one case after the other, up to the first that breaks it.
template <class Law>
void hold(Law law) {
    for (unsigned seed = 0; seed < case_count && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("case " + std::to_string(seed));
        MergeCase each(seed);
        law(each);
    }
}

}  // namespace cubind::testing
