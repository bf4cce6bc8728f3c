// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "objects/context/context.hpp"
#include "objects/module/kernel_view.hpp"
#include "objects/module/legacy_launch.hpp"
#include "ptx/decode/executable.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A kernel in a context: the object behind a CUfunction. Thread-safe.
class Function {
public:
    Function(driver::CUfunction own_handle, driver::CUmodule own_module, std::shared_ptr<Context> owner,
             std::shared_ptr<const ptx::ModuleInterface> own_image, const ptx::Kernel& own_kernel,
             std::shared_ptr<ptx::Executable> own_executable, std::shared_ptr<const KernelSettings> general = nullptr)
        : handle(own_handle),
          module(own_module),
          context(std::move(owner)),
          image(std::move(own_image)),
          kernel(own_kernel),
          executable(std::move(own_executable)),
          general_(std::move(general)) {}

    KernelView view() { return {*image, kernel, context->device, settings_, general_.get()}; }

    const driver::CUfunction handle;
    const driver::CUmodule module;
    const std::shared_ptr<Context> context;
    const std::shared_ptr<const ptx::ModuleInterface> image;
    const ptx::Kernel& kernel;                          ///< kernel in the image
    const std::shared_ptr<ptx::Executable> executable;  ///< null for machine code
    LegacyLaunch legacy_launch;

private:
    KernelSettings settings_;
    const std::shared_ptr<const KernelSettings> general_;  ///< settings of the library's kernel for all contexts of the device
};

}  // namespace CUBIND_NAMESPACE::sim
