// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Atomic operations of all types, one thread after the other and from several threads at once.
#include <bit>
#include <cfloat>
#include <cmath>
#include <functional>
#include <random>
#include <thread>

#include "access_runner.hpp"

namespace cubind::testing::atomic_tests {

namespace {

__extension__ using Exact = __float128;
__extension__ using Wide = unsigned __int128;

/// A format of floating-point numbers: bits of the exponent and of the fraction.
struct Format {
    int exponent;
    int fraction;
};

bool is_nan(Wide bits, Format format) {
    const Wide magnitude = bits & ((Wide{1} << (format.exponent + format.fraction)) - 1);
    return magnitude > ((Wide{1} << format.exponent) - 1) << format.fraction;
}

Exact decode(std::uint64_t bits, Format format) {
    const int bias = (1 << (format.exponent - 1)) - 1;
    const auto exponent = static_cast<int>(bits >> format.fraction & ((1u << format.exponent) - 1));
    const auto fraction = static_cast<Exact>(bits & ((std::uint64_t{1} << format.fraction) - 1));
    const bool is_negative = (bits >> (format.exponent + format.fraction) & 1) != 0;
    Exact value = exponent == 0 ? fraction : fraction + static_cast<Exact>(std::uint64_t{1} << format.fraction);
    if (exponent == (1 << format.exponent) - 1) value = static_cast<Exact>(HUGE_VAL);
    for (int i = (exponent == 0 ? 1 : exponent) - bias - format.fraction; i != 0; i += i > 0 ? -1 : 1)
        value *= i > 0 ? Exact{2} : Exact{0.5};
    return is_negative ? -value : value;
}

// The pattern whose value is nearest, by a search: patterns of positive numbers have the order of their values.
std::uint64_t encode(Exact value, bool is_negative, Format format) {
    const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent) - 1) << format.fraction;
    const std::uint64_t sign = is_negative ? std::uint64_t{1} << (format.exponent + format.fraction) : 0;
    const Exact magnitude = value < 0 ? -value : value;
    std::uint64_t low = 0;
    std::uint64_t high = infinity;
    while (low + 1 < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        (decode(middle, format) <= magnitude ? low : high) = middle;
    }
    // Rounding to infinity begins halfway to the number that would follow the greatest one.
    const Exact below = decode(low, format);
    const Exact step = decode(low, format) - decode(low - 1, format);
    const Exact above = high == infinity ? below + step : decode(high, format);
    if (magnitude > static_cast<Exact>(DBL_MAX) * 2) return sign | infinity;
    const Exact to_low = magnitude - below;
    const Exact to_high = above - magnitude;
    const bool takes_high = to_high < to_low || (to_high == to_low && low % 2 != 0);
    return sign | (takes_high ? high : low);
}

std::uint64_t add_floating(std::uint64_t a, std::uint64_t b, Format format, bool is_global) {
    const bool flushes = is_global && format.fraction == 23;
    const int bits = 1 + format.exponent + format.fraction;
    const bool is_double = bits == 64;
    const std::uint64_t canonical = (std::uint64_t{1} << (bits - 1)) - 1;
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent) - 1) << format.fraction;
    const auto flush = [&](std::uint64_t value) { return flushes && (value & infinity) == 0 ? value & sign : value; };
    const std::uint64_t quiet = is_global ? 0 : std::uint64_t{1} << 51;
    if (is_nan(a, format)) return is_double ? a | quiet : canonical;
    if (is_nan(b, format)) return is_double ? b | quiet : canonical;
    a = flush(a);
    b = flush(b);
    const bool a_is_infinite = (a & ~sign) == infinity;
    const bool b_is_infinite = (b & ~sign) == infinity;
    if (a_is_infinite && b_is_infinite && a != b) return is_double ? 0xfff8000000000000u : canonical;
    if (a_is_infinite) return a;
    if (b_is_infinite) return b;
    const Exact sum = decode(a, format) + decode(b, format);
    if (sum == 0) return (a & b & sign) != 0 ? sign : 0;
    return flush(encode(sum, sum < 0, format));
}

constexpr Format single{8, 23}, twice{11, 52}, half{5, 10}, brain{8, 7};

std::uint64_t select_floating(std::uint64_t a, std::uint64_t b, Format format, bool is_maximum) {
    if (is_nan(a, format)) return is_nan(b, format) ? 0x7fff : b;
    if (is_nan(b, format)) return a;
    const Exact first = decode(a, format);
    const Exact second = decode(b, format);
    if (first == second) return is_maximum ? a & b : a | b;  // only zeros may differ
    return (first < second) != is_maximum ? a : b;
}

using Oracle = std::function<std::uint64_t(std::uint64_t old, std::uint64_t first, std::uint64_t second, bool is_global)>;

struct Case {
    std::string operation;  ///< with its type
    int bits;
    Oracle oracle;
};

std::uint64_t cut(std::uint64_t value, int bits) {
    return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
std::int64_t extend(std::uint64_t value, int bits) {
    return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

Oracle both_halves(const Oracle& oracle) {
    return [oracle](std::uint64_t a, std::uint64_t b, std::uint64_t, bool is_global) {
        return oracle(a & 0xffff, b & 0xffff, 0, is_global) | oracle(a >> 16, b >> 16, 0, is_global) << 16;
    };
}

std::vector<Case> scalar_cases() {
    std::vector<Case> all;
    for (const int bits : {32, 64}) {
        const std::string size = std::to_string(bits);
        const auto add = [&](const std::string& operation, auto oracle) {
            all.push_back({operation + size, bits,
                           [=](std::uint64_t a, std::uint64_t b, std::uint64_t, bool) { return cut(oracle(a, b), bits); }});
        };
        using U = std::uint64_t;
        // The sum without carries, plus the carries.
        add(".add.u", [](U a, U b) { return (a ^ b) + ((a & b) << 1); });
        if (bits == 32) add(".add.s", [](U a, U b) { return a - ~b - 1; });
        add(".and.b", [](U a, U b) { return ~(~a | ~b); });
        add(".or.b", [](U a, U b) { return ~(~a & ~b); });
        add(".xor.b", [](U a, U b) { return (a | b) - (a & b); });
        add(".exch.b", [](U, U b) { return b; });
        add(".min.u", [](U a, U b) { return std::min(a, b); });
        add(".max.u", [](U a, U b) { return std::max(a, b); });
        add(".min.s", [=](U a, U b) { return static_cast<U>(std::min(extend(a, bits), extend(b, bits))); });
        add(".max.s", [=](U a, U b) { return static_cast<U>(std::max(extend(a, bits), extend(b, bits))); });
    }
    all.push_back({".inc.u32", 32, [](auto a, auto b, auto, bool) -> std::uint64_t { return a < b ? a + 1 : 0; }});
    all.push_back({".dec.u32", 32, [](auto a, auto b, auto, bool) { return a >= 1 && a <= b ? a - 1 : b; }});
    all.push_back({".add.f32", 32, [](auto a, auto b, auto, bool global) { return add_floating(a, b, single, global); }});
    all.push_back({".add.f64", 64, [](auto a, auto b, auto, bool global) { return add_floating(a, b, twice, global); }});
    const Oracle add_half = [](auto a, auto b, auto, bool) { return add_floating(a, b, half, false); };
    const Oracle add_brain = [](auto a, auto b, auto, bool) { return add_floating(a, b, brain, false); };
    all.push_back({".add.noftz.f16", 16, add_half});
    all.push_back({".add.noftz.bf16", 16, add_brain});
    all.push_back({".add.noftz.f16x2", 32, both_halves(add_half)});
    all.push_back({".add.noftz.bf16x2", 32, both_halves(add_brain)});
    for (const int bits : {16, 32, 64}) {
        all.push_back({".cas.b" + std::to_string(bits), bits, [](auto a, auto b, auto c, bool) { return a == b ? c : a; }});
    }
    return all;
}

// Values that are often equal, close to one another, or special.
AccessInput random_input(std::mt19937_64& random, int bits) {
    static const std::uint64_t special[] = {0,
                                            1,
                                            2,
                                            0x8000,
                                            0x7c00,
                                            0xfc00,
                                            0x7f80,
                                            0x7e01,
                                            0x3c00,
                                            0x0400,
                                            0x83ff,
                                            0x7bff,
                                            0x7f7f,
                                            0x80000000,
                                            0x7f800000,
                                            0xff800000,
                                            0x7f800001,
                                            0x00400000,
                                            0x807fffff,
                                            0x3f800000,
                                            0x7f7fffff,
                                            0x8000000000000000,
                                            0x7ff0000000000000,
                                            0xfff0000000000000,
                                            0x7ff0000000000123,
                                            0x000fffffffffffff,
                                            0x3ff0000000000000,
                                            0x7fefffffffffffff};
    const auto value = [&]() -> std::uint64_t {
        const std::uint64_t kind = random() % 4;
        if (kind == 0) return special[random() % std::size(special)] << (random() % 2 != 0 && bits == 32 ? 16 : 0);
        const std::uint64_t number = random();
        if (kind == 1) return (number & 0x03ffu) * 0x0001000100010001u + 0x3c003c003c003c00u;
        return kind == 2 ? number : number % 4;
    };
    AccessInput input;
    for (std::size_t i = 0; i < input.memory.size(); i += 8) {
        const std::uint64_t word = value();
        std::memcpy(&input.memory[i], &word, 8);
    }
    for (auto& each : input.registers) each = value();
    return input;
}

// The result is in %v0 to %v7, the sources are %v8 to %v15; for one element the sources are %v1 and %v2.
void test_atomic(const Place& place, const Case& each, unsigned length, bool has_result, std::mt19937_64& random) {
    const std::string space = place.space;
    const bool has_second = each.operation.starts_with(".cas");
    const unsigned first_source = length == 1 ? 1 : 8;
    const auto list = [&](unsigned first) {
        std::string text;
        for (unsigned i = 0; i < length; ++i) text += (i != 0 ? ", %v" : "%v") + std::to_string(first + i);
        return length == 1 ? text : "{" + text + "}";
    };
    std::string instruction = has_result
                                  ? "atom.relaxed.gpu" + space + each.operation + " " + list(0) + ", $A, " + list(first_source)
                                  : "red" + space + each.operation + " $A, " + list(first_source);
    instruction += has_second ? ", %v2;" : ";";
    AccessRunner runner(place, each.bits, instruction);
    const auto bytes = static_cast<unsigned>(each.bits / 8);
    const unsigned size = bytes * length;
    for (int shape = 0; shape < 8; ++shape) {
        AccessInput input = random_input(random, each.bits);
        input.mask = shape % 2 == 0 ? ~0u : static_cast<std::uint32_t>(random()) | 8;
        for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
            const std::uint64_t unit = shape < 2   ? lane
                                       : shape < 4 ? 5
                                       : shape < 6 ? random() % 3
                                                   : random() % (window_bytes / size);
            input.offsets[lane] = unit * size;
        }
        std::vector<std::uint8_t> memory = input.memory;
        std::vector<std::uint64_t> registers = input.registers;
        for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
            const std::uint64_t* const own = &input.registers[lane * registers_of_thread];
            for (unsigned item = 0; item < length && (input.mask >> lane & 1) != 0; ++item) {
                std::uint64_t old = 0;
                std::uint8_t* const at = &memory[input.offsets[lane] + item * bytes];
                std::memcpy(&old, at, bytes);
                const std::uint64_t source = cut(own[first_source + item], each.bits);
                const std::uint64_t result = each.oracle(old, source, cut(own[2], each.bits), place.memory == "global");
                std::memcpy(at, &result, bytes);
                std::uint64_t& to = registers[lane * registers_of_thread + item];
                if (has_result) to = (each.bits == 64 ? 0 : to >> each.bits << each.bits) | old;
            }
        }
        const AccessOutput output = runner.run(input);
        ASSERT_EQ(output.result.status, driver::CUDA_SUCCESS) << instruction << output.result.problem;
        ASSERT_EQ(output.registers, registers) << instruction << " of " << place.memory << ", shape " << shape;
        ASSERT_TRUE(output.memory == memory) << instruction << " of " << place.memory << ", shape " << shape;
    }
}

TEST(AtomicTest, UpdatesAllTypesInAllSpaces) {
    std::mt19937_64 random(1);
    for (const Place& place : places()) {
        if (place.memory == "local") continue;
        for (const Case& each : scalar_cases()) {
            test_atomic(place, each, 1, true, random);
            const bool is_reduction = !each.operation.starts_with(".cas") && !each.operation.starts_with(".exch");
            if (is_reduction) test_atomic(place, each, 1, false, random);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(AtomicTest, UpdatesVectors) {
    std::mt19937_64 random(2);
    std::vector<std::pair<Case, std::vector<unsigned>>> all;
    const auto add = [&](const std::string& modifiers, const std::string& type, int bits, const std::vector<unsigned>& lengths,
                         const Oracle& oracle) {
        for (const unsigned length : lengths)
            all.push_back({{modifiers + ".v" + std::to_string(length) + type, bits, oracle}, {length}});
    };
    add(".add", ".f32", 32, {2, 4}, [](auto a, auto b, auto, bool) { return add_floating(a, b, single, true); });
    for (const auto& [name, each_format] : {std::pair{"f16", half}, std::pair{"bf16", brain}}) {
        const auto format = each_format;  // clang++ 14 cannot capture structured bindings
        const Oracle sum = [format](auto a, auto b, auto, bool) { return add_floating(a, b, format, false); };
        const Oracle least = [format](auto a, auto b, auto, bool) { return select_floating(a, b, format, false); };
        const Oracle greatest = [format](auto a, auto b, auto, bool) { return select_floating(a, b, format, true); };
        const std::string type = std::string(".") + name;
        for (const auto& [operation, oracle] : {std::pair{".add", sum}, std::pair{".min", least}, std::pair{".max", greatest}}) {
            add(std::string(operation) + ".noftz", type, 16, {2, 4, 8}, oracle);
            add(std::string(operation) + ".noftz", type + "x2", 32, {2, 4}, both_halves(oracle));
        }
    }
    for (const auto& [each, lengths] : all) {
        for (const Place& place : {Place{".global", "global", 64}, Place{"", "global", 64}}) {
            test_atomic(place, each, lengths[0], true, random);
            test_atomic(place, each, lengths[0], false, random);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(AtomicTest, ExchangesAndCompares128Bits) {
    for (const Place& place : places()) {
        if (place.memory == "local") continue;
        for (const bool is_exchange : {true, false}) {
            const std::string text = is_exchange ? "atom" + place.space + ".exch.b128 %v0, $A, %v1;"
                                                 : "atom" + place.space + ".cas.b128 %v0, $A, %v1, %v2;";
            AccessRunner runner(place, 128, text);
            AccessInput input;
            std::mt19937_64 random(3);
            for (auto& each : input.memory) each = static_cast<std::uint8_t>(random() % 2);
            for (auto& each : input.registers) each = random();
            for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
                input.offsets[lane] = 16 * (random() % 8);
                // Two of three comparisons succeed if no other thread came before; one differs in the upper half.
                std::memcpy(&input.registers[lane * registers_of_thread + 2], &input.memory[input.offsets[lane]], 16);
                if (lane % 3 == 0) input.registers[lane * registers_of_thread + 3] ^= 1;
            }
            std::vector<std::uint8_t> memory = input.memory;
            std::vector<std::uint64_t> registers = input.registers;
            for (unsigned lane = 0; lane < threads_of_warp; ++lane) {
                std::uint64_t* const own = &registers[lane * registers_of_thread];
                std::memcpy(own, &memory[input.offsets[lane]], 16);
                const bool is_equal = std::memcmp(own, own + 2, 16) == 0;
                if (is_exchange || is_equal) std::memcpy(&memory[input.offsets[lane]], own + (is_exchange ? 2 : 4), 16);
            }
            const AccessOutput output = runner.run(input);
            ASSERT_EQ(output.result.status, driver::CUDA_SUCCESS) << text << output.result.problem;
            EXPECT_EQ(output.registers, registers) << text;
            EXPECT_TRUE(output.memory == memory) << text;
        }
    }
}

}  // namespace

}  // namespace cubind::testing::atomic_tests
