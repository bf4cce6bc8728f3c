// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sim/fidelity.hpp>
#include <cubind/sim/kernels.hpp>

#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "sim_test.hpp"

namespace cubind::testing {

namespace {

namespace sim = cubind::sim;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kernels = R"(
.version 8.8
.target sm_90
.address_size 64
.extern .func (.param .b32 status) vprintf(.param .b64 format, .param .b64 values);
.global .align 1 .b8 text[1] = {0};
.func double() {
    .reg .b32 %r<3>;
    shl.b32 %r1, %r2, 1;
    ret;
}
.visible .entry loop() {
    .reg .b32 %r<3>;
    .reg .f32 %f<5>;
    .reg .pred %p;
    mov.u32 %r1, 0;
NEXT:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, 3;
    @%p bra NEXT;
    setp.eq.u32 %p, %r1, 0;
    @%p bra NEVER;
    mul.f32 %f1, %f2, %f3;
    add.f32 %f1, %f1, %f4;
    call double;
    ret;
NEVER:
    xor.b32 %r1, %r1, %r2;
    ret;
}
.visible .entry time() {
    .reg .b32 %r<2>;
    mov.u32 %r1, %clock;
    ret;
}
.visible .entry warps() {
    .reg .b32 %r<2>;
    mov.u32 %r1, %nwarpid;
    ret;
}
.visible .entry print() {
    .reg .b64 %d<2>;
    .param .b64 format;
    .param .b64 values;
    .param .b32 status;
    mov.u64 %d1, text;
    cvta.global.u64 %d1, %d1;
    st.param.b64 [format], %d1;
    st.param.b64 [values], 0;
    call (status), vprintf, (format, values);
    ret;
}
)";

class SimFidelityTest : public ::testing::Test {
protected:
    void TearDown() override { sim::uninstall(); }

    void install(const sim::Options& options) {
        sim::install(options);
        ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
        ASSERT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
        module = cuModuleLoadData(kernels).value;
        ASSERT_NE(module, nullptr);
    }
    // Runs blocks of two warps.
    CUresult run(const char* kernel, unsigned blocks = 1) const {
        const CUresult launched =
            cuLaunchKernel(cuModuleGetFunction(module, kernel).value, blocks, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr)
                .status;
        const CUresult finished = cuCtxSynchronize().status;
        return launched != CUDA_SUCCESS ? launched : finished;
    }
    static std::map<std::string, std::uint64_t> executions(const std::string& kernel) {
        std::map<std::string, std::uint64_t> result;
        for (const sim::ExecutedInstruction& each : sim::executed_instructions()) {
            if (each.kernel == kernel) result[each.instruction] = each.executions;
        }
        return result;
    }

    CUmodule module = nullptr;
};

TEST_F(SimFidelityTest, CountsExecutedInstructionsOfEachKernel) {
    install({.counts_instructions = true});
    ASSERT_EQ(run("loop", 5), CUDA_SUCCESS);
    ASSERT_EQ(run("warps"), CUDA_SUCCESS);
    constexpr std::uint64_t warps = 10;
    const std::map<std::string, std::uint64_t> expected = {{"add.u32 d, a, b", 3 * warps},   {"bra label", 4 * warps},
                                                           {"call function", warps},         {"fma.rn.f32 d, a, b, c", warps},
                                                           {"mov.u32 d, a", warps},          {"ret", 2 * warps},
                                                           {"setp.eq.u32 p|q, a, b", warps}, {"setp.lt.u32 p|q, a, b", 3 * warps},
                                                           {"shl.b32 d, a, b", warps}};
    EXPECT_EQ(executions("loop"), expected);
    EXPECT_EQ(executions("warps"), (std::map<std::string, std::uint64_t>{{"%nwarpid", 2}, {"mov.u32 d, a", 2}, {"ret", 2}}));
}

TEST_F(SimFidelityTest, ClassifiesExecutedInstructions) {
    install({.counts_instructions = true});
    for (const char* const kernel : {"time", "warps", "print"}) ASSERT_EQ(run(kernel), CUDA_SUCCESS) << kernel;
    std::map<std::string, sim::ExecutedInstruction> all;
    for (const sim::ExecutedInstruction& each : sim::executed_instructions()) all[each.instruction] = each;
    EXPECT_EQ(all["ret"].fidelity, sim::Fidelity::exact);
    EXPECT_THAT(all["ret"].reason, HasSubstr("H200"));
    EXPECT_EQ(all["%nwarpid"].fidelity, sim::Fidelity::rule);
    EXPECT_EQ(all["%clock"].fidelity, sim::Fidelity::approximate);
    EXPECT_EQ(all["call vprintf"].fidelity, sim::Fidelity::approximate);
    EXPECT_EQ(all["call vprintf"].kernel, "print");
    for (const auto& [instruction, each] : all) EXPECT_NE(each.reason, "") << instruction;
}

TEST_F(SimFidelityTest, KeepsTheCountsOfModulesThatAreUnloaded) {
    install({.counts_instructions = true});
    ASSERT_EQ(run("warps"), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleUnload(module).status, CUDA_SUCCESS);
    module = cuModuleLoadData(kernels).value;
    ASSERT_EQ(run("warps"), CUDA_SUCCESS);
    EXPECT_EQ(executions("warps")["%nwarpid"], 4u);
}

TEST_F(SimFidelityTest, CountsAnewAfterEachInstallation) {
    install({.counts_instructions = true});
    ASSERT_EQ(run("warps"), CUDA_SUCCESS);
    install({.counts_instructions = true});
    EXPECT_THAT(sim::executed_instructions(), IsEmpty());
    ASSERT_EQ(run("warps"), CUDA_SUCCESS);
    sim::uninstall();
    EXPECT_EQ(executions("warps")["%nwarpid"], 2u);
}

TEST_F(SimFidelityTest, CountsNothingByDefault) {
    install({});
    ASSERT_EQ(run("loop"), CUDA_SUCCESS);
    EXPECT_THAT(sim::executed_instructions(), IsEmpty());
}

TEST_F(SimFidelityTest, CountsNoInstructionsThatAreReplacedByABody) {
    install({.counts_instructions = true});
    sim::define_kernel("warps", [](const sim::Launch&) {});
    ASSERT_EQ(run("warps"), CUDA_SUCCESS);
    EXPECT_THAT(sim::executed_instructions(), IsEmpty());
}

TEST_F(SimFidelityTest, RefusesInstructionsWithLessFidelity) {
    install({.required_fidelity = sim::Fidelity::exact});
    EXPECT_EQ(run("loop"), CUDA_SUCCESS);
    EXPECT_EQ(run("warps"), CUDA_ERROR_NOT_SUPPORTED);
    ASSERT_EQ(sim::launches().size(), 2u);
    EXPECT_THAT(sim::launches()[1].problem,
                AllOf(HasSubstr("%nwarpid"), HasSubstr("\"rule\""), HasSubstr("no recorded result"), HasSubstr("\"exact\""),
                      HasSubstr("CUBIND_SIM_FIDELITY_REQUIRE"), HasSubstr("kernel warps"), HasSubstr("PTX line ")));
}

TEST_F(SimFidelityTest, RefusesApproximateInstructionsOnly) {
    for (const char* const kernel : {"time", "print"}) {
        install({.required_fidelity = sim::Fidelity::rule});
        EXPECT_EQ(run("warps"), CUDA_SUCCESS);
        EXPECT_EQ(run(kernel), CUDA_ERROR_NOT_SUPPORTED) << kernel;
        EXPECT_THAT(sim::launches().back().problem, AllOf(HasSubstr("\"approximate\""), HasSubstr("\"rule\" is required")))
            << kernel;
    }
}

TEST_F(SimFidelityTest, AcceptsAllInstructionsByDefault) {
    install({});
    for (const char* const kernel : {"loop", "time", "warps", "print"}) EXPECT_EQ(run(kernel), CUDA_SUCCESS) << kernel;
}

TEST(SimFidelityOptionsTest, AreReadFromTheEnvironment) {
    EXPECT_FALSE(sim::options_from_environment().counts_instructions);
    EXPECT_EQ(sim::options_from_environment().required_fidelity, sim::Fidelity::approximate);
    setenv("CUBIND_SIM_FIDELITY", "", 1);
    EXPECT_FALSE(sim::options_from_environment().counts_instructions);
    setenv("CUBIND_SIM_FIDELITY", "file", 1);
    EXPECT_TRUE(sim::options_from_environment().counts_instructions);
    unsetenv("CUBIND_SIM_FIDELITY");
    const std::map<std::string, sim::Fidelity> texts = {{"", sim::Fidelity::approximate},
                                                        {"exact", sim::Fidelity::exact},
                                                        {"rule", sim::Fidelity::rule},
                                                        {"approximate", sim::Fidelity::approximate}};
    for (const auto& [text, expected] : texts) {
        setenv("CUBIND_SIM_FIDELITY_REQUIRE", text.c_str(), 1);
        EXPECT_EQ(sim::options_from_environment().required_fidelity, expected) << text;
    }
    unsetenv("CUBIND_SIM_FIDELITY_REQUIRE");
}

}  // namespace

}  // namespace cubind::testing
