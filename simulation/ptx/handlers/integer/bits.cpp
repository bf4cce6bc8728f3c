// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Counting and finding bits, and fields of bits.
#include "ptx/handlers/integer/integers.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

constexpr std::uint32_t not_found = ~std::uint32_t{0};

// Formulas without branches and multiplications, which compilers vectorize.
template <class Type>
inline Type repeat_byte(unsigned byte) {
    return static_cast<Type>(~Type{0} / 255 * byte);
}

template <class Type>
std::uint32_t count_ones(Type value) {
    value -= value >> 1 & repeat_byte<Type>(0x55);
    value = (value & repeat_byte<Type>(0x33)) + (value >> 2 & repeat_byte<Type>(0x33));
    value = (value + (value >> 4)) & repeat_byte<Type>(0x0f);
    value += value >> 8;
    value += value >> 16;
    if constexpr (sizeof(Type) == 8) value += value >> 32;
    return static_cast<std::uint32_t>(value & 127);
}
template <class Type>
std::uint32_t count_leading_zeros(Type value) {
    for (unsigned distance = 1; distance < width_of<Type>; distance *= 2) value |= value >> distance;
    return count_ones(static_cast<Type>(~value));
}
template <class Type>
Type reverse(Type value) {
    const auto swap = [&value](unsigned distance, Type low) { value = (value >> distance & low) | (value & low) << distance; };
    swap(1, repeat_byte<Type>(0x55));
    swap(2, repeat_byte<Type>(0x33));
    swap(4, repeat_byte<Type>(0x0f));
    swap(8, static_cast<Type>(0x00ff00ff00ff00ff));
    swap(16, static_cast<Type>(0x0000ffff0000ffff));
    if constexpr (sizeof(Type) == 8) value = value >> 32 | value << 32;
    return value;
}

// Finds the highest bit that differs from the sign. No such bit exists in 0 and -1.
template <class Type>
std::uint32_t find_highest(Type value) {
    const auto bits = static_cast<std::make_unsigned_t<Type>>(value < 0 ? ~value : value);
    return width_of<Type> - 1 - count_leading_zeros(bits);
}
template <class Type>
std::uint32_t find_shift_of_highest(Type value) {
    const std::uint32_t position = find_highest(value);
    return position == not_found ? not_found : width_of<Type> - 1 - position;
}

// Finds a set bit of the mask. Offset 0 tests the bit at the base. Offset n finds the n-th set bit from the base upward, or
// downward if n is negative. The code of ptxas returns 0 for the least offset, whose negation overflows.
std::uint32_t find_set_bit(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
    const bool is_reversed = offset < 0;
    if (offset == std::numeric_limits<std::int32_t>::min()) return 0;
    if (offset == 0) return base < 32 && (mask >> base & 1) != 0 ? base : not_found;
    if (is_reversed) {
        mask = reverse(mask);
        base = 31 - base;
    }
    mask &= shift_left(~std::uint32_t{0}, base);
    for (std::int32_t count = is_reversed ? -offset : offset; count > 1 && mask != 0; --count) mask &= mask - 1;
    if (mask == 0) return not_found;
    const std::uint32_t position = count_ones((mask & (0 - mask)) - 1);
    return is_reversed ? 31 - position : position;
}

// For a field of 32 bits, only the lowest byte of the position and of the length counts. For 64 bits, ptxas emits shifts, which
// use all bits and limit both to 64.
template <class Type>
inline std::uint32_t field_operand(std::uint32_t value) {
    return sizeof(Type) == 4 ? value & 255 : value;
}
/// Extends the lowest bits of a value.
template <class Type>
inline Type extend(Type value, std::uint32_t count) {
    using Unsigned = std::make_unsigned_t<Type>;
    const auto low = static_cast<Unsigned>(static_cast<Unsigned>(value) & low_mask<Unsigned>(count));
    if constexpr (std::is_signed_v<Type>) {
        const Unsigned sign = count < width_of<Type> ? shift_left(Unsigned{1}, count - 1) : Unsigned{0};
        return static_cast<Type>((low ^ sign) - sign);
    } else {
        return low;
    }
}
template <class Type>
Type extract_field(Type value, std::uint32_t position, std::uint32_t length) {
    return extend(shift_right(value, field_operand<Type>(position)), field_operand<Type>(length));
}
template <class Type>
Type insert_field(Type field, Type value, std::uint32_t position, std::uint32_t length) {
    const std::uint32_t begin = field_operand<Type>(position);
    const Type mask = shift_left(low_mask<Type>(field_operand<Type>(length)), begin);
    return (value & ~mask) | (shift_left(field, begin) & mask);
}

template <class Type>
Type extend_clamped(Type value, std::uint32_t count) {
    return extend(value, count);
}
template <class Type>
Type extend_wrapped(Type value, std::uint32_t count) {
    return extend(value, count & 31);
}
std::uint32_t make_mask_clamped(std::uint32_t begin, std::uint32_t length) {
    return shift_left(low_mask<std::uint32_t>(length), begin);
}
std::uint32_t make_mask_wrapped(std::uint32_t begin, std::uint32_t length) {
    return make_mask_clamped(begin & 31, length & 31);
}

constexpr Form forms[] = {
    {"popc", ".b32|.b64", "=b32 t", select_wide_bits<[]<class Type>() -> Handler { return Compute<count_ones<Type>>::run; }>},
    {"clz", ".b32|.b64", "=b32 t",
     select_wide_bits<[]<class Type>() -> Handler { return Compute<count_leading_zeros<Type>>::run; }>},
    {"brev", ".b32|.b64", "=t t", select_wide_bits<[]<class Type>() -> Handler { return Compute<reverse<Type>>::run; }>},
    {"bfind", ".u32|.s32|.u64|.s64", "=b32 t",
     select_wide_integer<[]<class Type>() -> Handler { return Compute<find_highest<Type>>::run; }>},
    {"bfind", ".shiftamt .u32|.s32|.u64|.s64", "=b32 t",
     select_wide_integer<[]<class Type>() -> Handler { return Compute<find_shift_of_highest<Type>>::run; }>},
    {"fns", ".b32", "=t t t t", select<Compute<find_set_bit>::run>, Flow::none, 6000, 30},
    {"bfe", ".u32|.s32|.u64|.s64", "=t t b32 b32",
     select_wide_integer<[]<class Type>() -> Handler { return Compute<extract_field<Type>>::run; }>},
    {"bfi", ".b32|.b64", "=t t t b32 b32",
     select_wide_bits<[]<class Type>() -> Handler { return Compute<insert_field<Type>>::run; }>},
    {"szext", ".clamp .u32|.s32", "=t t b32",
     select_32<[]<class Type>() -> Handler { return Compute<extend_clamped<Type>>::run; }>, Flow::none, 7060, 70},
    {"szext", ".wrap .u32|.s32", "=t t b32",
     select_32<[]<class Type>() -> Handler { return Compute<extend_wrapped<Type>>::run; }>, Flow::none, 7060, 70},
    {"bmsk", ".clamp .b32", "=t t t", select<Compute<make_mask_clamped>::run>, Flow::none, 7060, 70},
    {"bmsk", ".wrap .b32", "=t t t", select<Compute<make_mask_wrapped>::run>, Flow::none, 7060, 70},
};

}  // namespace

Forms bits_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
