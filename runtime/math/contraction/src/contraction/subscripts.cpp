// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "contraction/subscripts.hpp"

#include <algorithm>
#include <cstddef>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

template <class... Parts>
[[noreturn]] void refuse_subscripts(std::string_view text, const Parts&... parts) {
    cubind::detail::throw_misuse("contract: the subscripts \"", text, "\" ", parts...);
}

bool is_letter(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

/// Appends a letter to those of an operand or of the output.
void append_letter(std::string_view text, Subscripts& subscripts, bool is_output, char letter) {
    std::string& letters = is_output ? subscripts.output : subscripts.operands.back();
    const std::string name(1, letter);
    if (letters.find(letter) == std::string::npos) {
        letters += letter;
        return;
    }
    if (is_output) refuse_subscripts(text, "name two dimensions of the output ", name);
    refuse_subscripts(text, "name two dimensions of operand ", subscripts.operands.size(), " ", name,
                      ": pass a view of its diagonal, with one dimension whose stride is the sum of both strides");
}

std::string implicit_output(const Subscripts& subscripts) {
    std::string all;
    for (const std::string& letters : subscripts.operands) all += letters;
    std::string once;
    for (const char letter : all) {
        if (std::ranges::count(all, letter) == 1) once += letter;
    }
    std::ranges::sort(once);
    return once;
}

}  // namespace

Subscripts parse_subscripts(std::string_view text) {
    Subscripts subscripts;
    subscripts.operands.emplace_back();
    bool has_output = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char character = text[i];
        if (character == ' ') continue;
        if (is_letter(character)) {
            append_letter(text, subscripts, has_output, character);
        } else if (character == ',' && !has_output) {
            subscripts.operands.emplace_back();
        } else if (text.substr(i, 2) == "->" && !has_output) {
            has_output = true;
            ++i;
        } else if (character == '.') {
            refuse_subscripts(text, "have an ellipsis: name each dimension with a letter");
        } else {
            refuse_subscripts(text, "have the character '", std::string(1, character), "' at position ", i, ": expected are ",
                              has_output ? "only letters after \"->\"" : "letters, commas between operands, and \"->\"");
        }
    }
    if (!has_output) subscripts.output = implicit_output(subscripts);
    for (const char letter : subscripts.output) {
        const auto has_letter = [&](const std::string& letters) { return letters.find(letter) != std::string::npos; };
        if (std::ranges::none_of(subscripts.operands, has_letter))
            refuse_subscripts(text, "name a dimension of the output ", std::string(1, letter), ", which no operand has");
    }
    return subscripts;
}

}  // namespace CUBIND_NAMESPACE::math::detail
