// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "spec/random_facts.hpp"
#include "support/release_facts.hpp"

/// Checks properties of merging on random facts, which are the same in each run.
namespace cubind::testing {

constexpr unsigned case_count = 200;

/// The facts of the headers of some releases, and the result of merging all of them.
struct MergeCase {
    explicit MergeCase(unsigned seed) : random(seed) {
        for (const auto& release : random.releases()) headers.push_back(random.facts(release));
        all = merge_all(headers);
    }
    std::string release(std::size_t index) const { return headers[index].releases.front(); }
    std::size_t any_index() { return static_cast<std::size_t>(random.below(static_cast<int>(headers.size()))); }

    RandomFacts random;
    std::vector<gen::spec::Facts> headers;  ///< facts of each release, oldest first
    gen::spec::Facts all;
};

/// Calls `check` with one case after the other until a check fails.
template <class Check>
void for_each_case(Check check) {
    for (unsigned seed = 0; seed < case_count && !::testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("case " + std::to_string(seed));
        MergeCase each(seed);
        check(each);
    }
}

}  // namespace cubind::testing
