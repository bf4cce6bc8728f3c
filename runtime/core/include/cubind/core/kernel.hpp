// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace cubind {

class Device;
class KernelAttributes;
class KernelOccupancy;

namespace detail {
class KernelState;
}

/// Where a parameter lies among the arguments of a kernel, both in bytes.
struct KernelParameter {
    std::size_t offset;
    std::size_t size;
    friend bool operator==(const KernelParameter&, const KernelParameter&) = default;
};

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

    /// Its symbol in the code, mangled unless it is extern "C" (cuKernelGetName, since CUDA 12.3, where the code came from elsewhere).
    std::string name() const;

    /// What it needs and may do on the device; <cubind/core/kernel_attributes.hpp>.
    KernelAttributes attributes(Device device) const;
    /// On the current device, else device 0.
    KernelAttributes attributes() const;

    /// How many of its blocks the device runs at once; <cubind/core/occupancy.hpp>.
    KernelOccupancy occupancy(Device device) const;
    KernelOccupancy occupancy() const;

    /// What its arguments are, in their order. Throws Error where the driver is older than CUDA 12.4 (cuKernelGetParamInfo).
    std::vector<KernelParameter> parameters() const;

    /// Whether both are the same kernel of the same loaded code.
    friend bool operator==(const Kernel& left, const Kernel& right) { return left.native_handle() == right.native_handle(); }

    /// What cubind knows of it; for operations that cubind itself offers. Throws like native_handle().
    const std::shared_ptr<detail::KernelState>& state() const;

private:
    std::shared_ptr<detail::KernelState> state_;
};

}  // namespace cubind
