// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// NVRTC, nvJitLink and the device library of NVSHMEM, without a GPU.
#include <cubind/core.hpp>
#include <cubind/nvshmem_core.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>

namespace cubind::testing {
namespace {

constexpr const char* source = R"(
#include <nvshmem.h>

extern "C" __global__ void ring(float* inbox, const float* data, size_t n, uint64_t* arrived, int pe)
{
    nvshmemx_float_put_signal_nbi_block(inbox, data, n, arrived, 1, NVSHMEM_SIGNAL_SET, pe);
    if (threadIdx.x == 0) nvshmem_signal_wait_until(arrived, NVSHMEM_CMP_EQ, 1);
    __syncthreads();
    if (threadIdx.x == 0) nvshmem_int_atomic_add((int*)(inbox + n), 1, pe);
}
)";

TEST(NvshmemLinkTest, CompilesAndLinksAKernel) {
    Program program = nvshmem::program(source, {.name = "ring.cu", .arch = "sm_90"});
    const ObjectCode compiled = program.compile(CodeType::cubin);
    EXPECT_THROW(static_cast<void>(Linker({compiled}, {.arch = "sm_90"}).link()), LinkError);  // parts are missing
    const ObjectCode linked = nvshmem::link_device_library(compiled, {.arch = "sm_90"});
    EXPECT_EQ(linked.kind(), CodeType::cubin);
    EXPECT_GT(linked.bytes().size(), std::size_t{100'000});
    EXPECT_THAT(linked.globals(), ::testing::Contains("nvshmemi_device_state_d"));
    EXPECT_THAT(linked.globals(), ::testing::Contains("nvshmemi_device_lib_version_d"));
}

}  // namespace
}  // namespace cubind::testing
