// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>

#include "context/context.hpp"
#include "kernel/settings.hpp"
#include "ptx/image.hpp"

namespace cubind::sim {

/// A kernel in a context, what a CUfunction stands for. Thread-safe.
class Function {
public:
    Function(CUfunction own_handle, CUmodule of, std::shared_ptr<Context> owner, std::shared_ptr<const ptx::Image> code,
             const ptx::Kernel& one)
        : handle(own_handle), module(of), context(std::move(owner)), image(std::move(code)), kernel(one) {}

    const CUfunction handle;
    const CUmodule module;
    const std::shared_ptr<Context> context;
    const std::shared_ptr<const ptx::Image> image;
    const ptx::Kernel& kernel;  ///< of the image
    KernelSettings settings;
};

}  // namespace cubind::sim
