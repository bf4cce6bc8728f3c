// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that code compiled by nvcc calls. No header of the runtime library's API declares them.
#include <memory>

#include "state/call.hpp"
#include "state/launch.hpp"
#include "state/registry.hpp"
#include "support/symbols.hpp"

#define CUBIND_SIM_EXPORT [[gnu::visibility("default")]]

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

/// A launch that the thread began. The host function of its kernel ends it.
struct BegunLaunch {
    LaunchShape shape;
    BegunLaunch* outer;
};

// Has no destructor, because destructors of static objects may launch kernels after those of thread-local objects have run.
constinit thread_local BegunLaunch* innermost_launch = nullptr;

Binary* binary_of(void** handle) noexcept {
    return reinterpret_cast<Binary*>(handle);
}

cudaError_t pop_configuration(dim3* grid, dim3* block, std::size_t* shared, void* stream) noexcept {
    if (grid == nullptr || block == nullptr || shared == nullptr || stream == nullptr) return cudaErrorInvalidValue;
    if (innermost_launch == nullptr) return cudaErrorMissingConfiguration;
    const std::unique_ptr<const BegunLaunch> launch(innermost_launch);
    innermost_launch = launch->outer;
    *grid = launch->shape.grid;
    *block = launch->shape.block;
    *shared = launch->shape.shared;
    *static_cast<cudaStream_t*>(stream) = launch->shape.stream;
    return cudaSuccess;
}

}  // namespace

extern "C" {

// The structure has the address of the fat binary. The returned handle is opaque to the program.
CUBIND_SIM_EXPORT void** __cudaRegisterFatBinary(void* structure) {
    try {
        return reinterpret_cast<void**>(add_binary(structure));
    } catch (...) {
        record(status_of_exception());
        return nullptr;
    }
}

CUBIND_SIM_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}

CUBIND_SIM_EXPORT void __cudaUnregisterFatBinary(void** handle) {
    remove_binary(binary_of(handle));
}

CUBIND_SIM_EXPORT void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* name, int, void*,
                                              void*, void*, void*, int*) {
    try {
        record(add_function(binary_of(handle), host_function, name));
    } catch (...) {
        record(status_of_exception());
    }
}

CUBIND_SIM_EXPORT void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* name, int, std::size_t, int,
                                         int) {
    try {
        record(add_variable(binary_of(handle), host_variable, name, nullptr));
    } catch (...) {
        record(status_of_exception());
    }
}

// A program reads a managed variable through a pointer, and names the variable by the address of that pointer.
CUBIND_SIM_EXPORT void __cudaRegisterManagedVar(void** handle, void** host_pointer, char*, const char* name, int, std::size_t,
                                                int, int) {
    try {
        record(add_variable(binary_of(handle), host_pointer, name, host_pointer));
    } catch (...) {
        record(status_of_exception());
    }
}

// Called before the first use of a managed variable by the host.
CUBIND_SIM_EXPORT char __cudaInitModule(void** handle) {
    try {
        cudaError_t status = bind_context();
        if (status == cudaSuccess) status = load_managed_variables(binary_of(handle));
        return record(status) == cudaSuccess ? 1 : 0;
    } catch (...) {
        record(status_of_exception());
        return 0;
    }
}

// Returns 0 for success. Otherwise the program does not call the kernel's host function.
CUBIND_SIM_EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
    try {
        innermost_launch = new BegunLaunch{{grid, block, shared, stream}, innermost_launch};
        return 0;
    } catch (...) {
        return static_cast<unsigned>(record(status_of_exception()));
    }
}

CUBIND_SIM_EXPORT cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    return record(pop_configuration(grid, block, shared, stream));
}

// The program stores the kernel at its first launch and passes it to __cudaLaunchKernel only. The handle is the host function, so
// that each launch returns the reason why a kernel cannot be loaded.
CUBIND_SIM_EXPORT cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
    if (kernel == nullptr) return record(cudaErrorInvalidValue);
    *kernel = as<cudaKernel_t>(host_function);
    return cudaSuccess;
}

CUBIND_SIM_EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                                                 cudaStream_t stream) {
    constexpr std::size_t no_index = 0;  // the library does not use the positions of symbols
    return answer(no_index, sim_cudaLaunchKernel, as<const void*>(kernel), grid, block, arguments, shared, stream);
}

CUBIND_SIM_EXPORT cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                                      std::size_t shared, cudaStream_t stream) {
    const PerThreadDefaultStream scope;
    return __cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
