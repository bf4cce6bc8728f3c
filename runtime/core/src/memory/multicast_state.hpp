// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/sharing_handle.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include "memory/physical_handle.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Memory of a device that is bound to a part of a multicast object.
struct MulticastBinding {
    Device device;
    std::size_t offset;
    std::size_t size;
    std::shared_ptr<const void> memory;  ///< retains the memory; nullptr for a handle of the caller
};

/// What a multicast object was created with.
struct MulticastProperties {
    std::size_t size;           ///< in bytes
    std::size_t granularity;    ///< the minimum, in bytes
    unsigned int device_count;  ///< of all processes
    SharingHandle sharing;      ///< none for an object of another process
};

/// A multicast object, which its mappings share.
class MulticastState {
public:
    MulticastState(driver::CUmemGenericAllocationHandle handle, const MulticastProperties& properties)
        : handle_(handle), properties_(properties) {}
    MulticastState(const MulticastState&) = delete;
    MulticastState& operator=(const MulticastState&) = delete;
    /// Unbinds all memory and releases the handle.
    ~MulticastState();

    driver::CUmemGenericAllocationHandle handle() const noexcept { return handle_.native(); }
    std::size_t size() const noexcept { return properties_.size; }
    /// Returns the minimum granularity in bytes.
    std::size_t granularity() const noexcept { return properties_.granularity; }
    unsigned int device_count() const noexcept { return properties_.device_count; }
    SharingHandle sharing() const noexcept { return properties_.sharing; }
    const std::vector<Device>& devices() const noexcept { return devices_; }

    void add_device(Device device);
    /// Calls bind(), which binds the memory of the binding, after checks of the binding.
    template <class Bind>
    void add_binding(MulticastBinding binding, const Bind& bind) {
        check_binding(binding);
        bindings_.reserve(bindings_.size() + 1);
        bind();
        bindings_.push_back(std::move(binding));
    }
    void unbind(Device device, std::size_t offset);

private:
    void check_binding(const MulticastBinding& binding) const;

    const PhysicalHandle handle_;
    const MulticastProperties properties_;
    std::vector<Device> devices_;
    std::vector<MulticastBinding> bindings_;
};

}  // namespace CUBIND_NAMESPACE::detail
