// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "spec/json.hpp"

/// The decided model as JSON: what `cubind-gen model` prints and what templates render. Every key is always there, so that a
/// misspelt one can be told from an empty one.
namespace cubind::gen::model {

/// Name, title, status type, headers and macros of the library, and the names of its generated files.
spec::Json library_json(const Model& model);
/// One function with its parameters, by role.
spec::Json function_json(const Model& model, const Function& function);
spec::Json public_name_json(const PublicName& name);
spec::Json enums_json(const Model& model);
/// Records, handles, aliases and callbacks in an order in which they can be defined.
spec::Json types_json(const Model& model);
spec::Json constants_json(const Model& model);
/// Every function as a C declaration, in the order of their symbols, for a library that stands in for the vendor's.
spec::Json simulation_json(const Model& model);
/// Every function with its parameters, their types and what it does to objects, as rows of tables.
spec::Json reflection_json(const Model& model);
/// A class of accessors, one for each enumerator that has one.
spec::Json attribute_class_json(const AttributeClass& attributes);
/// Every name with the numbers of the releases that have it, sorted by name.
spec::Json availability_json(const Model& model);

}  // namespace cubind::gen::model
