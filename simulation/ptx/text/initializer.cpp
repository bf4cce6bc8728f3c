// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "ptx/text/declaration.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// Reads the elements of an initializer and writes their bytes.
class InitializerReader {
public:
    InitializerReader(Cursor& cursor, const Declaration& declaration, Variable& variable)
        : cursor_(cursor), declaration_(declaration), variable_(variable) {}

    void read();

private:
    void read_value();
    void read_symbol();
    std::int64_t read_addend();
    void append(std::uint64_t bits);
    void check_row(std::size_t depth) const;
    std::uint64_t bits_of_number(std::string_view text, bool is_negative) const;
    bool has_open_extent() const { return !declaration_.extents.empty() && declaration_.extents[0] == 0; }

    Cursor& cursor_;
    const Declaration& declaration_;
    Variable& variable_;
    std::size_t row_begin_ = 0;
};

// Elements are contiguous, regardless of braces around rows.
void InitializerReader::read() {
    std::size_t depth = 0;
    for (;;) {
        for (; cursor_.accept("{"); ++depth) row_begin_ = variable_.initial.size();
        if (!cursor_.is_at("}")) read_value();
        for (; depth > 0 && cursor_.accept("}"); --depth) {
            if (depth > 1) check_row(depth);
        }
        if (depth == 0) return;
        cursor_.expect(",");
    }
}

// An incomplete row would make the offsets of all following elements ambiguous.
void InitializerReader::check_row(std::size_t depth) const {
    std::size_t row = declaration_.element_size * declaration_.lanes;
    for (std::size_t i = depth - 1; i < declaration_.extents.size(); ++i) row *= declaration_.extents[i];
    const std::size_t size = variable_.initial.size();
    if (row == 0 || size == row_begin_ || size % row != 0) cursor_.fail("a row of initial values in braces is not complete");
}

void InitializerReader::read_value() {
    if (cursor_.accept("generic")) {
        cursor_.expect("(");
        read_symbol();
        cursor_.expect(")");
    } else if (cursor_.is_at(Token::Kind::word)) {
        read_symbol();
    } else {
        const bool is_negative = cursor_.accept("-");
        if (!cursor_.is_at(Token::Kind::number)) cursor_.fail_expecting("an initial value");
        const std::uint64_t bits = bits_of_number(cursor_.next().text, is_negative);
        cursor_.take();
        // PTX writes one byte of an address as a mask in front of it.
        if (cursor_.is_at("(")) cursor_.fail("masks of addresses in initial values are not supported");
        append(bits);
    }
}

void InitializerReader::read_symbol() {
    const std::string symbol(cursor_.expect_word("the name of a variable"));
    const std::int64_t addend = read_addend();
    // Only elements of the size of a pointer can hold an address.
    if (declaration_.element_size == 8)
        variable_.relocations.push_back({variable_.initial.size(), symbol, addend, cursor_.line()});
    append(0);
}

std::int64_t InitializerReader::read_addend() {
    constexpr std::uint64_t limit = ~std::uint64_t{0} / 2;
    if (cursor_.accept("+")) return static_cast<std::int64_t>(cursor_.expect_number("an offset", limit));
    if (cursor_.accept("-")) return -static_cast<std::int64_t>(cursor_.expect_number("an offset", limit));
    return 0;
}

void InitializerReader::append(std::uint64_t bits) {
    const std::size_t size = declaration_.element_size;
    const std::size_t old = variable_.initial.size();
    if (!has_open_extent() && old + size > variable_.size) cursor_.fail("too many initial values");
    variable_.initial.resize(old + size);
    std::memcpy(variable_.initial.data() + old, &bits, size < sizeof bits ? size : sizeof bits);
}

// The prefixes 0f and 0d precede the bits of a float or a double. An element of the same size gets these bits
// unchanged.
std::uint64_t InitializerReader::bits_of_number(std::string_view text, bool is_negative) const {
    const std::size_t size = declaration_.element_size;
    const bool is_single = text.starts_with("0f") || text.starts_with("0F");
    const bool is_double = text.starts_with("0d") || text.starts_with("0D");
    std::uint64_t integer = 0;
    double value = 0;
    if (is_single || is_double) {
        if (!parse_integer(std::string("0x").append(text.substr(2)), integer)) cursor_.fail_expecting("a number");
        if (!is_negative && size == (is_single ? sizeof(float) : sizeof(double))) return integer;
        value = is_single ? std::bit_cast<float>(static_cast<std::uint32_t>(integer)) : std::bit_cast<double>(integer);
    } else if (parse_integer(text, integer)) {
        if (!declaration_.is_float) return is_negative ? ~integer + 1 : integer;
        value = static_cast<double>(integer);
    } else {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size()) cursor_.fail_expecting("a number");
    }
    if (!declaration_.is_float) cursor_.fail_expecting("a whole number");
    if (is_negative) value = -value;
    if (size == sizeof(double)) return std::bit_cast<std::uint64_t>(value);
    constexpr double limit = std::numeric_limits<float>::max();
    if (std::isfinite(value) && std::abs(value) > limit) cursor_.fail("a number is too large for a float");
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

}  // namespace

void read_initializer(Cursor& cursor, const Declaration& declaration, Variable& variable) {
    InitializerReader(cursor, declaration, variable).read();
    if (!declaration.extents.empty() && declaration.extents[0] == 0) variable.size = variable.initial.size();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
