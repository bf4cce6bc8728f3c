// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "bit_oracle.hpp"

#include <limits>

namespace cubind::testing::oracle {

Number extend_bits(std::uint64_t value, int width, bool is_signed) {
    const bool sign = is_signed && bit(value, width - 1);
    Number result = 0;
    for (int i = 0; i < number_bits; ++i) result |= from_bit(i < width ? bit(value, i) : sign, i);
    return result;
}

std::uint64_t cut_bits(Number value, int begin, int width) {
    std::uint64_t result = 0;
    for (int i = 0; i < width; ++i) {
        if (bit(value, begin + i)) result |= std::uint64_t{1} << i;
    }
    return result;
}

Number add(Number a, Number b, bool carry) {
    Number sum = 0;
    for (int i = 0; i < number_bits; ++i) {
        const int ones = bit(a, i) + bit(b, i) + carry;
        sum |= from_bit(ones % 2 == 1, i);
        carry = ones >= 2;
    }
    return sum;
}
Number negate(Number a) {
    return add(~a, 0, true);
}
Number subtract(Number a, Number b) {
    return add(a, ~b, true);
}
Number multiply(Number a, Number b) {
    Number product = 0;
    for (int i = 0; i < number_bits; ++i) {
        if (bit(b, i)) product = add(product, a << i);
    }
    return product;
}
bool is_negative(Number a) {
    return bit(a, number_bits - 1);
}
bool is_less(Number a, Number b) {
    return is_negative(subtract(a, b));
}
Number magnitude(Number a) {
    return is_negative(a) ? negate(a) : a;
}

Division::Division(Number a, Number b) {
    const Number divisor = magnitude(b);
    const Number dividend = magnitude(a);
    for (int i = 64; i >= 0; --i) {
        remainder = remainder << 1 | from_bit(bit(dividend, i), 0);
        if (is_less(remainder, divisor)) continue;
        remainder = subtract(remainder, divisor);
        quotient |= from_bit(true, i);
    }
    if (is_negative(a) != is_negative(b)) quotient = negate(quotient);
    if (is_negative(a)) remainder = negate(remainder);
}

std::int32_t saturate(Number value) {
    const Number least = extend(std::numeric_limits<std::int32_t>::min());
    const Number greatest = extend(std::numeric_limits<std::int32_t>::max());
    return cut<std::int32_t>(is_less(value, least) ? least : is_less(greatest, value) ? greatest : value);
}

}  // namespace cubind::testing::oracle
