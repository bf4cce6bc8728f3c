// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program written against <cuda.h> that does not use cubind.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

void check(CUresult status, const char* call) {
    if (status == CUDA_SUCCESS) return;
    const char* name = nullptr;
    cuGetErrorName(status, &name);
    std::fprintf(stderr, "%s: %s\n", call, name);
    std::exit(1);
}

#define CHECK(call) check(call, #call)

void expect(bool is_true, const char* statement) {
    if (is_true) return;
    std::fprintf(stderr, "check failed: %s\n", statement);
    std::exit(1);
}

void query_devices() {
    int count = 0;
    CHECK(cuDeviceGetCount(&count));
    expect(count == 2, "two devices");
    for (int i = 0; i < count; ++i) {
        CUdevice device = 0;
        CHECK(cuDeviceGet(&device, i));
        char name[100];
        CHECK(cuDeviceGetName(name, sizeof name, device));
        std::size_t memory = 0;
        CHECK(cuDeviceTotalMem(&memory, device));
        int major = 0;
        CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
        std::printf("device %d: %s, %zu bytes, compute capability %d\n", i, name, memory, major);
    }
}

void copy_in_order() {
    constexpr std::size_t count = 1 << 16;
    std::vector<int> in(count);
    std::iota(in.begin(), in.end(), 0);
    int* out = nullptr;
    CHECK(cuMemHostAlloc(reinterpret_cast<void**>(&out), count * sizeof(int), 0));
    CUdeviceptr a = 0;
    CUdeviceptr b = 0;
    CHECK(cuMemAlloc(&a, count * sizeof(int)));
    CHECK(cuMemAlloc(&b, count * sizeof(int)));
    CUstream first = nullptr;
    CUstream second = nullptr;
    CHECK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    CUevent start = nullptr;
    CUevent copied = nullptr;
    CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&copied, CU_EVENT_DEFAULT));
    CHECK(cuEventRecord(start, first));
    CHECK(cuMemcpyHtoDAsync(a, in.data(), count * sizeof(int), first));
    CHECK(cuEventRecord(copied, first));
    CHECK(cuStreamWaitEvent(second, copied, 0));
    CHECK(cuMemcpyDtoDAsync(b, a, count * sizeof(int), second));
    CHECK(cuMemcpyDtoHAsync(out, b, count * sizeof(int), second));
    CHECK(cuStreamSynchronize(second));
    expect(std::equal(in.begin(), in.end(), out), "the copied data is unchanged");
    float milliseconds = -1;
    CHECK(cuEventElapsedTime(&milliseconds, start, copied));
    expect(milliseconds >= 0, "elapsed time is not negative");
    expect(cuMemcpyHtoD(a, in.data(), count * sizeof(int) + 1) == CUDA_ERROR_INVALID_VALUE, "a copy out of range fails");
    CHECK(cuMemFree(a));
    expect(cuMemFree(a) == CUDA_ERROR_INVALID_VALUE, "freeing twice fails");
    CHECK(cuMemFree(b));
    CHECK(cuMemFreeHost(out));
    CHECK(cuEventDestroy(start));
    CHECK(cuEventDestroy(copied));
    CHECK(cuStreamDestroy(first));
    CHECK(cuStreamDestroy(second));
}

}  // namespace

int main() {
    CHECK(cuInit(0));
    query_devices();
    CUcontext context = nullptr;
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    copy_in_order();
    CHECK(cuDevicePrimaryCtxRelease(0));
    std::puts("all checks passed");
}
