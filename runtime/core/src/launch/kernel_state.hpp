// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/memory/bytes.hpp>
#include <cubind/driver/types.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "launch/dynamic_shared_memory.hpp"
#include "launch/kernel_parameters.hpp"
#include "launch/signature.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The state that all copies of a Kernel share.
class KernelState {
public:
    /// Creates the state. It retains `code`. `symbol` is the kernel's name in the code, empty if it is not known. `image` has the
    /// bytes of the code if they are known.
    KernelState(driver::CUkernel handle, std::shared_ptr<const void> code, std::string symbol = {}, Bytes image = {},
                bool is_ptx = false) noexcept
        : handle_(handle), code_(std::move(code)), symbol_(std::move(symbol)), image_(std::move(image)), is_ptx_(is_ptx) {}

    driver::CUkernel handle() const noexcept { return handle_; }
    const std::string& symbol() const noexcept { return symbol_; }

    /// Returns the PTX of the code, or an empty view.
    std::string_view ptx() const noexcept {
        return is_ptx_ ? std::string_view(reinterpret_cast<const char*>(image_.data()), image_.size()) : std::string_view();
    }
    /// Returns the bytes of the code, or none.
    const Bytes& image() const noexcept { return image_; }
    /// Returns the signature that the name and the PTX tell. Reads it once. Of a view of a native handle, the name is not known.
    const Signature& signature() const;

    DynamicSharedMemoryLimit& dynamic_shared_memory() noexcept { return dynamic_shared_memory_; }
    KernelParameters& parameters() noexcept { return parameters_; }

private:
    // Every launch reads the first three members.
    driver::CUkernel handle_;
    KernelParameters parameters_;
    DynamicSharedMemoryLimit dynamic_shared_memory_;
    std::shared_ptr<const void> code_;
    std::string symbol_;
    Bytes image_;
    bool is_ptx_;
    mutable std::once_flag has_signature_;
    mutable Signature signature_;
};

/// Access to the state of a Kernel. Only cubind's own sources use it.
struct KernelAccess {
    /// Returns the state. Throws std::invalid_argument for a kernel that was moved from.
    static const std::shared_ptr<KernelState>& state(const Kernel& kernel) { return kernel.state(); }

    /// Returns a kernel with this state.
    static Kernel make(std::shared_ptr<KernelState> state) noexcept { return Kernel(std::move(state)); }
};

}  // namespace CUBIND_NAMESPACE::detail
