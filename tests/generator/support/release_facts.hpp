// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spec/facts.hpp"
#include "spec/json.hpp"

namespace cubind::testing {

/// The list of a comparison that finds no change.
inline const gen::spec::Json none = gen::spec::Json::array();

/// Builds the facts of one release of a toy library, entry by entry.
class ReleaseFacts {
public:
    explicit ReleaseFacts(const std::string& release);

    /// Adds a function of the default view that returns toyStatus and has parameters of these types.
    ReleaseFacts& function(const std::string& symbol, const std::vector<std::string>& types = {});
    /// Adds such a function to another view only.
    ReleaseFacts& hidden(const std::string& symbol, const std::vector<std::string>& types = {});
    /// Sets the release that introduced the last function, as the headers state it.
    ReleaseFacts& since(const std::string& release);
    /// Sets the documentation group of the last function.
    ReleaseFacts& group(const std::string& name);
    ReleaseFacts& name(const std::string& name, const std::string& symbol, const std::string& per_thread = "");
    ReleaseFacts& enumeration(const std::string& name, const std::vector<std::pair<std::string, std::int64_t>>& enumerators);
    ReleaseFacts& record(const std::string& name, std::int64_t size, const std::vector<gen::spec::Field>& fields);
    ReleaseFacts& handle(const std::string& name, const std::string& tag);
    ReleaseFacts& alias(const std::string& name, const std::string& type);
    ReleaseFacts& callback(const std::string& name, const std::vector<std::string>& types);
    ReleaseFacts& constant(const std::string& name, std::int64_t value);
    ReleaseFacts& variable(const std::string& name, const std::string& type);

    const gen::spec::Facts& facts() const { return facts_; }
    operator const gen::spec::Facts&() const { return facts_; }  // implicit, so that tests can pass it as facts

private:
    template <class Entry>
    Entry& add(std::vector<Entry>& entries, const std::string& name);

    gen::spec::Facts facts_;
};

gen::spec::Field field(const std::string& name, const std::string& type, std::int64_t offset);
/// Returns a member whose struct or union is described in place. An empty name makes it an anonymous member.
gen::spec::Field nested(const std::string& name, std::int64_t offset, std::int64_t size,
                        const std::vector<gen::spec::Field>& fields, bool is_union = false);

/// Merges the facts in this order.
gen::spec::Facts merge_all(const std::vector<gen::spec::Facts>& releases);

/// Returns the entry of that name. Fails the test if there is none.
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
