// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "spec/facts.hpp"

namespace cubind::testing {

/// Generates random facts of releases from a small set of names. Functions, public names, types and enumerators are added,
/// change, are removed and return from release to release.
class RandomFacts {
public:
    explicit RandomFacts(unsigned seed) : random_(seed) {}

    /// Returns two to five releases, oldest first.
    std::vector<std::string> releases();
    gen::spec::Facts facts(const std::string& release);
    template <class Value>
    void shuffle(std::vector<Value>& values) {
        std::shuffle(values.begin(), values.end(), random_);
    }
    /// Returns true in `percent` of 100 cases.
    bool chance(int percent) { return below(100) < percent; }
    int below(int limit) { return std::uniform_int_distribution<>(0, limit - 1)(random_); }

private:
    template <class Entry>
    Entry entry(const std::string& name, const std::string& release);
    void add_functions(gen::spec::Facts& facts, const std::string& release);
    void add_public_names(gen::spec::Facts& facts, const std::string& release);
    void add_enums(gen::spec::Facts& facts, const std::string& release);
    void add_records(gen::spec::Facts& facts, const std::string& release);
    void add_other_types(gen::spec::Facts& facts, const std::string& release);
    gen::spec::RecordBody record(const std::vector<std::string>& names, int depth);
    std::string stated_since(const std::string& release);

    std::mt19937 random_;
};

}  // namespace cubind::testing
