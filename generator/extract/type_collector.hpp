// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "extract/documentation.hpp"
#include "extract/source_files.hpp"
#include "spec/facts.hpp"

namespace cubind::gen::extract {

/// Collects type declarations and all types that they consist of.
class TypeCollector {
public:
    /// Creates a collector that sets the `since` of new entries to `release`. If `comments` is not null, it also stores the
    /// documentation of enumerators there.
    TypeCollector(spec::Facts& facts, SourceFiles& files, std::string release, Comments* comments);

    /// Assigns the following declarations to this view, a set of macros under which the headers are read.
    void start_view(const std::string& view) { view_ = view; }
    /// Adds a typedef, enum, struct or union declaration. Ignores any other cursor.
    void collect(const clang::Cursor& declaration);
    /// Adds every type that `type` mentions.
    void collect_types_in(const clang::Type& type);

private:
    void collect_typedef(const clang::Cursor& declaration);
    void collect_enum(const clang::Cursor& declaration);
    void collect_record(const clang::Cursor& declaration);
    spec::RecordBody describe_record(const clang::Cursor& declaration);
    /// Throws InputError if the fields alone do not result in this layout, because plain C++ could not declare such a record.
    void check_layout(const spec::RecordBody& record, const clang::Cursor& declaration) const;
    spec::Field describe_field(const clang::Cursor& field, const std::string& record);
    std::vector<spec::Parameter> describe_parameters(const std::vector<clang::Cursor>& parameters);
    template <class Entry>
    Entry entry(const std::string& name, const clang::Cursor& declaration);

    spec::Facts& facts_;
    SourceFiles& files_;
    std::string release_;
    Comments* comments_;
    std::string view_;
    std::set<std::string> seen_;
};

}  // namespace cubind::gen::extract
