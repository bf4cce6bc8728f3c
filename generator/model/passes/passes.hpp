// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/model.hpp"

/// Each pass answers one question and writes the answer into the model. They run in this order.
namespace cubind::gen::model {

/// In which releases is each name that the headers of any release have?
void list_availability(Model& model);
/// What of the facts does the library have that the wrappers are for? Forgets the rest.
void bind_releases(Model& model);
/// Which kind of thing does each type name stand for? Every name that is mentioned must be known.
void resolve_types(Model& model);
/// Is any type made of itself? Part of resolve_types, which follows aliases.
void check_nesting(const Model& model);
/// Do the fields of each record give the size and offsets that the headers state? Generated code states neither.
void check_layouts(const Model& model);
/// What is each enum called in C++?
void name_enums(Model& model);
/// What is each function called in C++, and which further names lead to it?
void name_functions(Model& model);
/// What is each parameter called in C++?
void name_parameters(Model& model);
/// Which enums have accessors, and what is that of each enumerator called? Refuses judgements of enumerators that have none.
void name_attributes(Model& model);
/// Which generated file declares each function?
void group_functions(Model& model);
/// Which pointer parameters do type and tags alone decide?
void infer_judgements(Model& model);
/// What did people decide of the others? Refuses overrides that match nothing, repeat inference or contradict the header.
void apply_overrides(Model& model);
/// Which objects does each function begin and end, and which have to belong together?
void judge_objects(Model& model);
/// Which pointer parameters does nothing decide?
void ask_for_judgements(Model& model);
/// Which further statements of overrides.json name something that does not exist, and which descriptions are lacking?
void check_overrides(Model& model);
/// In which order can the types be defined?
void order_types(Model& model);

}  // namespace cubind::gen::model
