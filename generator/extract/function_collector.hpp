// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "extract/probes.hpp"
#include "extract/type_collector.hpp"

namespace cubind::gen::extract {

/// Collects function declarations, their public names and their default arguments.
class FunctionCollector {
public:
    /// Creates a collector. `sections` are those of library.json. If `comments` is not null, it also stores each function's
    /// documentation there.
    FunctionCollector(spec::Facts& facts, SourceFiles& files, TypeCollector& types, const HeaderSet& headers,
                      const std::map<std::string, std::string>& sections, Comments* comments);

    /// Assigns the following declarations to this view. The names in the default view, whose name is empty, are the public
    /// names. In any other view, a renamed function is the per-thread form of its public name.
    void start_view(const std::string& view);
    void collect(const clang::Cursor& declaration);
    /// Moves the public names into the facts, including those that macros define after the declaration of a function.
    void finish(const std::map<std::string, std::string>& renames, const MacroCandidates& macros);

private:
    /// Returns whether an inline function has the name of an exported function: the header declares a reserved name that extends
    /// `symbol` by a version, such as __toyWrap_13_4 for toyWrap. No library exports any other inline function.
    bool is_shim(const std::string& symbol) const;
    /// Adds the per-thread forms of names without a declaration. A macro that adds a suffix to one wrapped name adds it to
    /// every wrapped name.
    void add_wrapped_names(const MacroCandidates& macros);
    void add_name(const std::string& written, const std::string& symbol);

    spec::Facts& facts_;
    SourceFiles& files_;
    TypeCollector& types_;
    std::string release_;
    Comments* comments_;
    std::string view_;
    std::map<std::string, GroupMap> groups_;
    std::map<std::string, std::size_t> index_;
    std::set<std::string> reserved_;  ///< names of functions that begin with an underscore, without their leading underscores
    std::map<std::string, spec::Meaning> names_;
};

}  // namespace cubind::gen::extract
