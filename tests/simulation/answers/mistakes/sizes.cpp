// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "mistakes/groups.hpp"

namespace answers {

namespace {

void ask_about_copies(CUdeviceptr memory, CUstream stream) {
    static char host[4096];
    const CUdeviceptr last = memory + unit - 16;  // 16 bytes are left
    ASK(cuMemcpyHtoD(last, host, 16));
    ASK(cuMemcpyHtoD(last, host, 17));
    ASK(cuMemcpyDtoH(host, last, 17));
    ASK(cuMemcpyDtoD(last, memory, 17));
    ASK(cuMemcpyDtoD(memory, last, 17));
    ASK(cuMemcpyDtoDAsync(last, memory, 17, stream));
    ASK(cuMemcpy(memory, last, 17));
    ASK(cuMemsetD8(last, 1, 17));
    ASK(cuMemsetD32(last, 1, 5));
    ASK(cuMemsetD16(memory + 1, 1, 1));
    ASK(cuMemsetD32(memory + 2, 1, 1));
    ASK(cuMemsetD8Async(last, 1, 17, stream));
    ASK(cuMemsetD2D8(last, 64, 1, 16, 2));
    ASK(cuMemsetD2D8(memory, 8, 1, 16, 2));
    CUDA_MEMCPY2D plane{};
    plane.srcMemoryType = CU_MEMORYTYPE_HOST;
    plane.srcHost = host;
    plane.srcPitch = 64;
    plane.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    plane.dstDevice = memory;
    plane.dstPitch = 64;
    plane.WidthInBytes = 65;
    plane.Height = 4;
    ask("cuMemcpy2D of rows wider than the pitch", [&] { return cuMemcpy2D(&plane); });
    plane.WidthInBytes = 64;
    plane.dstDevice = last;
    ask("cuMemcpy2D beyond the allocation", [&] { return cuMemcpy2D(&plane); });
    plane.dstDevice = memory;
    plane.dstPitch = std::size_t{1} << 40;
    ask("cuMemcpy2D with a pitch beyond the limit", [&] { return cuMemcpy2D(&plane); });
    ASK(cuStreamSynchronize(stream));
}

void ask_about_arrays() {
    static char host[4096];
    CUDA_ARRAY_DESCRIPTOR shape{32, 16, CU_AD_FORMAT_FLOAT, 1};
    const CUarray array = cuArrayCreate(&shape).value;
    CUDA_MEMCPY2D plane{};
    plane.srcMemoryType = CU_MEMORYTYPE_HOST;
    plane.srcHost = host;
    plane.srcPitch = 128;
    plane.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    plane.dstArray = array;
    plane.WidthInBytes = 128;
    plane.Height = 16;
    ask("cuMemcpy2D of a whole array", [&] { return cuMemcpy2D(&plane); });
    plane.Height = 17;
    ask("cuMemcpy2D of more rows than an array has", [&] { return cuMemcpy2D(&plane); });
    plane.Height = 16;
    plane.dstXInBytes = 4;
    ask("cuMemcpy2D beyond the rows of an array", [&] { return cuMemcpy2D(&plane); });
    plane.dstXInBytes = 2;
    plane.WidthInBytes = 4;
    ask("cuMemcpy2D of a part of an element", [&] { return cuMemcpy2D(&plane); });
    ASK(cuMemcpyHtoA(array, 0, host, 128));
    ASK(cuMemcpyHtoA(array, 0, host, 2048));
    ASK(cuMemcpyHtoA(array, 124, host, 8));
    shape.Width = 0;
    ask("cuArrayCreate without a width", [&] { return cuArrayCreate(&shape); });
    shape.Width = std::size_t{1} << 30;
    ask("cuArrayCreate beyond the limit of the width", [&] { return cuArrayCreate(&shape); });
    shape = {32, 16, CU_AD_FORMAT_FLOAT, 3};
    ask("cuArrayCreate with three channels", [&] { return cuArrayCreate(&shape); });
}

void ask_about_launches(CUstream stream) {
    const CUfunction nothing = load_kernel("nothing");
    const CUfunction shared = load_kernel("store_shared");
    ASK(cuLaunchKernel(nothing, 1, 1, 1, 0, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(nothing, 0, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(nothing, 1, 1, 1, 1024, 2, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 65, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(nothing, 1, 65536, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(nothing, 1, 1, 65536, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 49153, stream, nullptr, nullptr));
    ASK(cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232449));
    ASK(cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1));
    ASK(cuFuncSetAttribute(nothing, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
    ASK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 232448, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 232449, stream, nullptr, nullptr));
    ASK(cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448));
    ASK(cuFuncSetAttribute(shared, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 232448 - 1024));
    ASK(cuLaunchKernel(shared, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    CUdeviceptr offset = 0;
    std::size_t bytes = 4;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &offset, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    ask("a launch with a half of its parameters",
        [&] { return cuLaunchKernel(shared, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, extra); });
    ASK(cuLaunchCooperativeKernel(nothing, 1 << 20, 1, 1, 1024, 1, 1, 0, stream, nullptr));
    ASK(cuStreamSynchronize(stream));
}

}  // namespace

void ask_about_wrong_sizes() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr memory = cuMemAlloc(unit).value;
    ASK(cuMemAlloc(0));
    ASK(cuMemAlloc(std::size_t{1} << 50));
    ASK(cuMemAllocAsync(0, stream));
    ASK(cuMemAllocAsync(std::size_t{1} << 50, stream));
    ASK(cuMemAllocManaged(0, CU_MEM_ATTACH_GLOBAL));
    ASK(cuMemHostAlloc(0, 0));
    ASK(cuMemAllocPitch(64, 0, 4));
    ASK(cuMemAllocPitch(64, 4, 5));
    ask_about_copies(memory, stream);
}

void ask_about_wrong_shapes() {
    use_device();
    ask_about_arrays();
    ask_about_launches(cuStreamCreate(CU_STREAM_NON_BLOCKING).value);
}

}  // namespace answers
