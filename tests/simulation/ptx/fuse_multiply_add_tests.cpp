// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "instruction_test.hpp"

namespace cubind::testing::contract_tests {
namespace {

// Sources for which rounding the product before the sum changes the result.
struct Sources {
    std::vector<float> a, b, c;
};

Sources sources() {
    Sources all;
    std::mt19937 random(1);
    const auto number = [&] { return std::ldexp(static_cast<float>((random() & 0xffffff) | 0x800001), -23); };
    for (int i = 0; i < 256; ++i) {
        all.a.push_back(number());
        all.b.push_back(number());
        const float product = all.a.back() * all.b.back();
        if (random() % 2 == 0) {
            all.c.push_back(-product);
        } else {
            const int exponent = static_cast<int>(random() % 4) - 1;
            all.c.push_back(std::ldexp(number(), exponent));
        }
    }
    return all;
}

using Function = float (*)(float a, float b, float c);

float fused(float a, float b, float c) {
    return std::fma(a, b, c);
}
float rounded(float a, float b, float c) {
    const volatile float product = a * b;
    return product + c;
}

/// Runs code of sm_90 whose result is %d. %v, %w, %r are registers of float type. The predicate %yes is true, and %no is false,
/// which the compiler of a GPU cannot know.
void expect_code(const std::string& code, Function oracle) {
    SCOPED_TRACE(code);
    const Sources all = sources();
    const std::string text =
        "{ .reg .f32 %v, %w, %r; .reg .pred %yes, %no; setp.ne.u32 %yes, %threads, 7; setp.eq.u32 %no, %threads, 7; " + code +
        " }";
    const auto results = run_instruction<float>(text, false, "8.8", all.a, all.b, all.c);
    int shown = 0;
    for (std::size_t i = 0; i < results.size() && shown < 3; ++i) {
        const float expected = oracle(all.a[i], all.b[i], all.c[i]);
        if (std::bit_cast<std::uint32_t>(results[i]) == std::bit_cast<std::uint32_t>(expected)) continue;
        ++shown;
        ADD_FAILURE() << all.a[i] << ' ' << all.b[i] << ' ' << all.c[i] << ": " << results[i] << ", not " << expected;
    }
}

// The expected results follow from the machine code that ptxas 13.0 writes for the same instructions.
TEST(ContractTest, FusesAProductAndASum) {
    expect_code("mul.f32 %v, %a, %b; add.f32 %d, %v, %c;", fused);
    expect_code("mul.f32 %v, %a, %b; add.f32 %d, %c, %v;", fused);
    expect_code("mul.f32 %v, %a, %b; sub.f32 %d, %v, %c;", [](float a, float b, float c) { return fused(a, b, -c); });
    expect_code("mul.f32 %v, %a, %b; sub.f32 %d, %c, %v;", [](float a, float b, float c) { return fused(-a, b, c); });
    expect_code("mul.ftz.f32 %v, %a, %b; add.ftz.f32 %d, %v, %c;", fused);
    expect_code("mul.f32 %v, %a, 0f3FA78D4F; sub.f32 %d, %c, %v;",
                [](float a, float, float c) { return fused(-a, std::bit_cast<float>(0x3fa78d4fu), c); });
    expect_code("mul.f32 %v, %a, %b; add.sat.f32 %d, %v, %c;", [](float a, float b, float c) {
        const float result = fused(a, b, c);
        return result > 0 ? std::fmin(result, 1.0f) : 0.0f;
    });
    expect_code("mov.f32 %d, %c; mul.f32 %v, %a, %b; @%yes add.f32 %d, %v, %c;", fused);
    expect_code("mov.f32 %d, %c; mul.f32 %v, %a, %b; @%no add.f32 %d, %v, %c;", [](float, float, float c) { return c; });
    expect_code("mul.f32 %a, %a, %b; add.f32 %d, %a, %c;", fused);
}

TEST(ContractTest, LooksThroughCopiesAndNegations) {
    expect_code("mul.f32 %v, %a, %b; mov.f32 %w, %v; add.f32 %d, %w, %c;", fused);
    expect_code("mul.f32 %v, %a, %b; neg.f32 %w, %v; add.f32 %d, %w, %c;",
                [](float a, float b, float c) { return fused(-a, b, c); });
    expect_code("mul.f32 %v, %a, %b; neg.f32 %w, %v; sub.f32 %d, %c, %w;", fused);
    expect_code("mul.f32 %v, %a, %b; neg.ftz.f32 %w, %v; add.f32 %d, %w, %c;",
                [](float a, float b, float c) { return rounded(-a, b, c); });
}

TEST(ContractTest, KeepsRoundings) {
    for (const char* const code :
         {"mul.rn.f32 %v, %a, %b; add.f32 %d, %v, %c;", "mul.f32 %v, %a, %b; add.rn.f32 %d, %v, %c;",
          "mul.ftz.f32 %v, %a, %b; add.f32 %d, %v, %c;", "mul.f32 %v, %a, %b; add.ftz.f32 %d, %v, %c;"}) {
        expect_code(code, rounded);
    }
    expect_code("mul.sat.f32 %v, %a, %b; add.f32 %d, %v, %c;",
                [](float a, float b, float c) { return std::fmin(a * b, 1.0f) + c; });
    expect_code("mul.f32 %v, %a, %b; add.f32 %d, %v, %v;", [](float a, float b, float) { return a * b * 2; });
    expect_code("mov.f32 %v, %c; @%yes mul.f32 %v, %a, %b; add.f32 %d, %v, %c;", rounded);
}

TEST(ContractTest, FusesAllUsesOrNone) {
    expect_code("mul.f32 %v, %a, %b; add.f32 %w, %v, %c; add.f32 %r, %v, %b; sub.rn.f32 %d, %w, %r;",
                [](float a, float b, float c) { return fused(a, b, c) - fused(a, b, b); });
    expect_code("mul.f32 %v, %a, %b; add.f32 %w, %v, %c; add.rn.f32 %r, %v, %b; sub.rn.f32 %d, %w, %r;",
                [](float a, float b, float c) { return rounded(a, b, c) - rounded(a, b, b); });
    expect_code("mul.f32 %v, %a, %b; add.f32 %w, %v, %c; st.global.f32 [%address+0], %v; mov.f32 %d, %w;", rounded);
}

TEST(ContractTest, ChoosesOneOfTwoProducts) {
    expect_code("mul.f32 %v, %a, %b; mul.f32 %w, %c, %b; add.f32 %d, %v, %w;",
                [](float a, float b, float c) { return fused(a, b, c * b); });
    expect_code("mul.f32 %v, %a, %b; mul.f32 %w, %c, %b; add.f32 %d, %w, %v;",
                [](float a, float b, float c) { return fused(c, b, a * b); });
    expect_code("mul.f32 %v, %a, %b; mul.f32 %w, %c, %b; sub.f32 %d, %v, %w;",
                [](float a, float b, float c) { return fused(a, b, -(c * b)); });
    expect_code("mul.f32 %v, %a, %b; mul.rn.f32 %w, %c, %b; add.f32 %d, %w, %v;",
                [](float a, float b, float c) { return fused(a, b, c * b); });
    // The product that has no other use is preferred.
    expect_code("mul.f32 %v, %a, %b; mul.f32 %w, %c, %b; add.f32 %r, %v, %w; add.f32 %w, %v, %a; sub.rn.f32 %d, %r, %w;",
                [](float a, float b, float c) { return fused(c, b, a * b) - rounded(a, b, a); });
}

TEST(ContractTest, ReadsSourcesBeforeTheyChange) {
    expect_code("mul.f32 %v, %a, %b; add.rn.f32 %a, %c, %b; add.f32 %d, %v, %a;",
                [](float a, float b, float c) { return fused(a, b, c + b); });
    expect_code("mul.f32 %v, %a, %b; mov.f32 %b, %c; mov.f32 %a, %c; sub.f32 %d, %b, %v;",
                [](float a, float b, float c) { return fused(-a, b, c); });
    expect_code("mul.f32 %v, %a, %b; add.f32 %w, %v, %c; mul.f32 %v, %c, %b; add.f32 %d, %v, %w;",
                [](float a, float b, float c) { return fused(c, b, fused(a, b, c)); });
}

TEST(ContractTest, StaysInBasicBlocks) {
    expect_code("mul.f32 %v, %a, %b; @%no bra SKIP; add.f32 %d, %v, %c; SKIP:", rounded);
    expect_code("mul.f32 %v, %a, %b; @%no bra SKIP; mov.f32 %c, %b; SKIP: add.f32 %d, %v, %c;",
                [](float a, float b, float) { return rounded(a, b, b); });
    expect_code("mul.f32 %v, %a, %b; add.f32 %d, %v, %c; @%no bra SKIP; st.global.f32 [%address], %v; SKIP:", rounded);
    expect_code("mul.f32 %v, %a, %b; add.f32 %d, %v, %c; @%no bra SKIP; mov.f32 %v, %c; st.global.f32 [%address], %v; SKIP:",
                fused);
}

// ptxas computes such products again in each block.
TEST(ContractTest, FusesProductsOfConstantsAcrossBlocks) {
    const auto of_constant = [](float a, float, float c) { return fused(a, std::bit_cast<float>(0x3fa78d4fu), c); };
    expect_code("mul.f32 %v, %a, 0f3FA78D4F; @%no bra SKIP; add.f32 %d, %v, %c; SKIP:", of_constant);
    expect_code("mov.f32 %w, 0f3FA78D4F; mul.f32 %v, %a, %w; @%no bra SKIP; SKIP: add.f32 %d, %v, %c;", of_constant);
    expect_code("mul.f32 %v, %a, 0f3FA78D4F; neg.f32 %w, %v; @%no bra SKIP; sub.f32 %d, %c, %w; SKIP:", of_constant);
    expect_code("mul.f32 %v, 0f3FA78D4F, %a; @%no bra SKIP; mov.f32 %a, %c; SKIP: add.f32 %d, %v, %c;", of_constant);
    expect_code(
        "mul.f32 %v, %a, 0f3FA78D4F; bar.sync 0; @%no bra SKIP; add.f32 %w, %v, %b; SKIP: add.f32 %r, %v, %c; "
        "sub.rn.f32 %d, %w, %r;",
        [](float a, float b, float c) {
            const float constant = std::bit_cast<float>(0x3fa78d4fu);
            return fused(a, constant, b) - fused(a, constant, c);
        });
    // One use that is not a sum prevents the fusion of all uses.
    expect_code("mul.f32 %v, %a, 0f3FA78D4F; @%no bra SKIP; add.f32 %d, %v, %c; SKIP: st.global.f32 [%address], %v;",
                [](float a, float, float c) { return rounded(a, std::bit_cast<float>(0x3fa78d4fu), c); });
    expect_code("mul.f32 %v, %a, 0f3FA78D4F; @%no bra SKIP; bra END2; SKIP: mov.f32 %v, %b; END2: add.f32 %d, %v, %c;",
                [](float a, float, float c) { return rounded(a, std::bit_cast<float>(0x3fa78d4fu), c); });
}

TEST(ContractTest, KeepsProductsOfCodeForDebuggers) {
    const Sources all = sources();
    std::string text =
        instruction_kernel<float, float, float, float>("{ .reg .f32 %v; mul.f32 %v, %a, %b; add.f32 %d, %v, %c; }", false, "8.8");
    text.replace(text.find("sm_90"), 5, "sm_90, debug");
    KernelRunner runner(text);
    runner.is_compared = false;  // ptxas requires information for debuggers
    const std::uint64_t out = runner.memory.allocate(4 * all.a.size());
    const auto result =
        runner.run("test", {2, 1, 1}, {128, 1, 1},
                   {out, all.a.size(), runner.memory.add(all.a), runner.memory.add(all.b), runner.memory.add(all.c)});
    ASSERT_EQ(result.status, driver::CUDA_SUCCESS) << result.problem;
    const auto sums = runner.memory.read<float>(out, all.a.size());
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], rounded(all.a[i], all.b[i], all.c[i]));
}

TEST(ContractTest, FusesOtherTypes) {
    const std::vector<double> a{1 + 0x1p-40}, b{1 - 0x1p-40}, c{-1};
    expect_instruction<double>(
        "{ .reg .f64 %v; mul.f64 %v, %a, %b; add.f64 %d, %v, %c; }", [](double, double, double) { return -0x1p-80; }, a, b, c);
    expect_instruction<double>(
        "{ .reg .f64 %v; mul.rn.f64 %v, %a, %b; add.f64 %d, %v, %c; }", [](double, double, double) { return 0.0; }, a, b, c);
    // 1 + 2^-10, 1 - 2^-11 and -1: the product is 1 + 2^-11 - 2^-21.
    const std::vector<std::uint16_t> x{0x3c01}, y{0x3bff}, z{0xbc00};
    expect_instruction<std::uint16_t>(
        "{ .reg .b16 %v; mul.f16 %v, %a, %b; add.f16 %d, %v, %c; }", [](auto, auto, auto) { return 0x0ffe; }, x, y, z);
    expect_instruction<std::uint16_t>(
        "{ .reg .b16 %v; mul.rn.f16 %v, %a, %b; add.f16 %d, %v, %c; }", [](auto, auto, auto) { return 0; }, x, y, z);
}

}  // namespace
}  // namespace cubind::testing::contract_tests
