// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "runtime/groups.hpp"

namespace answers {

void ask_about_runtime_host_memory() {
    constexpr std::size_t bytes = 4096;
    ASK(cudaMallocHost(0));
    void* const pinned = ASK(cudaMallocHost(bytes)).value;
    ASK(cudaHostAlloc(0, 0));
    for (unsigned flags = 0; flags <= 8; ++flags) {
        const auto memory =
            ask(("cudaHostAlloc flags " + std::to_string(flags)).c_str(), [&] { return cudaHostAlloc(bytes, flags); });
        if (memory.ok()) ASK(cudaHostGetFlags(memory.value));
    }
    ASK(cudaHostAlloc(bytes, 0xffff));
    ASK(cudaHostAlloc(std::size_t{1} << 60, 0));
    ASK(cudaHostGetFlags(pinned));
    ASK(cudaHostGetDevicePointer(pinned, 0));
    REPORT(cudaHostGetDevicePointer(pinned, 0).value == pinned);
    REPORT(cudaHostGetDevicePointer(static_cast<char*>(pinned) + 8, 0).value == static_cast<char*>(pinned) + 8);
    ASK(cudaHostGetDevicePointer(pinned, 1));
    ASK(cudaPointerGetAttributes(pinned));
    ASK(cudaHostUnregister(pinned));
    ASK(cudaFree(pinned));
    ASK(cudaFreeHost(static_cast<char*>(pinned) + 8));
    void* const pages = std::aligned_alloc(bytes, 8 * bytes);
    char* const middle = static_cast<char*>(pages) + 2 * bytes;
    ASK(cudaHostGetFlags(pages));
    ASK(cudaHostGetDevicePointer(pages, 0));
    ASK(cudaHostUnregister(pages));
    ASK(cudaFreeHost(pages));
    ASK(cudaHostRegister(pages, 0, 0));
    ASK(cudaHostRegister(pages, bytes, 99));
    ASK(cudaHostRegister(pages, 8 * bytes, cudaHostRegisterDefault));
    ASK(cudaHostRegister(pages, 8 * bytes, cudaHostRegisterDefault));
    ASK(cudaHostRegister(middle, bytes, cudaHostRegisterDefault));
    ASK(cudaHostGetFlags(pages));
    ASK(cudaHostGetDevicePointer(middle, 0));
    ASK(cudaPointerGetAttributes(middle));
    ASK(cudaHostUnregister(middle));
    ASK(cudaFreeHost(pages));
    ASK(cudaHostUnregister(pages));
    ASK(cudaHostUnregister(pages));
    ASK(cudaPointerGetAttributes(pages));
    ASK(cudaHostRegister(middle + 100, 100, cudaHostRegisterPortable));
    ASK(cudaHostGetFlags(middle + 100));
    ASK(cudaHostGetFlags(middle));
    ASK(cudaHostUnregister(middle));
    ASK(cudaHostUnregister(middle + 100));
    ASK(cudaHostRegister(pages, bytes, cudaHostRegisterMapped));
    ASK(cudaHostGetFlags(pages));
    ASK(cudaHostUnregister(pages));
    ASK(cudaHostRegister(pages, bytes, cudaHostRegisterReadOnly));
    ASK(cudaHostUnregister(pages));
    ASK(cudaHostRegister(pinned, bytes, cudaHostRegisterDefault));
    void* const device = cudaMalloc(bytes).value;
    ASK(cudaHostRegister(device, bytes, cudaHostRegisterDefault));
    ASK(cudaHostGetFlags(device));
    ASK(cudaHostGetDevicePointer(device, 0));
    ASK(cudaFreeHost(device));
    ASK(cudaHostUnregister(device));
    ASK(cudaFreeHost(pinned));
    ASK(cudaFreeHost(pinned));
    ASK(cudaFreeHost(nullptr));
    ASK(cudaGetLastError());
    ASK(cudaHostRegister(nullptr, bytes, 0));
    ASK(cudaHostUnregister(nullptr));
    ASK(cudaHostGetFlags(nullptr));
    ASK(cudaHostGetDevicePointer(nullptr, 0));
}

}  // namespace answers
