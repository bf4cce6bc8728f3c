// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core_test.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::HasSubstr;
namespace faults = cubind::layers::faults;

/// A kernel `void add(int* numbers, int summand)` and variables.
inline constexpr const char* embedded_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .const .align 4 .b8 table[16];
.visible .global .attribute(.managed) .align 4 .u32 counter = 3;
.visible .entry _Z3addPii(.param .u64 numbers, .param .u32 summand) {
    .reg .b32 %r<5>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [numbers];
    ld.param.u32 %r1, [summand];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r3, [%rd3];
    add.s32 %r4, %r3, %r1;
    st.global.u32 [%rd3], %r4;
    ret;
}
)";

class EmbeddedCodeTest : public CoreTest {
protected:
    const Device device{0};
};

}  // namespace cubind::testing
