// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/release_facts.hpp"

#include "spec/merge.hpp"

namespace cubind::testing {
namespace {

std::vector<gen::spec::Parameter> parameters_of(const std::vector<std::string>& types) {
    std::vector<gen::spec::Parameter> parameters;
    for (const auto& type : types) parameters.push_back({"p" + std::to_string(parameters.size()), type, "", ""});
    return parameters;
}

}  // namespace

ReleaseFacts::ReleaseFacts(const std::string& release) {
    facts_.library = "toy";
    facts_.releases = {release};
}

template <class Entry>
Entry& ReleaseFacts::add(std::vector<Entry>& entries, const std::string& name) {
    Entry& entry = entries.emplace_back();
    entry.name = name;
    entry.since = facts_.releases.front();
    if constexpr (requires { entry.header; }) entry.header = "toy.h";
    return entry;
}

ReleaseFacts& ReleaseFacts::function(const std::string& symbol, const std::vector<std::string>& types) {
    auto& function = add(facts_.functions, symbol);
    function.returns = "toyStatus";
    function.parameters = parameters_of(types);
    return *this;
}

ReleaseFacts& ReleaseFacts::hidden(const std::string& symbol, const std::vector<std::string>& types) {
    function(symbol, types);
    facts_.functions.back().view = "internal";
    return *this;
}

ReleaseFacts& ReleaseFacts::since(const std::string& release) {
    facts_.functions.back().since = release;
    return *this;
}

ReleaseFacts& ReleaseFacts::group(const std::string& name) {
    facts_.functions.back().group = name;
    return *this;
}

ReleaseFacts& ReleaseFacts::name(const std::string& name, const std::string& symbol, const std::string& per_thread) {
    facts_.public_names.push_back({name, {{facts_.releases.front(), "", symbol, per_thread}}});
    return *this;
}

ReleaseFacts& ReleaseFacts::enumeration(const std::string& name,
                                        const std::vector<std::pair<std::string, std::int64_t>>& enumerators) {
    auto& entry = add(facts_.enums, name);
    entry.underlying = "unsigned int";
    for (const auto& [enumerator, value] : enumerators) add(entry.enumerators, enumerator).value = value;
    return *this;
}

ReleaseFacts& ReleaseFacts::record(const std::string& name, std::int64_t size, const std::vector<gen::spec::Field>& fields) {
    auto& record = add(facts_.records, name);
    record.size = size;
    record.alignment = 4;
    record.fields = fields;
    return *this;
}

ReleaseFacts& ReleaseFacts::handle(const std::string& name, const std::string& tag) {
    add(facts_.handles, name).tag = tag;
    return *this;
}

ReleaseFacts& ReleaseFacts::alias(const std::string& name, const std::string& type) {
    add(facts_.aliases, name).type = type;
    return *this;
}

ReleaseFacts& ReleaseFacts::callback(const std::string& name, const std::vector<std::string>& types) {
    auto& callback = add(facts_.callbacks, name);
    callback.returns = "void";
    callback.parameters = parameters_of(types);
    return *this;
}

ReleaseFacts& ReleaseFacts::constant(const std::string& name, std::int64_t value) {
    auto& constant = add(facts_.constants, name);
    constant.type = "int";
    constant.value = value;
    return *this;
}

ReleaseFacts& ReleaseFacts::variable(const std::string& name, const std::string& type) {
    add(facts_.variables, name).type = type;
    return *this;
}

gen::spec::Field field(const std::string& name, const std::string& type, std::int64_t offset) {
    return {name, type, offset, "", "", nullptr, {}};
}

gen::spec::Field nested(const std::string& name, std::int64_t offset, std::int64_t size,
                        const std::vector<gen::spec::Field>& fields, bool is_union) {
    gen::spec::NestedRecord record;
    record.is_union = is_union;
    record.size = size;
    record.alignment = 4;
    record.fields = fields;
    return {name, "", offset, "", "", std::make_shared<const gen::spec::NestedRecord>(std::move(record)), {}};
}

gen::spec::Facts merge_all(const std::vector<gen::spec::Facts>& releases) {
    gen::spec::Facts facts;
    for (const auto& each : releases) facts = gen::spec::merge(facts, each);
    return facts;
}

}  // namespace cubind::testing
