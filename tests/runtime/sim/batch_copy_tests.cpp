// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_test.hpp"

#include <numeric>

namespace cubind::testing {
namespace {

class SimBatchCopy : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        std::iota(host.begin(), host.end(), std::uint8_t{0});
        memory = allocate(256);
        there = stream();
        ASSERT_EQ(cuMemsetD8(memory, 0xff, 256).status, CUDA_SUCCESS);
        in_order.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        to = {memory, memory + 128};
        from = {reinterpret_cast<CUdeviceptr>(host.data()), reinterpret_cast<CUdeviceptr>(host.data()) + 64};
    }
    CUresult copy() { return copy(there); }
    CUresult copy(CUstream stream) {
        return cuMemcpyBatchAsync(to.data(), from.data(), sizes.data(), to.size(), attributes.data(), first.data(),
                                  attributes.size(), stream)
            .status;
    }
    std::uint8_t byte(std::size_t offset) const {
        EXPECT_EQ(cuStreamSynchronize(there).status, CUDA_SUCCESS);
        std::uint8_t found = 0;
        EXPECT_EQ(cuMemcpyDtoH(&found, memory + offset, 1).status, CUDA_SUCCESS);
        return found;
    }
    CUresult copy_box(const CUDA_MEMCPY3D_BATCH_OP& box, unsigned long long flags = 0) const {
        CUDA_MEMCPY3D_BATCH_OP list[] = {box};
        return cuMemcpy3DBatchAsync(1, list, flags, there).status;
    }
    /// Two slices of two rows of sixteen bytes.
    CUDA_MEMCPY3D_BATCH_OP box() const {
        CUDA_MEMCPY3D_BATCH_OP made{};
        made.src.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
        made.src.op.ptr.ptr = from[0];
        made.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
        made.dst.op.ptr.ptr = memory;
        made.extent = {16, 2, 2};
        made.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
        return made;
    }

    std::vector<std::uint8_t> host = std::vector<std::uint8_t>(256);
    CUdeviceptr memory = 0;
    CUstream there = nullptr;
    CUmemcpyAttributes in_order{};
    std::vector<CUdeviceptr> to;
    std::vector<CUdeviceptr> from;
    std::vector<std::size_t> sizes = {64, 64};
    std::vector<CUmemcpyAttributes> attributes = std::vector<CUmemcpyAttributes>(1);
    std::vector<std::size_t> first = {0};
};

TEST_F(SimBatchCopy, MakesEveryCopy) {
    attributes = {in_order};
    EXPECT_EQ(copy(), CUDA_SUCCESS);
    EXPECT_EQ(byte(63), 63);
    EXPECT_EQ(byte(64), 0xff);
    EXPECT_EQ(byte(128), 64);
    EXPECT_EQ(copy(nullptr), CUDA_ERROR_INVALID_VALUE) << "the legacy default stream takes none";
    EXPECT_EQ(copy(CU_STREAM_PER_THREAD), CUDA_SUCCESS);
}

TEST_F(SimBatchCopy, MakesAllOrNone) {
    attributes = {in_order};
    sizes[1] = 129;
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(byte(0), 0xff);
    auto [status, failed] = cuMemcpyBatchAsync_v1(to.data(), from.data(), sizes.data(), 2, attributes.data(), first.data(), 1, there);
    EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(failed, 1u);
    sizes[1] = 0;
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    sizes[1] = 64;
    to[1] = 0;
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimBatchCopy, AttributesHaveRules) {
    attributes = {in_order, in_order};
    first = {0, 1};
    EXPECT_EQ(copy(), CUDA_SUCCESS);
    for (const auto& wrong : {std::vector<std::size_t>{0, 0}, {0, 2}, {1, 2}}) {
        first = wrong;
        EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    }
    first = {0};
    attributes = {CUmemcpyAttributes{}};
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE) << "no order";
    attributes = {in_order};
    attributes[0].flags = 2;
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    attributes = {};
    EXPECT_EQ(copy(), CUDA_ERROR_INVALID_VALUE);
    attributes = {in_order};
    EXPECT_EQ(cuMemcpyBatchAsync(nullptr, from.data(), sizes.data(), 2, attributes.data(), first.data(), 1, there).status,
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpyBatchAsync(to.data(), from.data(), sizes.data(), 0, attributes.data(), first.data(), 1, there).status,
              CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimBatchCopy, ReadsDuringTheCallWhatMayChangeAfterIt) {
    const CUdeviceptr source = allocate(16);
    ASSERT_EQ(cuMemsetD8(source, 1, 16).status, CUDA_SUCCESS);
    CUmemcpyAttributes at_once = in_order;
    at_once.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    {
        Gate gate(there);
        EXPECT_EQ(cuMemcpyWithAttributesAsync(memory, source, 16, &at_once, there).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemcpyWithAttributesAsync(memory + 16, source, 16, &in_order, there).status, CUDA_SUCCESS);
        ASSERT_EQ(cuMemsetD8Async(source, 2, 16, CU_STREAM_PER_THREAD).status, CUDA_SUCCESS);
        ASSERT_EQ(cuStreamSynchronize(CU_STREAM_PER_THREAD).status, CUDA_SUCCESS);
    }
    EXPECT_EQ(byte(0), 1);
    EXPECT_EQ(byte(16), 2);
    EXPECT_EQ(cuMemcpyWithAttributesAsync(memory, source, 16, nullptr, there).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimBatchCopy, Boxes) {
    CUDA_MEMCPY3D_BATCH_OP each = box();
    each.src.op.ptr.rowLength = 32;
    each.src.op.ptr.layerHeight = 4;
    EXPECT_EQ(copy_box(each), CUDA_SUCCESS);
    EXPECT_EQ(byte(16), 32) << "the second row";
    EXPECT_EQ(byte(32), 128) << "the second slice";
    EXPECT_EQ(copy_box(each, 1), CUDA_ERROR_INVALID_VALUE);
    each.src.op.ptr.rowLength = 8;
    EXPECT_EQ(copy_box(each), CUDA_ERROR_INVALID_VALUE);
    each.src.op.ptr.rowLength = 0;
    each.src.op.ptr.layerHeight = 1;
    EXPECT_EQ(copy_box(each), CUDA_ERROR_INVALID_VALUE);
    each = box();
    each.extent.depth = 0;
    EXPECT_EQ(copy_box(each), CUDA_ERROR_INVALID_VALUE);
    each.extent.depth = 1000;
    EXPECT_EQ(copy_box(each), CUDA_ERROR_INVALID_VALUE);
    each = box();
    each.src.type = static_cast<CUmemcpy3DOperandType>(7);
    EXPECT_EQ(copy_box(each), CUDA_ERROR_INVALID_VALUE);
    each = box();
    each.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
    EXPECT_EQ(copy_box(each), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpy3DBatchAsync(0, &each, 0, there).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuMemcpy3DBatchAsync(1, nullptr, 0, there).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimBatchCopy, BoxesOfArraysCountElements) {
    const CUDA_ARRAY_DESCRIPTOR descriptor = {16, 4, CU_AD_FORMAT_UNSIGNED_INT16, 1};
    const CUarray array = cuArrayCreate(&descriptor).value;
    CUDA_MEMCPY3D_BATCH_OP each = box();
    each.dst = {};
    each.dst.type = CU_MEMCPY_OPERAND_TYPE_ARRAY;
    each.dst.op.array.array = array;
    each.dst.op.array.offset = {8, 1, 0};
    each.extent = {8, 2, 1};
    EXPECT_EQ(copy_box(each), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(there).status, CUDA_SUCCESS);
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
    each.extent.width = 9;
    EXPECT_EQ(copy_box(each), CUDA_ERROR_INVALID_VALUE);
    each.dst.op.array.array = nullptr;
    EXPECT_EQ(copy_box(each), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
