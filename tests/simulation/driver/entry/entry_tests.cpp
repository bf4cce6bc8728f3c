// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/failure.hpp>

#include <gmock/gmock.h>

#include <stdexcept>
#include <string>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SimEntryTest : public ::testing::Test {
protected:
    void TearDown() override { cubind::sim::uninstall(); }
};

/// The result of cuGetProcAddress.
struct ProcAddress {
    void* address;
    CUdriverProcAddressQueryResult reason;
    CUresult status;
};

ProcAddress query(const char* name, int release, cuuint64_t flags = CU_GET_PROC_ADDRESS_DEFAULT) {
    auto [status, address, reason] = cuGetProcAddress_v2(name, release, flags);
    return {address, reason, status};
}

/// Returns the address that the wrapper of `name` calls.
void* symbol(const char* name) {
    for (cubind::EntryPoint* const entry : all_entry_points()) {
        if (std::string(entry->symbol) == name) return address_of(*entry);
    }
    return nullptr;
}

TEST_F(SimEntryTest, ResolvesANameAsOfTheRequestedRelease) {
    cubind::sim::install({.release = "13.0"});
    EXPECT_EQ(query("cuMemAlloc", 2000).address, symbol("cuMemAlloc"));
    EXPECT_EQ(query("cuMemAlloc", 12000).address, symbol("cuMemAlloc_v2"));
    EXPECT_EQ(query("cuCtxCreate", 3020).address, symbol("cuCtxCreate_v2"));
    EXPECT_EQ(query("cuCtxCreate", 11040).address, symbol("cuCtxCreate_v3"));
    EXPECT_EQ(query("cuCtxCreate", 13000).address, symbol("cuCtxCreate_v4"));
    EXPECT_EQ(query("cuStreamGetCtx", 12040).address, symbol("cuStreamGetCtx"));
    EXPECT_EQ(query("cuStreamGetCtx", 12050).address, symbol("cuStreamGetCtx_v2"));
    EXPECT_EQ(query("cuGraphInstantiate", 13000).address, symbol("cuGraphInstantiate_v2"));
    EXPECT_EQ(query("cuStreamSynchronize", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM).address,
              symbol("cuStreamSynchronize_ptsz"));
    EXPECT_EQ(query("cuMemcpy", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM).address, symbol("cuMemcpy_ptds"));
    EXPECT_EQ(query("cuInit", 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM).address, symbol("cuInit"));
    EXPECT_EQ(query("cuGetProcAddress", 11030).address, symbol("cuGetProcAddress"));
}

TEST_F(SimEntryTest, ReportsWhyANameIsMissing) {
    cubind::sim::install({.release = "13.0"});
    for (const char* name : {"cuNoSuch", "cuMemAlloc_v2", "cuMemcpy_ptds", ""}) {
        EXPECT_EQ(query(name, 12000).status, CUDA_SUCCESS) << name;
        EXPECT_EQ(query(name, 12000).address, nullptr) << name;
        EXPECT_EQ(query(name, 12000).reason, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND) << name;
    }
    EXPECT_EQ(query("cuMemAllocAsync", 11010).reason, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    EXPECT_EQ(query("cuInit", 13010).status, CUDA_ERROR_INVALID_VALUE) << "newer than the driver";
    EXPECT_EQ(query("cuInit", 12000, 8).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuGetProcAddress_v1("cuNoSuch", 12000, 0).status, CUDA_ERROR_NOT_FOUND);
}

TEST_F(SimEntryTest, LacksFunctionsThatAreNewerThanTheRelease) {
    cubind::sim::install({.release = "12.4"});
    EXPECT_EQ(cuDriverGetVersion().value, 12040);
    EXPECT_EQ(cubind::version(library()), 12040);
    EXPECT_TRUE(has(cuFuncGetParamInfo));
    EXPECT_FALSE(has(cuStreamGetDevice));
    EXPECT_EQ(cuStreamGetDevice(nullptr).status, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
    EXPECT_THAT(cubind::last_failure().detail,
                AllOf(HasSubstr("cuStreamGetDevice"), HasSubstr("CUDA 12.8"), HasSubstr("simulated driver"),
                      HasSubstr("sim::install()"), HasSubstr("12.4"), HasSubstr("NVIDIA driver")));
    EXPECT_EQ(query("cuStreamGetDevice", 12040).reason, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    EXPECT_EQ(query("cuStreamGetCtx", 12040).address, symbol("cuStreamGetCtx"));
    EXPECT_EQ(query("cuCtxCreate", 12040).address, symbol("cuCtxCreate_v3"));
}

TEST_F(SimEntryTest, ReportsAndCountsCallsOfFunctionsThatAreNotSimulated) {
    cubind::sim::install();
    EXPECT_TRUE(cubind::sim::is_simulated("cuMemAlloc_v2"));
    EXPECT_TRUE(cubind::sim::is_simulated("cuStreamQuery_ptsz"));
    EXPECT_FALSE(cubind::sim::is_simulated("cuCheckpointOperationComplete"));
    EXPECT_TRUE(cubind::sim::unsimulated_calls().empty());
    EXPECT_EQ(cuCheckpointOperationComplete(nullptr).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuCheckpointOperationComplete(nullptr).status, CUDA_ERROR_NOT_SUPPORTED);
    const std::map<std::string, unsigned long> expected = {{"cuCheckpointOperationComplete", 2}};
    EXPECT_EQ(cubind::sim::unsimulated_calls(), expected);
    cubind::sim::install();
    EXPECT_TRUE(cubind::sim::unsimulated_calls().empty());
}

TEST_F(SimEntryTest, StartsFromScratchOnASecondInstall) {
    cubind::sim::install();
    EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
    const CUcontext context = cuCtxCreate_v2(0, 0).value;
    cubind::sim::install();
    EXPECT_EQ(cuDeviceGetCount().status, CUDA_ERROR_NOT_INITIALIZED);
    EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxGetCurrent().value, nullptr);
    EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimEntryTest, RejectsOptionsThatNoMachineCanHave) {
    const auto problem = [](const cubind::sim::Options& options) -> std::string {
        try {
            cubind::sim::install(options);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "accepted";
    };
    cubind::sim::install({.devices = 255});
    EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
    EXPECT_THAT(problem({.devices = 256}), AllOf(HasSubstr("256"), HasSubstr("255")));
    EXPECT_THAT(problem({.devices = -1}), HasSubstr("-1"));
    EXPECT_THAT(problem({.release = "twelve"}), AllOf(HasSubstr("twelve"), HasSubstr("12.4")));
    EXPECT_EQ(cuDeviceGetCount().value, 255) << "the previous machine remains";
    EXPECT_EQ(problem({.devices = 0, .release = "12.4"}), "accepted");
}

}  // namespace
}  // namespace cubind::testing
