// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "instruction_test.hpp"

namespace cubind::testing {
namespace {

TEST(IntegerInstructionTest, Adds) {
    expect_instruction_for_all<std::uint32_t, std::uint32_t, std::uint32_t>(
        "add.u32 %d, %a, %b;", [](std::uint32_t a, std::uint32_t b) { return a + b; });
}

}  // namespace
}  // namespace cubind::testing
