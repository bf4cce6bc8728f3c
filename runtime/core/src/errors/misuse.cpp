// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "errors/misuse.hpp"

#include <stdexcept>

namespace CUBIND_NAMESPACE::detail {

void TextPart::append_to(std::string& text) const {
    switch (kind_) {
        case Kind::text:
            text.append(text_);
            break;
        case Kind::integer:
            text.append(std::to_string(integer_));
            break;
        case Kind::natural:
            text.append(std::to_string(natural_));
            break;
        case Kind::real:
            text.append(std::to_string(real_));
            break;
    }
}

std::string concat_parts(std::initializer_list<TextPart> parts) {
    std::string text;
    for (const TextPart& part : parts) part.append_to(text);
    return text;
}

void throw_misuse_of_parts(std::initializer_list<TextPart> parts) {
    throw std::invalid_argument(concat_parts(parts));
}

void check_no_nul(std::string_view what, std::string_view text) {
    const std::size_t nul = text.find('\0');
    if (nul == std::string_view::npos) return;
    throw_misuse(what, " has a NUL at byte ", nul, " of ", text.size(), ": only what precedes it would be read");
}

}  // namespace CUBIND_NAMESPACE::detail
