// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of the driver while the process has no memory left.
#include <cubind/driver/constants.hpp>
#include <cubind/sim/kernels.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>
#include <type_traits>
#include <unistd.h>
#include <vector>

#include "driver/entry/stream_exhaustion_test.hpp"
#include "driver/memory/external_test.hpp"
#include "exhausted_memory.hpp"
#include "graph_test.hpp"

namespace cubind::testing {
namespace {

class SimExhaustionTest : public GraphTest {
protected:
    static constexpr const char* ptx =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".global .align 4 .b8 values[1000];\n.visible .entry nothing() { ret; }\n";

    void SetUp() override {
        GraphTest::SetUp();
        stream = create_stream();
        memory = allocate(4096);
        // The first calls load the driver and create threads, which allocates memory.
        EXPECT_EQ(cuMemsetD8Async(memory, 0, 16, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    }

    /// Makes the call repeatedly, with 0, 1, 2 ... allocations left, until it succeeds, and returns its result. Each earlier call
    /// must report that memory is exhausted.
    template <class Call>
    static auto exhaust(const char* name, Call call) {
        for (long left = 0;; ++left) {
            const auto result = call_with(left, call);
            if (result.status == CUDA_SUCCESS || left == 10000) {
                EXPECT_EQ(result.status, CUDA_SUCCESS) << name;
                if constexpr (std::is_same_v<decltype(result), const cubind::Result<CUresult>>) {
                    return;
                } else {
                    return result;
                }
            }
            EXPECT_EQ(result.status, CUDA_ERROR_OUT_OF_MEMORY) << name << " with " << left << " allocations";
        }
    }
    template <class Call>
    static auto call_with(long allocations, Call call) {
        const LimitedMemory memory(allocations);
        return call();
    }
    static std::size_t free_bytes() { return cuMemGetInfo().value1; }

    CUstream stream = nullptr;
    CUdeviceptr memory = 0;
};

TEST_F(SimExhaustionTest, ReportsExhaustedHostMemoryAndChangesNothing) {
    const std::size_t before = free_bytes();
    const CUdeviceptr more = exhaust("cuMemAlloc", [] { return cuMemAlloc(1000); }).value;
    const CUdeviceptr managed = exhaust("cuMemAllocManaged", [] { return cuMemAllocManaged(1000, CU_MEM_ATTACH_GLOBAL); }).value;
    void* const host = exhaust("cuMemHostAlloc", [] { return cuMemHostAlloc(1000, 0); }).value;
    const CUdeviceptr pooled = exhaust("cuMemAllocAsync", [&] { return cuMemAllocAsync(1000, stream); }).value;
    exhaust("cuMemcpyDtoDAsync", [&] { return cuMemcpyDtoDAsync(more, memory, 100, stream); });
    exhaust("cuMemFreeAsync", [&] { return cuMemFreeAsync(pooled, stream); });
    const CUstream other = exhaust("cuStreamCreate", [] { return cuStreamCreate(0); }).value;
    const CUevent event = exhaust("cuEventCreate", [] { return cuEventCreate(0); }).value;
    exhaust("cuMemsetD8Async", [&] { return cuMemsetD8Async(more, 1, 100, other); });
    exhaust("cuMemsetD8Async on the legacy stream", [&] { return cuMemsetD8Async(more, 1, 100, nullptr); });
    exhaust("cuEventRecord", [&] { return cuEventRecord(event, other); });
    exhaust("cuStreamWaitEvent", [&] { return cuStreamWaitEvent(stream, event, 0); });
    exhaust("cuLaunchHostFunc", [&] {
        return cuLaunchHostFunc(
            other, [](void*) {}, nullptr);
    });
    const CUmodule module = exhaust("cuModuleLoadData", [] { return cuModuleLoadData(ptx); }).value;
    const CUfunction kernel = exhaust("cuModuleGetFunction", [&] { return cuModuleGetFunction(module, "nothing"); }).value;
    exhaust("cuLaunchKernel", [&] { return cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, other, nullptr, nullptr); });
    exhaust("cuCtxSynchronize", [] { return cuCtxSynchronize(); });
    for (const CUdeviceptr each : {more, managed}) EXPECT_EQ(cuMemFree(each).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFreeHost(host).status, CUDA_SUCCESS);
    EXPECT_EQ(cuModuleUnload(module).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamDestroy(other).status, CUDA_SUCCESS);
    EXPECT_EQ(free_bytes(), before) << "a failed call retains no memory";
}

TEST_F(SimExhaustionTest, ReportsExhaustedHostMemoryForGraphs) {
    const std::size_t before = free_bytes();
    const CUgraph graph = exhaust("cuGraphCreate", [] { return cuGraphCreate(0); }).value;
    const CUgraphNode first = exhaust("cuGraphAddEmptyNode", [&] { return cuGraphAddEmptyNode(graph, nullptr, 0); }).value;
    const CUDA_MEMSET_NODE_PARAMS fill = byte_fill(memory, 1, 16);
    const auto filled = exhaust("cuGraphAddMemsetNode", [&] { return cuGraphAddMemsetNode(graph, &first, 1, &fill, context); });
    EXPECT_EQ(nodes_of(graph), (Nodes{first, filled.value})) << "a failed call adds no node";
    CUDA_MEM_ALLOC_NODE_PARAMS allocation{};
    allocation.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    allocation.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    allocation.bytesize = 1000;
    const auto allocated =
        exhaust("cuGraphAddMemAllocNode", [&] { return cuGraphAddMemAllocNode(graph, nullptr, 0, allocation); });
    const CUgraphExec exec = exhaust("cuGraphInstantiate", [&] { return cuGraphInstantiateWithFlags(graph, 0); }).value;
    exhaust("cuGraphLaunch", [&] { return cuGraphLaunch(exec, stream); });
    EXPECT_EQ(cuMemFreeAsync(allocated.value2.dptr, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    exhaust("cuStreamBeginCapture", [&] { return cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED); });
    exhaust("cuMemsetD8Async while capturing", [&] { return cuMemsetD8Async(memory, 1, 16, stream); });
    const auto captured = exhaust("cuStreamEndCapture", [&] { return cuStreamEndCapture(stream); });
    EXPECT_EQ(nodes_of(captured.value).size(), 1u);
    EXPECT_EQ(cuGraphExecDestroy(exec).status, CUDA_SUCCESS);
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDeviceGraphMemTrim(0).status, CUDA_SUCCESS);
    EXPECT_EQ(free_bytes(), before);
}

// The driver waits for the work, also if the wait finds no memory. Otherwise the work would write to memory that is free.
TEST_F(SimExhaustionTest, FreesMemoryAfterTheWorkThatUsesIt) {
    struct Work {
        unsigned char* target;
        std::atomic<bool> is_done{false};
    };
    const auto write_later = [](void* data) {
        auto& work = *static_cast<Work*>(data);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        *work.target = 1;
        work.is_done = true;
    };
    const auto expect_wait = [&](const char* name, void* target, auto free) {
        Work work{static_cast<unsigned char*>(target)};
        EXPECT_EQ(cuLaunchHostFunc(stream, write_later, &work).status, CUDA_SUCCESS);
        EXPECT_EQ(call_with(0, free).status, CUDA_SUCCESS) << name;
        EXPECT_TRUE(work.is_done) << name;
        EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    };
    void* const host = cuMemHostAlloc(4096, 0).value;
    expect_wait("cuMemFreeHost", host, [&] { return cuMemFreeHost(host); });
    const CUdeviceptr managed = cuMemAllocManaged(4096, CU_MEM_ATTACH_GLOBAL).value;
    expect_wait("cuMemFree", reinterpret_cast<void*>(managed), [&] { return cuMemFree(managed); });
    std::vector<unsigned char> registered(4096);
    EXPECT_EQ(cuMemHostRegister(registered.data(), registered.size(), 0).status, CUDA_SUCCESS);
    expect_wait("cuMemHostUnregister", registered.data(), [&] { return cuMemHostUnregister(registered.data()); });
    Work work{registered.data()};
    const CUstream other = create_stream();
    EXPECT_EQ(cuLaunchHostFunc(other, write_later, &work).status, CUDA_SUCCESS);
    EXPECT_EQ(call_with(0, [&] { return cuStreamDestroy(other); }).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_TRUE(work.is_done) << "the work of a destroyed stream is waited for";
    const CUmodule module = cuModuleLoadData(ptx).value;
    expect_wait("cuModuleUnload", registered.data(), [&] { return cuModuleUnload(module); });
}

std::size_t open_descriptors() {
    std::size_t count = 0;
    for (int number = 0; number < 1000; ++number) count += fcntl(number, F_GETFD) >= 0 ? 1 : 0;
    return count;
}

// Every object takes one descriptor, also if its creation has failed many times before. A descriptor that a program imports
// belongs to the program until the call succeeds.
TEST_F(SimExhaustionTest, LeavesNoDescriptorsOpenAndClosesNoneOfTheProgram) {
    constexpr auto shareable = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    constexpr std::size_t unit = std::size_t{2} << 20;
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    CUmemPoolProps pool_properties{};
    pool_properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    pool_properties.handleTypes = shareable;
    pool_properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const auto plain = exhaust("cuMemCreate", [&] { return cuMemCreate(unit, &properties, 0); }).value;
    const CUdeviceptr range = exhaust("cuMemAddressReserve", [&] { return cuMemAddressReserve(unit, 0, 0, 0); }).value;
    exhaust("cuMemMap", [&] { return cuMemMap(range, unit, 0, plain, 0); });
    const std::size_t before = open_descriptors();

    properties.requestedHandleTypes = shareable;
    const auto shared = exhaust("cuMemCreate of memory to share", [&] { return cuMemCreate(unit, &properties, 0); }).value;
    constexpr unsigned flags = unsigned{CU_EVENT_INTERPROCESS} | unsigned{CU_EVENT_DISABLE_TIMING};
    const CUevent event = exhaust("cuEventCreate", [] { return cuEventCreate(flags); }).value;
    const CUmemoryPool pool = exhaust("cuMemPoolCreate", [&] { return cuMemPoolCreate(&pool_properties); }).value;
    EXPECT_EQ(open_descriptors(), before + 3);
    int sent = -1;
    ASSERT_EQ(cuMemPoolExportToShareableHandle(&sent, pool, shareable, 0).status, CUDA_SUCCESS);
    void* const handle = reinterpret_cast<void*>(static_cast<std::intptr_t>(sent));
    (void)exhaust("cuMemAllocFromPoolAsync", [&] { return cuMemAllocFromPoolAsync(100, pool, stream); });
    (void)exhaust("cuMemPoolImportFromShareableHandle", [&] { return cuMemPoolImportFromShareableHandle(handle, shareable, 0); });
    EXPECT_EQ(open_descriptors(), before + 5);

    CUDA_EXTERNAL_MEMORY_HANDLE_DESC memory_description{};
    memory_description.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
    memory_description.handle.fd = create_file(4096);
    memory_description.size = 4096;
    CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC semaphore_description{};
    semaphore_description.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD;
    semaphore_description.handle.fd = create_file(8);
    const auto external = exhaust("cuImportExternalMemory", [&] {
        EXPECT_TRUE(is_open(memory_description.handle.fd));
        return cuImportExternalMemory(&memory_description);
    });
    const auto semaphore = exhaust("cuImportExternalSemaphore", [&] {
        EXPECT_TRUE(is_open(semaphore_description.handle.fd));
        return cuImportExternalSemaphore(&semaphore_description);
    });
    EXPECT_EQ(cuDestroyExternalMemory(external.value).status, CUDA_SUCCESS);
    EXPECT_EQ(cuDestroyExternalSemaphore(semaphore.value).status, CUDA_SUCCESS);
    EXPECT_EQ(open_descriptors(), before + 5) << "the driver owned the imported ones";

    for (const auto each : {plain, shared}) EXPECT_EQ(cuMemRelease(each).status, CUDA_SUCCESS);
    EXPECT_EQ(call_with(0, [&] { return cuEventDestroy(event); }).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemUnmap(range, unit).status, CUDA_SUCCESS);
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    const auto last = cuMemCreate(4 * unit, &properties, 0);
    EXPECT_EQ(call_with(0, [&] { return cuMemRelease(last.value); }).status, CUDA_SUCCESS) << "needs no memory";
    close(sent);
}

class SimStreamExhaustionTest : public StreamExhaustionTest {
protected:
    static constexpr const char* kernel_name = "a_kernel_with_a_name_that_requires_an_allocation";
    static constexpr const char* ptx = R"(
.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 result) increment(.param .b32 value) {
    .reg .b32 %a;
    ld.param.u32 %a, [value];
    add.u32 %a, %a, 1;
    st.param.b32 [result], %a;
    ret;
}
.visible .entry a_kernel_with_a_name_that_requires_an_allocation(.param .u64 out) {
    .reg .b64 %out;
    .reg .b32 %a;
    .reg .b64 %offset;
    .shared .align 4 .b8 words[256];
    ld.param.u64 %out, [out];
    mov.u32 %a, %tid.x;
    mul.wide.u32 %offset, %a, 4;
    add.u64 %out, %out, %offset;
    { .param .b32 x;
    .param .b32 y;
    st.param.b32 [x], %a;
    call (y), increment, (x);
    ld.param.b32 %a, [y];
    }
    st.global.u32 [%out], %a;
    ret;
})";
};

TEST_F(SimStreamExhaustionTest, BecomesAFaultOfTheDeviceInALaunch) {
    long count = -1;  // without a limit at first: tables of the process are allocated once
    long recorded = 0;
    for (bool is_complete = false; !is_complete && count < 10000; ++count) {
        const CUstream stream = create_stream();
        const CUdeviceptr out = allocate(256);
        CUdeviceptr argument = out;
        void* parameters[] = {&argument};
        const CUmodule module = cuModuleLoadData(ptx).value;
        const CUfunction kernel = cuModuleGetFunction(module, kernel_name).value;
        const bool was_exhausted = perform_with(count, stream, [&] {
            EXPECT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr).status, CUDA_SUCCESS);
        });
        EXPECT_EQ(cuCtxSynchronize().status, was_exhausted ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS) << count;
        const std::vector<sim::Launch> launches = sim::launches();
        for (const sim::Launch& each : launches) {
            EXPECT_EQ(each.name, kernel_name);
            EXPECT_EQ(each.status, was_exhausted ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS) << count;
            EXPECT_EQ(each.problem.empty(), !was_exhausted) << each.problem;
        }
        is_complete = count >= 0 && !was_exhausted;
        recorded += was_exhausted ? static_cast<long>(launches.size()) : 0;
        if (!was_exhausted) {
            int results[64] = {};
            EXPECT_EQ(cuMemcpyDtoH(results, out, sizeof results).status, CUDA_SUCCESS);
            EXPECT_EQ(results[63], 64);
        }
        TearDown();
        SetUp();
    }
    EXPECT_GT(count, 20) << "the launch allocates memory for the code and for the threads";
    EXPECT_GT(recorded, 0) << "the reason is stored where memory suffices for that";
}

TEST_F(SimStreamExhaustionTest, DoesNotAffectCopiesAndGraphs) {
    const CUstream stream = create_stream();
    const CUevent event = create_event();
    const CUdeviceptr memory = allocate(256);
    auto* const host = static_cast<unsigned char*>(cuMemHostAlloc(256, 0).value);
    EXPECT_EQ(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD8Async(memory, 7, 256, stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoHAsync(host, memory, 128, stream).status, CUDA_SUCCESS);
    const CUgraph graph = cuStreamEndCapture(stream).value;
    const CUgraphExec exec = cuGraphInstantiateWithFlags(graph, 0).value;
    const auto callback = [](CUstream, CUresult, void* data) { *static_cast<unsigned char*>(data) = 9; };
    const bool was_exhausted = perform_with(0, stream, [&] {
        EXPECT_EQ(cuGraphLaunch(exec, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemcpyDtoDAsync(memory + 128, memory, 64, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuEventRecord(event, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamWriteValue32(stream, memory, 5, 0).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemcpyDtoHAsync(host + 128, memory, 128, stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamAddCallback(stream, callback, host + 255, 0).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemFreeAsync(cuMemAllocAsync(64, stream).value, stream).status, CUDA_SUCCESS);
    });
    EXPECT_FALSE(was_exhausted);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(host[127], 7);
    EXPECT_EQ(host[128], 5);
    EXPECT_EQ(host[255], 9);
}

TEST_F(SimStreamExhaustionTest, BecomesAFaultOfTheDeviceInAHostFunction) {
    const CUstream stream = create_stream();
    EXPECT_EQ(cuLaunchHostFunc(
                  stream, [](void*) { throw std::bad_alloc(); }, nullptr)
                  .status,
              CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_ERROR_OUT_OF_MEMORY);
}

}  // namespace
}  // namespace cubind::testing
