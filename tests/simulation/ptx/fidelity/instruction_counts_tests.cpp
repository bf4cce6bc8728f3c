// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/decode/executable.hpp"
#include "ptx/fidelity/instruction_counts.hpp"
#include "ptx/handlers/common.hpp"
#include "ptx/text/reader.hpp"

namespace cubind::testing::instruction_counts_tests {

namespace {

constexpr const char* text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry test() {
    .reg .b32 %r<3>;
    .reg .pred %p;
NEXT:
    add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, 3;
    @%p bra NEXT;
    ret;
})";

constexpr int blocks = 3;  // the last one returns where the text ends

/// Decodes the kernel, while instructions are counted or not. The tests of this program count.
class InstructionCountsTest : public ::testing::Test {
protected:
    void TearDown() override { sim::ptx::InstructionCounts::of_process().begin(true, sim::Fidelity::approximate); }

    const sim::ptx::KernelCode& decode(bool is_counting) {
        sim::ptx::InstructionCounts::of_process().begin(is_counting, sim::Fidelity::approximate);
        sim::ptx::ReadResult reading = sim::ptx::read(text, 99990);
        executables_.push_back(
            std::make_unique<sim::ptx::Executable>(reading.image.code, reading.image.version, reading.image.target,
                                                   [](std::string_view) { return std::optional<std::uint64_t>(); }));
        return *executables_.back()->find_kernel("test");
    }
    static auto count(const sim::ptx::KernelCode& code, sim::ptx::Handler handler) {
        return std::ranges::count(code.kernel().code, handler, &sim::ptx::Instruction::run);
    }

private:
    std::vector<std::unique_ptr<sim::ptx::Executable>> executables_;
};

TEST_F(InstructionCountsTest, ChangeNoCodeIfNothingIsCounted) {
    const sim::ptx::KernelCode& code = decode(false);
    EXPECT_EQ(code.counts(), nullptr);
    EXPECT_EQ(count(code, sim::ptx::count_block), 0);
    EXPECT_EQ(count(code, sim::ptx::begin_block), blocks);
}

TEST_F(InstructionCountsTest, AddNoInstructions) {
    const std::size_t size = decode(false).kernel().code.size();
    const sim::ptx::KernelCode& code = decode(true);
    EXPECT_EQ(code.kernel().code.size(), size);
    EXPECT_EQ(count(code, sim::ptx::count_block), blocks);
    EXPECT_EQ(count(code, sim::ptx::begin_block), 0);
}

TEST_F(InstructionCountsTest, ListNothingBeforeABlockBegins) {
    const sim::ptx::KernelCode& code = decode(true);
    ASSERT_NE(code.counts(), nullptr);
    EXPECT_TRUE(code.counts()->read().empty());
}

TEST_F(InstructionCountsTest, LeaveOutKernelsOfEarlierMachines) {
    const auto counts = std::make_unique<sim::ptx::KernelCounts>("kernel");
    sim::ptx::BlockCount& block = counts->add_block();
    counts->add_instruction(block, "ret");
    block.executions = 3;
    EXPECT_EQ(sim::ptx::InstructionCounts::of_process().read()["kernel"]["ret"], 3u);
    sim::ptx::InstructionCounts::of_process().begin(true, sim::Fidelity::approximate);
    EXPECT_FALSE(sim::ptx::InstructionCounts::of_process().read().contains("kernel"));
}

TEST_F(InstructionCountsTest, AddKernelsOfTheSameName) {
    const auto add = [](std::uint64_t executions) {
        auto counts = std::make_unique<sim::ptx::KernelCounts>("kernel");
        sim::ptx::BlockCount& block = counts->add_block();
        counts->add_instruction(block, "ret");
        block.executions = executions;
        return counts;
    };
    sim::ptx::InstructionCounts::of_process().begin(true, sim::Fidelity::approximate);
    add(5).reset();
    const auto first = add(7), second = add(11);
    EXPECT_EQ(sim::ptx::InstructionCounts::of_process().read()["kernel"]["ret"], 23u);
}

}  // namespace

}  // namespace cubind::testing::instruction_counts_tests
