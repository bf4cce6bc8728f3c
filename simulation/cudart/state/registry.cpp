// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/registry.hpp"

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "state/context.hpp"
#include "state/load_binary.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

struct Binary {
    const void* structure;
    CUlibrary library = nullptr;
};

namespace {

struct RegisteredFunction {
    Binary* binary;
    std::string name;
    CUkernel kernel = nullptr;  ///< null until it is first used
};

struct RegisteredVariable {
    Binary* binary;
    std::string name;
    void** managed;
};

struct Registry {
    std::shared_mutex mutex;
    std::unordered_map<Binary*, std::unique_ptr<Binary>> binaries;
    std::unordered_map<const void*, RegisteredFunction> functions;
    std::unordered_map<const void*, RegisteredVariable> variables;
};

// Programs register their code before main() and remove it while the process ends.
Registry& registry() {
    static auto& instance = *new Registry;
    return instance;
}

// The caller holds the lock.
cudaError_t load(Binary& binary) {
    return binary.library != nullptr ? cudaSuccess : load_binary(binary.structure, binary.library);
}

// The driver returns different statuses for a fat binary without code for the device and for a kernel that the code lacks.
cudaError_t load_kernel(RegisteredFunction& function) {
    if (const cudaError_t status = load(*function.binary)) return status;
    const CUresult status = cuLibraryGetKernel(&function.kernel, function.binary->library, function.name.c_str());
    return status == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidDeviceFunction : status_of(status);
}

bool is_registered(const void* host_function) {
    const std::shared_lock lock(registry().mutex);
    return registry().functions.contains(host_function);
}

// Whether the address can only be a handle of the driver.
bool is_handle(const void* function) {
    return function != nullptr && !is_registered(function);
}

}  // namespace

Binary* add_binary(const void* structure) {
    auto binary = std::make_unique<Binary>(Binary{structure});
    Binary* const handle = binary.get();
    const std::lock_guard lock(registry().mutex);
    registry().binaries.emplace(handle, std::move(binary));
    return handle;
}

void remove_binary(Binary* binary) {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().binaries.find(binary);
    if (found == registry().binaries.end()) return;
    std::erase_if(registry().functions, [&](const auto& each) { return each.second.binary == binary; });
    std::erase_if(registry().variables, [&](const auto& each) { return each.second.binary == binary; });
    if (binary->library != nullptr) cuLibraryUnload(binary->library);
    registry().binaries.erase(found);
}

cudaError_t add_function(Binary* binary, const void* host_function, const char* name) {
    if (name == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(registry().mutex);
    if (!registry().binaries.contains(binary)) return cudaErrorInvalidResourceHandle;
    registry().functions.insert_or_assign(host_function, RegisteredFunction{binary, name});
    return cudaSuccess;
}

cudaError_t add_variable(Binary* binary, const void* host_variable, const char* name, void** managed) {
    if (name == nullptr) return cudaErrorInvalidValue;
    const std::lock_guard lock(registry().mutex);
    if (!registry().binaries.contains(binary)) return cudaErrorInvalidResourceHandle;
    registry().variables.insert_or_assign(host_variable, RegisteredVariable{binary, name, managed});
    return cudaSuccess;
}

cudaError_t load_managed_variables(Binary* binary) {
    const std::lock_guard lock(registry().mutex);
    if (!registry().binaries.contains(binary)) return cudaErrorInvalidResourceHandle;
    for (const auto& [host_variable, variable] : registry().variables) {
        if (variable.binary != binary || variable.managed == nullptr) continue;
        if (const cudaError_t status = load(*binary)) return status;
        CUdeviceptr address = 0;
        std::size_t size = 0;
        if (const CUresult status = cuLibraryGetManaged(&address, &size, binary->library, variable.name.c_str())) {
            return status_of(status);
        }
        *variable.managed = reinterpret_cast<void*>(address);
    }
    return cudaSuccess;
}

cudaError_t find_kernel(const void* host_function, CUkernel& kernel) {
    {
        const std::shared_lock lock(registry().mutex);
        const auto found = registry().functions.find(host_function);
        if (found == registry().functions.end()) return cudaErrorInvalidDeviceFunction;
        kernel = found->second.kernel;
    }
    if (kernel != nullptr) [[likely]] {
        return cudaSuccess;
    }
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().functions.find(host_function);
    if (found == registry().functions.end()) return cudaErrorInvalidDeviceFunction;
    const cudaError_t status = load_kernel(found->second);
    kernel = found->second.kernel;
    return status;
}

const void* host_function_of(CUkernel kernel, CUfunction in_context) {
    const std::shared_lock lock(registry().mutex);
    for (const auto& [host_function, function] : registry().functions) {
        CUfunction own = nullptr;
        if (function.kernel == nullptr) continue;
        if (function.kernel == kernel) return host_function;
        if (cuKernelGetFunction(&own, function.kernel) == CUDA_SUCCESS && own == in_context) return host_function;
    }
    return nullptr;
}

cudaError_t find_launchable(const void* function, Launchable& launchable) {
    CUkernel kernel = nullptr;
    const cudaError_t status = find_kernel(function, kernel);
    if (status == cudaErrorInvalidDeviceFunction && is_handle(function)) {
        launchable = {static_cast<CUfunction>(const_cast<void*>(function)), false};
        return cudaSuccess;
    }
    launchable = {reinterpret_cast<CUfunction>(kernel), true};
    return status;
}

cudaError_t find_function(const void* function, CUfunction& in_context) {
    CUkernel kernel = nullptr;
    const cudaError_t status = find_kernel(function, kernel);
    if (status == cudaSuccess) return status_of(cuKernelGetFunction(&in_context, kernel));
    if (status != cudaErrorInvalidDeviceFunction || !is_handle(function)) return status;
    CUmodule ignored = nullptr;
    void* const handle = const_cast<void*>(function);
    if (cuKernelGetFunction(&in_context, static_cast<CUkernel>(handle)) == CUDA_SUCCESS) return cudaSuccess;
    in_context = static_cast<CUfunction>(handle);
    return status_of(cuFuncGetModule(&ignored, in_context));
}

cudaError_t find_variable(const void* host_variable, Variable& variable) {
    const std::lock_guard lock(registry().mutex);
    const auto found = registry().variables.find(host_variable);
    if (found == registry().variables.end()) return cudaErrorInvalidSymbol;
    const RegisteredVariable& registered = found->second;
    if (const cudaError_t status = load(*registered.binary)) return status;
    const auto get = registered.managed != nullptr ? cuLibraryGetManaged : cuLibraryGetGlobal;
    const CUresult status = get(&variable.address, &variable.size, registered.binary->library, registered.name.c_str());
    return status == CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : status_of(status);
}

cudaError_t find_variable_part(const void* host_variable, std::size_t count, std::size_t offset, char*& part) {
    Variable variable;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = find_variable(host_variable, variable)) return status;
    if (offset > variable.size || count > variable.size - offset) return cudaErrorInvalidValue;
    part = reinterpret_cast<char*>(variable.address) + offset;
    return cudaSuccess;
}

void lock_registry() {
    registry().mutex.lock();
}

void unlock_registry() {
    registry().mutex.unlock();
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
