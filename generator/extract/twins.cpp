// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/twins.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "error.hpp"

namespace cubind::gen::extract {
namespace {

bool has_signature_of(const spec::Function& one, const spec::Function& other) {
    return one.returns == other.returns &&
           std::equal(one.parameters.begin(), one.parameters.end(), other.parameters.begin(), other.parameters.end(),
                      [](const spec::Parameter& a, const spec::Parameter& b) { return a.type == b.type; });
}

}  // namespace

void remove_twins(spec::Facts& facts, const std::string& prefix) {
    std::map<std::string, const spec::Function*> functions;
    for (const auto& function : facts.functions) functions.emplace(function.name, &function);
    std::set<std::string> twins;
    for (const auto& [name, twin] : functions) {
        if (!name.starts_with(prefix)) continue;
        const auto function = functions.find(name.substr(prefix.size()));
        if (function == functions.end()) continue;
        if (!has_signature_of(*twin, *function->second)) {
            throw InputError(twin->header + ": " + name + " is a twin of " + function->first +
                             " according to \"twin_prefix\" \"" + prefix +
                             "\" in library.json, but their signatures differ; correct the prefix, or remove the key");
        }
        twins.insert(name);
    }
    if (twins.empty()) {
        throw InputError("library.json of " + facts.library + ": twin_prefix is \"" + prefix +
                         "\", but the headers have no function whose name is this prefix and the name of another function; "
                         "correct the prefix, or remove the key");
    }
    std::erase_if(facts.functions, [&](const spec::Function& function) { return twins.contains(function.name); });
    std::erase_if(facts.public_names, [&](const spec::PublicName& name) { return twins.contains(name.meanings.front().symbol); });
}

}  // namespace cubind::gen::extract
