// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "values/arguments.hpp"

/// The values of a call, copied so that they can be shown later: at most max_capture bytes, without an allocation.
namespace cubind::layers {

inline constexpr std::size_t max_capture = 4096;
/// Of these, what arguments themselves and marks may need: it is kept free of what pointers point to.
inline constexpr std::size_t reserved_capture = 1536;
inline constexpr std::size_t most_elements = 8;
inline constexpr std::size_t most_characters = 120;

/// Copied values, in the order in which they were put in. What finds no room is left out.
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

/// What stands before copied elements.
struct Pointee {
    enum class State : std::uint8_t { none, null, elements, texts };
    State state = State::none;
    std::uint8_t copied = 0;        ///< elements, or characters of a text
    bool is_cut = false;            ///< a text goes on
    unsigned long long total = 0;  ///< elements that there are
};

/// Before the call: every argument, and what pointers that it reads point to.
void capture_arguments(const Call& call, Capture& capture) noexcept;

/// After the call: what it wrote, and what it returned.
void capture_results(const Call& call, Capture& capture) noexcept;

}  // namespace cubind::layers
