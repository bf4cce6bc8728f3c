// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/object_value.hpp"

#include <algorithm>

#include "objects/live_handles.hpp"

namespace CUBIND_NAMESPACE::layers::objects {

namespace {

constexpr unsigned long long max_objects = 1 << 16;  // limit for one array; a larger count is treated as a mistake
constexpr int max_depth = 4;                         // limit for nested records

unsigned long long read(const void* data, std::size_t size) noexcept {
    unsigned long long value = 0;
    std::memcpy(&value, data, std::min(size, sizeof value));
    return value;
}

// Returns the object at `offset` in a value of the type; std::nullopt for null.
std::optional<unsigned long long> object_in(const Type& type, const std::byte* data, std::size_t offset) noexcept {
    const bool is_scalar = type.kind != Kind::record && type.size > 0;  // if false, it is a pointer in a record
    const unsigned long long value = read(data + offset, is_scalar ? type.size : sizeof(void*));
    const bool is_number = is_scalar && type.kind == Kind::signed_integer;
    return value != 0 || is_number ? std::optional(value) : std::nullopt;
}

Owners owners_of_results(const Call& call, const OwnedResults& owned) noexcept {
    Owners owners;
    if (owned.parent != reflection::no_parameter) {
        owners.parent = value_at(call, {owned.parent}).value_or(0);
    } else if (owned.sibling != reflection::no_parameter) {
        Handle sibling;
        if (all_handles().find(value_at(call, {owned.sibling}).value_or(0), sibling)) owners = sibling.owners;
    }
    return owners;
}

void note_handles(const Call& call, const OwnedResults& owned, const Type& type, const std::byte* data, int depth) {
    if (type.kind == Kind::handle) {
        const unsigned long long value = read(data, sizeof(void*));
        if (value == 0 || LiveHandles::of_this_thread().has(value)) return;
        Handle handle{.returned_by = &call.function};
        if (&type == owned.type) handle.owners = owners_of_results(call, owned);
        all_handles().add_if_new(value, handle);
    } else if (type.kind == Kind::record && depth > 0) {
        for (const reflection::Field& field : type.fields) {
            note_handles(call, owned, *field.type, data + field.offset, depth - 1);
        }
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
    // A pointer to a type without a public definition is a handle, too, and so is a type of pointers with a name.
    const bool is_handle = parameter.type->name[0] != '\0';
    if (!is_pointer(parameter) || is_handle || parameter.shape != Shape::value || parameter.type->inner->size == 0) {
        return object_in(*parameter.type, static_cast<const std::byte*>(call.arguments[place.parameter]), place.offset);
    }
    const std::byte* const data = readable_target(call, place.parameter, parameter.type->inner->size);
    return data != nullptr ? object_in(*parameter.type->inner, data, place.offset) : std::nullopt;
}

std::vector<unsigned long long> values_at(const Call& call, const reflection::ObjectPlace& place) {
    const Parameter& parameter = call.function.parameters[place.parameter];
    std::vector<unsigned long long> values;
    if (parameter.shape != Shape::array) {
        if (const auto value = value_at(call, place)) values.push_back(*value);
        return values;
    }
    unsigned long long count = 0;
    if (!length_of(call, parameter, count) || count > max_objects) return values;
    const std::size_t size = parameter.type->inner->size;
    const std::byte* const data = readable_target(call, place.parameter, static_cast<std::size_t>(count) * size);
    if (data == nullptr) return values;
    for (std::size_t index = 0; index < count; ++index) {
        if (const auto value = object_in(*parameter.type->inner, data, index * size)) values.push_back(*value);
    }
    return values;
}

void note_returned_handles(const Call& call, const OwnedResults& owned) {
    std::size_t index = 0;
    for (const Parameter& parameter : call.function.parameters) {
        const std::size_t position = index++;
        if (!is_pointer(parameter) || parameter.direction == Direction::in) continue;
        const Type& element = *parameter.type->inner;
        unsigned long long count = parameter.shape == Shape::value ? 1 : 0;
        if (parameter.shape == Shape::array && !length_of(call, parameter, count)) continue;
        if (count == 0 || count > max_objects) continue;
        const std::byte* const data = readable_target(call, position, static_cast<std::size_t>(count) * element.size);
        if (data == nullptr) continue;
        for (std::size_t each = 0; each < count; ++each) {
            note_handles(call, owned, element, data + each * element.size, max_depth);
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
