// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
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
    /// Whether a declaration requires the definition of a type or only points to it.
    enum class Use { by_value, by_pointer };
    /// Adds every type that `type` mentions. Throws InputError if the definition of a type is required and unknown.
    void collect_types_in(const clang::Type& type, Use use = Use::by_value);
    /// Moves the opaque records into the facts. The structs of handles are left out, because the handles name them.
    void finish();

private:
    void collect_mentioned(const clang::Cursor& declaration);
    /// Adds the layout of a class that the API uses by value, which collect() added as an opaque record.
    void require_layout(const clang::Cursor& declaration);
    void collect_typedef(const clang::Cursor& declaration);
    /// Adds a typedef of the system: a struct of the table, or the number or pointer that the typedef names.
    void collect_system_typedef(const clang::Cursor& declaration);
    void collect_enum(const clang::Cursor& declaration);
    /// Adds the enumerators of an enum without a name as constants.
    void collect_constants(const clang::Cursor& declaration);
    void collect_record(const clang::Cursor& declaration);
    void define_record(const clang::Cursor& definition);
    void collect_opaque_record(const clang::Cursor& declaration);
    void collect_system_record(const std::string& name, const clang::Cursor& declaration);
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
    std::set<std::string> constants_;
    std::map<std::string, spec::OpaqueRecord> opaque_records_;
};

}  // namespace cubind::gen::extract
