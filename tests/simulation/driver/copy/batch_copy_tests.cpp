// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimBatchCopyTest : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        std::iota(host.begin(), host.end(), std::uint8_t{0});
        memory = allocate(256);
        copy_stream = create_stream();
        ASSERT_EQ(cuMemsetD8(memory, 0xff, 256).status, CUDA_SUCCESS);
        in_order.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        destinations = {memory, memory + 128};
        sources = {reinterpret_cast<CUdeviceptr>(host.data()), reinterpret_cast<CUdeviceptr>(host.data()) + 64};
    }
    CUresult copy() { return copy(copy_stream); }
    CUresult copy(CUstream stream) {
        return cuMemcpyBatchAsync(destinations.data(), sources.data(), sizes.data(), destinations.size(), attributes.data(),
                                  first_indices.data(), attributes.size(), stream)
            .status;
    }
    std::uint8_t byte(std::size_t offset) const {
        EXPECT_EQ(cuStreamSynchronize(copy_stream).status, CUDA_SUCCESS);
        std::uint8_t found = 0;
        EXPECT_EQ(cuMemcpyDtoH(&found, memory + offset, 1).status, CUDA_SUCCESS);
        return found;
    }
    CUresult copy_box(const CUDA_MEMCPY3D_BATCH_OP& box, unsigned long long flags = 0) const {
        CUDA_MEMCPY3D_BATCH_OP list[] = {box};
        return cuMemcpy3DBatchAsync(1, list, flags, copy_stream).status;
    }
    /// Returns a copy of two slices of two rows of 16 bytes.
    CUDA_MEMCPY3D_BATCH_OP box() const {
        CUDA_MEMCPY3D_BATCH_OP operation{};
        operation.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
        operation.src.op.ptr.ptr = sources[0];
        operation.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
        operation.dst.op.ptr.ptr = memory;
        operation.extent = {16, 2, 2};
        operation.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        return operation;
    }

    std::vector<std::uint8_t> host = std::vector<std::uint8_t>(256);
    CUdeviceptr memory = 0;
    CUstream copy_stream = nullptr;
    CUmemcpyAttributes in_order{};
    std::vector<CUdeviceptr> destinations;
    std::vector<CUdeviceptr> sources;
    std::vector<std::size_t> sizes = {64, 64};
    std::vector<CUmemcpyAttributes> attributes = std::vector<CUmemcpyAttributes>(1);
    std::vector<std::size_t> first_indices = {0};
};

TEST_F(SimBatchCopyTest, MakesEveryCopy) {
    attributes = {in_order};
    EXPECT_EQ(copy(), CUDA_SUCCESS);
    EXPECT_EQ(byte(63), 63);
    EXPECT_EQ(byte(64), 0xff);
    EXPECT_EQ(byte(128), 64);
    EXPECT_EQ(copy(nullptr), CUDA_ERROR_INVALID_VALUE) << "the legacy default stream is not allowed";
    EXPECT_EQ(copy(CU_STREAM_PER_THREAD), CUDA_SUCCESS);
}

TEST_F(SimBatchCopyTest, MakesNoCopyIfOneIsInvalid) {
    attributes = {in_order};
    sizes[1] = 129;
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(byte(0), 0xff);
    auto [status, failed] = cuMemcpyBatchAsync_v1(destinations.data(), sources.data(), sizes.data(), 2, attributes.data(),
                                                  first_indices.data(), 1, copy_stream);
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(failed, 1u);
    sizes[1] = 0;
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    sizes[1] = 64;
    destinations[1] = 0;
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimBatchCopyTest, RejectsInvalidAttributes) {
    attributes = {in_order, in_order};
    first_indices = {0, 1};
    EXPECT_EQ(copy(), CUDA_SUCCESS);
    for (const auto& invalid : {std::vector<std::size_t>{0, 0}, {0, 2}, {1, 2}}) {
        first_indices = invalid;
        EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    }
    first_indices = {0};
    attributes = {CUmemcpyAttributes{}};
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE) << "no access order";
    attributes = {in_order};
    attributes[0].flags = 2;
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    attributes = {};
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    attributes = {in_order};
    EXPECT_EQ(
        cuMemcpyBatchAsync(nullptr, sources.data(), sizes.data(), 2, attributes.data(), first_indices.data(), 1, copy_stream)
            .status,
        CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyBatchAsync(destinations.data(), sources.data(), sizes.data(), 0, attributes.data(), first_indices.data(), 1,
                                 copy_stream)
                  .status,
              CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimBatchCopyTest, ReadsTheSourceDuringTheCallIfRequested) {
    const CUdeviceptr source = allocate(16);
    ASSERT_EQ(cuMemsetD8(source, 1, 16).status, CUDA_SUCCESS);
    CUmemcpyAttributes during_call = in_order;
    during_call.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    {
        Gate gate(copy_stream);
        EXPECT_EQ(cuMemcpyWithAttributesAsync(memory, source, 16, &during_call, copy_stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemcpyWithAttributesAsync(memory + 16, source, 16, &in_order, copy_stream).status, CUDA_SUCCESS);
        ASSERT_EQ(cuMemsetD8Async(source, 2, 16, CU_STREAM_PER_THREAD).status, CUDA_SUCCESS);
        ASSERT_EQ(cuStreamSynchronize(CU_STREAM_PER_THREAD).status, CUDA_SUCCESS);
    }
    EXPECT_EQ(byte(0), 1);
    EXPECT_EQ(byte(16), 2);
    EXPECT_EQ(cuMemcpyWithAttributesAsync(memory, source, 16, nullptr, copy_stream).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimBatchCopyTest, RejectsAttributesInTheLegacyDefaultStream) {
    EXPECT_EQ(cuMemcpyWithAttributesAsync(memory, sources[0], 16, &in_order, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyWithAttributesAsync(memory, sources[0], 16, &in_order, CU_STREAM_PER_THREAD).status, CUDA_SUCCESS);
}

TEST_F(SimBatchCopyTest, CannotBeCaptured) {
    attributes = {in_order};
    ASSERT_EQ(cuStreamBeginCapture(copy_stream, CU_STREAM_CAPTURE_MODE_GLOBAL).status, CUDA_SUCCESS);
    EXPECT_EQ(copy(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(copy_box(box()), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    const auto [status, graph] = cuStreamEndCapture(copy_stream);
    EXPECT_EQ(status, CUDA_SUCCESS) << "the capture remains valid";
    EXPECT_EQ(cuGraphDestroy(graph).status, CUDA_SUCCESS);
}

TEST_F(SimBatchCopyTest, CopiesBoxes) {
    CUDA_MEMCPY3D_BATCH_OP operation = box();
    operation.src.op.ptr.rowLength = 32;
    operation.src.op.ptr.layerHeight = 4;
    EXPECT_EQ(copy_box(operation), CUDA_SUCCESS);
    EXPECT_EQ(byte(16), 32) << "the second row";
    EXPECT_EQ(byte(32), 128) << "the second slice";
    EXPECT_EQ(copy_box(operation, 1), CUDA_ERROR_INVALID_VALUE);
    operation.src.op.ptr.rowLength = 8;
    EXPECT_EQ(copy_box(operation), CUDA_ERROR_INVALID_VALUE);
    operation.src.op.ptr.rowLength = 0;
    operation.src.op.ptr.layerHeight = 1;
    EXPECT_EQ(copy_box(operation), CUDA_ERROR_INVALID_VALUE);
    operation = box();
    operation.extent.depth = 0;
    EXPECT_EQ(copy_box(operation), CUDA_ERROR_INVALID_VALUE);
    operation.extent.depth = 1000;
    EXPECT_EQ(copy_box(operation), CUDA_ERROR_INVALID_VALUE);
    operation = box();
    operation.src.type = static_cast<CUmemcpy3DOperandType>(7);
    EXPECT_EQ(copy_box(operation), CUDA_ERROR_INVALID_VALUE);
    operation = box();
    operation.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
    EXPECT_EQ(copy_box(operation), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpy3DBatchAsync(0, &operation, 0, copy_stream).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpy3DBatchAsync(1, nullptr, 0, copy_stream).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimBatchCopyTest, CountsBoxesOfArraysInElements) {
    const CUDA_ARRAY_DESCRIPTOR descriptor = {16, 4, CU_AD_FORMAT_UNSIGNED_INT16, 1};
    const CUarray array = cuArrayCreate(&descriptor).value;
    CUDA_MEMCPY3D_BATCH_OP operation = box();
    operation.dst = {};
    operation.dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
    operation.dst.op.array.array = array;
    operation.dst.op.array.offset = {8, 1, 0};
    operation.extent = {8, 2, 1};
    EXPECT_EQ(copy_box(operation), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(copy_stream).status, CUDA_SUCCESS);
    CUDA_MEMCPY2D out{};
    std::uint8_t found = 0;
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = array;
    out.srcXInBytes = 16;
    out.srcY = 2;
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = &found;
    out.WidthInBytes = 1;
    out.Height = 1;
    EXPECT_EQ(cuMemcpy2D(&out).status, CUDA_SUCCESS);
    EXPECT_EQ(found, 16);
    operation.extent.width = 9;
    EXPECT_EQ(copy_box(operation), CUDA_ERROR_INVALID_VALUE);
    operation.dst.op.array.array = nullptr;
    EXPECT_EQ(copy_box(operation), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
