// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Modules that would exhaust the stack or the memory of the host, or write outside of the memory of a thread.
#include <cubind/sim/kernels.hpp>

#include <gmock/gmock.h>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;

const std::string header = ".version 8.0\n.target sm_90\n.address_size 64\n";
const std::string kernel = ".visible .entry k() ";

class SimHostileModuleTest : public SimTest {
protected:
    // Loads a module, and launches its kernel "k" with one block. Returns the status of the launch, and stores why it failed.
    CUresult run(const std::string& text, unsigned threads = 1) {
        const auto [status, module] = cuModuleLoadData((header + text).c_str());
        EXPECT_EQ(status, CUDA_SUCCESS);
        const CUfunction function = cuModuleGetFunction(module, "k").value;
        EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, nullptr, nullptr).status, CUDA_SUCCESS);
        const CUresult result = cuCtxSynchronize().status;
        problem = cubind::sim::launches().back().problem;
        return result;
    }

    std::string problem;
};

// Returns instructions that give each of `count` registers a value, `between`, and instructions that read all of them.
std::string live_registers(unsigned count, const std::string& between) {
    const std::string number = std::to_string(count);
    std::string text = "{ .reg .b64 %r<" + number + ">; .reg .b64 %sum; mov.u64 %sum, 0;\n";
    for (unsigned i = 0; i < count; ++i) text += "mov.u64 %r" + std::to_string(i) + ", " + std::to_string(i) + ";\n";
    text += between;
    for (unsigned i = 0; i < count; ++i) text += "add.u64 %sum, %sum, %r" + std::to_string(i) + ";\n";
    return text + "st.global.u64 [%sum], %sum;\nret; }\n";
}

TEST_F(SimHostileModuleTest, CallsAChainOfFunctionsWithoutTheStackOfTheHost) {
    constexpr int functions = 20'000;
    std::string text;
    const auto name = [](int i) { return "f" + std::to_string(i); };
    for (int i = 0; i < functions; ++i) text += ".func " + name(i) + ";\n";
    for (int i = 0; i + 1 < functions; ++i) text += ".func " + name(i) + " { call " + name(i + 1) + "; ret; }\n";
    text += ".func " + name(functions - 1) + " { ret; }\n";
    EXPECT_EQ(run(text + kernel + "{ call f0; ret; }"), CUDA_SUCCESS) << problem;
}

TEST_F(SimHostileModuleTest, RejectsCallsOfFunctionsWithMoreLocalMemoryThanAddresses) {
    const std::string result_of_all_addresses =
        ".func (.param .b8 r[0xffffffffffffff00]) f (.param .b64 q) {\n"
        ".reg .b64 %a; ld.param.u64 %a, [q]; st.param.u64 [r], %a; ret; }\n" +
        kernel +
        "{ .param .b64 o; .param .b8 r[8]; .local .b8 before[1024]; .reg .b64 %a; mov.u64 %a, 7;\n"
        "st.param.b64 [o], %a; call (r), f, (o); ret; }";
    EXPECT_EQ(run(result_of_all_addresses), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem, HasSubstr("bytes is full"));
}

TEST_F(SimHostileModuleTest, LimitsTheRegistersOfNestedCalls) {
    const std::string text = ".func f;\n.func f " + live_registers(200, "call f;\n") + kernel + "{ call f; ret; }";
    EXPECT_EQ(run(text, 64), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem, HasSubstr("the registers of nested calls have more than 8388608 bytes"));
}

TEST_F(SimHostileModuleTest, LimitsTheRegistersOfAFunction) {
    EXPECT_EQ(run(kernel + live_registers(33'000, "")), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(problem, HasSubstr("more than the limit of 262144"));
}

TEST_F(SimHostileModuleTest, LimitsTheSetsOfLiveRegisters) {
    constexpr unsigned count = 100'000;
    std::string text = kernel + "{ .reg .b32 %r<" + std::to_string(count) + ">; .reg .pred %p; setp.eq.u32 %p, 0, 1;\n";
    for (unsigned i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += "mov.u32 %r" + number + ", 1; @%p bra L" + number + ";\nL" + number + ":\n";
    }
    EXPECT_EQ(run(text + "ret; }"), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(problem, HasSubstr("basic blocks and 100001 registers"));
}

TEST_F(SimHostileModuleTest, LimitsTheTargetsOfIndexedBranches) {
    std::string text = kernel + "{ .reg .u32 %i; mov.u32 %i, 0; bra END;\n";
    for (int i = 0; i < 1000; ++i) text += "L" + std::to_string(i) + ": ret;\n";
    text += "LIST: .branchtargets L0";
    for (int i = 1; i < 1000; ++i) text += ", L" + std::to_string(i);
    text += ";\n";
    for (int i = 0; i < 5000; ++i) text += "brx.idx %i, LIST;\n";
    EXPECT_EQ(run(text + "END: ret; }"), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_THAT(problem, HasSubstr("4194304"));
}

// Such a text can be a few KiB of a compressed fat binary.
TEST_F(SimHostileModuleTest, LimitsTheSizeOfAModule) {
    std::string labels;
    for (int i = 0; i < 3'000'000; ++i) labels += "L" + std::to_string(i) + ":\n";
    for (const std::string& content : {".pragma " + std::string(std::size_t{1} << 25, ',') + ";", labels}) {
        const std::string text = header + kernel + "{ " + content + " ret; }";
        char log[200] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
        EXPECT_EQ(cuModuleLoadDataEx(text.c_str(), 2, options, values).status, CUDA_ERROR_INVALID_PTX);
        EXPECT_THAT(std::string(log), HasSubstr("larger than the simulation supports"));
    }
}

}  // namespace
}  // namespace cubind::testing
