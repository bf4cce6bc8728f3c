// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "spec/json.hpp"

#include <set>

namespace cubind::gen::model {

/// The types that functions use, each once and under a number: rows of the tables that reflection is made of.
class ReflectionTypes {
public:
    explicit ReflectionTypes(const Model& model);

    /// The number of a type's row, which is made, with those of the types that it is made of, when first asked for.
    std::size_t number_of(const Type& type);

    spec::Json types = spec::Json::array();
    spec::Json fields = spec::Json::array();

private:
    void describe(const Type& type, std::size_t number);
    void describe_name(const std::string& name, std::size_t number);
    void describe_enum(const spec::Enum& entry, std::size_t number);
    void describe_record(const spec::RecordBody& record, std::size_t number);
    std::size_t number_of(const spec::Field& field);
    std::size_t add_row(const std::string& name);
    /// The handle that a pointer to a struct of the vendor's is; null if it is none.
    const std::string* handle_of(const Type& type) const;

    const Model& model_;
    std::map<std::string, std::size_t> numbers_;  ///< by the type's spelling
    std::set<std::string> identifiers_;           ///< integers that name objects
};

}  // namespace cubind::gen::model
