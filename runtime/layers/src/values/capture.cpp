// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "values/capture.hpp"

#include <algorithm>

namespace CUBIND_NAMESPACE::layers {

namespace {

constexpr std::size_t max_bytes = 512;  // limit for the elements at one pointer

bool points_to_text(const Type& element) noexcept {
    return element.kind == Kind::pointer && element.inner->kind == Kind::character;
}

void put(Capture& capture, const Pointee& pointee) noexcept {
    capture.put(&pointee, sizeof pointee);
}

void capture_text(Capture& capture, const char* text, std::size_t capacity) noexcept {
    Pointee pointee{.state = Pointee::State::null};
    std::size_t length = 0;
    if (text != nullptr) {
        const std::size_t limit = std::min(capacity, max_characters + 1);
        const std::size_t readable = readable_bytes(text, limit);
        if (readable == 0 && limit > 0) return put(capture, {});
        length = strnlen(text, readable);
        pointee.is_cut = length > max_characters || (length == readable && readable < limit);
        length = std::min(length, max_characters);
        if (!capture.has_room(sizeof pointee + length)) return put(capture, {});
        pointee.state = Pointee::State::elements;
        pointee.copied = static_cast<std::uint8_t>(length);
        pointee.total = length;
    }
    put(capture, pointee);
    if (length > 0) capture.put(text, length);
}

void capture_texts(Capture& capture, const char* const* texts, unsigned long long total) noexcept {
    Pointee pointee{.state = Pointee::State::texts, .total = total};
    pointee.copied = static_cast<std::uint8_t>(std::min<unsigned long long>(total, max_elements));
    if (total > max_addressable || !is_readable(texts, pointee.copied * sizeof *texts)) return put(capture, {});
    if (!capture.has_room(sizeof pointee * (pointee.copied + 1u))) return put(capture, {});
    put(capture, pointee);
    for (std::size_t index = 0; index < pointee.copied; ++index) {
        capture_text(capture, texts[index], max_characters + 1);
    }
}

void capture_elements(Capture& capture, const void* data, const Type& element, unsigned long long total) noexcept {
    Pointee pointee{.state = Pointee::State::elements, .total = total};
    const std::size_t limit = std::min(max_elements, std::max<std::size_t>(1, max_bytes / element.size));
    const std::size_t copied = static_cast<std::size_t>(std::min<unsigned long long>(total, limit));
    if (total > max_addressable / element.size || !is_readable(data, copied * element.size)) return put(capture, {});
    if (!capture.has_room(sizeof pointee + copied * element.size)) return put(capture, {});
    pointee.copied = static_cast<std::uint8_t>(copied);
    put(capture, pointee);
    capture.put(data, copied * element.size);
}

void capture_pointee(const Call& call, std::size_t index, Capture& capture) noexcept {
    const Parameter& parameter = call.function.parameters[index];
    const void* const data = pointer_argument(call, index);
    const Type& element = *parameter.type->inner;
    if (data == nullptr) return put(capture, {.state = Pointee::State::null});
    unsigned long long total = 1;
    const bool is_stated = length_of(call, parameter, total);
    if (parameter.shape == Shape::string) {
        // A text that the call writes may lack a terminator, so it is copied only if the size of its memory is known.
        if (!is_stated && parameter.direction != Direction::in) return put(capture, {});
        const bool has_capacity = is_stated && total < max_characters + 1;
        const std::size_t capacity = has_capacity ? static_cast<std::size_t>(total) : max_characters + 1;
        return capture_text(capture, static_cast<const char*>(data), capacity);
    }
    if (parameter.shape == Shape::value) total = 1;
    const bool has_elements = parameter.shape == Shape::value || (parameter.shape == Shape::array && is_stated);
    // The fields of an opaque record are unknown.
    if (!has_elements || element.size == 0 || element.kind == Kind::nothing) return put(capture, {});
    // A pointer to text that the call wrote is valid only if the call succeeded.
    if (points_to_text(element) && (parameter.direction == Direction::in || (is_result(parameter) && !call.failed()))) {
        return capture_texts(capture, static_cast<const char* const*>(data), total);
    }
    capture_elements(capture, data, element, total);
}

// Copies the length of a handle's name and the name.
void capture_name(HandleName name, const void* handle, Capture& capture) noexcept {
    unsigned long long value = 0;
    std::memcpy(&value, handle, sizeof(void*));
    std::string_view text = name != nullptr ? name(value) : std::string_view();
    if (!capture.has_room(text.size())) text = {};
    const auto length = static_cast<std::uint8_t>(text.size());
    capture.put(&length, sizeof length);
    if (length > 0) capture.put(text.data(), length);
}

}  // namespace

void capture_arguments(const Call& call, Capture& capture, HandleName name) noexcept {
    std::size_t index = 0;
    for (const Parameter& parameter : call.function.parameters) {
        const std::size_t size = std::max<std::size_t>(parameter.type->size, 1);
        if (is_pointer(parameter)) {
            capture.put(call.arguments[index], size);
            if (parameter.direction != Direction::out) capture_pointee(call, index, capture);
        } else {
            capture.put(call.arguments[index], size);
            if (parameter.type->kind == Kind::handle) capture_name(name, call.arguments[index], capture);
        }
        ++index;
    }
}

void capture_results(const Call& call, Capture& capture) noexcept {
    std::size_t index = 0;
    for (const Parameter& parameter : call.function.parameters) {
        const std::size_t position = index++;
        if (!is_pointer(parameter) || parameter.direction == Direction::in) continue;
        // A failed call may leave memory of the caller uninitialized. Single results are memory of the wrapper, which initializes
        // it.
        if (call.failed() && parameter.shape != Shape::value) {
            put(capture, {});
        } else {
            capture_pointee(call, position, capture);
        }
    }
    const Type& returns = *call.function.returns;
    if (returns.size > 0) capture.put(call.returned, returns.size);
    if (points_to_text(returns)) capture_text(capture, *static_cast<const char* const*>(call.returned), max_characters + 1);
}

}  // namespace CUBIND_NAMESPACE::layers
