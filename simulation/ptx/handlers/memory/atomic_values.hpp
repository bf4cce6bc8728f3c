// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <type_traits>

#include "ptx/handlers/memory/kernel_memory.hpp"

/// The operations of atomic instructions: each computes the new value of the memory from its old value and the sources. `fetch`
/// exists where the host has an instruction for the operation; it returns the old value.
namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

template <class Own>
struct Add {
    using Type = Own;
    static Type apply(Type old, Type source, Type, bool) { return old + source; }
    static Type fetch(std::uintptr_t address, Type source) {
        return __atomic_fetch_add(atomic_at<Type>(address), source, __ATOMIC_ACQ_REL);
    }
};

template <class Own>
struct And {
    using Type = Own;
    static Type apply(Type old, Type source, Type, bool) { return old & source; }
    static Type fetch(std::uintptr_t address, Type source) {
        return __atomic_fetch_and(atomic_at<Type>(address), source, __ATOMIC_ACQ_REL);
    }
};

template <class Own>
struct Or {
    using Type = Own;
    static Type apply(Type old, Type source, Type, bool) { return old | source; }
    static Type fetch(std::uintptr_t address, Type source) {
        return __atomic_fetch_or(atomic_at<Type>(address), source, __ATOMIC_ACQ_REL);
    }
};

template <class Own>
struct Xor {
    using Type = Own;
    static Type apply(Type old, Type source, Type, bool) { return old ^ source; }
    static Type fetch(std::uintptr_t address, Type source) {
        return __atomic_fetch_xor(atomic_at<Type>(address), source, __ATOMIC_ACQ_REL);
    }
};

template <class Own>
struct Exchange {
    using Type = Own;
    static Type apply(Type, Type source, Type, bool) { return source; }
};

template <class Own>
struct CompareAndSwap {
    using Type = Own;
    static Type apply(Type old, Type expected, Type desired, bool) {
        if constexpr (sizeof(Type) == 16) {
            return old.low == expected.low && old.high == expected.high ? desired : old;
        } else {
            return old == expected ? desired : old;
        }
    }
};

template <class Own>
struct Minimum {
    using Type = Own;
    static Type apply(Type old, Type source, Type, bool) { return source < old ? source : old; }
};

template <class Own>
struct Maximum {
    using Type = Own;
    static Type apply(Type old, Type source, Type, bool) { return source > old ? source : old; }
};

struct Increment {
    using Type = std::uint32_t;
    static Type apply(Type old, Type limit, Type, bool) { return old >= limit ? 0 : old + 1; }
};

struct Decrement {
    using Type = std::uint32_t;
    static Type apply(Type old, Type limit, Type, bool) { return old == 0 || old > limit ? limit : old - 1; }
};

// Sums in global memory flush subnormal numbers, those in shared memory do not.
struct AddSingle {
    using Type = std::uint32_t;
    static Type flush(Type bits) { return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits; }
    static Type apply(Type old, Type source, Type, bool is_global) {
        if (is_global) {
            old = flush(old);
            source = flush(source);
        }
        const float sum = std::bit_cast<float>(old) + std::bit_cast<float>(source);
        if (sum != sum) return 0x7fffffffu;
        const auto bits = std::bit_cast<Type>(sum);
        return is_global ? flush(bits) : bits;
    }
};

// A sum with a NaN operand has the bits of the first NaN operand. In shared memory it becomes quiet.
struct AddDouble {
    using Type = std::uint64_t;
    static constexpr Type quiet = 0x0008000000000000u;
    static bool is_nan(Type bits) { return (bits & 0x7fffffffffffffffu) > 0x7ff0000000000000u; }
    static Type apply(Type old, Type source, Type, bool is_global) {
        if (is_nan(old)) return is_global ? old : old | quiet;
        if (is_nan(source)) return is_global ? source : source | quiet;
        const double sum = std::bit_cast<double>(old) + std::bit_cast<double>(source);
        return sum == sum ? std::bit_cast<Type>(sum) : 0xfff8000000000000u;
    }
};

struct Half {
    static constexpr std::uint16_t infinity = 0x7c00;
    static float widen(std::uint16_t bits) {
        const std::uint32_t sign = (bits & 0x8000u) << 16;
        const std::uint32_t rest = bits & 0x7fffu;
        if (rest >= infinity) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
        if (rest >= 0x400) return std::bit_cast<float>(sign | ((rest << 13) + 0x38000000u));
        const auto magnitude = std::bit_cast<std::uint32_t>(static_cast<float>(rest) * 0x1p-24f);
        return std::bit_cast<float>(sign | magnitude);
    }
    // Rounds to nearest even. Adding 0.5f rounds subnormal numbers, because its last bit is 2^-24, the smallest f16.
    static std::uint16_t round(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t sign = bits >> 16 & 0x8000u;
        const std::uint32_t rest = bits & 0x7fffffffu;
        std::uint32_t result = infinity;
        if (rest < 0x38800000u) {
            result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) + 0.5f) - 0x3f000000u;
        } else if (rest < 0x477ff000u) {
            result = (rest - 0x38000000u + 0xfffu + (rest >> 13 & 1)) >> 13;
        }
        return static_cast<std::uint16_t>(sign | result);
    }
};

struct Bfloat16 {
    static constexpr std::uint16_t infinity = 0x7f80;
    static float widen(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
    static std::uint16_t round(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
    }
};

template <class Format>
bool is_nan(std::uint16_t bits) {
    return (bits & 0x7fffu) > Format::infinity;
}

// The sum of two numbers of at most 11 bits, rounded to the 24 bits of float and then to their own, is rounded correctly.
template <class Format>
struct AddHalf {
    using Type = std::uint16_t;
    static Type apply(Type old, Type source, Type, bool) {
        const float sum = Format::widen(old) + Format::widen(source);
        return sum == sum ? Format::round(sum) : Type{0x7fff};
    }
};

// -0 is less than +0. Of a number and a NaN, the result is the number.
template <class Format, bool is_maximum>
struct SelectHalf {
    using Type = std::uint16_t;
    static int key(Type bits) { return (bits & 0x8000) != 0 ? 0x7fff - bits : bits; }
    static Type apply(Type old, Type source, Type, bool) {
        if (is_nan<Format>(old)) return is_nan<Format>(source) ? Type{0x7fff} : source;
        if (is_nan<Format>(source)) return old;
        return (key(source) < key(old)) != is_maximum ? source : old;
    }
};
template <class Format>
using MinimumHalf = SelectHalf<Format, false>;
template <class Format>
using MaximumHalf = SelectHalf<Format, true>;

/// An operation on both halves of 32 bits.
template <class Operation>
struct Packed {
    using Type = std::uint32_t;
    static Type apply(Type old, Type source, Type, bool is_global) {
        const auto half = [&](unsigned shift) {
            const auto a = static_cast<std::uint16_t>(old >> shift);
            const auto b = static_cast<std::uint16_t>(source >> shift);
            return static_cast<Type>(Operation::apply(a, b, 0, is_global)) << shift;
        };
        return half(0) | half(16);
    }
};

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
