// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/graph_condition.hpp>

#include "definition_test.hpp"

namespace cubind::testing {

/// `set` sets a condition. `count_down` decrements the number at `left` and sets the condition to the result.
inline constexpr const char* condition_ptx = R"(
.version 8.3
.target sm_90
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry set(.param .u64 condition, .param .u32 value)
{
    .reg .b64 %d; .reg .b32 %r;
    ld.param.u64 %d, [condition];
    ld.param.u32 %r, [value];
    {
        .param .b64 p0; .param .b32 p1;
        st.param.b64 [p0], %d;
        st.param.b32 [p1], %r;
        call.uni cudaGraphSetConditional, (p0, p1);
    }
    ret;
}
.visible .entry count_down(.param .u64 condition, .param .u64 left)
{
    .reg .b64 %d<2>; .reg .b32 %r;
    ld.param.u64 %d0, [condition];
    ld.param.u64 %d1, [left];
    ld.global.u32 %r, [%d1];
    sub.u32 %r, %r, 1;
    st.global.u32 [%d1], %r;
    {
        .param .b64 p0; .param .b32 p1;
        st.param.b64 [p0], %d0;
        st.param.b32 [p1], %r;
        call.uni cudaGraphSetConditional, (p0, p1);
    }
    ret;
}
)";

/// A test with kernels that set conditions.
class ConditionTest : public DefinitionTest {
protected:
    explicit ConditionTest(const sim::Options& options = {.devices = 2}) : DefinitionTest(options) {}

    const LaunchConfig single{.grid = 1, .block = 1};
    const ObjectCode conditions = ObjectCode::from_bytes(CodeType::ptx, condition_ptx);
    const Kernel set = conditions.kernel("set");
    const Kernel count_down = conditions.kernel("count_down");
};

}  // namespace cubind::testing
