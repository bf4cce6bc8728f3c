// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "extract/probes.hpp"
#include "extract/type_collector.hpp"

#include <map>
#include <string>

namespace cubind::gen::extract {

/// Gathers function declarations, their public names and their default arguments.
class FunctionCollector {
public:
    /// With `comments`, also keeps each function's documentation there.
    FunctionCollector(spec::Facts& facts, SourceFiles& files, TypeCollector& types, const HeaderSet& headers, Comments* comments);

    /// Declarations from now on belong to this view: empty for what a programmer sees by default, whose names are the public
    /// ones; in a further view a renamed function is the per-thread form of its public name.
    void start_view(const std::string& view);
    void take(const clang::Cursor& declaration);
    /// Moves the public names into the facts, with those that macros give to functions after their declaration.
    void finish(const std::map<std::string, std::string>& renames, const MacroCandidates& macros);

private:
    /// Adds the per-thread forms of names that no declaration is written with: a macro that wraps them as it wraps others has the
    /// effect on them that it has on those.
    void take_wrapped_names(const MacroCandidates& macros);
    void take_name(const std::string& written, const std::string& symbol);

    spec::Facts& facts_;
    SourceFiles& files_;
    TypeCollector& types_;
    std::string release_;
    Comments* comments_;
    std::string view_;
    std::map<std::string, GroupMap> groups_;
    std::map<std::string, std::size_t> index_;
    std::map<std::string, spec::Meaning> names_;
};

}  // namespace cubind::gen::extract
