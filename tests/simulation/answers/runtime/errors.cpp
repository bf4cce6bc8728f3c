// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "runtime/groups.hpp"

namespace answers {

// The texts are facts that programs compare, so all of them are recorded.
void ask_about_runtime_errors() {
    const auto texts = [](cudaError_t error) -> cubind::Result<cudaError_t, const char*, const char*> {
        return {cudaSuccess, cudaGetErrorName(error), cudaGetErrorString(error)};
    };
    for (int i = 0; i <= 1000; ++i) {
        ask(std::to_string(i).c_str(), [&] { return texts(static_cast<cudaError_t>(i)); });
    }
    for (const int i : {-1, 9999, 10000, 10001, 1 << 20}) {
        ask(std::to_string(i).c_str(), [&] { return texts(static_cast<cudaError_t>(i)); });
    }
}

// Which calls set the error of the thread, and which ones clear it.
void ask_about_runtime_error_state() {
    ASK(cudaPeekAtLastError());
    ASK(cudaGetLastError());
    ASK(cudaMalloc(std::size_t{1} << 60));
    ASK(cudaPeekAtLastError());
    ASK(cudaPeekAtLastError());
    ASK(cudaGetDevice());
    ASK(cudaPeekAtLastError());
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    ASK(cudaSetDevice(99));
    ASK(cudaMalloc(std::size_t{1} << 60));
    ASK(cudaGetLastError());
    ASK(cudaPeekAtLastError());
    const cudaStream_t stream = ASK(cudaStreamCreateWithFlags(cudaStreamNonBlocking)).value;
    const cudaEvent_t event = ASK(cudaEventCreateWithFlags(cudaEventDisableTiming)).value;
    ASK(cudaEventElapsedTime(event, event));
    ASK(cudaGetLastError());
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    ASK(cudaStreamQuery(stream));
    ASK(cudaPeekAtLastError());
    ASK(cudaStreamEndCapture(stream));
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    ASK(cudaMemcpy(nullptr, nullptr, 16, static_cast<cudaMemcpyKind>(9)));
    ASK(cudaGetLastError());
    ASK(cudaFree(bad_pointer));
    ASK(cudaGetLastError());
    ASK(cudaStreamCreateWithFlags(99));
    ASK(cudaStreamDestroy(stream));
    ASK(cudaPeekAtLastError());
    ASK(cudaDeviceSynchronize());
    ASK(cudaGetLastError());
    ASK(cudaGetDeviceProperties(99));
    ASK(cudaGetLastError());
    ASK(cudaDeviceGetAttribute(cudaDevAttrWarpSize, 99));
    ASK(cudaGetLastError());
    ASK(cudaFuncGetAttributes(nullptr));
    ASK(cudaGetLastError());
    // Errors of the driver API are not those of the runtime API.
    ASK(cuMemFree(0x1000));
    ASK(cudaPeekAtLastError());
    ASK(cudaEventQuery(event));
    ASK(cudaEventDestroy(event));
    ASK(cudaPeekAtLastError());
    ASK(cudaDeviceReset());
    ASK(cudaMalloc(std::size_t{1} << 60));
    ASK(cudaDeviceReset());
    ASK(cudaGetLastError());
}

// The last group: the kernel's failure remains until the process ends.
void ask_about_runtime_failures() {
    const cudaLibrary_t library = ASK(cudaLibraryLoadData(runtime_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0)).value;
    const cudaStream_t stream = ASK(cudaStreamCreate()).value;
    const cudaEvent_t event = ASK(cudaEventCreate()).value;
    void* const memory = ASK(cudaMalloc(64)).value;
    const void* const fails = get_kernel(library, "fails");
    ASK(cudaLaunchKernel(fails, {1, 1, 1}, {1, 1, 1}, nullptr, 0, stream));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaPeekAtLastError());
    ASK(cudaGetLastError());
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
    ASK(cudaGetLastError());
    ASK(cudaPeekAtLastError());
    ASK(cudaStreamQuery(stream));
    ASK(cudaEventRecord(event, stream));
    ASK(cudaEventQuery(event));
    ASK(cudaMemcpy(memory, memory, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMalloc(16));
    ASK(cudaFree(memory));
    ASK(cudaFree(nullptr));
    ASK(cudaGetDevice());
    ASK(cudaGetDeviceCount());
    ASK(cudaSetDevice(0));
    ASK(cudaDeviceGetAttribute(cudaDevAttrWarpSize, 0));
    ASK(cudaRuntimeGetVersion());
    ASK(cudaGetDeviceFlags());
    ASK(cudaDeviceGetLimit(cudaLimitStackSize));
    ASK(cudaStreamCreate());
    ASK(cudaEventCreate());
    ASK(cudaGraphCreate());
    ASK(cudaHostAlloc(16, 0));
    ASK(cudaLaunchKernel(fails, {1, 1, 1}, {1, 1, 1}, nullptr, 0, stream));
    ASK(cudaStreamDestroy(stream));
    ASK(cudaEventDestroy(event));
    ASK(cudaLibraryUnload(library));
    ASK(cudaDeviceReset());
    ASK(cudaGetLastError());
    ASK(cudaMalloc(16));
    ASK(cudaDeviceSynchronize());
}

}  // namespace answers
