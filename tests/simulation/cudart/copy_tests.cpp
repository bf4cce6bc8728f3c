// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

/// Copies in a stream, of two rows of two integers at a pitch of 16 bytes to device memory.
class CudartCopyTest : public ::testing::Test {
protected:
    void expect(const std::vector<int>& values) {
        EXPECT_EQ(cudaStreamSynchronize(stream).status, cudaSuccess);
        EXPECT_EQ(read<int>(memory, values.size()), values);
    }
    cudaArray_t array() {
        const cudaChannelFormatDesc integers{32, 0, 0, 0, cudaChannelFormatKindSigned};
        return cudaMallocArray(&integers, 2, 2, 0).value;
    }

    int rows[8] = {1, 2, 0, 0, 3, 4, 0, 0};
    void* memory = write(std::vector<int>(4));
    cudaStream_t stream = cudaStreamCreate().value;
};

TEST_F(CudartCopyTest, CopiesRows) {
    EXPECT_EQ(cudaMemcpy2DAsync(memory, 8, rows, 16, 8, 2, cudaMemcpyHostToDevice, stream).status, cudaSuccess);
    expect({1, 2, 3, 4});
    EXPECT_EQ(cudaMemcpy2DAsync(memory, 4, rows, 16, 8, 2, cudaMemcpyHostToDevice, stream).status, cudaErrorInvalidPitchValue);
}

TEST_F(CudartCopyTest, CopiesToAndFromArrays) {
    const cudaArray_t image = array();
    EXPECT_EQ(cudaMemcpy2DToArrayAsync(image, 0, 0, rows, 16, 8, 2, cudaMemcpyHostToDevice, stream).status, cudaSuccess);
    EXPECT_EQ(cudaMemcpy2DFromArrayAsync(memory, 8, image, 0, 0, 8, 2, cudaMemcpyDeviceToDevice, stream).status, cudaSuccess);
    expect({1, 2, 3, 4});
}

TEST_F(CudartCopyTest, CopiesBoxes) {
    cudaMemcpy3DParms box{};
    box.srcPtr = {rows, 16, 8, 2};
    box.dstPtr = {memory, 8, 8, 2};
    box.extent = {8, 2, 1};
    box.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaMemcpy3DAsync(&box, stream).status, cudaSuccess);
    expect({1, 2, 3, 4});
    EXPECT_EQ(cudaMemcpy3DAsync(nullptr, stream).status, cudaErrorInvalidValue);
}

TEST_F(CudartCopyTest, CopiesBetweenDevices) {
    void* const source = write(std::vector<int>{5, 6, 7, 8});
    EXPECT_EQ(cudaSetDevice(1).status, cudaSuccess);
    void* const other = allocate(16);
    EXPECT_EQ(cudaSetDevice(0).status, cudaSuccess);
    EXPECT_EQ(cudaMemcpyPeerAsync(other, 1, source, 0, 16, stream).status, cudaSuccess);
    EXPECT_EQ(cudaMemcpyPeerAsync(other, 9, source, 0, 16, stream).status, cudaErrorInvalidDevice);
    cudaMemcpy3DPeerParms box{};
    box.srcPtr = {other, 8, 8, 2};
    box.dstPtr = {memory, 8, 8, 2};
    box.extent = {8, 1, 1};
    box.srcDevice = 1;
    EXPECT_EQ(cudaMemcpy3DPeerAsync(&box, stream).status, cudaSuccess);
    expect({5, 6, 0, 0});
    box.extent.height = 2;
    EXPECT_EQ(cudaMemcpy3DPeer(&box).status, cudaSuccess);
    expect({5, 6, 7, 8});
    box.srcDevice = 9;
    EXPECT_EQ(cudaMemcpy3DPeer(&box).status, cudaErrorInvalidDevice);
    EXPECT_EQ(cudaMemcpy3DPeer(nullptr).status, cudaErrorInvalidValue);
}

TEST_F(CudartCopyTest, CopiesWithinADevice) {
    void* const source = write(std::vector<int>{5, 6, 7, 8});
    EXPECT_EQ(cudaMemcpyAsync(memory, source, 8, cudaMemcpyDeviceToDevice, stream).status, cudaSuccess);
    expect({5, 6, 0, 0});
    EXPECT_EQ(cudaMemcpyAsync(memory, source, 16, cudaMemcpyDefault, stream).status, cudaSuccess);
    expect({5, 6, 7, 8});
}

TEST_F(CudartCopyTest, CopiesBatches) {
    void* const source = write(std::vector<int>{5, 6, 7, 8});
    const void* sources[] = {source, static_cast<int*>(source) + 2};
    void* destinations[] = {static_cast<int*>(memory) + 2, memory};
    const std::size_t sizes[] = {8, 8};
    cudaMemcpyAttributes attributes{};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    std::size_t first = 0;
    EXPECT_EQ(cudaMemcpyBatchAsync(destinations, sources, sizes, 2, &attributes, &first, 1, stream).status, cudaSuccess);
    expect({7, 8, 5, 6});
    EXPECT_EQ(cudaMemcpyWithAttributesAsync(memory, source, 4, &attributes, stream).status, cudaSuccess);
    expect({5, 8, 5, 6});
}

}  // namespace
}  // namespace cubind::testing
