// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that kernels launch while the host has no memory left.
#include <cubind/sim/install.hpp>

#include <cstdint>
#include <string>

#include "driver/entry/stream_exhaustion_test.hpp"

namespace cubind::testing {
namespace {

using SimGraphExhaustionTest = StreamExhaustionTest;

TEST_F(SimGraphExhaustionTest, BecomesAFaultOfTheDevice) {
    constexpr const char* launching = R"(
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 result) cudaGraphLaunch(.param .b64 graph, .param .b64 stream);
.visible .entry add(.param .u64 out) {
    .reg .b64 %out;
    ld.param.u64 %out, [out];
    red.global.add.u32 [%out], 1;
    ret;
}
.visible .entry launch(.param .u64 graph, .param .u64 stream) {
    .reg .b64 %graph, %stream;
    ld.param.u64 %graph, [graph];
    ld.param.u64 %stream, [stream];
    { .param .b64 x; .param .b64 y; .param .b32 r;
    st.param.b64 [x], %graph;
    st.param.b64 [y], %stream;
    call (r), cudaGraphLaunch, (x, y);
    }
    ret;
})";
    long exhausted = 0;
    for (const std::uint64_t kind : {0x0100000000000000ull, 0x0200000000000000ull}) {
        long count = -1;
        for (bool is_complete = false; !is_complete && count < 10000; ++count) {
            sim::install({.workers = 1});
            (void)cuInit(0);
            (void)cuCtxCreate_v2(0, 0);
            const CUstream stream = create_stream();
            const CUlinkState link = cuLinkCreate(0, nullptr, nullptr).value;
            std::string text = launching;
            std::string archive = "!<arch>\ncuda_device_runtime.o/";
            ASSERT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "k", 0, nullptr, nullptr).status,
                      CUDA_SUCCESS);
            ASSERT_EQ(cuLinkAddData(link, CU_JIT_INPUT_LIBRARY, archive.data(), archive.size(), "l", 0, nullptr, nullptr).status,
                      CUDA_SUCCESS);
            const CUmodule module = cuModuleLoadData(cuLinkComplete(link).value1).value;
            CUdeviceptr out = allocate(256);
            (void)cuMemsetD8(out, 0, 256);
            const auto make = [&](const char* name, void** parameters, unsigned long long flags) {
                const CUgraph graph = cuGraphCreate(0).value;
                CUDA_KERNEL_NODE_PARAMS params{};
                params.func = cuModuleGetFunction(module, name).value;
                params.gridDimX = params.gridDimY = params.gridDimZ = 1;
                params.blockDimX = params.blockDimY = params.blockDimZ = 1;
                params.kernelParams = parameters;
                EXPECT_EQ(cuGraphAddKernelNode(graph, nullptr, 0, &params).status, CUDA_SUCCESS);
                return cuGraphInstantiate(graph, flags).value;
            };
            void* of_add[] = {&out};
            CUgraphExec child = make("add", of_add, CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH);
            EXPECT_EQ(cuGraphUpload(child, stream).status, CUDA_SUCCESS);
            auto stream_kind = kind;
            void* of_launch[] = {&child, &stream_kind};
            const CUgraphExec root = make("launch", of_launch, 0);
            const bool was_exhausted =
                perform_with(count, stream, [&] { EXPECT_EQ(cuGraphLaunch(root, stream).status, CUDA_SUCCESS); });
            const CUresult status = cuCtxSynchronize().status;
            EXPECT_EQ(status, was_exhausted ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS) << count;
            is_complete = count >= 0 && !was_exhausted;
            exhausted += was_exhausted ? 1 : 0;
            int sum = 0;
            if (!was_exhausted) {
                EXPECT_EQ(cuMemcpyDtoH(&sum, out, 4).status, CUDA_SUCCESS);
                EXPECT_EQ(sum, 1);
            }
            TearDown();
            SetUp();
        }
    }
    EXPECT_GT(exhausted, 10);
}

}  // namespace
}  // namespace cubind::testing
