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

    /// Number of brackets open before the character `at`.
    int depth(std::size_t at) const { return places_[at].depth; }
    /// Position of the innermost bracket open before the character `at`.
    std::optional<std::size_t> around(std::size_t at) const;
    bool opens(std::size_t at) const { return places_[at].opens; }
    /// Positions of all opening brackets, in order.
    const std::vector<std::size_t>& openings() const { return openings_; }
    /// Whether the character `at` stands in a string literal, behind its opening quote.
    bool is_in_text(std::size_t at) const { return places_[at].is_in_text; }

private:
    struct Place {
        int depth = 0;
        int around = -1;  ///< -1 if no bracket is open
        bool opens = false;
        bool is_in_text = false;
    };
    std::vector<Place> places_;  ///< by character
    std::vector<std::size_t> openings_;
};

/// From the opening brace of a block to its closing brace.
struct Body {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Returns the body of a function that is defined on one line.
std::optional<Body> body_of(std::string_view code);

}  // namespace cubind::gen::emit
