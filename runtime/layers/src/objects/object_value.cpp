// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/object_value.hpp"

#include <algorithm>

#include "objects/live_handles.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

namespace {

constexpr unsigned long long max_objects = 1 << 16;  // of one array; a larger count is treated as a mistake
constexpr int max_depth = 4;                         // of nested records

unsigned long long read(const void* data, std::size_t size) noexcept {
    unsigned long long value = 0;
    std::memcpy(&value, data, std::min(size, sizeof value));
    return value;
}

// Returns the object at `offset` in a value of the type; nothing for null.
std::optional<unsigned long long> object_in(const Type& type, const std::byte* data, std::size_t offset) noexcept {
    const bool is_scalar = type.kind != Kind::record && type.size > 0;  // otherwise a pointer in a record
    const unsigned long long value = read(data + offset, is_scalar ? type.size : sizeof(void*));
    const bool is_number = is_scalar && type.kind == Kind::signed_integer;
    return value != 0 || is_number ? std::optional(value) : std::nullopt;
}

void note_handles(const Type& type, const std::byte* data, const reflection::Function& function, int depth) noexcept {
    if (type.kind == Kind::handle) {
        const unsigned long long value = read(data, sizeof(void*));
        if (value != 0 && !LiveHandles::of_this_thread().has(value)) all_handles().add_if_new(value, function);
    } else if (type.kind == Kind::record && depth > 0) {
        for (const reflection::Field& field : type.fields) note_handles(*field.type, data + field.offset, function, depth - 1);
    }
}

// Calls a function of the library directly: no layer receives the call, and last_failure() does not change.
bool query(const reflection::LibraryDescription& library, const reflection::Function& function, void* const* arguments) noexcept {
    void* const original = original_address(library, function);
    if (original == nullptr) return false;
    int status = 0;
    Call{library, function, arguments, &status, original}.proceed();
    return status == 0;
}

}  // namespace

std::optional<unsigned long long> value_at(const Call& call, const reflection::ObjectPlace& place) noexcept {
    const Parameter& parameter = call.function.parameters[place.parameter];
    // A pointer to a type without a public definition is a handle, too.
    if (!is_pointer(parameter) || parameter.shape != Shape::value || parameter.type->inner->size == 0) {
        return object_in(*parameter.type, static_cast<const std::byte*>(call.arguments[place.parameter]), place.offset);
    }
    const auto* const data = static_cast<const std::byte*>(pointer_argument(call, place.parameter));
    return data != nullptr ? object_in(*parameter.type->inner, data, place.offset) : std::nullopt;
}

std::vector<unsigned long long> values_at(const Call& call, const reflection::ObjectPlace& place) {
    const Parameter& parameter = call.function.parameters[place.parameter];
    std::vector<unsigned long long> values;
    if (parameter.shape != Shape::array) {
        if (const auto value = value_at(call, place)) values.push_back(*value);
        return values;
    }
    const auto* const data = static_cast<const std::byte*>(pointer_argument(call, place.parameter));
    unsigned long long count = 0;
    if (data == nullptr || !length_of(call, parameter, count) || count > max_objects) return values;
    const std::size_t size = parameter.type->inner->size;
    for (std::size_t index = 0; index < count; ++index) {
        if (const auto value = object_in(*parameter.type->inner, data, index * size)) values.push_back(*value);
    }
    return values;
}

void note_returned_handles(const Call& call) noexcept {
    std::size_t index = 0;
    for (const Parameter& parameter : call.function.parameters) {
        const std::size_t position = index++;
        if (!is_pointer(parameter) || parameter.direction == Direction::in) continue;
        const auto* const data = static_cast<const std::byte*>(pointer_argument(call, position));
        unsigned long long count = parameter.shape == Shape::value ? 1 : 0;
        if (parameter.shape == Shape::array && !length_of(call, parameter, count)) continue;
        if (data == nullptr || count > max_objects) continue;
        const Type& element = *parameter.type->inner;
        for (std::size_t each = 0; each < count; ++each) {
            note_handles(element, data + each * element.size, call.function, max_depth);
        }
    }
}

unsigned long long current_context(const reflection::LibraryDescription& library) noexcept {
    if (library.current_context == nullptr) return 0;
    unsigned long long context = 0;
    void* const out = &context;
    void* const arguments[] = {const_cast<void**>(&out)};
    return query(library, *library.current_context, arguments) ? context : 0;
}

bool is_captured(const Call& call, unsigned char parameter) noexcept {
    if (call.library.is_capturing == nullptr) return false;
    int state = 0;
    void* const out = &state;
    void* const arguments[] = {call.arguments[parameter], const_cast<void**>(&out)};
    return query(call.library, *call.library.is_capturing, arguments) && state != 0;
}

}  // namespace CUBIND_NAMESPACE::layers::objects
