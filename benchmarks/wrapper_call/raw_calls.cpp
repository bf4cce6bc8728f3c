// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "raw_calls.hpp"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace raw {
namespace {

using namespace cubind::driver;

struct Functions {
    CUresult (*mem_alloc)(CUdeviceptr*, std::size_t);
    CUresult (*device_get_count)(int*);
    CUresult (*mem_get_info)(std::size_t*, std::size_t*);
    CUresult (*event_record)(CUevent, CUstream);
    CUresult (*launch_kernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**,
                              void**);
};

Functions functions;
CUresult latest_failure = CUDA_SUCCESS;

[[gnu::cold, gnu::noinline]] CUresult failed(CUresult status) {
    latest_failure = status;
    return status;
}

CUresult checked(CUresult status) {
    if (status != CUDA_SUCCESS) [[unlikely]]
        return failed(status);
    return status;
}

template <class Function>
void find(void* library, const char* symbol, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, symbol));
    if (function != nullptr) return;
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
}

}  // namespace

void load(const char* path) {
    void* const library = dlopen(path, RTLD_NOW);
    if (library == nullptr) {
        std::fprintf(stderr, "%s\n", dlerror());
        std::exit(1);
    }
    find(library, "cuMemAlloc_v2", functions.mem_alloc);
    find(library, "cuDeviceGetCount", functions.device_get_count);
    find(library, "cuMemGetInfo_v2", functions.mem_get_info);
    find(library, "cuEventRecord", functions.event_record);
    find(library, "cuLaunchKernel", functions.launch_kernel);
}

CUresult mem_alloc(CUdeviceptr* address, std::size_t size) noexcept {
    return checked(functions.mem_alloc(address, size));
}

CUresult device_get_count(int* count) noexcept {
    return checked(functions.device_get_count(count));
}

CUresult mem_get_info(std::size_t* free, std::size_t* total) noexcept {
    return checked(functions.mem_get_info(free, total));
}

CUresult event_record(CUevent event, CUstream stream) noexcept {
    return checked(functions.event_record(event, stream));
}

CUresult launch_kernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                       unsigned block_z, unsigned shared_memory, CUstream stream, void** parameters, void** extra) noexcept {
    return checked(functions.launch_kernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_memory, stream,
                                           parameters, extra));
}

}  // namespace raw
