// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

/// Returns whether a parameter may be a count: an integer that is not called flags, or a pointer to data that is not constant.
bool may_be_length(const Model& model, const Parameter& parameter) {
    if (parameter.type.kind != Type::Kind::named) return parameter.type.is_pointer() && !parameter.type.inner->is_const;
    const auto kind = model.types.find(parameter.type.name);
    const bool is_number = kind == model.types.end() || kind->second == TypeKind::alias;
    std::string name = parameter.vendor_name;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return is_number && name != "flags";
}

/// Returns whether the next parameter is a size_t. Text before a size may be a buffer, which need not end with NUL.
bool is_before_size(const Function& function, const Parameter& parameter) {
    const Parameter* const next = &parameter + 1;
    return next != function.parameters.data() + function.parameters.size() && next->type.kind == Type::Kind::named &&
           next->type.name == "size_t";
}

std::optional<Annotation> infer(const Model& model, const Function& function, const Parameter& parameter) {
    if (parameter.is_callback) return Annotation{Direction::in, Shape::callback, "", false};
    if (!parameter.type.is_pointer()) return std::nullopt;
    const Type& pointee = *parameter.type.inner;
    if (parameter.extent != 0 && pointee.is_constant()) {
        return Annotation{Direction::in, Shape::array, std::to_string(parameter.extent), false};
    }
    if (!pointee.is_const || pointee.kind != Type::Kind::named) return std::nullopt;
    if (pointee.name == "char" && is_before_size(function, parameter)) return std::nullopt;
    if (pointee.name == "char") return Annotation{Direction::in, Shape::string, "", false};
    // A pointer to a constant struct points to one struct if no other parameter may be a count.
    if (!is_record(model, pointee)) return std::nullopt;
    const bool has_length = std::any_of(function.parameters.begin(), function.parameters.end(), [&](const Parameter& other) {
        return &other != &parameter && may_be_length(model, other);
    });
    if (has_length) return std::nullopt;
    return Annotation{Direction::in, Shape::value, "", false};
}

}  // namespace

void infer_annotations(Model& model) {
    for (auto& function : model.functions) {
        for (auto& parameter : function.parameters) parameter.annotation = infer(model, function, parameter);
    }
}

}  // namespace cubind::gen::model
