// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <memory>

namespace cubind {

namespace detail {
class KernelState;
}

/// A kernel that can be launched, from ObjectCode::kernel(). A handle: copies are cheap, mean the same kernel and keep its code loaded.
/// Any thread may use it, on any device that the code was made for.
class Kernel {
public:
    using Handle = driver::CUkernel;

    /// A kernel that was loaded elsewhere and stays loaded for as long as `code`, if there is one, and the caller see to it.
    static Kernel from_native_handle(Handle handle, std::shared_ptr<const void> code = nullptr);

    explicit Kernel(std::shared_ptr<detail::KernelState> state) noexcept : state_(std::move(state)) {}

    /// The native handle, for calls of the driver; throws std::invalid_argument for a kernel that was moved from.
    Handle native_handle() const;

    /// What cubind knows of it; for operations that cubind itself offers. Throws like native_handle().
    const std::shared_ptr<detail::KernelState>& state() const;

private:
    std::shared_ptr<detail::KernelState> state_;
};

}  // namespace cubind
