// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/random_facts.hpp"

#include <algorithm>

#include "spec/release.hpp"

namespace cubind::testing {

using gen::spec::Facts;

std::vector<std::string> RandomFacts::releases() {
    // 12.10 follows 12.9 although it precedes it as text.
    std::vector<std::string> all = {"9.2", "12.0", "12.9", "12.10", "13.0", "13.4"};
    shuffle(all);
    all.resize(static_cast<std::size_t>(2 + below(4)));
    std::sort(all.begin(), all.end(), gen::spec::EarlierRelease{});
    return all;
}

Facts RandomFacts::facts(const std::string& release) {
    Facts facts;
    facts.library = "toy";
    facts.releases = {release};
    add_functions(facts, release);
    add_public_names(facts, release);
    add_enums(facts, release);
    add_records(facts, release);
    add_other_types(facts, release);
    return facts;
}

template <class Entry>
Entry RandomFacts::entry(const std::string& name, const std::string& release) {
    Entry fresh;
    fresh.name = name;
    fresh.since = release;
    if constexpr (requires { fresh.header; }) fresh.header = chance(90) ? "toy.h" : "toy_types.h";
    return fresh;
}

std::string RandomFacts::stated_since(const std::string& release) {
    for (const char* early : {"3.2", "9.2", "12.4", "13.0"}) {
        if (chance(15) && gen::spec::EarlierRelease{}(early, release)) return early;
    }
    return release;
}

void RandomFacts::add_functions(Facts& facts, const std::string& release) {
    for (const char* name : {"toyA", "toyA_v2", "toyA_v3", "toyB", "toyB_v2", "toyC"}) {
        if (chance(35)) continue;
        auto function = entry<gen::spec::Function>(name, stated_since(release));
        function.view = chance(30) ? "internal" : "";
        function.group = chance(50) ? "BOX" : "";
        function.returns = "toyStatus";
        for (int count = below(3); count > 0; --count) {
            function.parameters.push_back(
                {"p" + std::to_string(count), chance(80) ? "int" : "void *", chance(20) ? "out" : "", ""});
        }
        facts.functions.push_back(std::move(function));
    }
}

void RandomFacts::add_public_names(Facts& facts, const std::string& release) {
    if (facts.functions.empty()) return;
    const auto any_symbol = [&] {
        return facts.functions[static_cast<std::size_t>(below(static_cast<int>(facts.functions.size())))].name;
    };
    for (const char* name : {"toyA", "toyB", "toyC", "toyD"}) {
        if (chance(40)) continue;
        gen::spec::Meaning meaning{release, "", any_symbol(), chance(20) ? any_symbol() : ""};
        if (meaning.symbol == name && meaning.per_thread.empty()) continue;  // has no entry
        facts.public_names.push_back({name, {meaning}});
    }
}

void RandomFacts::add_enums(Facts& facts, const std::string& release) {
    for (const char* name : {"toyColor", "toyShape"}) {
        if (chance(20)) continue;
        auto value = entry<gen::spec::Enum>(name, release);
        value.underlying = chance(90) ? "int" : "unsigned int";
        std::vector<std::string> names = {"0", "1", "2", "3", "4"};
        if (chance(40)) shuffle(names);
        for (const auto& each : names) {
            if (chance(30)) continue;
            value.enumerators.push_back(entry<gen::spec::Enumerator>(name + each, release));
            value.enumerators.back().value = chance(80) ? each.front() - '0' : below(9);
        }
        facts.enums.push_back(std::move(value));
    }
}

void RandomFacts::add_records(Facts& facts, const std::string& release) {
    for (const char* name : {"toyBox_st", "toySize_st"}) {
        if (chance(20)) continue;
        auto value = entry<gen::spec::Record>(name, release);
        const std::string header = value.header;
        static_cast<gen::spec::RecordBody&>(value) = record({"a", "b", "c", "d"}, 2);
        value.header = header;
        facts.records.push_back(std::move(value));
    }
}

gen::spec::RecordBody RandomFacts::record(const std::vector<std::string>& names, int depth) {
    gen::spec::RecordBody body;
    body.is_union = chance(10);
    body.alignment = chance(90) ? 4 : 8;
    std::vector<std::string> inner;
    for (const auto& name : names) {
        if (chance(20)) continue;
        if (depth > 0 && chance(25)) {
            inner.push_back(name);
        } else {
            body.fields.push_back({name, chance(85) ? "int" : "float", body.size, "", "", nullptr, {}});
            body.size += 4;
        }
    }
    if (!inner.empty()) {
        gen::spec::NestedRecord within;
        static_cast<gen::spec::RecordBody&>(within) = record(inner, depth - 1);
        gen::spec::Field field{chance(60) ? "" : "n", "", body.size, "", "", nullptr, {}};
        if (!field.name.empty() && chance(30)) field.extents = {2};
        body.size += within.size;
        field.record = std::make_shared<const gen::spec::NestedRecord>(std::move(within));
        body.fields.push_back(std::move(field));
    }
    return body;
}

void RandomFacts::add_other_types(Facts& facts, const std::string& release) {
    if (chance(60)) facts.handles.push_back(entry<gen::spec::Handle>("toyBox", release));
    for (auto& handle : facts.handles) handle.tag = chance(80) ? "toyBox_st" : "toyCrate_st";
    if (chance(60)) facts.opaque_records.push_back(entry<gen::spec::OpaqueRecord>("toySecret", release));
    for (auto& record : facts.opaque_records) record.is_union = chance(20);
    if (chance(60)) facts.aliases.push_back(entry<gen::spec::Alias>("toyCount", release));
    for (auto& alias : facts.aliases) alias.type = chance(70) ? "int" : "long";
    if (chance(60)) facts.callbacks.push_back(entry<gen::spec::Callback>("toyListener", release));
    for (auto& callback : facts.callbacks) callback.returns = chance(70) ? "void" : "int";
    for (const char* name : {"TOY_MAX", "TOY_MIN"}) {
        if (chance(30)) continue;
        facts.constants.push_back(entry<gen::spec::Constant>(name, release));
        facts.constants.back().type = chance(80) ? "int" : "unsigned int";
        facts.constants.back().value = below(3);
    }
}

}  // namespace cubind::testing
