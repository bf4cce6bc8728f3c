// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimMemoryOperationTest : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        memory = allocate(64);
        ASSERT_EQ(cuMemsetD8(memory, 0, 64).status, CUDA_SUCCESS);
        first_stream = create_stream();
        second_stream = create_stream();
    }
    std::uint64_t value(std::size_t offset = 0) const {
        std::uint64_t found = 0;
        EXPECT_EQ(cuMemcpyDtoH(&found, memory + offset, 8).status, CUDA_SUCCESS);
        return found;
    }
    CUdeviceptr memory = 0;
    CUstream first_stream = nullptr;
    CUstream second_stream = nullptr;
};

TEST_F(SimMemoryOperationTest, WaitsForAValueFromAnotherStream) {
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory, 5, CU_STREAM_WAIT_VALUE_EQ).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32Async(memory + 8, 7, 1, first_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWriteValue32(second_stream, memory, 4, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(second_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(first_stream).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(value(8), 0u);
    EXPECT_EQ(cuStreamWriteValue32(second_stream, memory, 5, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(first_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(value(8), 7u);
}

TEST_F(SimMemoryOperationTest, WaitsForAValueFromTheHost) {
    auto [status, pinned] = cuMemHostAlloc(64, 0);
    ASSERT_EQ(status, CUDA_SUCCESS);
    auto& word = *static_cast<std::uint64_t*>(pinned);
    std::atomic_ref(word).store(0);
    EXPECT_EQ(cuStreamWaitValue64(first_stream, reinterpret_cast<CUdeviceptr>(pinned), std::uint64_t{1} << 40, 0).status,
              CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(first_stream).status, CUDA_ERROR_NOT_READY);
    std::atomic_ref(word).store((std::uint64_t{1} << 40) + 3);
    EXPECT_EQ(cuStreamSynchronize(first_stream).status, CUDA_SUCCESS);
}

TEST_F(SimMemoryOperationTest, ComparesInFourWays) {
    EXPECT_EQ(cuStreamWriteValue32(first_stream, memory, 5, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory, 4, CU_STREAM_WAIT_VALUE_GEQ).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory, 0xfffffff0, CU_STREAM_WAIT_VALUE_GEQ).status, CUDA_SUCCESS)
        << "the difference wraps around";
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory, 4, CU_STREAM_WAIT_VALUE_AND).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory, 0, CU_STREAM_WAIT_VALUE_NOR).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(first_stream).status, CUDA_SUCCESS);
    for (const auto& [value_to_wait_for, comparison] :
         {std::pair(6u, CU_STREAM_WAIT_VALUE_GEQ), std::pair(4u, CU_STREAM_WAIT_VALUE_EQ),
          std::pair(2u, CU_STREAM_WAIT_VALUE_AND), std::pair(~5u, CU_STREAM_WAIT_VALUE_NOR)}) {
        const CUstream waiting = create_stream();
        EXPECT_EQ(cuStreamWaitValue32(waiting, memory, value_to_wait_for, comparison).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamQuery(waiting).status, CUDA_ERROR_NOT_READY) << value_to_wait_for;
    }
}

TEST_F(SimMemoryOperationTest, RunsBatchesInOrder) {
    CUstreamBatchMemOpParams batch[3] = {};
    batch[0].writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
    batch[0].writeValue.address = memory;
    batch[0].writeValue.value64 = std::uint64_t{6} << 32;
    batch[1].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
    batch[2].waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
    batch[2].waitValue.address = memory;
    batch[2].waitValue.value64 = std::uint64_t{6} << 32;
    batch[2].waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
    EXPECT_EQ(cuStreamBatchMemOp(first_stream, 3, batch, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(first_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(value(), std::uint64_t{6} << 32);
    EXPECT_EQ(cuStreamBatchMemOp(first_stream, 0, batch, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamBatchMemOp(first_stream, 257, batch, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamBatchMemOp(first_stream, 3, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamBatchMemOp(first_stream, 3, batch, 1).status, CUDA_ERROR_INVALID_VALUE);
    batch[1].operation = static_cast<CUstreamBatchMemOpType>(99);
    batch[0].writeValue.value64 = 1;
    EXPECT_EQ(cuStreamBatchMemOp(first_stream, 3, batch, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamSynchronize(first_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(value(), std::uint64_t{6} << 32) << "an invalid batch has no effect";
}

TEST_F(SimMemoryOperationTest, RejectsInvalidArguments) {
    EXPECT_EQ(cuStreamWriteValue32(first_stream, memory + 2, 5, 0).status, CUDA_ERROR_INVALID_VALUE) << "not aligned";
    EXPECT_EQ(cuStreamWriteValue64(first_stream, memory + 4, 5, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamWriteValue32(first_stream, 0, 5, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamWriteValue32(first_stream, memory + 64, 5, 0).status, CUDA_ERROR_INVALID_VALUE) << "beyond the end";
    EXPECT_EQ(cuStreamWriteValue32(first_stream, memory, 5, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory, 5, 4).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory, 5, CU_STREAM_WAIT_VALUE_FLUSH).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory + 1, 5, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamWaitValue32(reinterpret_cast<CUstream>(std::uintptr_t{77}), memory, 5, 0).status,
              CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuStreamQuery(first_stream).status, CUDA_SUCCESS);
}

TEST_F(SimMemoryOperationTest, RejectsMemoryOfAPool) {
    const auto [status, pooled] = cuMemAllocAsync(16, first_stream);
    ASSERT_EQ(status, CUDA_SUCCESS);
    ASSERT_EQ(cuMemsetD8Async(pooled, 0, 16, first_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWriteValue32(first_stream, pooled, 5, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamWriteValue64(first_stream, pooled, 5, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamWaitValue32(first_stream, pooled, 5, CU_STREAM_WAIT_VALUE_EQ).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamWaitValue64(first_stream, pooled, 5, CU_STREAM_WAIT_VALUE_EQ).status, CUDA_ERROR_INVALID_VALUE);
    CUstreamBatchMemOpParams batch[2] = {};
    for (CUstreamBatchMemOpParams& each : batch) {
        each.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
        each.writeValue.address = &each == batch ? memory : pooled;
        each.writeValue.value64 = 5;
    }
    EXPECT_EQ(cuStreamBatchMemOp(first_stream, 2, batch, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuStreamSynchronize(first_stream).status, CUDA_SUCCESS);
    EXPECT_EQ(value(), 0u) << "an invalid batch has no effect";
    EXPECT_EQ(value(pooled - memory), 0u);
    EXPECT_EQ(cuMemFreeAsync(pooled, first_stream).status, CUDA_SUCCESS);
}

TEST_F(SimMemoryOperationTest, StopsWaitingWhenItsContextIsDestroyed) {
    EXPECT_EQ(cuStreamWaitValue32(first_stream, memory, 5, CU_STREAM_WAIT_VALUE_EQ).status, CUDA_SUCCESS);
    const CUevent blocked_event = create_event();
    EXPECT_EQ(cuEventRecord(blocked_event, first_stream).status, CUDA_SUCCESS);
    ASSERT_EQ(cuCtxCreate_v2(0, 1).status, CUDA_SUCCESS);
    const CUstream other = create_stream();
    EXPECT_EQ(cuStreamWaitEvent(other, blocked_event, 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(other).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(other).status, CUDA_SUCCESS);
    EXPECT_EQ(cuStreamWaitValue32(other, allocate(4), 5, CU_STREAM_WAIT_VALUE_EQ).status, CUDA_SUCCESS)
        << "ends when the simulated driver is uninstalled";
}

}  // namespace
}  // namespace cubind::testing
