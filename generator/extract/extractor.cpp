// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/extractor.hpp"

#include <algorithm>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clang/translation_unit.hpp"
#include "error.hpp"
#include "extract/probes.hpp"
#include "extract/require_names.hpp"
#include "extract/twins.hpp"
#include "extract/variables.hpp"
#include "extract/versions.hpp"

namespace cubind::gen::extract {
namespace {

std::string include_lines(const spec::LibraryConfig& config, const std::string& release) {
    std::vector<std::string> headers;
    for (const auto& header : config.headers) {
        if (config.has_header(header, release)) headers.push_back(header);
    }
    for (const auto& [header, side] : config.side_headers) {
        if (!config.has_header(header, release)) continue;
        for (const auto& entry : side.foreign) headers.push_back(entry.first);
        headers.push_back(header);
    }
    headers.insert(headers.end(), config.versions_headers.begin(), config.versions_headers.end());
    std::string source;
    for (const auto& header : headers) source += "#include <" + header + ">\n";
    return source;
}

void require_no_errors(const clang::TranslationUnit& unit, const std::string& library) {
    const auto errors = unit.errors();
    if (errors.empty()) return;
    std::string text = "the headers of " + library + " do not parse. The errors of clang are:";
    for (std::size_t index = 0; index < std::min<std::size_t>(errors.size(), 10); ++index) {
        text += "\n  " + errors[index];
    }
    if (errors.size() > 10) text += "\n  and " + std::to_string(errors.size() - 10) + " more";
    throw InputError(text + "\nPass every folder that these headers include from to --include, all of the same release.");
}

/// Adds the constants whose names no constant has yet: a macro may have the name of the enumerator that is its value.
void add_constants(spec::Facts& facts, std::vector<spec::Constant> constants) {
    std::set<std::string> names;
    for (const auto& known : facts.constants) names.insert(known.name);
    for (auto& constant : constants) {
        if (names.insert(constant.name).second) facts.constants.push_back(std::move(constant));
    }
}

template <class Entries>
void sort_by_name(Entries& entries) {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
}

void sort(spec::Facts& facts) {
    sort_by_name(facts.functions);
    sort_by_name(facts.public_names);
    sort_by_name(facts.enums);
    sort_by_name(facts.records);
    sort_by_name(facts.opaque_records);
    sort_by_name(facts.handles);
    sort_by_name(facts.aliases);
    sort_by_name(facts.callbacks);
    sort_by_name(facts.constants);
    sort_by_name(facts.variables);
}

}  // namespace

spec::Facts extract(const spec::LibraryConfig& config, const std::vector<std::filesystem::path>& includes,
                    const std::string& release, Comments* comments) {
    const HeaderSet headers(config, includes, release);
    spec::Facts facts;
    facts.library = config.library;
    facts.releases = {headers.release()};

    const MacroCandidates candidates = macro_candidates(headers);
    SourceFiles files(headers);
    TypeCollector types(facts, files, headers.release(), comments);
    FunctionCollector functions(facts, files, types, headers, config.sections, comments);
    ProbeReader probes(candidates, headers.release());
    VersionCollector versions;
    std::vector<spec::Constant> constant_variables;

    std::vector<spec::ViewConfig> views = {spec::ViewConfig{}};
    views.insert(views.end(), config.views.begin(), config.views.end());
    // The views are parsed in parallel, because parsing takes most of the time. They are read in order.
    std::vector<std::future<std::unique_ptr<clang::TranslationUnit>>> units;
    for (const auto& view : views) {
        units.push_back(std::async(std::launch::async, [&] {
            const bool is_default = view.name.empty();
            return std::make_unique<clang::TranslationUnit>(
                "cubind_" + config.library + ".cpp",
                include_lines(config, headers.release()) + (is_default ? probe_source(candidates) : ""), headers.includes(),
                view.defines, headers.replacements());
        }));
    }
    for (std::size_t index = 0; index < views.size(); ++index) {
        const auto& view = views[index];
        const bool is_default = view.name.empty();
        const auto unit = units[index].get();
        require_no_errors(*unit, config.library);
        files.start_unit();
        files.add_included(unit->included_files());
        types.start_view(view.name);
        functions.start_view(view.name);
        unit->for_each_declaration([&](const clang::Cursor& cursor) {
            if (is_default && probes.read(cursor)) return;
            const SourceFile& file = files.of(cursor);
            const bool states_versions = std::find(config.versions_headers.begin(), config.versions_headers.end(), file.name) !=
                                         config.versions_headers.end();
            if (states_versions && cursor.kind() == CXCursor_TypedefDecl) {
                versions.collect(cursor.spelling());
            } else if (file.text == nullptr) {
                return;
            } else if (cursor.kind() == CXCursor_FunctionDecl) {
                functions.collect(cursor);
            } else if (auto constant = constant_variable(cursor, file.name, headers.release())) {
                if (is_default) constant_variables.push_back(std::move(*constant));
            } else if (auto variable = exported_variable(cursor, file.name, headers.release())) {
                if (is_default) facts.variables.push_back(std::move(*variable));
            } else {
                types.collect(cursor);
            }
        });
    }
    for (const auto& name : headers.names()) {
        if (files.is_included(name)) continue;
        throw InputError(
            name + ": library.json of " + config.library +
            " names this header in type_headers, but none of its headers includes it; add it to headers, or remove it");
    }
    types.finish();
    functions.finish(probes.renames(), candidates);
    mark_macros(facts, headers);
    if (!config.twin_prefix.empty()) remove_twins(facts, config.twin_prefix);
    versions.apply(facts);
    add_constants(facts, probes.constants());
    add_constants(facts, std::move(constant_variables));
    for (auto& alias : probes.aliases()) facts.aliases.push_back(std::move(alias));
    sort(facts);
    require_names(facts);
    return facts;
}

}  // namespace cubind::gen::extract
