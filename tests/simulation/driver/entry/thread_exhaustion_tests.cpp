// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of the driver while the process can create no threads.
#include <cubind/driver/constants.hpp>

#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

// Runs in a child process, because it gives up the privileges of root, whose threads are not limited.
void use_streams_without_threads() {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && setresuid(nobody, nobody, nobody) != 0) std::exit(2);
    sim::install();
    if (!cuInit(0).ok() || !cuCtxCreate_v2(0, 0).ok()) std::exit(1);
    std::vector<CUstream> streams(480);
    for (CUstream& each : streams) each = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr target = cuMemAlloc(64).value;
    rlimit limit{};
    getrlimit(RLIMIT_NPROC, &limit);
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_NPROC, &limit);
    for (const CUstream each : streams) {
        if (cuMemsetD8Async(target, 1, 16, each).status != CUDA_ERROR_OPERATING_SYSTEM) std::exit(3);
        if (cuStreamQuery(each).status != CUDA_SUCCESS) std::exit(4);  // nothing was submitted
    }
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NPROC, &limit);
    for (const CUstream each : streams) {
        if (cuMemsetD8Async(target, 1, 16, each).status != CUDA_SUCCESS) std::exit(5);
    }
    std::exit(cuCtxSynchronize().status == CUDA_SUCCESS ? 0 : 6);
}

// Adds 1 to a word with 64 blocks. The process may create no threads for them.
void launch_without_threads() {
    constexpr uid_t nobody = 65534;
    if (geteuid() == 0 && setresuid(nobody, nobody, nobody) != 0) std::exit(2);
    constexpr const char* ptx =
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry add(.param .u64 out) {\n.reg .b64 %a;\n"
        "ld.param.u64 %a, [out];\nred.global.add.u32 [%a], 1;\nret;\n}\n";
    sim::install({.workers = 4});
    (void)cuInit(0);
    (void)cuCtxCreate_v2(0, 0);
    const CUfunction add = cuModuleGetFunction(cuModuleLoadData(ptx).value, "add").value;
    CUdeviceptr out = cuMemAlloc(4).value;
    if (cuMemsetD32Async(out, 0, 1, nullptr).status != CUDA_SUCCESS) std::exit(3);  // creates the thread of the stream
    if (cuCtxSynchronize().status != CUDA_SUCCESS) std::exit(4);
    rlimit limit{};
    getrlimit(RLIMIT_NPROC, &limit);
    limit.rlim_cur = 0;
    setrlimit(RLIMIT_NPROC, &limit);
    void* parameters[] = {&out};
    if (cuLaunchKernel(add, 64, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr).status != CUDA_SUCCESS) std::exit(5);
    int sum = 0;
    if (cuMemcpyDtoH(&sum, out, 4).status != CUDA_SUCCESS) std::exit(6);
    std::exit(sum == 64 ? 0 : 7);
}

using SimThreadExhaustionTest = SimTest;

TEST_F(SimThreadExhaustionTest, ReportsThatNoThreadCanBeStarted) {
    EXPECT_EXIT(use_streams_without_threads(), ::testing::ExitedWithCode(0), "");
}

TEST_F(SimThreadExhaustionTest, RunsAllBlocksOnTheThreadOfTheStream) {
    EXPECT_EXIT(launch_without_threads(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cubind::testing
