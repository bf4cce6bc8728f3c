// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Approximate functions: results that an H200 returned, special values that the PTX ISA documents, divisions, and errors.
#include <algorithm>
#include <cmath>
#include <functional>

#include "instruction_test.hpp"
#include "ptx/handlers/families.hpp"
#include "special_function_results.hpp"
#define CUBIND_SIM_VECTORS models_in_tests
#include "ptx/handlers/float/special_functions.hpp"

namespace cubind::testing::special_functions_tests {
namespace {

namespace models = sim::ptx::models_in_tests;
using Bits = std::uint32_t;
using Model = Bits (*)(Bits);

float to_float(Bits bits) {
    return std::bit_cast<float>(bits);
}
Bits to_bits(float value) {
    return value != value ? 0x7fffffffu : std::bit_cast<Bits>(value);
}

TEST(SpecialFunctionInstructionTest, EqualsAnH200ForRandomBits) {
    std::vector<Bits> arguments;
    for (Bits i = 0; i < 1u << 17; ++i) arguments.push_back(mix(i));
    for (const RandomResults& expected : random_results) {
        const std::string instruction = std::string(expected.instruction) + " %d, %a;";
        const std::vector<Bits> results = run_instruction<Bits>(instruction, false, "8.8", arguments);
        Hash hash;
        for (const Bits each : results) hash.add(each);
        EXPECT_EQ(hash.value, expected.hash) << instruction;
        for (std::size_t i = 0; i < std::size(expected.first); ++i) {
            EXPECT_EQ(results[i], expected.first[i]) << instruction << ' ' << std::hex << arguments[i];
        }
    }
}

TEST(SpecialFunctionInstructionTest, EqualsAnH200ForAllHalfValues) {
    std::vector<std::uint16_t> arguments;
    std::vector<Bits> pairs;
    for (Bits i = 0; i < 65536; ++i) {
        arguments.push_back(static_cast<std::uint16_t>(i));
        pairs.push_back(i | (i * 40503 & 0xffff) << 16);
    }
    for (const HalfResults& expected : half_results) {
        const std::string name = expected.instruction;
        const auto results = run_instruction<std::uint16_t>(name + " %d, %a;", false, "8.8", arguments);
        Hash hash;
        for (const std::uint16_t each : results) hash.add(each);
        EXPECT_EQ(hash.value, expected.hash) << name;
        const auto oracle = [&](Bits a) { return static_cast<Bits>(results[a & 0xffff] | results[a >> 16] << 16); };
        expect_instruction<Bits>(name + "x2 %d, %a;", oracle, pairs);
        expect_instruction<std::uint16_t>(
            name + " %d, %a;", [&](std::uint16_t a) { return results[a]; }, arguments);
    }
}

TEST(SpecialFunctionInstructionTest, EqualsAnH200ForDoubleValues) {
    const auto hash_of_upper = [](const char* instruction, std::uint64_t count) {
        std::vector<std::uint64_t> arguments;
        for (std::uint64_t i = 0; i < count; i += 16) arguments.push_back((0x3ff00000 + i) << 32 | mix(static_cast<Bits>(i)));
        Hash hash;
        for (const std::uint64_t each : run_instruction<std::uint64_t>(instruction, false, "8.8", arguments)) {
            EXPECT_EQ(each & 0xffffffff, 0);
            hash.add(static_cast<Bits>(each >> 32));
        }
        return hash.value;
    };
    EXPECT_EQ(hash_of_upper("rcp.approx.ftz.f64 %d, %a;", 1u << 20), reciprocal_64_hash);
    EXPECT_EQ(hash_of_upper("rsqrt.approx.ftz.f64 %d, %a;", 1u << 21), reciprocal_root_64_hash);
}

// Random bits, special values, and floats beside those at which a form begins to scale or its result overflows or is flushed.
std::vector<Bits> arguments_for_tests(unsigned seed) {
    std::vector<Bits> all;
    for (const float each : values_for_tests<float>(2048, seed)) all.push_back(std::bit_cast<Bits>(each));
    for (const float border :
         {0x1p-126f, 0x1p-125f, 0x1p-124f, 0x1p124f, 0x1p125f, 0x1p126f, 0x1p127f, 126.0f, 127.0f, 128.0f, 149.0f, 150.0f,
          200.0f,    256.0f,    0x1p-23f,  0x1p-24f, 0x1p-8f,  0.25f,    0.5f,     1.0f,   8.0f,   16.0f,  0x1p24f}) {
        for (const Bits sign : {0u, 0x80000000u}) {
            for (Bits i = 0; i < 5; ++i) all.push_back((std::bit_cast<Bits>(border) - 2 + i) | sign);
        }
    }
    return all;
}

// Factors are powers of two, and a product of floats is exact in double.
Bits round_product(Bits a, Bits b) {
    return to_bits(static_cast<float>(static_cast<double>(to_float(a)) * static_cast<double>(to_float(b))));
}
Bits scale(Bits a, int exponent) {
    return to_bits(std::ldexp(to_float(a), exponent));
}
bool is_small(Bits a) {
    return std::fabs(to_float(a)) < std::numeric_limits<float>::min();
}
bool is_large(Bits a) {
    return std::fabs(to_float(a)) > std::ldexp(1.0f, 126);
}
Bits flush(Bits a) {
    return is_small(a) ? a & 0x80000000u : a;
}

TEST(SpecialFunctionInstructionTest, ReturnsTheUnitsResult) {
    const std::pair<const char*, Model> all[] = {
        {"rcp.approx.ftz", models::unit_reciprocal}, {"rsqrt.approx.ftz", models::unit_reciprocal_root},
        {"sqrt.approx.ftz", models::unit_root},      {"ex2.approx.ftz", models::unit_exponential},
        {"lg2.approx.ftz", models::unit_logarithm},  {"sin.approx", models::unit_sine<false>},
        {"cos.approx", models::unit_sine<true>},     {"sin.approx.ftz", models::unit_sine<false>},
        {"cos.approx.ftz", models::unit_sine<true>}, {"tanh.approx", models::unit_tangent},
    };
    for (const auto& [name, model] : all) {
        expect_instruction<Bits>(std::string(name) + ".f32 %d, %a;", model, arguments_for_tests(3));
    }
}

TEST(SpecialFunctionInstructionTest, ScalesWithoutFlushing) {
    const std::vector<Bits> arguments = arguments_for_tests(4);
    const auto expect = [&](const char* text, auto oracle) { expect_instruction<Bits>(text, oracle, arguments); };
    expect("rcp.approx.f32 %d, %a;", [](Bits a) {
        const int exponent = is_small(a) ? 24 : is_large(a) ? -2 : 0;
        return scale(models::unit_reciprocal(scale(a, exponent)), exponent);
    });
    expect("rsqrt.approx.f32 %d, %a;", [](Bits a) {
        return is_small(a) ? scale(models::unit_reciprocal_root(scale(a, 24)), 12) : models::unit_reciprocal_root(a);
    });
    expect("sqrt.approx.f32 %d, %a;",
           [](Bits a) { return is_small(a) ? scale(models::unit_root(scale(a, 24)), -12) : models::unit_root(a); });
    expect("ex2.approx.f32 %d, %a;", [](Bits a) {
        const Bits half = models::unit_exponential(scale(a, -1));
        return to_float(a) < -126 ? round_product(half, half) : models::unit_exponential(a);
    });
    expect("lg2.approx.f32 %d, %a;", [](Bits a) {
        if (!is_small(a)) return models::unit_logarithm(a);
        return to_bits(static_cast<float>(static_cast<double>(to_float(models::unit_logarithm(scale(a, 24)))) - 24));
    });
}

// An H200 computed these logarithms: those of powers below 1 are cut.
TEST(SpecialFunctionInstructionTest, ComputesPowersOfTwo) {
    std::vector<float> numbers, powers, logarithms;
    for (int i = -126; i <= 127; ++i) {
        numbers.push_back(static_cast<float>(i));
        powers.push_back(std::ldexp(1.0f, i));
        logarithms.push_back(i >= 0 ? numbers.back() : i == -1 ? -0x1.fffffcp-1f : std::nextafter(numbers.back(), 0.0f));
    }
    EXPECT_EQ(run_instruction<float>("ex2.approx.ftz.f32 %d, %a;", false, "8.8", numbers), powers);
    EXPECT_EQ(run_instruction<float>("lg2.approx.ftz.f32 %d, %a;", false, "8.8", powers), logarithms);
}

TEST(DivisionInstructionTest, MultipliesByTheReciprocal) {
    const std::vector<Bits> dividends = arguments_for_tests(5);
    std::vector<Bits> divisors = arguments_for_tests(6);
    std::rotate(divisors.begin(), divisors.end() - 50, divisors.end());
    const auto expect = [&](const char* text, auto oracle) { expect_instruction<Bits>(text, oracle, dividends, divisors); };
    expect("div.approx.ftz.f32 %d, %a, %b;",
           [](Bits a, Bits b) { return flush(round_product(flush(a), models::unit_reciprocal(b))); });
    expect("div.approx.f32 %d, %a, %b;", [](Bits a, Bits b) {
        const int exponent = is_small(b) ? 24 : 0;
        return round_product(scale(a, exponent), models::unit_reciprocal(scale(b, exponent)));
    });
    expect("div.full.ftz.f32 %d, %a, %b;", [](Bits a, Bits b) {
        const int exponent = is_large(b) ? -2 : 0;
        return flush(round_product(flush(scale(flush(a), exponent)), models::unit_reciprocal(scale(b, exponent))));
    });
    expect("div.full.f32 %d, %a, %b;", [](Bits a, Bits b) {
        const int exponent = is_large(b) ? -2 : is_small(b) ? 24 : 0;
        return round_product(scale(a, exponent), models::unit_reciprocal(scale(b, exponent)));
    });
}

TEST(DivisionInstructionTest, EqualsAnH200ForALargeDivisor) {
    const std::vector<Bits> one{0x3f800000u}, large{0x7e900000u};
    EXPECT_EQ(run_instruction<Bits>("div.approx.f32 %d, %a, %b;", false, "8.8", one, large)[0], 0u);
    EXPECT_EQ(run_instruction<Bits>("div.full.f32 %d, %a, %b;", false, "8.8", one, large)[0], 0x0071c71cu);
}

TEST(SpecialFunctionInstructionTest, ReturnsSpecialValues) {
    constexpr Bits infinity = 0x7f800000u, minus = 0x80000000u, nan = 0x7fffffffu, one = 0x3f800000u, tiny = 1,
                   snan = 0x7f812345u;
    const struct {
        const char* name;
        Bits results[8];  // of +0, -0, infinity, -infinity, NaN, signaling NaN, tiny, -tiny
    } all[] = {
        {"rcp.approx.ftz", {infinity, minus | infinity, 0, minus, nan, nan, infinity, minus | infinity}},
        {"rcp.approx", {infinity, minus | infinity, 0, minus, nan, nan, infinity, minus | infinity}},
        {"rsqrt.approx.ftz", {infinity, minus | infinity, 0, nan, nan, nan, infinity, minus | infinity}},
        {"rsqrt.approx", {infinity, minus | infinity, 0, nan, nan, nan, 0x64b504f2u, nan}},
        {"sqrt.approx.ftz", {0, minus, infinity, nan, nan, nan, 0, minus}},
        {"sqrt.approx", {0, minus, infinity, nan, nan, nan, 0x1a3504f3u, nan}},
        {"ex2.approx.ftz", {one, one, infinity, 0, nan, nan, one, one}},
        {"ex2.approx", {one, one, infinity, 0, nan, nan, one, one}},
        {"lg2.approx.ftz", {minus | infinity, minus | infinity, infinity, nan, nan, nan, minus | infinity, minus | infinity}},
        {"lg2.approx", {minus | infinity, minus | infinity, infinity, nan, nan, nan, 0xc3150000u, nan}},
        {"sin.approx.ftz", {0, minus, nan, nan, nan, nan, 0, minus}},
        {"sin.approx", {0, minus, nan, nan, nan, nan, 0, minus}},
        {"cos.approx.ftz", {one, one, nan, nan, nan, nan, one, one}},
        {"cos.approx", {one, one, nan, nan, nan, nan, one, one}},
        {"tanh.approx", {0, minus, one, minus | one, nan, nan, tiny, minus | tiny}},
    };
    const std::vector<Bits> arguments{0, minus, infinity, minus | infinity, 0xffc54321u, snan, tiny, minus | tiny};
    for (const auto& each : all) {
        const auto results = run_instruction<Bits>(std::string(each.name) + ".f32 %d, %a;", false, "8.8", arguments);
        for (std::size_t i = 0; i < results.size(); ++i) {
            EXPECT_EQ(results[i], each.results[i]) << each.name << std::hex << ' ' << arguments[i] << ": " << results[i];
        }
    }
}

TEST(SpecialFunctionInstructionTest, ReturnsSpecialValuesOfDouble) {
    constexpr std::uint64_t infinity = 0x7ff0000000000000u, minus = std::uint64_t{1} << 63, nan = 0x7fffffff00000000u;
    const std::vector<std::uint64_t> arguments{0,
                                               minus,
                                               infinity,
                                               minus | infinity,
                                               0x7ff8000000000001u,
                                               1,
                                               minus | 1,
                                               0x7fe0000000000000u,
                                               0x7fd0000000000000u,
                                               0x0010000000000000u};
    const auto run = [&](const char* text) { return run_instruction<std::uint64_t>(text, false, "8.8", arguments); };
    EXPECT_EQ(run("rcp.approx.ftz.f64 %d, %a;"),
              (std::vector<std::uint64_t>{infinity, minus | infinity, 0, minus, nan, infinity, minus | infinity, 0,
                                          0x0010000000000000u, 0x7fd0000000000000u}));
    EXPECT_EQ(run("rsqrt.approx.ftz.f64 %d, %a;"),
              (std::vector<std::uint64_t>{infinity, minus | infinity, 0, nan, nan, infinity, minus | infinity,
                                          0x1ff6a09e00000000u, 0x2000000000000000u, 0x5fe0000000000000u}));
    EXPECT_EQ(
        run("rsqrt.approx.f64 %d, %a;"),
        (std::vector<std::uint64_t>{infinity, minus | infinity, 0, 0xfff8000000000000u, 0x7ff8000000000001u, 0x6180000000000000u,
                                    0xfff8000000000000u, 0x1ff6a09e667f3bcdu, 0x2000000000000000u, 0x5fe0000000000000u}));
}

TEST(SpecialFunctionInstructionTest, ComputesThePreciseRootOfDouble) {
    const auto arguments = values_for_tests<double>(4096, 5);
    const auto results = run_instruction<double>("rsqrt.approx.f64 %d, %a;", false, "8.8", arguments);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!(arguments[i] > 0) || std::isinf(arguments[i])) continue;
        const long double exact = 1 / std::sqrt(static_cast<long double>(arguments[i]));
        EXPECT_LE(std::fabs(results[i] - exact), exact * 0x1p-52L) << arguments[i];
    }
}

// The PTX ISA states the errors of the functions, in some ranges as absolute ones.
TEST(SpecialFunctionInstructionTest, HasTheDocumentedErrors) {
    using Function = std::function<long double(long double)>;
    const struct {
        const char* name;
        Function exact;
        double begin, end, relative, absolute;
    } all[] = {
        {"rcp.approx", [](long double a) { return 1 / a; }, 1e-38, 1e38, 0x1p-23, 0},
        {"rsqrt.approx", [](long double a) { return 1 / std::sqrt(a); }, 1e-44, 1e38, 0x1p-22, 0},
        {"sqrt.approx", [](long double a) { return std::sqrt(a); }, 1e-38, 1e38, 0x1p-22, 0},
        {"ex2.approx", [](long double a) { return std::exp2(a); }, -125, 127, 0x1p-22, 0},
        {"lg2.approx", [](long double a) { return std::log2(a); }, 0.51, 2, 0, 0x1p-22},
        {"lg2.approx", [](long double a) { return std::log2(a); }, 2, 1e38, 0x1p-22, 0},
        {"sin.approx", [](long double a) { return std::sin(a); }, -3.14, 3.14, 0, 0x1p-20},
        {"cos.approx", [](long double a) { return std::cos(a); }, -3.14, 3.14, 0, 0x1p-20},
        {"tanh.approx", [](long double a) { return std::tanh(a); }, -20, 20, 0x1p-11, 0},
    };
    for (const auto& each : all) {
        std::mt19937 random(7);
        std::vector<float> arguments;
        for (int i = 0; i < 4096; ++i) {
            const double part = std::uniform_real_distribution<double>()(random);
            const bool is_wide = each.begin > 0 && each.end / each.begin > 1000;
            arguments.push_back(static_cast<float>(is_wide ? each.begin * std::pow(each.end / each.begin, part)
                                                           : each.begin + (each.end - each.begin) * part));
        }
        const auto results = run_instruction<float>(std::string(each.name) + ".f32 %d, %a;", true, "8.8", arguments);
        for (std::size_t i = 1; i < arguments.size(); i += 2) {
            const long double exact = each.exact(arguments[i]);
            ASSERT_LE(std::fabs(results[i] - exact), std::max<long double>(std::fabs(exact) * each.relative, each.absolute))
                << each.name << ' ' << arguments[i];
        }
    }
}

// The alternatives of each group of modifiers; an empty one if the group may be absent.
std::vector<std::vector<std::string_view>> expand(std::string_view groups) {
    std::vector<std::vector<std::string_view>> all{{}};
    while (!groups.empty()) {
        std::string_view group = groups.substr(0, groups.find(' '));
        groups.remove_prefix(std::min(groups.size(), group.size() + 1));
        std::vector<std::vector<std::string_view>> longer;
        if (group.starts_with('[')) {
            longer = all;
            group = group.substr(1, group.size() - 2);
        }
        while (!group.empty()) {
            const std::string_view alternative = group.substr(0, group.find('|'));
            group.remove_prefix(std::min(group.size(), alternative.size() + 1));
            for (std::vector<std::string_view> each : all) {
                each.push_back(alternative);
                longer.push_back(std::move(each));
            }
        }
        all = std::move(longer);
    }
    return all;
}

TEST(SpecialFunctionFormsTest, HaveHandlers) {
    std::size_t count = 0;
    for (const sim::ptx::Forms& family : sim::ptx::families()) {
        for (const sim::ptx::Form& form : family) {
            if (!form.modifiers.starts_with(".approx") && !form.modifiers.starts_with(".full")) continue;
            for (const auto& modifiers : expand(form.modifiers)) {
                sim::ptx::Statement statement;
                statement.name = form.opcode;
                statement.modifiers = modifiers;
                statement.operands.resize(form.opcode == "div" ? 3 : 2);
                const sim::ptx::FormMatch match = sim::ptx::form_table().find(statement, form.isa, form.target);
                ASSERT_EQ(match.form, &form) << form.opcode << form.modifiers << match.problem;
                sim::ptx::Choice choice;
                choice.modifiers = match.modifiers;
                EXPECT_NE(form.select(choice), nullptr) << form.opcode << form.modifiers;
                ++count;
                EXPECT_EQ(sim::ptx::form_table().find(statement, form.isa - 10, form.target).form, nullptr);
                EXPECT_EQ(sim::ptx::form_table().find(statement, form.isa, form.target - 1).form, nullptr);
            }
        }
    }
    EXPECT_EQ(count, 30);
}

TEST(SpecialFunctionFormsTest, DoNotExistOtherwise) {
    for (const char* const text : {"rcp.approx.f64", "sqrt.approx.ftz.f64", "ex2.approx.ftz.f16", "ex2.approx.bf16",
                                   "lg2.approx.f16", "tanh.approx.ftz.f32", "sin.f32", "div.approx.f64", "sin.approx.f16"}) {
        KernelRunner runner(instruction_kernel<Bits, Bits>(std::string(text) + " %d, %a, %a;", false, "8.8"));
        EXPECT_NE(runner.run("test", {1, 1, 1}, {32, 1, 1}, {0, 1, 0}).status, driver::CUDA_SUCCESS) << text;
    }
}

}  // namespace
}  // namespace cubind::testing::special_functions_tests
