// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/layout.hpp"

#include <algorithm>

#include "spec/field_places.hpp"

namespace cubind::gen::model {
namespace {

constexpr std::int64_t pointer_size = 8;

std::int64_t scalar_size(const std::string& name) {
    static const std::map<std::string, std::int64_t> sizes = {
        {"char", 1},    {"signed char", 1},  {"unsigned char", 1},  {"bool", 1},    {"int8_t", 1},
        {"uint8_t", 1}, {"short", 2},        {"unsigned short", 2}, {"int16_t", 2}, {"uint16_t", 2},
        {"int", 4},     {"unsigned int", 4}, {"float", 4},          {"int32_t", 4}, {"uint32_t", 4}};
    const auto size = sizes.find(name);
    return size != sizes.end() ? size->second : 8;
}

std::int64_t saturating_product(std::int64_t size, std::int64_t count) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(size, count, &product) || product > max_bytes ? max_bytes : product;
}

}  // namespace

Layout layout_of(const Model& model, const Type& type) {
    if (type.kind == Type::Kind::array) {
        const Layout element = layout_of(model, *type.inner);
        return {saturating_product(element.size, type.extent), element.alignment};
    }
    if (type.kind != Type::Kind::named) return {pointer_size, pointer_size};
    const auto record = model.records.find(type.name);
    if (record != model.records.end()) return {record->second->size, record->second->alignment};
    const auto opaque = model.opaque_records.find(type.name);
    if (opaque != model.opaque_records.end()) return {opaque->second->size, std::max<std::int64_t>(opaque->second->alignment, 1)};
    const auto alias = model.alias_types.find(type.name);
    if (alias != model.alias_types.end()) return layout_of(model, parse_type(alias->second, alias->first));
    const auto enumeration = model.enums.find(type.name);
    if (enumeration != model.enums.end()) return layout_of(model, parse_type(enumeration->second->underlying, type.name));
    const std::int64_t size = model.types.contains(type.name) ? pointer_size : scalar_size(type.name);
    return {size, size};
}

Layout layout_of(const Model& model, const spec::Field& field) {
    if (!field.record) return layout_of(model, parse_type(field.type, field.name));
    Layout layout{field.record->size, field.record->alignment};
    for (const auto extent : field.extents) layout.size = saturating_product(layout.size, extent);
    return layout;
}

Layout natural_layout(const Model& model, const spec::RecordBody& record) {
    Layout layout;
    spec::FieldPlaces places(record.is_union);
    for (const auto& field : record.fields) {
        const Layout each = layout_of(model, field);
        places.place(each.size, each.alignment, field.bits);
        const bool is_padding = field.bits != 0 && field.name.empty();
        if (!is_padding) layout.alignment = std::max(layout.alignment, each.alignment);
    }
    layout.size = std::min(places.size(), max_bytes);
    return layout;
}

}  // namespace cubind::gen::model
