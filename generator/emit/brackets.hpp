// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace cubind::gen::emit {

/// The brackets of one line of C++: (), [], {} and the <> of templates. Brackets in string literals do not count.
class Brackets {
public:
    explicit Brackets(std::string_view code);

    /// Returns the number of brackets that are open before the character `at`.
    int depth(std::size_t at) const { return places_[at].depth; }
    /// Returns the position of the innermost bracket that is open before the character `at`.
    std::optional<std::size_t> around(std::size_t at) const;
    /// Returns the positions of all opening brackets, in order.
    const std::vector<std::size_t>& openings() const { return openings_; }
    /// Returns whether the character `at` is in a string literal, after the opening quote.
    bool is_in_text(std::size_t at) const { return places_[at].is_in_text; }

private:
    struct Place {
        int depth = 0;
        int around = -1;  ///< -1 if no bracket is open
        bool is_in_text = false;
    };
    std::vector<Place> places_;  ///< one place for each character
    std::vector<std::size_t> openings_;
};

/// The positions of the opening and the closing brace of a block.
struct Body {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Returns the body of a function that is defined on one line.
std::optional<Body> body_of(std::string_view code);

}  // namespace cubind::gen::emit
