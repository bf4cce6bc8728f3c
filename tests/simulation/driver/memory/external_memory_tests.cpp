// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include <cstddef>

#include "external_test.hpp"

namespace cubind::testing {
namespace {

class SimExternalMemoryTest : public SimTest {
protected:
    static constexpr std::size_t size = 16384;

    static auto import_file(int file, unsigned long long bytes = size, unsigned flags = 0,
                            CUexternalMemoryHandleType type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD) {
        CUDA_EXTERNAL_MEMORY_HANDLE_DESC description{};
        description.type = type;
        description.handle.fd = file;
        description.size = bytes;
        description.flags = flags;
        return cuImportExternalMemory(&description);
    }
    static auto map(CUexternalMemory memory, unsigned long long offset, unsigned long long bytes, unsigned flags = 0) {
        const CUDA_EXTERNAL_MEMORY_BUFFER_DESC description{offset, bytes, flags, {}};
        return cuExternalMemoryGetMappedBuffer(memory, &description);
    }
};

TEST_F(SimExternalMemoryTest, MapsPartsOfAFile) {
    const int file = create_file(size);
    const int second = dup(file);
    const auto [status, memory] = import_file(file, size, CUDA_EXTERNAL_MEMORY_DEDICATED);
    ASSERT_EQ(status, CUDA_SUCCESS);
    const CUdeviceptr all = map(memory, 0, size).value;
    const CUdeviceptr part = map(memory, 5000, 8).value;
    EXPECT_EQ(cuMemsetD8(all, 6, size).status, CUDA_SUCCESS);
    unsigned char values[8] = {};
    EXPECT_EQ(cuMemcpyDtoH(values, part, 8).status, CUDA_SUCCESS);
    EXPECT_EQ(values[7], 6);
    EXPECT_EQ(cuMemcpyDtoH(values, part + 1, 8).status, CUDA_ERROR_INVALID_VALUE) << "the mapping has 8 bytes";
    unsigned char last = 0;
    EXPECT_EQ(pread(second, &last, 1, size - 1), 1);
    EXPECT_EQ(last, 6);
    EXPECT_NE(ftruncate(second, 0), 0) << "the file cannot shrink while it is mapped";
    EXPECT_EQ(cuDestroyExternalMemory(memory).status, CUDA_SUCCESS);
    EXPECT_FALSE(is_open(file));
    EXPECT_EQ(cuDestroyExternalMemory(memory).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuMemFree(part).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemFree(all).status, CUDA_SUCCESS);
    EXPECT_EQ(cuMemcpyDtoH(values, part, 8).status, CUDA_ERROR_INVALID_VALUE);
    close(second);
}

TEST_F(SimExternalMemoryTest, RefusesOtherFilesAndLeavesThemOpen) {
    for (const int file : {create_file(size - 1), create_file(size, 0), open("/dev/null", O_RDWR)}) {
        EXPECT_EQ(import_file(file).status, CUDA_ERROR_UNKNOWN);
        EXPECT_TRUE(is_open(file));
        close(file);
    }
    EXPECT_EQ(import_file(-1).status, CUDA_ERROR_UNKNOWN);
    const int file = create_file(size);
    EXPECT_EQ(import_file(file, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(import_file(file, size, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(import_file(file, size, 0, CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuImportExternalMemory(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(import_file(file).status, CUDA_ERROR_INVALID_CONTEXT);
    close(file);
}

TEST_F(SimExternalMemoryTest, RefusesPartsOutsideTheMemory) {
    const CUexternalMemory memory = import_file(create_file(size + 4096)).value;
    EXPECT_EQ(map(memory, 1, size).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(map(memory, ~0ull, 2).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(map(memory, 0, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(map(memory, 0, 8, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(map(nullptr, 0, 8).status, CUDA_ERROR_INVALID_HANDLE);
    CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC image{};
    image.arrayDesc = {32, 32, 0, CU_AD_FORMAT_FLOAT, 4, 0};  // 16384 bytes
    image.numLevels = 2;
    const auto map_image = [&] { return cuExternalMemoryGetMappedMipmappedArray(memory, &image).status; };
    EXPECT_EQ(map_image(), CUDA_ERROR_INVALID_VALUE) << "the second level is not within the memory";
    image.numLevels = 0;
    EXPECT_EQ(map_image(), CUDA_ERROR_INVALID_VALUE);
    image.numLevels = 7;
    EXPECT_EQ(map_image(), CUDA_ERROR_INVALID_VALUE);
    image.numLevels = 1;
    image.arrayDesc.NumChannels = 3;
    EXPECT_EQ(map_image(), CUDA_ERROR_INVALID_VALUE);
    image.arrayDesc.NumChannels = 4;
    EXPECT_EQ(map_image(), CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
