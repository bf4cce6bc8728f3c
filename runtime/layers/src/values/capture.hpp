// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "values/arguments.hpp"

/// Copies of the values of a call, which can be printed later: at most max_capture bytes, without allocation.
namespace CUBIND_NAMESPACE::layers {

inline constexpr std::size_t max_capture = 4096;
/// Bytes of max_capture that are reserved for the arguments themselves and Pointee headers, and not used for targets of pointers.
inline constexpr std::size_t reserved_capture = 1536;
inline constexpr std::size_t max_elements = 8;      // limit for one array
inline constexpr std::size_t max_characters = 120;  // limit for one text
inline constexpr std::size_t max_name = 250;        // limit for the name of an object, in characters

/// Buffer with copied values in the order of their put() calls. Callers check has_room() and omit targets of pointers that do
/// not fit.
class Capture {
public:
    explicit Capture(std::byte* room) noexcept : begin_(room), at_(room) {}

    const std::byte* data() const noexcept { return begin_; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }

    bool has_room(std::size_t bytes) const noexcept { return size() + bytes <= max_capture - reserved_capture; }
    void put(const void* data, std::size_t bytes) noexcept {
        __builtin_memcpy(at_, data, bytes);
        at_ += bytes;
    }

private:
    std::byte* begin_;
    std::byte* at_;
};

/// Header of the copied target of a pointer.
struct Pointee {
    /// none: not copied. null: the pointer was null. elements: elements or characters follow. texts: a Pointee per text follows.
    enum class State : std::uint8_t { none, null, elements, texts };
    State state = State::none;
    std::uint8_t copied = 0;       ///< number of copied elements or characters
    bool is_cut = false;           ///< whether a text was truncated
    unsigned long long total = 0;  ///< number of elements in the target
};

/// Returns the name of the object that a handle identifies; empty if it has none.
using HandleName = std::string_view (*)(unsigned long long value) noexcept;

/// Copies every argument, the names of handles unless `name` is null, and the targets of pointers that the call reads, if the
/// process can read them. Must be called before the call.
void capture_arguments(const Call& call, Capture& capture, HandleName name) noexcept;

/// Copies the targets of pointers that the call wrote and its return value. Must be called after the call. If the call failed,
/// copies only single results and no arrays or texts.
void capture_results(const Call& call, Capture& capture) noexcept;

}  // namespace CUBIND_NAMESPACE::layers
