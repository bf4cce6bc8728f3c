// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::sim::ptx {

/// The modifiers of an instruction as a form has chosen them, in the order of the text. Each is a view of its text with the
/// leading dot.
class Modifiers {
public:
    void add(std::string_view modifier) { all_.push_back(modifier); }
    void clear() { all_.clear(); }
    const std::vector<std::string_view>& all() const noexcept { return all_; }

    bool has(std::string_view modifier) const noexcept {
        for (const std::string_view each : all_) {
            if (each == modifier) return true;
        }
        return false;
    }
    /// Returns the first of these modifiers that the instruction has, or an empty text.
    std::string_view one_of(std::initializer_list<std::string_view> choices) const noexcept {
        for (const std::string_view each : choices) {
            if (has(each)) return each;
        }
        return {};
    }
    /// Returns the type modifier with this index from the end: 0 is the last type of the instruction, 1 the one before it.
    std::string_view type(std::size_t from_end = 0) const noexcept;
    /// Returns the number of elements of .v2, .v4 and .v8, otherwise 1.
    unsigned vector_length() const noexcept { return has(".v2") ? 2 : has(".v4") ? 4 : has(".v8") ? 8 : 1; }

private:
    std::vector<std::string_view> all_;
};

/// Returns the bytes of a type, 0 for .pred, or -1 if the text is no type.
int bytes_of_type(std::string_view type) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::ptx
