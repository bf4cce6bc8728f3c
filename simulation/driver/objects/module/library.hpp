// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "objects/module/code.hpp"
#include "objects/module/module.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A kernel of a library, without a context: the object behind a CUkernel.
struct LibraryKernel {
    LibraryKernel(driver::CUkernel own_handle, driver::CUlibrary own_library,
                  std::shared_ptr<const ptx::ModuleInterface> own_image, const ptx::Kernel& own_kernel, std::size_t devices)
        : handle(own_handle), library(own_library), image(std::move(own_image)), kernel(own_kernel) {
        for (std::size_t i = 0; i < devices; ++i) settings.push_back(std::make_shared<KernelSettings>());
    }

    const driver::CUkernel handle;
    const driver::CUlibrary library;
    const std::shared_ptr<const ptx::ModuleInterface> image;
    const ptx::Kernel& kernel;
    std::vector<std::shared_ptr<KernelSettings>> settings;  ///< indexed by device
};

/// Code without a context. It is loaded into a context when it is first used there. Thread-safe.
class Library {
public:
    Library(driver::CUlibrary own_handle, Code own_code, CodeRegistry& registry)
        : handle(own_handle), code(std::move(own_code)), registry_(registry) {}

    /// Registers its kernels, each with settings for this number of devices.
    void load(std::size_t devices);
    /// Unregisters its kernels, and unloads its modules in all contexts.
    void unload();

    /// Returns its module in a context, and loads it if necessary.
    driver::CUresult module_in(const std::shared_ptr<Context>& context, std::shared_ptr<Module>& module);

    /// Returns its module in a context that has one. If no context has one, loads it into the first of `contexts` that can run
    /// the code.
    driver::CUresult find_or_load_module(const Registry<driver::CUcontext, Context>& contexts, std::shared_ptr<Module>& module);

    const LibraryKernel* find_kernel(std::string_view name) const;
    const std::vector<std::shared_ptr<LibraryKernel>>& kernels() const noexcept { return kernels_; }

    const driver::CUlibrary handle;
    const Code code;  ///< may be invalid, which is an error only when the code is used

private:
    CodeRegistry& registry_;
    std::vector<std::shared_ptr<LibraryKernel>> kernels_;
    std::mutex mutex_;
    bool is_unloaded_ = false;
    /// The module of each context. The reset of a primary context removes the module from the registry, but not from this map.
    std::map<driver::CUcontext, driver::CUmodule> modules_;
};

/// Finds the function of a library's kernel in a context.
driver::CUresult function_in(const CodeRegistry& registry, const std::shared_ptr<Context>& context, const LibraryKernel& kernel,
                             std::shared_ptr<Function>& function);

}  // namespace CUBIND_NAMESPACE::sim
