// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_test.hpp"

#include <cubind/failure.hpp>

#include <string>

namespace cubind::testing {
namespace {

class SimEntry : public ::testing::Test {
protected:
    void TearDown() override { cubind::sim::uninstall(); }
};

/// What cuGetProcAddress has for a name: its address and the reason.
struct Answer {
    void* address;
    CUdriverProcAddressQueryResult reason;
    CUresult status;
};

Answer ask(const char* name, int release, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
    auto [status, address, reason] = cuGetProcAddress_v2(name, release, flags);
    return {address, reason, status};
}

/// The address of a symbol, as the wrapper of that name calls it.
void* symbol(const char* name) {
    for (cubind::EntryPoint* const entry : all_entry_points()) {
        if (std::string(entry->symbol) == name) return address_of(*entry);
    }
    return nullptr;
}

TEST_F(SimEntry, NamesMeanWhatTheyMeantInTheReleaseAskedFor) {
    cubind::sim::install({.release = "13.0"});
    EXPECT_EQ(ask("cuMemAlloc", 2000).address, symbol("cuMemAlloc"));
    EXPECT_EQ(ask("cuMemAlloc", 12000).address, symbol("cuMemAlloc_v2"));
    EXPECT_EQ(ask("cuCtxCreate", 3020).address, symbol("cuCtxCreate_v2"));
    EXPECT_EQ(ask("cuCtxCreate", 11040).address, symbol("cuCtxCreate_v3"));
    EXPECT_EQ(ask("cuCtxCreate", 13000).address, symbol("cuCtxCreate_v4"));
    EXPECT_EQ(ask("cuStreamGetCtx", 12040).address, symbol("cuStreamGetCtx"));
    EXPECT_EQ(ask("cuStreamGetCtx", 12050).address, symbol("cuStreamGetCtx_v2"));
    EXPECT_EQ(ask("cuGraphInstantiate", 13000).address, symbol("cuGraphInstantiate_v2"));
    EXPECT_EQ(ask("cuStreamSynchronize", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM).address,
              symbol("cuStreamSynchronize_ptsz"));
    EXPECT_EQ(ask("cuMemcpy", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM).address, symbol("cuMemcpy_ptds"));
    EXPECT_EQ(ask("cuInit", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM).address, symbol("cuInit"));
    EXPECT_EQ(ask("cuGetProcAddress", 11030).address, symbol("cuGetProcAddress"));
}

TEST_F(SimEntry, SaysWhyANameIsNotThere) {
    cubind::sim::install({.release = "13.0"});
    for (const char* name : {"cuNoSuch", "cuMemAlloc_v2", "cuMemcpy_ptds", ""}) {
        EXPECT_EQ(ask(name, 12000).status, CUDA_SUCCESS) << name;
        EXPECT_EQ(ask(name, 12000).address, nullptr) << name;
        EXPECT_EQ(ask(name, 12000).reason, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND) << name;
    }
    EXPECT_EQ(ask("cuMemAllocAsync", 11010).reason, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    EXPECT_EQ(ask("cuInit", 13010).status, CUDA_ERROR_INVALID_VALUE) << "newer than the driver";
    EXPECT_EQ(ask("cuInit", 12000, 8).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGetProcAddress_v1("cuNoSuch", 12000, 0).status, CUDA_ERROR_NOT_FOUND);
}

TEST_F(SimEntry, AnOlderReleaseLacksWhatCameLater) {
    cubind::sim::install({.release = "12.4"});
    EXPECT_EQ(cuDriverGetVersion().value, 12040);
    EXPECT_EQ(cubind::version(library()), 12040);
    EXPECT_TRUE(has(cuFuncGetParamInfo));
    EXPECT_FALSE(has(cuStreamGetDevice));
    EXPECT_EQ(cuStreamGetDevice(nullptr).status, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
    EXPECT_STREQ(
        cubind::last_failure().detail,
        "cuStreamGetDevice was introduced in CUDA 12.8, and simulated driver (driver, found via sim::install()) is of CUDA "
        "12.4; an NVIDIA driver for CUDA 12.8 or newer is needed.");
    EXPECT_EQ(ask("cuStreamGetDevice", 12040).reason, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT_EQ(ask("cuStreamGetCtx", 12040).address, symbol("cuStreamGetCtx"));
    EXPECT_EQ(ask("cuCtxCreate", 12040).address, symbol("cuCtxCreate_v3"));
}

TEST_F(SimEntry, WhatIsNotSimulatedSaysSoAndIsCounted) {
    cubind::sim::install();
    EXPECT_TRUE(cubind::sim::is_simulated("cuMemAlloc_v2"));
    EXPECT_TRUE(cubind::sim::is_simulated("cuStreamQuery_ptsz"));
    EXPECT_FALSE(cubind::sim::is_simulated("cuCheckpointProcessLock"));
    EXPECT_TRUE(cubind::sim::unsimulated_calls().empty());
    EXPECT_EQ(cuCheckpointProcessLock(1, nullptr).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuCheckpointProcessLock(1, nullptr).status, CUDA_ERROR_NOT_SUPPORTED);
    const std::map<std::string, unsigned long> expected = {{"cuCheckpointProcessLock", 2}};
    EXPECT_EQ(cubind::sim::unsimulated_calls(), expected);
    cubind::sim::install();
    EXPECT_TRUE(cubind::sim::unsimulated_calls().empty());
}

TEST_F(SimEntry, InstallingAgainStartsAnew) {
    cubind::sim::install();
    EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
    const CUcontext context = cuCtxCreate_v2(0, 0).value;
    cubind::sim::install();
    EXPECT_EQ(cuDeviceGetCount().status, CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetCurrent().value, nullptr);
    EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_ERROR_INVALID_CONTEXT);
}

}  // namespace
}  // namespace cubind::testing
