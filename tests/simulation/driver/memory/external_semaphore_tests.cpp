// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "external_test.hpp"

namespace cubind::testing {
namespace {

class SimExternalSemaphoreTest : public SimTest {
protected:
    static constexpr auto timeline = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;

    static auto import_file(int file, CUexternalSemaphoreHandleType type) {
        CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC description{};
        description.type = type;
        description.handle.fd = file;
        return cuImportExternalSemaphore(&description);
    }
    static CUresult signal(CUexternalSemaphore semaphore, unsigned long long value, CUstream stream, unsigned flags = 0) {
        CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
        parameters.params.fence.value = value;
        parameters.flags = flags;
        return cuSignalExternalSemaphoresAsync(&semaphore, &parameters, 1, stream).status;
    }
    static CUresult wait(CUexternalSemaphore semaphore, unsigned long long value, CUstream stream) {
        CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
        parameters.params.fence.value = value;
        return cuWaitExternalSemaphoresAsync(&semaphore, &parameters, 1, stream).status;
    }
};

TEST_F(SimExternalSemaphoreTest, HasItsStateInTheFile) {
    const int file = create_file(8);
    const int second = dup(file);
    const auto [status, semaphore] = import_file(file, timeline);
    ASSERT_EQ(status, CUDA_SUCCESS);
    const CUstream stream = create_stream();
    EXPECT_EQ(signal(semaphore, 9, stream), CUDA_SUCCESS);
    EXPECT_EQ(signal(semaphore, 4, stream), CUDA_SUCCESS);
    EXPECT_EQ(wait(semaphore, 9, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    std::uint64_t value = 0;
    EXPECT_EQ(pread(second, &value, 8, 0), 8);
    EXPECT_EQ(value, 9u) << "a timeline does not go back";
    EXPECT_EQ(wait(semaphore, 10, stream), CUDA_SUCCESS);
    EXPECT_EQ(cuStreamQuery(stream).status, CUDA_ERROR_NOT_READY);
    EXPECT_EQ(cuDestroyExternalSemaphore(semaphore).status, CUDA_SUCCESS);  // the work in flight retains it
    value = 10;
    EXPECT_EQ(pwrite(second, &value, 8, 0), 8);
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(signal(semaphore, 11, stream), CUDA_ERROR_INVALID_HANDLE);
    close(second);
}

TEST_F(SimExternalSemaphoreTest, EndsAWaitWhenTheContextIsDestroyed) {
    const CUexternalSemaphore semaphore = import_file(create_file(8), timeline).value;
    EXPECT_EQ(wait(semaphore, 1, create_stream()), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
}

TEST_F(SimExternalSemaphoreTest, RefusesInvalidArguments) {
    const int small = create_file(7);
    EXPECT_EQ(import_file(small, timeline).status, CUDA_ERROR_UNKNOWN);
    EXPECT_TRUE(is_open(small));
    close(small);
    const int file = create_file(8);
    EXPECT_EQ(import_file(file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC).status, CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(cuImportExternalSemaphore(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    const CUexternalSemaphore semaphore = import_file(file, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD).value;
    EXPECT_EQ(signal(semaphore, 0, nullptr, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuSignalExternalSemaphoresAsync(&semaphore, nullptr, 1, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuWaitExternalSemaphoresAsync(nullptr, nullptr, 0, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuDestroyExternalSemaphore(nullptr).status, CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace cubind::testing
