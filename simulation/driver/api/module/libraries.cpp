// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "api/module/contents.hpp"
#include "machine/check.hpp"
#include "machine/free_memory.hpp"
#include "machine/unsafe_call.hpp"
#include "objects/module/jit_options.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// A library, found by its handle. Requires no context.
struct LibraryCheck {
    explicit LibraryCheck(CUlibrary handle) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        library = machine().code.libraries.find(handle);
        if (library == nullptr) status = CUDA_ERROR_INVALID_HANDLE;
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }
    Library* operator->() const noexcept { return library.get(); }

    CUresult status;
    std::shared_ptr<Library> library;
};

/// A library's module in the current context.
struct LibraryModuleCheck {
    explicit LibraryModuleCheck(CUlibrary handle) {
        const LibraryCheck library(handle);
        status = library.status;
        if (library.failed()) return;
        const CurrentCheck context;
        status = context.status;
        if (context.failed()) return;
        status = library->module_in(machine().contexts.find(context->handle), module);
    }

    CUresult status;
    std::shared_ptr<Module> module;
};

// The options for the whole library have no effect on a simulated device.
bool are_valid(const CUlibraryOption* options, unsigned count) {
    if (count == 0) return true;
    return options != nullptr && std::all_of(options, options + count, [](auto each) { return each < CU_LIBRARY_NUM_OPTIONS; });
}

CUresult load(CUlibrary* library, const void* data, std::size_t size, const JitOptions& options, unsigned library_options,
              const CUlibraryOption* names) {
    if (const CUresult status = check_initialized()) return status;
    if (library == nullptr || data == nullptr || !are_valid(names, library_options)) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = options.check()) return status;
    Code code = read_code(data, size, machine().code_target());
    check_code(code, *machine().devices.front());  // all devices can run the same code
    options.write_outputs(code.problem);
    const auto result = add_new(machine().code.libraries, std::move(code), machine().code);
    result->load(machine().devices.size());
    return write_output(library, result->handle);
}

}  // namespace

extern "C" {

// Invalid code is an error only when the library is used, as with the driver's lazy loading.
CUresult sim_cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues,
                               unsigned int numJitOptions, CUlibraryOption* libraryOptions, void**,
                               unsigned int numLibraryOptions) {
    return load(library, code, unknown_size, {numJitOptions, jitOptions, jitOptionsValues}, numLibraryOptions, libraryOptions);
}

CUresult sim_cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* jitOptions, void** jitOptionsValues,
                                   unsigned int numJitOptions, CUlibraryOption* libraryOptions, void**,
                                   unsigned int numLibraryOptions) {
    if (const CUresult status = check_initialized()) return status;
    if (library == nullptr || fileName == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::string text;
    if (const CUresult status = read_file(fileName, text)) return status;
    return load(library, text.data(), text.size(), {numJitOptions, jitOptions, jitOptionsValues}, numLibraryOptions,
                libraryOptions);
}

CUresult sim_cuLibraryUnload(CUlibrary library) {
    if (const CUresult status = check_initialized()) return status;
    if (machine().code.libraries.find(library) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (const CUresult status = check_unsafe_call()) return status;
    for (const auto& device : machine().devices) wait_for_device(*device);
    const auto removed = machine().code.libraries.remove(library);
    if (removed == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    removed->unload();
    return CUDA_SUCCESS;
}

CUresult sim_cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name) {
    const Valid<LibraryCheck> check(library);
    if (pKernel == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult status = status_of_use(check->code)) return status;
    const LibraryKernel* const kernel = check->find_kernel(name);
    return kernel != nullptr ? write_output(pKernel, kernel->handle) : CUDA_ERROR_NOT_FOUND;
}

// A library with invalid code has 0 kernels. Only a request for one of them returns the error.
CUresult sim_cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
    const Valid<LibraryCheck> check(lib);
    return write_output(count, static_cast<unsigned>(check->kernels().size()));
}

CUresult sim_cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib) {
    const Valid<LibraryCheck> check(lib);
    return write_handles(kernels, numKernels, check->kernels());
}

CUresult sim_cuLibraryGetModule(CUmodule* pMod, CUlibrary library) {
    const LibraryModuleCheck check(library);
    return check.status != CUDA_SUCCESS ? check.status : write_output(pMod, check.module->handle);
}

CUresult sim_cuLibraryGetGlobal(CUdeviceptr* dptr, std::size_t* bytes, CUlibrary library, const char* name) {
    const LibraryModuleCheck check(library);
    if (check.status != CUDA_SUCCESS) return check.status;
    if (name != nullptr && check.module->find_function(name) != nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_variable(dptr, bytes, *check.module, name);
}

// Managed memory is accessible from all contexts, so no context needs to be current.
CUresult sim_cuLibraryGetManaged(CUdeviceptr* dptr, std::size_t* bytes, CUlibrary library, const char* name) {
    const Valid<LibraryCheck> loaded(library);
    if (current_context() == nullptr) {
        std::shared_ptr<Module> module;
        const CUresult status = loaded->find_or_load_module(machine().contexts, module);
        return status != CUDA_SUCCESS ? status : write_variable(dptr, bytes, *module, name, true);
    }
    const LibraryModuleCheck check(library);
    return check.status != CUDA_SUCCESS ? check.status : write_variable(dptr, bytes, *check.module, name, true);
}

// A simulated device has no functions with a common address for host and device.
CUresult sim_cuLibraryGetUnifiedFunction(void**, CUlibrary library, const char*) {
    const Valid<LibraryCheck> check(library);
    return CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
