// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

// 2 MiB is a multiple of every allocation granularity, so that the end of the allocation is also the end of its last page.
constexpr std::size_t size = std::size_t{2} << 20;

void ask_about_fills(CUdeviceptr memory, CUstream stream) {
    ASK(cuMemsetD8(memory, 1, size));
    ASK(cuMemsetD8(memory, 1, 0));
    ASK(cuMemsetD8(0, 1, 0));
    ASK(cuMemsetD8(0, 1, 1));
    ASK(cuMemsetD8(bad_address, 1, 1));
    ASK(cuMemsetD16(memory, 1, 4));
    ASK(cuMemsetD16(memory + 1, 1, 4));
    ASK(cuMemsetD32(memory, 1, 4));
    ASK(cuMemsetD32(memory + 2, 1, 4));
    ASK(cuMemsetD2D8(memory, 64, 1, 32, 4));
    ASK(cuMemsetD2D8(memory, 16, 1, 32, 4));
    ASK(cuMemsetD2D8(memory, 64, 1, 0, 4));
    ASK(cuMemsetD2D8(memory, 64, 1, 32, 0));
    ASK(cuMemsetD2D16(memory, 64, 1, 16, 4));
    ASK(cuMemsetD2D32(memory, 64, 1, 16, 4));
    ASK(cuMemsetD2D32(memory, 62, 1, 15, 4));
    ASK(cuMemsetD8Async(memory, 1, size, stream));
    ASK(cuMemsetD8Async(bad_address, 1, 16, stream));
    ASK(cuMemsetD32Async(memory + 1, 1, 4, stream));
    ASK(cuMemsetD2D32Async(memory, 64, 1, 16, 4, stream));
    ASK(cuStreamSynchronize(stream));
}

void ask_about_linear_copies(CUdeviceptr a, CUdeviceptr b, CUstream stream) {
    static char host[256];
    ASK(cuMemcpyHtoD(a, host, sizeof host));
    ASK(cuMemcpyHtoD(a, nullptr, 16));
    ASK(cuMemcpyHtoD(a, host, 0));
    ASK(cuMemcpyHtoD(0, host, 16));
    ASK(cuMemcpyHtoD(bad_address, host, 16));
    ASK(cuMemcpyDtoH(host, a, sizeof host));
    ASK(cuMemcpyDtoH(nullptr, a, 16));
    ASK(cuMemcpyDtoH(host, bad_address, 16));
    ASK(cuMemcpyDtoH(host, 0, 0));
    ASK(cuMemcpyDtoD(a, b, size));
    ASK(cuMemcpyDtoD(a, a + 16, 256));
    ASK(cuMemcpyDtoD(a, bad_address, 16));
    ASK(cuMemcpyDtoD(bad_address, a, 16));
    ASK(cuMemcpyDtoD(0, 0, 0));
    ASK(cuMemcpy(a, b, 16));
    ASK(cuMemcpy(a, reinterpret_cast<CUdeviceptr>(host), 16));
    ASK(cuMemcpy(reinterpret_cast<CUdeviceptr>(host), a, 16));
    ASK(cuMemcpy(reinterpret_cast<CUdeviceptr>(host), reinterpret_cast<CUdeviceptr>(host + 128), 16));
    ASK(cuMemcpyHtoDAsync(a, host, sizeof host, stream));
    ASK(cuMemcpyDtoHAsync(host, a, sizeof host, stream));
    ASK(cuMemcpyDtoDAsync(a, b, size, stream));
    ASK(cuMemcpyAsync(a, b, size, stream));
    ASK(cuMemcpyHtoDAsync(bad_address, host, sizeof host, stream));
    ASK(cuMemcpyDtoHAsync(host, bad_address, sizeof host, stream));
    ASK(cuMemcpyDtoDAsync(a, bad_address, 16, stream));
    ASK(cuStreamSynchronize(stream));
    const CUcontext context = cuCtxGetCurrent().value;
    ASK(cuMemcpyPeer(a, context, b, context, 16));
    ASK(cuMemcpyPeer(a, nullptr, b, context, 16));
    ASK(cuMemcpyPeerAsync(a, context, b, context, 16, stream));
    ASK(cuStreamSynchronize(stream));
}

void ask_about_2d_copies(CUdeviceptr a, CUdeviceptr b, CUstream stream) {
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = a;
    copy.dstDevice = b;
    copy.srcPitch = copy.dstPitch = 64;
    copy.WidthInBytes = 32;
    copy.Height = 4;
    ASK(cuMemcpy2D(&copy));
    ASK(cuMemcpy2DUnaligned(&copy));
    ASK(cuMemcpy2DAsync(&copy, stream));
    cuStreamSynchronize(stream);  // the following copies do not wait for this stream
    ASK(cuMemcpy2D(nullptr));
    copy.srcPitch = 16;
    ASK(cuMemcpy2D(&copy));
    copy.srcPitch = 0;
    ASK(cuMemcpy2D(&copy));
    copy.srcPitch = 64;
    copy.Height = 0;
    ASK(cuMemcpy2D(&copy));
    copy.Height = 4;
    copy.WidthInBytes = 0;
    ASK(cuMemcpy2D(&copy));
    copy.WidthInBytes = 32;
    copy.srcXInBytes = 48;
    ASK(cuMemcpy2D(&copy));
    copy.srcXInBytes = 0;
    copy.srcMemoryType = static_cast<CUmemorytype>(9);
    ASK(cuMemcpy2D(&copy));
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    ASK(cuMemcpy2D(&copy));
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    ASK(cuMemcpy2D(&copy));
    copy.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    ASK(cuMemcpy2D(&copy));
    copy.srcDevice = bad_address;
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    ASK(cuMemcpy2D(&copy));
    ASK(cuMemcpy2DAsync(&copy, stream));
    ASK(cuStreamSynchronize(stream));
}

void ask_about_3d_copies(CUdeviceptr a, CUdeviceptr b, CUstream stream) {
    CUDA_MEMCPY3D copy{};
    copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = a;
    copy.dstDevice = b;
    copy.srcPitch = copy.dstPitch = 64;
    copy.srcHeight = copy.dstHeight = 8;
    copy.WidthInBytes = 32;
    copy.Height = 4;
    copy.Depth = 2;
    ASK(cuMemcpy3D(&copy));
    ASK(cuMemcpy3DAsync(&copy, stream));
    cuStreamSynchronize(stream);  // the following copies do not wait for this stream
    ASK(cuMemcpy3D(nullptr));
    copy.Depth = 0;
    ASK(cuMemcpy3D(&copy));
    copy.Depth = 2;
    copy.srcHeight = 2;
    ASK(cuMemcpy3D(&copy));
    copy.srcHeight = 0;
    ASK(cuMemcpy3D(&copy));
    copy.srcHeight = 8;
    copy.srcLOD = 1;
    ASK(cuMemcpy3D(&copy));
    copy.srcLOD = 0;
    copy.srcZ = 1 << 20;
    ASK(cuMemcpy3D(&copy));
    ASK(cuStreamSynchronize(stream));
}

void ask_about_batches(CUdeviceptr a, CUdeviceptr b, CUstream stream) {
    CUdeviceptr to[] = {a, a + 1024};
    CUdeviceptr from[] = {b, b + 1024};
    std::size_t sizes[] = {512, 512};
    CUmemcpyAttributes attributes{};
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    std::size_t first = 0;
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    ASK(cuMemcpyBatchAsync_v1(to, from, sizes, 2, &attributes, &first, 1, stream));
    ASK(cuMemcpyBatchAsync(to, from, sizes, 0, &attributes, &first, 1, stream));
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 0, stream));
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, nullptr, &first, 1, stream));
    cuStreamSynchronize(stream);  // the default stream does not wait for this one
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, nullptr));
    cuStreamSynchronize(nullptr);
    first = 1;
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    first = 0;
    attributes.srcAccessOrder = static_cast<CUmemcpySrcAccessOrder>(9);
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    attributes.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
    attributes.flags = 99;
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    attributes.flags = 0;
    sizes[1] = 0;
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    sizes[1] = 512;
    from[1] = bad_address;
    ASK(cuMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    ASK(cuStreamSynchronize(stream));
}

}  // namespace

void ask_about_copies() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr a = cuMemAlloc(size).value;
    const CUdeviceptr b = cuMemAlloc(size).value;
    ask_about_fills(a, stream);
    ask_about_linear_copies(a, b, stream);
    ask_about_2d_copies(a, b, stream);
    ask_about_3d_copies(a, b, stream);
    ask_about_batches(a, b, stream);
}

}  // namespace answers
