// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "model/model.hpp"
#include "spec/json.hpp"

namespace cubind::gen::emit {

/// Returns a C++ identifier for `text`: every other character becomes "_", and a keyword gets a "_" appended.
std::string identifier_of(const std::string& text);

/// The types that functions use, each once and under a C++ identifier that depends on the type alone. A new type therefore leaves
/// the entries of all other types unchanged.
class ReflectionTypes {
public:
    explicit ReflectionTypes(const model::Model& model);

    /// Returns the identifier of a type's entry. The first call for a type adds its entry and the entries of its component
    /// types.
    std::string name_of(const model::Type& type);

    /// Returns the entries, sorted by identifier.
    spec::Json types() const;
    /// Returns the enums of used libraries that have an entry.
    const std::set<const spec::Enum*>& used_enums() const { return used_enums_; }
    /// Returns the fields of every record that has an entry, sorted by the record's identifier.
    spec::Json field_lists() const;

private:
    void describe(const model::Type& type, const std::string& entry);
    void describe_name(const std::string& name, const std::string& entry);
    void describe_enum(const spec::Enum& enumeration, const std::string& entry);
    void describe_record(const spec::RecordBody& record, const std::string& entry);
    /// Adds the type of a field whose record is defined in place.
    std::string add_nested(const spec::Field& field, const std::string& identifier);
    /// Adds an entry and returns its identifier.
    std::string add(const std::string& identifier, const std::string& name);
    /// Returns the name of the handle if the type is a pointer to one of the vendor's incomplete structs; otherwise null.
    const std::string* handle_of(const model::Type& type) const;

    const model::Model& model_;
    std::map<std::string, std::string> identifiers_;  ///< identifiers by the spelling of the type
    std::map<std::string, spec::Json> types_;         ///< types by identifier
    std::map<std::string, spec::Json> fields_;        ///< fields by the identifier of the record
    std::set<const spec::Enum*> used_enums_;
    std::set<std::string> object_ids_;  ///< integers that identify objects
};

}  // namespace cubind::gen::emit
