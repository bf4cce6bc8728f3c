// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace CUBIND_NAMESPACE::detail {

/// A part of a text: a string, or a number, which is written as a decimal. Code that makes texts has many combinations of parts,
/// and a template that concatenated each would be a tenth of the library.
class TextPart {
public:
    explicit TextPart(std::string_view text) noexcept : kind_(Kind::text), text_(text) {}
    explicit TextPart(long long number) noexcept : kind_(Kind::integer), integer_(number) {}
    explicit TextPart(unsigned long long number) noexcept : kind_(Kind::natural), natural_(number) {}
    explicit TextPart(double number) noexcept : kind_(Kind::real), real_(number) {}

    void append_to(std::string& text) const;

private:
    enum class Kind { text, integer, natural, real };
    Kind kind_;
    union {
        std::string_view text_;
        long long integer_;
        unsigned long long natural_;
        double real_;
    };
};

template <class Part>
TextPart text_part(const Part& part) noexcept {
    if constexpr (std::is_floating_point_v<Part>) {
        return TextPart(static_cast<double>(part));
    } else if constexpr (std::is_unsigned_v<Part>) {
        return TextPart(static_cast<unsigned long long>(part));
    } else if constexpr (std::is_integral_v<Part>) {
        return TextPart(static_cast<long long>(part));
    } else {
        return TextPart(std::string_view(part));
    }
}

[[gnu::cold]] CUBIND_EXPORT std::string concat_parts(std::initializer_list<TextPart> parts);
[[noreturn, gnu::cold]] CUBIND_EXPORT void throw_misuse_of_parts(std::initializer_list<TextPart> parts);

/// Returns the concatenation of the parts: strings, and numbers as decimals.
template <class... Parts>
std::string concat(std::string_view first, const Parts&... parts) {
    return concat_parts({TextPart(first), text_part(parts)...});
}

/// Throws std::invalid_argument with the concatenation of the parts, for a mistake of the caller that was found without
/// calling the driver.
template <class... Parts>
[[noreturn]] void throw_misuse(std::string_view first, const Parts&... parts) {
    throw_misuse_of_parts({TextPart(first), text_part(parts)...});
}

/// Throws std::invalid_argument if the text has a NUL: the operating system and NVIDIA's libraries read only what precedes it.
/// `what` names the text in the message.
void check_no_nul(std::string_view what, std::string_view text);

}  // namespace CUBIND_NAMESPACE::detail
