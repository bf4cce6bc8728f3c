// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "float_oracle.hpp"
#include "instruction_test.hpp"

namespace cubind::testing::float_tests {
namespace {

/// Values whose exponents are close to one another or to the limits of the type, so that operations round, cancel, underflow and
/// overflow; and those of values_for_tests.
template <class Value>
std::vector<Value> float_values(unsigned seed) {
    using Bits = std::conditional_t<sizeof(Value) == 4, std::uint32_t, std::uint64_t>;
    constexpr unsigned fraction_bits = std::numeric_limits<Value>::digits - 1;
    constexpr Bits exponents = (Bits{1} << (8 * sizeof(Value) - 1 - fraction_bits)) - 1;
    constexpr Bits one = exponents >> 1;
    std::vector<Value> values = values_for_tests<Value>(1024, seed);
    std::mt19937_64 random(seed + 100);
    for (int i = 0; i < 5120; ++i) {
        const std::uint64_t number = random();
        const Bits offset = static_cast<Bits>(number >> 8) % (fraction_bits + 4);
        const Bits bases[] = {one, one, one / 2, one + one / 2, 0, exponents - 1 - offset};
        Bits fraction = static_cast<Bits>(random()) & ((Bits{1} << fraction_bits) - 1);
        if (number % 5 == 0) fraction &= Bits{3} << (fraction_bits - 2);
        if (number % 7 == 0) fraction >>= number >> 4 & 15;
        const Bits exponent = bases[number % 6] + offset;
        values.push_back(std::bit_cast<Value>((exponent << fraction_bits | fraction) |
                                              (number >> 63 != 0 ? Bits{1} << (8 * sizeof(Value) - 1) : 0)));
    }
    return values;
}

enum class Operation { add, sub, mul, fma, div, sqrt, rcp };

template <class Value>
Value host_result(Operation operation, Value a_in, Value b_in, Value c_in, int rounding) {
    const volatile Value a = a_in, b = b_in, c = c_in;
    const HostRounding mode(rounding);
    volatile Value result{};
    switch (operation) {
        case Operation::add:
            result = a + b;
            break;
        case Operation::sub:
            result = a - b;
            break;
        case Operation::mul:
            result = a * b;
            break;
        case Operation::fma:
            result = std::fma(a, b, c);
            break;
        case Operation::div:
            result = a / b;
            break;
        case Operation::sqrt:
            result = std::sqrt(a);
            break;
        case Operation::rcp:
            result = Value{1} / a;
            break;
    }
    return result;
}

// Whether a result that is not zero is subnormal after rounding to 24 bits without a limit of the exponent.
bool is_tiny(Operation operation, float a, float b, float c, int rounding) {
    LongNumber exact;
    long double unit = 1;
    switch (operation) {
        case Operation::add:
            exact = exact_sum_of(a, b);
            break;
        case Operation::sub:
            exact = exact_sum_of(a, -b);
            break;
        case Operation::mul:
            exact = {static_cast<long double>(a) * b, 0};
            break;
        case Operation::fma:
            exact = exact_sum_of(static_cast<long double>(a) * b, c);
            break;
        case Operation::div:
            exact = {a, 0};
            unit = b;
            break;
        case Operation::rcp:
            exact = {1, 0};
            unit = a;
            break;
        case Operation::sqrt:
            return false;
    }
    bool is_negative = exact.compare(0) < 0;
    if (is_negative) exact = {-exact.high, -exact.low};
    is_negative ^= unit < 0;
    unit = std::fabs(unit);
    const long double least = 0x1p-126L;
    if (rounding == 0) return exact.compare(unit * (least - 0x1p-151L)) < 0;
    const bool is_away = rounding == (is_negative ? 2 : 3);
    return is_away ? exact.compare(unit * (least - 0x1p-150L)) <= 0 : exact.compare(unit * least) < 0;
}

float expected(Operation operation, float a, float b, float c, int rounding, bool flushes, bool saturates) {
    if (flushes) a = without_subnormals(a), b = without_subnormals(b), c = without_subnormals(c);
    float result = host_result(operation, a, b, c, rounding);
    if (is_nan_bits(result)) return saturates ? 0.0f : float_from(0x7fffffff);
    const bool may_be_tiny = std::fabs(result) <= 0x1p-126f && result != 0;
    if (flushes && may_be_tiny && is_tiny(operation, a, b, c, rounding)) result = std::copysign(0.0f, result);
    if (flushes && result == 0) result = std::copysign(0.0f, result);
    return saturates ? limited_to_one(result) : result;
}

double expected(Operation operation, double a, double b, double c, int rounding, bool, bool) {
    const int sources = operation == Operation::fma ? 3 : operation == Operation::sqrt || operation == Operation::rcp ? 1 : 2;
    // The result is the first source in this order that is NaN.
    std::vector<double> order = {b, a};
    if (operation == Operation::fma) order = {b, c, a};
    if (operation == Operation::div || sources == 1) order = {a, b};
    order.resize(static_cast<std::size_t>(sources));
    for (const double each : order) {
        if (is_nan_bits(each)) return std::bit_cast<double>(std::bit_cast<std::uint64_t>(each) | 0x0008000000000000u);
    }
    const double result = host_result(operation, a, b, c, rounding);
    return is_nan_bits(result) ? std::bit_cast<double>(std::uint64_t{0xfff8000000000000}) : result;
}

template <class Value>
void test_operation(const std::string& name, Operation operation, const std::string& modifiers, int rounding) {
    const bool flushes = modifiers.find(".ftz") != std::string::npos;
    const bool saturates = modifiers.find(".sat") != std::string::npos;
    const std::string type = sizeof(Value) == 4 ? ".f32" : ".f64";
    const auto a = float_values<Value>(1), b = float_values<Value>(2), c = float_values<Value>(3);
    const auto oracle = [=](Value x, Value y, Value z) { return expected(operation, x, y, z, rounding, flushes, saturates); };
    const std::string text = name + modifiers + type + " %d, %a";
    if (operation == Operation::fma) {
        expect_instruction<Value>(text + ", %b, %c;", oracle, a, b, c);
    } else if (operation == Operation::sqrt || operation == Operation::rcp) {
        expect_instruction<Value>(
            text + ";", [&](Value x) { return oracle(x, x, x); }, a);
    } else {
        expect_instruction<Value>(
            text + ", %b;", [&](Value x, Value y) { return oracle(x, y, y); }, a, b);
    }
}

void test_all(const std::string& name, Operation operation, bool may_omit_rounding, bool may_saturate) {
    for (int rounding = may_omit_rounding ? -1 : 0; rounding < 4; ++rounding) {
        const std::string text = rounding < 0 ? "" : rounding_names[rounding];
        const int mode = std::max(rounding, 0);
        for (const std::string flush : {"", ".ftz"}) {
            for (const std::string saturate : {"", ".sat"}) {
                if (!saturate.empty() && !may_saturate) continue;
                test_operation<float>(name, operation, text + flush + saturate, mode);
            }
        }
        test_operation<double>(name, operation, text, mode);
    }
}

TEST(FloatArithmeticTest, Adds) {
    test_all("add", Operation::add, true, true);
}
TEST(FloatArithmeticTest, Subtracts) {
    test_all("sub", Operation::sub, true, true);
}
TEST(FloatArithmeticTest, Multiplies) {
    test_all("mul", Operation::mul, true, true);
}
TEST(FloatArithmeticTest, MultipliesAndAddsWithOneRounding) {
    test_all("fma", Operation::fma, false, true);
    test_all("mad", Operation::fma, false, true);
}
TEST(FloatArithmeticTest, Divides) {
    test_all("div", Operation::div, false, false);
}
TEST(FloatArithmeticTest, ComputesReciprocals) {
    test_all("rcp", Operation::rcp, false, false);
    test_operation<double>("rcp", Operation::rcp, ".rn.ftz", 0);
}
TEST(FloatArithmeticTest, ComputesSquareRoots) {
    test_all("sqrt", Operation::sqrt, false, false);
}

// Products around the least normal number: flushing depends on the result that is rounded without a limit of the exponent.
TEST(FloatArithmeticTest, FlushesResultsThatAreTinyAfterRounding) {
    std::vector<float> a, b, c;
    std::mt19937 random(7);
    for (int i = 0; i < 4096; ++i) {
        // (1 - x) (1 + y) * 2^-126 with small x and y
        a.push_back(std::ldexp(1.0f - std::ldexp(static_cast<float>(random() % 64), -24), -60));
        b.push_back(std::ldexp(1.0f + std::ldexp(static_cast<float>(random() % 32), -23), -66));
        c.push_back(i % 2 == 0 ? 0.0f : std::ldexp(static_cast<float>(random() % 9), -149));
    }
    for (int rounding = 0; rounding < 4; ++rounding) {
        expect_instruction<float>(
            "mul" + rounding_names[rounding] + ".ftz.f32 %d, %a, %b;",
            [=](float x, float y) { return expected(Operation::mul, x, y, y, rounding, true, false); }, a, b);
        expect_instruction<float>(
            "fma" + rounding_names[rounding] + ".ftz.f32 %d, %a, %b, %c;",
            [=](float x, float y, float z) { return expected(Operation::fma, x, y, z, rounding, true, false); }, a, b, c);
        for (float& each : b) each = 1 / each;
        expect_instruction<float>(
            "div" + rounding_names[rounding] + ".ftz.f32 %d, %a, %b;",
            [=](float x, float y) { return expected(Operation::div, x, y, y, rounding, true, false); }, a, b);
        for (float& each : b) each = 1 / each;
    }
}

// A NaN result has the sign and the payload of one of the sources that are NaN.
TEST(FloatArithmeticTest, ChoosesOneOfSeveralNaNs) {
    std::vector<std::uint64_t> a, b, c;
    for (unsigned kinds = 1; kinds < 64; ++kinds) {  // each source is a number, a quiet NaN or a signaling NaN
        const auto source = [&](unsigned index, std::uint64_t payload) {
            constexpr std::uint64_t bits[] = {0x3ff8000000000000, 0x7ff8000000000000, 0xfff0000000000000, 0xfff8000000000000};
            const unsigned kind = kinds >> (2 * index) & 3;
            return kind == 0 ? bits[0] : bits[kind] | payload;
        };
        a.push_back(source(0, 0x4aaaaaaaaaaaa));
        b.push_back(source(1, 0x2bbbbbbbbbbbb));
        c.push_back(source(2, 0x3cccccccccccc));
    }
    using Bits = std::uint64_t;
    const auto value = [](Bits bits) { return std::bit_cast<double>(bits); };
    const auto bits = [](double number) { return std::bit_cast<Bits>(number); };
    for (const auto& [name, operation] : {std::pair("add", Operation::add), std::pair("sub", Operation::sub),
                                          std::pair("mul", Operation::mul), std::pair("div", Operation::div)}) {
        const std::string rounding = operation == Operation::div ? ".rn" : "";
        expect_instruction<Bits>(
            name + rounding + ".f64 %d, %a, %b;",
            [&, operation = operation](Bits x, Bits y) {
                return bits(expected(operation, value(x), value(y), 0.0, 0, false, false));
            },
            a, b);
    }
    expect_instruction<Bits>(
        "fma.rn.f64 %d, %a, %b, %c;",
        [&](Bits x, Bits y, Bits z) { return bits(expected(Operation::fma, value(x), value(y), value(z), 0, false, false)); }, a,
        b, c);
}

// An H200 computed these.
TEST(FloatArithmeticTest, EqualsTheGpu) {
    struct Recorded {
        std::string text;
        std::uint64_t a, b, result;
    };
    const Recorded singles[] = {
        {"add.f32", 0x7f812345, 0x3f800000, 0x7fffffff},      {"add.f32", 0x3f800000, 0xffc54321, 0x7fffffff},
        {"mul.f32", 0xffc54321, 0x7f812345, 0x7fffffff},      {"min.f32", 0x7f812345, 0x3f800000, 0x3f800000},
        {"max.f32", 0xffc54321, 0x7f812345, 0x7fffffff},      {"min.NaN.f32", 0x7f812345, 0x3f800000, 0x7fffffff},
        {"min.f32", 0x80000000, 0x00000000, 0x80000000},      {"max.f32", 0x80000000, 0x00000000, 0x00000000},
        {"add.ftz.f32", 0x00000001, 0x00400000, 0x00000000},  {"mul.f32", 0x00400000, 0x3f000000, 0x00200000},
        {"div.rn.f32", 0x7f812345, 0x3f800000, 0x7fffffff},   {"div.rn.f32", 0x00000000, 0x00000000, 0x7fffffff},
        {"copysign.f32", 0x3f800000, 0xffc54321, 0x7fc54321},
    };
    for (const Recorded& each : singles) {
        const std::vector<std::uint32_t> a{static_cast<std::uint32_t>(each.a)}, b{static_cast<std::uint32_t>(each.b)};
        expect_instruction<std::uint32_t>(
            each.text + " %d, %a, %b;", [&](auto, auto) { return each.result; }, a, b);
    }
    const Recorded doubles[] = {
        {"add.f64", 0x7ff0000012345678, 0x3ff0000000000000, 0x7ff8000012345678},
        {"add.f64", 0x3ff0000000000000, 0xfff8000087654321, 0xfff8000087654321},
        {"mul.f64", 0xfff8000087654321, 0x7ff0000012345678, 0x7ff8000012345678},
        {"min.f64", 0x7ff0000012345678, 0x3ff0000000000000, 0x3ff0000000000000},
        {"max.f64", 0xfff8000087654321, 0x7ff0000012345678, 0x7ff8000012345678},
        {"div.rn.f64", 0x7ff0000012345678, 0x3ff0000000000000, 0x7ff8000012345678},
    };
    for (const Recorded& each : doubles) {
        const std::vector<std::uint64_t> a{each.a}, b{each.b};
        expect_instruction<std::uint64_t>(
            each.text + " %d, %a, %b;", [&](auto, auto) { return each.result; }, a, b);
    }
    const Recorded unary[] = {
        {"neg.f32", 0x7f812345, 0, 0x7fffffff},         {"abs.f32", 0xffc54321, 0, 0x7fffffff},
        {"sqrt.rn.f32", 0xffc54321, 0, 0x7fffffff},     {"rcp.rn.f32", 0x7f812345, 0, 0x7fffffff},
        {"cvt.rni.f32.f32", 0x7f812345, 0, 0x7fffffff}, {"cvt.sat.f32.f32", 0x7f812345, 0, 0},
        {"cvt.rzi.s32.f32", 0x7f812345, 0, 0},          {"cvt.rzi.u32.f32", 0x7f812345, 0, 0},
        {"cvt.rzi.s32.f32", 0x4f800000, 0, 0x7fffffff}, {"cvt.rzi.s32.f32", 0xcf800001, 0, 0x80000000},
        {"cvt.rzi.u32.f32", 0xbf800000, 0, 0},          {"cvt.rzi.u32.f32", 0x7f800000, 0, 0xffffffff},
        {"cvt.rzi.s8.f32", 0x44000000, 0, 0x7f},        {"cvt.rzi.u8.f32", 0xc4000000, 0, 0},
        {"cvt.rzi.s16.f32", 0x7f812345, 0, 0},          {"cvt.rni.s32.f32", 0x40200000, 0, 2},
    };
    for (const Recorded& each : unary) {
        const std::vector<std::uint32_t> a{static_cast<std::uint32_t>(each.a)};
        expect_instruction<std::uint32_t>(
            each.text + " %d, %a;", [&](auto) { return each.result; }, a);
    }
    const Recorded wide[] = {
        {"cvt.f64.f32", 0x7f812345, 0, 0x7ff82468a0000000},
        {"cvt.rzi.s64.f32", 0x7f812345, 0, 0x8000000000000000},
        {"cvt.rzi.u64.f32", 0x7f812345, 0, 0x8000000000000000},
        {"cvt.rzi.s64.f32", 0x7f800000, 0, 0x7fffffffffffffff},
    };
    for (const Recorded& each : wide) {
        const std::vector<std::uint32_t> a{static_cast<std::uint32_t>(each.a)};
        expect_instruction<std::uint64_t>(
            each.text + " %d, %a;", [&](auto) { return each.result; }, a);
    }
    const Recorded narrow[] = {
        {"cvt.rn.f32.f64", 0x7ff0000012345678, 0, 0x7fc00000},
        {"cvt.rzi.s32.f64", 0xfff8000087654321, 0, 0x80000000},
        {"cvt.rzi.u32.f64", 0xc000000000000000, 0, 0},
    };
    for (const Recorded& each : narrow) {
        const std::vector<std::uint64_t> a{each.a};
        expect_instruction<std::uint32_t>(
            each.text + " %d, %a;", [&](auto) { return each.result; }, a);
    }
}

}  // namespace
}  // namespace cubind::testing::float_tests
