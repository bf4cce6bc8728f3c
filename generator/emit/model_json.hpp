// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "spec/json.hpp"

/// The decided model as JSON, which templates render and `cubind-gen model` prints. Every key is always present, so that a
/// misspelled key is distinguishable from an empty value.
namespace cubind::gen::emit {

/// Returns name, title, status type, headers and macros of the library, and the names of its generated files.
spec::Json library_json(const model::Model& model);
/// Returns one function with its parameters, grouped by role.
spec::Json function_json(const model::Model& model, const model::Function& function);
spec::Json public_name_json(const model::PublicName& name);
spec::Json enums_json(const model::Model& model);
/// Returns records, handles, aliases and callbacks in an order in which they can be defined.
spec::Json types_json(const model::Model& model);
/// Returns the structs that generated code declares without a definition, outside of the library's namespace.
spec::Json tags_json(const model::Model& model);
/// Returns the headers of the system that declare types of the library.
spec::Json system_headers_json(const model::Model& model);
/// Adds the types and enums of used libraries that the library mentions, for declarations in its own namespace.
void add_used_types(spec::Json& json, const model::Model& model);
spec::Json constants_json(const model::Model& model);
/// Returns every variable that the library exports.
spec::Json variables_json(const model::Model& model);
/// Returns every function as a C declaration, in symbol order, for a simulated library.
spec::Json simulation_json(const model::Model& model);
/// Returns every function with its parameters, their types and its effects on objects. Entries refer to each other by name.
spec::Json reflection_json(const model::Model& model);
/// Returns a class of accessors, one for each enumerator that has an accessor.
spec::Json attribute_class_json(const model::AttributeClass& attributes);
/// Returns every name with the numbers of the releases that have it, sorted by name.
spec::Json availability_json(const model::Model& model);

}  // namespace cubind::gen::emit
