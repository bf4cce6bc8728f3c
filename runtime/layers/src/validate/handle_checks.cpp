// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "validate/handle_checks.hpp"

#include <cstring>

#include "objects/live_handles.hpp"
#include "objects/object_value.hpp"
#include "objects/tracker.hpp"
#include "values/printer.hpp"

namespace CUBIND_NAMESPACE::layers::validate {

namespace {

using objects::Handle;
using objects::Value;

// Smaller values have a special meaning, such as the default streams.
constexpr Value min_handle = 16;

std::string hexadecimal(Value value) {
    std::string text;
    append_hexadecimal(text, value);
    return text;
}

Complaint check(const Type& type, Value value, bool reject_unknown) {
    if (value < min_handle || objects::LiveHandles::of_this_thread().has(value)) return std::nullopt;
    Handle handle;
    const bool is_known = objects::all_handles().find(value, handle);
    if (!is_known && reject_unknown && objects::are_complete()) {
        return hexadecimal(value) + ", which no call has returned; expected a " + type.name +
               " that a call returned and no call destroyed";
    }
    if (handle.destroyed_by != nullptr) {
        return hexadecimal(value) + ", which " + handle.returned_by->symbol + " returned and " + handle.destroyed_by->symbol +
               " destroyed; expected a live " + type.name;
    }
    return std::nullopt;
}

bool is_context(const Call& call, const Type& type) noexcept {
    const reflection::Function* const current = call.library.current_context;
    return current != nullptr && current->parameters[0].type->inner == &type;
}

// Returns the context of an object in a call's arguments; 0 if unknown.
Value context_of(const Call& call, const reflection::ObjectPlace& place) noexcept {
    const Value value = objects::value_at(call, place).value_or(0);
    if (value < min_handle) return objects::current_context(call.library);  // a default stream belongs to it
    if (is_context(call, *call.function.parameters[place.parameter].type)) return value;
    return objects::LiveHandles::of_this_thread().context_of(value);
}

}  // namespace

bool is_live_handle(const Call& call, unsigned char position) noexcept {
    Value value = 0;
    std::memcpy(&value, call.arguments[position], sizeof(void*));
    return value < min_handle || objects::LiveHandles::of_this_thread().has(value);
}

bool are_of_one_context(const Call& call) noexcept {
    Value first = 0;
    for (const reflection::ObjectPlace& place : call.function.same_context) {
        const Value context = context_of(call, place);
        if (first != 0 && context != 0 && context != first) return false;
        if (context != 0) first = context;
    }
    return true;
}

Complaint check_handle(const Call& call, unsigned char position, bool reject_unknown) {
    return check(*call.function.parameters[position].type, objects::value_at(call, {position}).value_or(0), reject_unknown);
}

Complaint check_handles(const Call& call, unsigned char position, bool reject_unknown) {
    unsigned long long count = 0;
    const std::byte* data = nullptr;
    if (Complaint complaint = check_elements(call, position, data, count)) return complaint;
    const Type& type = *call.function.parameters[position].type->inner;
    for (unsigned long long index = 0; index < count; ++index) {
        const Complaint complaint = check(type, read_integer(type, data + index * type.size), reject_unknown);
        if (complaint) return "at [" + std::to_string(index) + "] " + *complaint;
    }
    return std::nullopt;
}

Complaint check_contexts(const Call& call, unsigned char& position) {
    Value first = 0;
    const char* first_name = "";
    for (const reflection::ObjectPlace& place : call.function.same_context) {
        const Value context = context_of(call, place);
        if (context == 0) continue;
        position = place.parameter;
        const char* const name = call.function.parameters[position].name;
        if (first != 0 && context != first) {
            return "in context " + hexadecimal(context) + ", but " + first_name + " is in context " + hexadecimal(first) +
                   "; expected the same context";
        }
        first = context;
        first_name = name;
    }
    return std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::layers::validate
