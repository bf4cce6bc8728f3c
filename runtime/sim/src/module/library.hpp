// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "module/code.hpp"
#include "module/module.hpp"

namespace cubind::sim {

/// A kernel of a library, in no context: what a CUkernel stands for.
struct LibraryKernel {
    LibraryKernel(CUkernel own_handle, CUlibrary of, std::shared_ptr<const ptx::Image> code, const ptx::Kernel& one,
                  std::size_t devices)
        : handle(own_handle), library(of), image(std::move(code)), kernel(one) {
        for (std::size_t i = 0; i < devices; ++i) settings.push_back(std::make_shared<KernelSettings>());
    }

    const CUkernel handle;
    const CUlibrary library;
    const std::shared_ptr<const ptx::Image> image;
    const ptx::Kernel& kernel;
    std::vector<std::shared_ptr<KernelSettings>> settings;  ///< by device
};

/// Code in no context, loaded into each one when it is first used there. Thread-safe.
class Library {
public:
    Library(CUlibrary own_handle, Code given) : handle(own_handle), code(std::move(given)) {}

    /// Makes its kernels known.
    void load();
    /// Takes back its kernels, and its modules in all contexts.
    void unload();

    /// Its module in a context. Fails where the context's device cannot run the code.
    CUresult module_in(const std::shared_ptr<Context>& context, std::shared_ptr<Module>& module);

    /// Its module in some context, where there is one that it can be loaded into.
    CUresult module_anywhere(std::shared_ptr<Module>& module);

    const LibraryKernel* find_kernel(std::string_view name) const;
    const std::vector<std::shared_ptr<LibraryKernel>>& kernels() const noexcept { return kernels_; }

    const CUlibrary handle;
    const Code code;  ///< what is wrong with it shows when it is used

private:
    std::vector<std::shared_ptr<LibraryKernel>> kernels_;
    std::mutex mutex_;
    bool is_unloaded_ = false;
    std::map<CUcontext, CUmodule> modules_;  ///< a primary context that was reset has lost its own
};

/// The function that a kernel of a library is in a context.
CUresult function_in(const std::shared_ptr<Context>& context, const LibraryKernel& kernel, std::shared_ptr<Function>& function);

}  // namespace cubind::sim
