// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"

#include <string>
#include <utility>
#include <vector>

namespace cubind::testing {

/// What the headers of one release of a toy library state, put together line by line.
class ReleaseFacts {
public:
    explicit ReleaseFacts(const std::string& release);

    /// A function of the header's default view, with these types of its parameters, that returns toyStatus.
    ReleaseFacts& function(const std::string& symbol, const std::vector<std::string>& types = {});
    /// The same, shown by a further view only.
    ReleaseFacts& hidden(const std::string& symbol, const std::vector<std::string>& types = {});
    /// Names the release that introduced the function before, as the headers state it.
    ReleaseFacts& since(const std::string& release);
    /// The documentation group of the function before.
    ReleaseFacts& group(const std::string& name);
    ReleaseFacts& name(const std::string& name, const std::string& symbol, const std::string& per_thread = "");
    ReleaseFacts& enumeration(const std::string& name, const std::vector<std::pair<std::string, std::int64_t>>& enumerators);
    ReleaseFacts& record(const std::string& name, std::int64_t size, const std::vector<gen::spec::Field>& fields);
    ReleaseFacts& handle(const std::string& name, const std::string& tag);
    ReleaseFacts& alias(const std::string& name, const std::string& type);
    ReleaseFacts& callback(const std::string& name, const std::vector<std::string>& types);
    ReleaseFacts& constant(const std::string& name, std::int64_t value);

    const gen::spec::Facts& facts() const { return facts_; }
    operator const gen::spec::Facts&() const { return facts_; }  // stands wherever facts do

private:
    template <class Entry>
    Entry& add(std::vector<Entry>& entries, const std::string& name);

    gen::spec::Facts facts_;
};

gen::spec::Field field(const std::string& name, const std::string& type, std::int64_t offset);
/// A member whose struct stands in place; without a name, an anonymous one.
gen::spec::Field nested(const std::string& name, std::int64_t offset, std::int64_t size,
                        const std::vector<gen::spec::Field>& fields, bool is_union = false);

/// Merges these, in this order.
gen::spec::Facts merged(const std::vector<gen::spec::Facts>& releases);

/// The entry of that name; fails the test where there is none.
template <class Entry>
const Entry& find(const std::vector<Entry>& entries, const std::string& name);

}  // namespace cubind::testing

#include <gtest/gtest.h>

template <class Entry>
const Entry& cubind::testing::find(const std::vector<Entry>& entries, const std::string& name) {
    for (const auto& entry : entries) {
        if (entry.name == name) return entry;
    }
    ADD_FAILURE() << name << " is missing";
    static const Entry none;
    return none;
}
