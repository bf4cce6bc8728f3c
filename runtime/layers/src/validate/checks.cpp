// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/checks.hpp"

#include <algorithm>

#include "values/printer.hpp"

namespace CUBIND_NAMESPACE::layers::validate {

namespace {

constexpr unsigned long long max_elements = 1 << 20;  // limit of the checked elements of an array
constexpr int max_depth = 4;                          // limit for nested records

bool holds_enumerator(const Type& type, int depth) {
    if (type.kind == Kind::enumeration) return true;
    if (type.kind != Kind::record || type.is_union || depth == 0) return false;
    return std::any_of(type.fields.begin(), type.fields.end(),
                       [&](const reflection::Field& field) { return holds_enumerator(*field.type, depth - 1); });
}

bool is_counted(const reflection::Function& function, std::size_t position) {
    return std::any_of(function.parameters.begin(), function.parameters.end(), [&](const Parameter& each) {
        return each.length.number > 0 && (each.length.first == position || each.length.second == position);
    });
}

void add_checks_of_pointee(const Parameter& parameter, unsigned char position, std::vector<Check>& checks) {
    const Type& inner = *parameter.type->inner;
    if (parameter.direction == Direction::out) return;
    if (parameter.shape == Shape::array) {
        if (inner.kind == Kind::enumeration) checks.push_back({Check::What::enumerators, position});
        if (inner.kind == Kind::handle) checks.push_back({Check::What::handles, position});
    } else if (parameter.shape == Shape::value && inner.kind == Kind::record && holds_enumerator(inner, max_depth)) {
        checks.push_back({Check::What::record, position});
    }
}

// Returns names and values of the enumeration, limited to one line.
std::string choices(const Type& type) {
    std::string text;
    for (const reflection::Enumerator& each : type.enumerators) {
        if (text.size() > 160) return text + ", ...";
        text += (text.empty() ? "" : ", ") + std::string(each.name) + " (" + std::to_string(each.value) + ")";
    }
    return text;
}

bool is_valid_value(const Type& type, long long value) noexcept {
    if (type.is_open) return true;
    if (reflection::name_of(type, value) != nullptr || reflection::name_of(type, value & 0xffffffffll) != nullptr) return true;
    if (!type.is_bit_set) return false;
    long long known = 0;
    for (const reflection::Enumerator& each : type.enumerators) {
        if ((each.value & (each.value - 1)) == 0) known |= each.value;
    }
    return (value & ~known) == 0;
}

Complaint check_fields(const Type& type, const std::byte* data, const std::string& path, int depth) {
    for (const reflection::Field& field : type.fields) {
        const std::byte* const at = data + field.offset;
        const std::string name = path + "." + field.name;
        if (field.type->kind == Kind::enumeration && read_integer(*field.type, at) != 0) {
            if (const Complaint complaint = check_enumerator(*field.type, at)) return name + " is " + *complaint;
        } else if (field.type->kind == Kind::record && !field.type->is_union && depth > 0) {
            if (const Complaint complaint = check_fields(*field.type, at, name, depth - 1)) return complaint;
        }
    }
    return std::nullopt;
}

std::string unreadable(const void* pointer, std::size_t bytes) {
    std::string text;
    append_hexadecimal(text, reinterpret_cast<std::uintptr_t>(pointer));
    return text + ", which the process cannot read; expected a pointer to " + std::to_string(bytes) + " bytes";
}

void add_checks(const reflection::Function& function, std::vector<Check>& checks) {
    for (std::size_t index = 0; index < function.parameters.size(); ++index) {
        const Parameter& parameter = function.parameters[index];
        const auto position = static_cast<unsigned char>(index);
        const Kind kind = parameter.type->kind;
        const bool points = kind == Kind::pointer || kind == Kind::function;
        // The spec does not state whether an opaque pointer may be null.
        const bool may_be_null = parameter.shape == Shape::opaque || (parameter.is_optional && parameter.length.number == 0);
        if (points && !may_be_null) checks.push_back({Check::What::pointer, position});
        if (kind == Kind::signed_integer && is_counted(function, index)) checks.push_back({Check::What::count, position});
        if (kind == Kind::enumeration) checks.push_back({Check::What::enumerator, position});
        if (kind == Kind::handle) checks.push_back({Check::What::handle, position});
        if (kind == Kind::pointer) add_checks_of_pointee(parameter, position, checks);
    }
}

}  // namespace

LibraryChecks::LibraryChecks(const reflection::LibraryDescription& library) {
    begins_.reserve(library.functions.size() + 1);
    for (const reflection::Function& function : library.functions) {
        begins_.push_back(all_.size());
        add_checks(function, all_);
    }
    begins_.push_back(all_.size());
}

Complaint check_pointer(const Call& call, unsigned char position) {
    const Parameter& parameter = call.function.parameters[position];
    const void* const pointer = pointer_argument(call, position);
    unsigned long long length = 1;
    const bool is_stated = parameter.length.number > 0;
    const bool is_known = length_of(call, parameter, length);
    const std::size_t size = parameter.shape == Shape::array ? std::max<std::size_t>(parameter.type->inner->size, 1) : 1;
    if (pointer != nullptr) {
        if (!is_stated || !is_known || length <= max_addressable / size) return std::nullopt;
        return "a pointer to " + std::to_string(length) + (parameter.shape == Shape::array ? " elements" : " bytes") +
               ", more than a process can address";
    }
    if (parameter.is_optional || (is_stated && (!is_known || length == 0))) return std::nullopt;
    if (!is_stated) {
        const bool is_text = parameter.shape == Shape::string;
        const bool is_function = parameter.shape == Shape::callback;
        return std::string("null; expected a pointer to ") + (is_text ? "text" : is_function ? "a function" : "one object");
    }
    return "null; expected a pointer to " + std::to_string(length) + (parameter.shape == Shape::array ? " elements" : " bytes");
}

Complaint check_count(const Call& call, unsigned char position) {
    const auto count = static_cast<long long>(read_integer(*call.function.parameters[position].type, call.arguments[position]));
    if (count >= 0) return std::nullopt;
    return std::to_string(count) + "; expected 0 or more";
}

Complaint check_enumerator(const Type& type, const void* data) {
    const auto value = static_cast<long long>(read_integer(type, data));
    if (is_valid_value(type, value)) return std::nullopt;
    return std::to_string(value) + ", which is not a " + type.name + "; expected one of " + choices(type);
}

Complaint check_elements(const Call& call, unsigned char position, const std::byte*& data, unsigned long long& count) {
    const Parameter& parameter = call.function.parameters[position];
    data = static_cast<const std::byte*>(pointer_argument(call, position));
    if (data == nullptr || !length_of(call, parameter, count)) count = 0;
    count = std::min(count, max_elements);
    const std::size_t bytes = static_cast<std::size_t>(count) * parameter.type->inner->size;
    if (count > 0 && !is_readable(data, bytes)) return unreadable(data, bytes);
    return std::nullopt;
}

Complaint check_enumerators(const Call& call, unsigned char position) {
    unsigned long long count = 0;
    const std::byte* data = nullptr;
    if (Complaint complaint = check_elements(call, position, data, count)) return complaint;
    const Type& type = *call.function.parameters[position].type->inner;
    for (unsigned long long index = 0; index < count; ++index) {
        const Complaint complaint = check_enumerator(type, data + index * type.size);
        if (complaint) return "at [" + std::to_string(index) + "] " + *complaint;
    }
    return std::nullopt;
}

Complaint check_record(const Call& call, unsigned char position) {
    const Type& type = *call.function.parameters[position].type->inner;
    const auto* const data = static_cast<const std::byte*>(pointer_argument(call, position));
    if (data == nullptr) return std::nullopt;
    if (!is_readable(data, type.size)) return unreadable(data, type.size);
    const Complaint complaint = check_fields(type, data, "", max_depth);
    return complaint ? Complaint("a record whose field " + complaint->substr(1)) : complaint;
}

}  // namespace CUBIND_NAMESPACE::layers::validate
