// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/module/library.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

void Library::load(std::size_t devices) {
    if (code.image == nullptr) return;
    for (const ptx::Kernel& kernel : code.image->kernels) {
        kernels_.push_back(add_new(registry_.kernels, handle, code.image, kernel, devices));
    }
}

void Library::unload() {
    for (const auto& kernel : kernels_) registry_.kernels.remove(kernel->handle);
    const std::lock_guard lock(mutex_);
    is_unloaded_ = true;
    for (const auto& [context, handle_of_module] : modules_) {
        if (const auto module = registry_.modules.remove(handle_of_module)) module->unload();
    }
    modules_.clear();
}

CUresult Library::module_in(const std::shared_ptr<Context>& context, std::shared_ptr<Module>& module) {
    if (context == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;  // another thread destroyed it in the meantime
    if (const CUresult status = status_of_use(code)) return status;
    const std::lock_guard lock(mutex_);
    if (is_unloaded_) return CUDA_ERROR_INVALID_HANDLE;
    const auto known = modules_.find(context->handle);
    if (known != modules_.end()) module = registry_.modules.find(known->second);
    if (module != nullptr) return CUDA_SUCCESS;
    Module::GeneralSettings settings;
    const auto device = static_cast<std::size_t>(context->device.ordinal);
    for (const auto& kernel : kernels_) settings.push_back(kernel->settings[device]);
    const CUresult status = load_module(registry_, context, code.image, module, true, settings);
    if (status == CUDA_SUCCESS) modules_.insert_or_assign(context->handle, module->handle);
    return status;
}

CUresult Library::find_or_load_module(const Registry<CUcontext, Context>& contexts, std::shared_ptr<Module>& module) {
    if (const CUresult status = status_of_use(code)) return status;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [context, handle_of_module] : modules_) {
            module = registry_.modules.find(handle_of_module);
            if (module != nullptr) return CUDA_SUCCESS;
        }
    }
    for (const auto& context : contexts.all()) {
        if (context->is_alive() && module_in(context, module) == CUDA_SUCCESS) return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_CONTEXT;
}

const LibraryKernel* Library::find_kernel(std::string_view name) const {
    for (const auto& kernel : kernels_) {
        if (kernel->kernel.name == name) return kernel.get();
    }
    return nullptr;
}

CUresult function_in(const CodeRegistry& registry, const std::shared_ptr<Context>& context, const LibraryKernel& kernel,
                     std::shared_ptr<Function>& function) {
    const auto library = registry.libraries.find(kernel.library);
    if (library == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    std::shared_ptr<Module> module;
    if (const CUresult status = library->module_in(context, module)) return status;
    const auto index = static_cast<std::size_t>(&kernel.kernel - kernel.image->kernels.data());
    if (index >= module->functions().size()) return CUDA_ERROR_INVALID_HANDLE;
    function = module->functions()[index];
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
