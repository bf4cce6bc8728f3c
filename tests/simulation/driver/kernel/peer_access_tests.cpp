// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels of device 1 that use memory of device 0. An H200 (driver 580.159.04) has the same statuses for memory of cuMemAlloc, of
// pools and of cuMemCreate, with and without peer access.
#include <cubind/sim/kernels.hpp>

#include <gmock/gmock.h>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

namespace sim = cubind::sim;

using ::testing::HasSubstr;

// use: adds 1 to a word. `word` is a variable.
constexpr const char* peer_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .u32 word = 7;
.visible .entry use(.param .u64 words) {
    .reg .b64 %address;
    .reg .b32 %value;
    ld.param.u64 %address, [words];
    ld.global.u32 %value, [%address];
    add.u32 %value, %value, 1;
    st.global.u32 [%address], %value;
    ret;
})";

class SimPeerAccessTest : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        prepare();
    }
    void prepare() {
        first = context;
        second = cuCtxCreate_v2(0, 1).value;  // remains current
        module = cuModuleLoadData(peer_ptx).value;
        ASSERT_NE(module, nullptr);
    }
    /// Runs the kernel on device 1.
    CUresult use(CUdeviceptr address) {
        void* parameters[] = {&address};
        const CUfunction function = cuModuleGetFunction(module, "use").value;
        EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr).status, CUDA_SUCCESS);
        const CUresult status = cuCtxSynchronize().status;
        problem = sim::launches().back().problem;
        return status;
    }
    /// Calls `action` with the context of device 0.
    template <class Action>
    auto on_first(Action action) {
        EXPECT_EQ(cuCtxPushCurrent(first).status, CUDA_SUCCESS);
        auto result = action();
        EXPECT_EQ(cuCtxPopCurrent().status, CUDA_SUCCESS);
        return result;
    }
    CUdeviceptr allocate_on_first() {
        return on_first([] { return allocate(64); });
    }
    CUdeviceptr allocate_from_pool() {
        return on_first([] {
            const CUdeviceptr memory = cuMemAllocAsync(64, nullptr).value;
            EXPECT_EQ(cuStreamSynchronize(nullptr).status, CUDA_SUCCESS);
            return memory;
        });
    }
    static CUmemLocation device(int ordinal) {
        CUmemLocation location{};
        location.type = CU_MEM_LOCATION_TYPE_DEVICE;
        location.id = ordinal;
        return location;
    }
    static CUmemAccessDesc access_of(int ordinal) {
        CUmemAccessDesc access{};
        access.location = device(ordinal);
        access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        return access;
    }
    /// Returns memory of a graph of device 0 after its launch. Device 1 may use it if `is_shared`.
    CUdeviceptr allocate_by_graph(bool is_shared) {
        return on_first([&] {
            const CUgraph graph = cuGraphCreate(0).value;
            CUmemAccessDesc access = access_of(1);
            CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
            parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
            parameters.poolProps.location = device(0);
            parameters.bytesize = 64;
            parameters.accessDescs = is_shared ? &access : nullptr;
            parameters.accessDescCount = is_shared ? 1 : 0;
            const auto [status, node, added] = cuGraphAddMemAllocNode(graph, nullptr, 0, parameters);
            EXPECT_EQ(status, CUDA_SUCCESS);
            const CUgraphExec executable = cuGraphInstantiate(graph, 0).value;
            EXPECT_EQ(cuGraphLaunch(executable, nullptr).status, CUDA_SUCCESS);
            EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
            return added.dptr;
        });
    }
    /// Checks that the kernel cannot use the memory, and that both devices are lost then.
    void expect_refused(CUdeviceptr address, const char* remedy) {
        EXPECT_EQ(use(address), CUDA_ERROR_ILLEGAL_ADDRESS);
        EXPECT_THAT(problem, HasSubstr("is in memory of device 0 that " + std::string(remedy)));
        EXPECT_EQ(cuMemAlloc(64).status, CUDA_ERROR_ILLEGAL_ADDRESS);
        EXPECT_EQ(on_first([] { return cuMemAlloc(64).status; }), CUDA_ERROR_ILLEGAL_ADDRESS);
    }

    CUcontext first = nullptr;
    CUcontext second = nullptr;
    CUmodule module = nullptr;
    std::string problem;
};

TEST_F(SimPeerAccessTest, IsNeededForAllocations) {
    expect_refused(allocate_on_first(), "cuCtxEnablePeerAccess does not make accessible for device 1");
}

TEST_F(SimPeerAccessTest, IsNotNeededIfTheOptionsAllowIt) {
    sim::Options lenient = machine_options;
    lenient.allows_peer_memory = true;
    start(lenient);
    prepare();
    for (const CUdeviceptr each : {allocate_on_first(), allocate_from_pool(), allocate_by_graph(false)})
        EXPECT_EQ(use(each), CUDA_SUCCESS) << problem;
    EXPECT_EQ(use(0x1000), CUDA_ERROR_ILLEGAL_ADDRESS) << "no memory";
}

TEST_F(SimPeerAccessTest, IsNeededForVariables) {
    const CUdeviceptr variable = on_first([] { return cuModuleGetGlobal(cuModuleLoadData(peer_ptx).value, "word").value1; });
    ASSERT_NE(variable, 0u);
    expect_refused(variable, "cuCtxEnablePeerAccess");
}

TEST_F(SimPeerAccessTest, LastsUntilItIsDisabled) {
    const CUdeviceptr memory = allocate_on_first();
    ASSERT_EQ(cuCtxEnablePeerAccess(first, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(use(memory), CUDA_SUCCESS) << problem;
    EXPECT_EQ(use(allocate_on_first()), CUDA_SUCCESS) << "memory that is allocated later";
    ASSERT_EQ(cuCtxDisablePeerAccess(first).status, CUDA_SUCCESS);
    expect_refused(memory, "cuCtxEnablePeerAccess");
}

TEST_F(SimPeerAccessTest, HasOneDirection) {
    const CUcontext user = second;
    EXPECT_EQ(on_first([&] { return cuCtxEnablePeerAccess(user, 0).status; }), CUDA_SUCCESS);
    expect_refused(allocate_on_first(), "cuCtxEnablePeerAccess");
}

TEST_F(SimPeerAccessTest, IsNotNeededForCopies) {
    EXPECT_EQ(cuMemcpyDtoD(allocate(64), allocate_on_first(), 64).status, CUDA_SUCCESS);
}

TEST_F(SimPeerAccessTest, IsNeededForFills) {
    const CUdeviceptr memory = allocate_on_first();
    const CUstream stream = create_stream();
    EXPECT_EQ(cuMemsetD8(memory, 1, 64).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemsetD8Async(memory, 1, 64, stream).status, CUDA_ERROR_INVALID_VALUE);
    ASSERT_EQ(cuCtxEnablePeerAccess(first, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8(memory, 1, 64).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8Async(memory, 1, 64, stream).status, CUDA_SUCCESS);
}

TEST_F(SimPeerAccessTest, IsNeededForTexturesOfArrays) {
    const CUDA_ARRAY_DESCRIPTOR shape{32, 16, CU_AD_FORMAT_FLOAT, 1};
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = on_first([&] { return cuArrayCreate(&shape).value; });
    const CUDA_TEXTURE_DESC sampling{};
    EXPECT_EQ(cuTexObjectCreate(&resource, &sampling, nullptr).status, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    ASSERT_EQ(cuCtxEnablePeerAccess(first, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuTexObjectCreate(&resource, &sampling, nullptr).status, CUDA_SUCCESS);
}

TEST_F(SimPeerAccessTest, IsNotNeededForHostAndManagedMemory) {
    EXPECT_EQ(use(on_first([] { return reinterpret_cast<CUdeviceptr>(cuMemHostAlloc(64, 0).value); })), CUDA_SUCCESS) << problem;
    EXPECT_EQ(use(on_first([] { return cuMemAllocManaged(64, CU_MEM_ATTACH_GLOBAL).value; })), CUDA_SUCCESS) << problem;
    std::uint64_t registered[8] = {};
    EXPECT_EQ(on_first([&] { return cuMemHostRegister(registered, sizeof registered, 0).status; }), CUDA_SUCCESS);
    EXPECT_EQ(use(reinterpret_cast<CUdeviceptr>(registered)), CUDA_SUCCESS) << problem;
    EXPECT_EQ(cuMemHostUnregister(registered).status, CUDA_SUCCESS);
}

TEST_F(SimPeerAccessTest, DoesNotApplyToPools) {
    ASSERT_EQ(cuCtxEnablePeerAccess(first, 0).status, CUDA_SUCCESS);
    expect_refused(allocate_from_pool(), "cuMemPoolSetAccess");
}

TEST_F(SimPeerAccessTest, OfAPoolIsEnough) {
    const CUmemAccessDesc access = access_of(1);
    ASSERT_EQ(cuMemPoolSetAccess(cuDeviceGetDefaultMemPool(0).value, &access, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(use(allocate_from_pool()), CUDA_SUCCESS) << problem;
}

TEST_F(SimPeerAccessTest, OfAGraphIsEnough) {
    EXPECT_EQ(use(allocate_by_graph(true)), CUDA_SUCCESS) << problem;
    expect_refused(allocate_by_graph(false), "CUDA_MEM_ALLOC_NODE_PARAMS::accessDescs");
}

TEST_F(SimPeerAccessTest, FollowsFromAnOpenedHandle) {
    const CUdeviceptr memory = allocate_on_first();
    const CUipcMemHandle handle = on_first([&] { return cuIpcGetMemHandle(memory).value; });
    ASSERT_EQ(cuIpcOpenMemHandle(handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS).value, memory);
    EXPECT_EQ(use(memory), CUDA_SUCCESS) << problem;
    EXPECT_EQ(cuIpcCloseMemHandle(memory).status, CUDA_SUCCESS);
    expect_refused(memory, "cuCtxEnablePeerAccess");
}

TEST_F(SimPeerAccessTest, IsNeededByBodies) {
    sim::define_kernel("use", [](const sim::Launch& launch, unsigned* word) { ++launch.memory(word, 1)[0]; });
    const CUdeviceptr memory = allocate_on_first();
    ASSERT_EQ(cuCtxEnablePeerAccess(first, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(use(memory), CUDA_SUCCESS) << problem;
    ASSERT_EQ(cuCtxDisablePeerAccess(first).status, CUDA_SUCCESS);
    EXPECT_EQ(use(memory), CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_THAT(problem, HasSubstr("are in memory of device 0 that cuCtxEnablePeerAccess"));
}

}  // namespace
}  // namespace cubind::testing
