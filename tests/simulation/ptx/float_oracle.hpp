// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <string>

/// What instructions on numbers of floating point compute, by other means than the executor: the rounding modes of the host's
/// processor for float and double, and the choice between two neighbors by exact comparison for smaller formats.
namespace cubind::testing {

/// Sets the rounding of the host in a scope: 0 nearest, 1 toward zero, 2 down, 3 up.
class HostRounding {
public:
    explicit HostRounding(int rounding) : previous_(std::fegetround()) {
        static constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
        std::fesetround(modes[rounding]);
    }
    ~HostRounding() { std::fesetround(previous_); }
    HostRounding(const HostRounding&) = delete;
    HostRounding& operator=(const HostRounding&) = delete;

private:
    int previous_;
};

inline const std::string rounding_names[] = {".rn", ".rz", ".rm", ".rp"};

inline bool is_nan_bits(float value) {
    return (std::bit_cast<std::uint32_t>(value) << 1) > 0xff000000u;
}
inline bool is_nan_bits(double value) {
    return (std::bit_cast<std::uint64_t>(value) << 1) > 0xffe0000000000000u;
}

inline float float_from(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}

/// Replaces a subnormal number by zero.
inline float without_subnormals(float value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

inline float limited_to_one(float value) {
    return !(value > 0) ? 0.0f : std::fmin(value, 1.0f);
}

/// A format of 16 or 8 bits, by its parts.
struct SmallFormat {
    int exponent_bits;
    int fraction_bits;
    bool has_infinity = true;

    int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    unsigned nan() const { return (1u << (exponent_bits + fraction_bits)) - 1; }
    unsigned sign() const { return 1u << (exponent_bits + fraction_bits); }
    /// The largest finite number.
    unsigned largest() const { return has_infinity ? ((1u << exponent_bits) - 1) * (1u << fraction_bits) - 1 : nan() - 1; }
    bool is_nan(unsigned bits) const { return (bits & nan()) > largest() + (has_infinity ? 1 : 0); }

    /// Returns the value; infinity has the value that the next larger number would have.
    long double value(unsigned bits) const {
        const int exponent = static_cast<int>((bits & nan()) >> fraction_bits);
        const int fraction = static_cast<int>(bits & ((1u << fraction_bits) - 1));
        const long double magnitude = exponent == 0 ? std::ldexp(static_cast<long double>(fraction), 1 - bias() - fraction_bits)
                                                    : std::ldexp(static_cast<long double>(fraction + (1 << fraction_bits)),
                                                                 exponent - bias() - fraction_bits);
        return (bits & sign()) != 0 ? -magnitude : magnitude;
    }
    bool is_infinite(unsigned bits) const { return has_infinity && (bits & nan()) == largest() + 1; }
    bool is_subnormal(unsigned bits) const { return (bits & nan()) != 0 && (bits & nan()) >> fraction_bits == 0; }
};

inline constexpr SmallFormat half_parts{5, 10};
inline constexpr SmallFormat bfloat_parts{8, 7};
inline constexpr SmallFormat e4m3_parts{4, 3, false};
inline constexpr SmallFormat e5m2_parts{5, 2};

/// The sum of two numbers, which may have too many digits for a type of the host.
struct LongNumber {
    long double high = 0;
    long double low = 0;

    /// Returns the sign of this number minus another.
    int compare(long double other) const {
        // Both differences are exact where they matter: numbers that are close share their leading bits.
        const long double difference = high - other;
        const long double sum = difference + low;
        return sum > 0 ? 1 : sum < 0 ? -1 : 0;
    }
};

/// Returns a sum without rounding.
inline LongNumber exact_sum_of(long double a, long double b) {
    const volatile long double sum = a + b;
    const volatile long double b_of_sum = sum - a;
    const volatile long double a_of_sum = sum - b_of_sum;
    return {sum, (a - a_of_sum) + (b - b_of_sum)};
}

/// Rounds a finite number that is not zero by comparing it with the numbers of the format. Rounding as of rounding_names.
inline unsigned round_by_search(LongNumber number, SmallFormat format, int rounding, bool is_finite) {
    const bool is_negative = number.compare(0) < 0;
    if (is_negative) number = {-number.high, -number.low};
    unsigned below = 0;
    unsigned above = format.largest() + 1;
    while (above - below > 1) {
        const unsigned middle = below + (above - below) / 2;
        (number.compare(format.value(middle)) >= 0 ? below : above) = middle;
    }
    const int to_middle = number.compare((format.value(below) + format.value(above)) / 2);
    const bool is_exact = number.compare(format.value(below)) == 0;
    const bool is_beyond = number.compare(format.value(above)) >= 0;
    bool is_above = is_beyond || to_middle > 0 || (to_middle == 0 && (below & 1) != 0);
    if (rounding == 1) is_above = false;
    if (rounding == 2) is_above = is_negative && !is_exact;
    if (rounding == 3) is_above = !is_negative && !is_exact;
    unsigned bits = is_above ? above : below;
    if (bits > format.largest() && (is_finite || !format.has_infinity)) bits = format.largest();
    return bits | (is_negative ? format.sign() : 0);
}

}  // namespace cubind::testing
