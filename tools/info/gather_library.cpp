// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/failure.hpp>

#include <filesystem>
#include <sstream>

#include "gather.hpp"
#include "platform/environment.hpp"

namespace cubind::info {
namespace {

std::string real_path(const std::string& path) {
    std::error_code ignored;
    const auto real = std::filesystem::canonical(path, ignored);
    return ignored ? path : real.string();
}

}  // namespace

LibraryFacts gather_library(const BoundLibrary& bound) {
    Library& library = bound.library;
    LibraryFacts facts;
    facts.name = library.name;
    facts.needed_major = library.major;
    if (library.environment_variable != nullptr) {
        const char* const value = detail::environment_variable(library.environment_variable);
        facts.override_variable = library.environment_variable;
        facts.override_value = value != nullptr ? value : "";
    }
    facts.found = load(library);
    if (facts.found) {
        facts.path = library_path(library);
        facts.real_path = real_path(facts.path);
        facts.found_via = library_found_via(library);
        facts.version = version(library);
        facts.product = library.product;
        facts.version_text = library.has_own_releases ? own_version_text(facts.version) : to_text(facts.version);
        std::istringstream notes(library_search_notes(library));
        for (std::string line; std::getline(notes, line);) facts.search_notes.push_back(line);
    } else {
        facts.why_missing = last_failure().detail;
    }
    for (EntryPoint* const entry : bound.entries) {
        ++facts.bound;
        if (facts.found && !has(*entry)) facts.lacking.push_back({entry->symbol, entry->since, entry->removed});
    }
    return facts;
}

}  // namespace cubind::info
