// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"
#include "model/uses.hpp"

/// The passes. Each adds one kind of decision to the model. model::build runs them in this order.
namespace cubind::gen::model {

/// Replaces the first release of the functions that headers declare before the library exports them.
void delay_functions(Model& model);
/// Records the releases that have each name.
void list_availability(Model& model);
/// Removes the facts that do not belong to the bound major, and older entries whose name a newer entry has.
void bind_releases(Model& model);
/// Adds the types of the libraries that the library uses. Throws InputError if the facts declare one of these types again.
void add_used_types(Model& model, const std::vector<spec::LibraryConfig>& libraries, const FactsOf& facts_of);
/// Checks a type of a used library that `place` holds by value: its layout must not have changed after the model's newest
/// release. Called by resolve_types.
void check_used_type(const Model& model, const std::string& name, bool by_value, const std::string& place);
/// Checks that the library mentions a type of each library that it names. Called by resolve_types.
void check_uses(const Model& model);
/// Determines the kind of each type name of the facts. Called by resolve_types.
void declare_types(Model& model);
/// Determines the kind of each type name and creates the functions. Throws InputError if a type that is mentioned is not defined.
void resolve_types(Model& model);
/// Finds the enum of the status, decides which functions return the status, and what a missing function returns. Called by
/// resolve_types.
void resolve_status(Model& model);
/// Checks that no type contains itself. Called by resolve_types and add_used_types, which follow aliases.
void check_nesting(const Model& model);
/// Checks that the fields of each record result in the size and offsets of the headers, because generated code states neither.
void check_layouts(const Model& model);
/// Chooses the C++ name of each enum.
void name_enums(Model& model);
/// Chooses the C++ name of each function and the public names that refer to it.
void name_functions(Model& model);
/// Chooses the C++ name of each parameter.
void name_parameters(Model& model);
/// Creates the attribute classes and chooses the name of each accessor. Rejects annotations of enumerators without an accessor.
void name_attributes(Model& model);
/// Chooses the generated file that declares each function.
void group_functions(Model& model);
/// Decides the annotations that follow from the type of a pointer parameter and from the other parameters.
void infer_annotations(Model& model);
/// Applies the annotations of overrides.json. Rejects annotations that match nothing, repeat an inferred annotation or
/// contradict the header.
void apply_overrides(Model& model);
/// Adds to each function the objects that it begins and ends, and those that must belong to one context.
void add_object_effects(Model& model);
/// Adds a question for each undecided pointer parameter.
void ask_for_annotations(Model& model);
/// Checks that the names in the remaining keys of overrides.json exist. Adds a question for each missing description.
void check_overrides(Model& model);
/// Sorts the types into an order in which they can be defined.
void order_types(Model& model);

}  // namespace cubind::gen::model
