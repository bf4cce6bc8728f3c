// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE {

class Device;
class KernelAttributes;
class KernelOccupancy;

namespace detail {
class KernelState;
struct KernelAccess;
}  // namespace detail

/// The position of a parameter among the arguments of a kernel.
struct KernelParameter {
    std::size_t offset;  ///< in bytes, from the first argument
    std::size_t size;    ///< in bytes
    /// Compares all members.
    friend bool operator==(const KernelParameter&, const KernelParameter&) = default;
};

/// A kernel that can be launched, from ObjectCode::kernel(). A handle: copies are cheap, refer to the same kernel and retain its
/// code. Any thread may use it, on any device that the code was compiled for.
class CUBIND_EXPORT Kernel {
public:
    /// The type of the native handle.
    using Handle = driver::CUkernel;

    /// Returns a kernel that was loaded elsewhere. It does not own the handle. The caller must keep the code loaded as long
    /// as the kernel or a copy of it exists; to that end the kernel and its copies retain `owner`, which may be nullptr.
    [[nodiscard]] static Kernel view_of(Handle handle, std::shared_ptr<const void> owner = nullptr);

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for a kernel that was moved from.
    [[nodiscard]] Handle native_handle() const;

    /// Returns the kernel's symbol in the code, mangled unless it is extern "C". For a kernel from view_of() this
    /// requires a driver of CUDA 12.3 (cuKernelGetName).
    [[nodiscard]] std::string name() const;

    /// Returns the name and the types of the parameters as far as the code tells them: "saxpy(float, float const*, float*,
    /// unsigned long)" from the mangled name of a C++ kernel, "saxpy(.f32, .u64, .u64, .u64)" from PTX, otherwise "saxpy(4 bytes,
    /// ...)" with the sizes that a driver of CUDA 13.2 or newer reports, or "saxpy(...)".
    [[nodiscard]] std::string signature() const;
    /// Returns the PTX from which the code was loaded, with all its kernels. The view is valid as long as a copy of the kernel
    /// exists. Throws std::invalid_argument if the code was not PTX.
    [[nodiscard]] std::string_view ptx() const;
    /// Returns the machine code of the kernel as text, as nvdisasm prints it, if the code was loaded from a cubin. Throws like
    /// ObjectCode::disassemble(), and std::invalid_argument for other code.
    [[nodiscard]] std::string sass() const;

    /// Returns a view of the kernel's attributes on the device, defined in <cubind/core/launch/kernel_attributes.hpp>.
    [[nodiscard]] KernelAttributes attributes(Device device) const;
    /// Returns a view of the kernel's attributes on the current device, or on device 0 if no context is current.
    [[nodiscard]] KernelAttributes attributes() const;

    /// Returns a view that computes how many blocks of the kernel the device runs at once, defined in
    /// <cubind/core/launch/occupancy.hpp>.
    [[nodiscard]] KernelOccupancy occupancy(Device device) const;
    /// Returns occupancy(device) for the current device, or for device 0 if no context is current.
    [[nodiscard]] KernelOccupancy occupancy() const;

    /// Returns the parameters in their order. Reads them from the driver in a context of `device`, once, and caches them
    /// (cuKernelGetParamCount, cuKernelGetParamInfo). Throws Error if the driver is older than CUDA 13.2, because it does not
    /// report the number of parameters.
    [[nodiscard]] std::vector<KernelParameter> parameters(Device device) const;
    /// Returns the parameters as parameters(device) does, but reads them in the current context, or in the primary context of
    /// device 0 if no context is current.
    [[nodiscard]] std::vector<KernelParameter> parameters() const;

    /// Compares the native handles. Kernels that were moved from are equal to each other.
    friend bool operator==(const Kernel& left, const Kernel& right) noexcept {
        return left.handle_or_null() == right.handle_or_null();
    }

private:
    friend struct detail::KernelAccess;
    friend struct std::hash<Kernel>;

    explicit Kernel(std::shared_ptr<detail::KernelState> state) noexcept : state_(std::move(state)) {}

    const std::shared_ptr<detail::KernelState>& state() const;
    Handle handle_or_null() const noexcept;

    std::shared_ptr<detail::KernelState> state_;
};

}  // namespace CUBIND_NAMESPACE

/// Hashes the native handle.
template <>
struct std::hash<cubind::Kernel> {
    std::size_t operator()(const cubind::Kernel& kernel) const noexcept {
        return std::hash<cubind::Kernel::Handle>()(kernel.handle_or_null());
    }
};
