// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "extract/documentation.hpp"
#include "extract/source_files.hpp"
#include "spec/facts.hpp"

#include <set>
#include <string>

namespace cubind::gen::extract {

/// Gathers type declarations into facts: those it is given, and all that they are made of.
class TypeCollector {
public:
    /// Entries get `release` as their since; those of a further view get its name. With `comments`, also keeps the documentation of
    /// enumerators there.
    TypeCollector(spec::Facts& facts, SourceFiles& files, std::string release, Comments* comments);

    void start_view(const std::string& view) { view_ = view; }
    /// Takes a typedef, enum, struct or union declaration; ignores any other cursor.
    void take(const clang::Cursor& declaration);
    /// Takes every type that `type` mentions.
    void take_mentioned(const clang::Type& type);

private:
    void take_typedef(const clang::Cursor& declaration);
    void take_enum(const clang::Cursor& declaration);
    void take_record(const clang::Cursor& declaration);
    spec::RecordBody describe_record(const clang::Cursor& declaration);
    /// Throws InputError if the fields alone would not give the record this layout: it could not be written as plain C++.
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
