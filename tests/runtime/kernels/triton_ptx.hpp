// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/kernels/triton_function.hpp>

namespace cubind::testing {

/// A kernel as Triton compiles it, for blocks of 64 threads with 16 bytes of dynamic shared memory, and two parameters for
/// scratch memory. Each program stores its number of threads, the offset of its own in the first scratch memory, and whether the
/// second scratch memory exists, in `results[3 * program]`.
inline constexpr const char* triton_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 global_smem[];
.visible .entry report(.param .u64 results, .param .u32 factor, .param .u64 global_scratch, .param .u64 profile_scratch)
.reqntid 64
{
    .reg .pred %p<3>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    mov.u32 %r1, %tid.x;
    setp.ne.u32 %p1, %r1, 63;
    @%p1 bra $done;
    ld.param.u64 %rd1, [results];
    ld.param.u32 %r2, [factor];
    ld.param.u64 %rd2, [global_scratch];
    ld.param.u64 %rd3, [profile_scratch];
    mov.u32 %r3, %ctaid.x;
    mul.lo.u32 %r4, %r3, 32;
    mul.wide.u32 %rd4, %r3, 32;
    add.s64 %rd5, %rd2, %rd4;
    setp.eq.u64 %p2, %rd2, 0;
    @!%p2 st.global.u32 [%rd5+28], %r4;
    st.shared.u32 [global_smem+12], %r4;
    mul.wide.u32 %rd6, %r3, 12;
    add.s64 %rd7, %rd1, %rd6;
    add.u32 %r5, %r1, 1;
    mul.lo.u32 %r5, %r5, %r2;
    st.global.u32 [%rd7], %r5;
    mov.u32 %r6, 0xffffffff;
    @!%p2 ld.global.u32 %r6, [%rd5+28];
    st.global.u32 [%rd7+4], %r6;
    setp.ne.u64 %p2, %rd3, 0;
    selp.u32 %r7, 1, 0, %p2;
    st.global.u32 [%rd7+8], %r7;
$done:
    ret;
}
)";

/// What Triton states about that kernel.
inline TritonMetadata triton_metadata() {
    return {.name = "report",
            .num_warps = 2,
            .shared = 16,
            .global_scratch = TritonScratch{32, 128},
            .profile_scratch = TritonScratch{}};
}

}  // namespace cubind::testing
