// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/driver/types.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>

#include "lifetime/once_per_driver.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The properties of a device that are queried once. It exists until the process ends, because objects of any lifetime may
/// use it. Thread-safe.
class DeviceEntry {
public:
    driver::CUdevice handle() const noexcept { return handle_; }
    int ordinal() const noexcept { return ordinal_; }

    /// Returns the primary context, which is retained at the first call, and again after a reset, and never released
    /// (cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxGetState).
    driver::CUcontext primary_context();

    /// Ends the primary context (cuDevicePrimaryCtxReset).
    void reset();

    /// Returns whether this is the retained primary context. It may have been reset since.
    bool is_primary(driver::CUcontext context) const noexcept { return context == primary_.load(std::memory_order_acquire); }

    /// Returns an attribute, which is queried once; 0 if the driver is older than the attribute (cuDeviceGetAttribute).
    int attribute(driver::CUdevice_attribute which) {
        const auto index = static_cast<std::size_t>(which);
        if (index < std::size(attributes_)) [[likely]] {
            const std::uint64_t cached = attributes_[index].load(std::memory_order_relaxed);
            if ((cached & is_cached) != 0) [[likely]]
                return static_cast<int>(static_cast<std::uint32_t>(cached));
        }
        return query_attribute(which);
    }

private:
    friend class DeviceTable;
    bool is_active() const;

    int query_attribute(driver::CUdevice_attribute which);

    driver::CUdevice handle_{};
    int ordinal_{};
    std::mutex primary_mutex_;
    std::atomic<driver::CUcontext> primary_{nullptr};
    // The low 32 bits are the value. Attributes that are newer than the bindings are not cached.
    static constexpr std::uint64_t is_cached = std::uint64_t{1} << 32;
    std::atomic<std::uint64_t> attributes_[driver::CU_DEVICE_ATTRIBUTE_MAX] = {};
};

/// The devices of the driver, which are enumerated when it is initialized.
class DeviceTable {
public:
    /// Returns the table. The first call initializes the driver; if that fails, it throws Error and the next call tries
    /// again (cuInit).
    static DeviceTable& get() {
        return table_.get([] { return std::unique_ptr<DeviceTable>(new DeviceTable); });
    }

    int size() const noexcept { return size_; }

    /// Returns the entry of a device; throws std::invalid_argument if no device has this ordinal.
    DeviceEntry& at(int ordinal) {
        if (static_cast<unsigned int>(ordinal) >= static_cast<unsigned int>(size_)) [[unlikely]]
            throw_no_device(ordinal);
        return entries_[static_cast<std::size_t>(ordinal)];
    }

    /// Returns whether this is the retained primary context of a device.
    bool has_primary(driver::CUcontext context) const noexcept {
        return std::any_of(entries_.get(), entries_.get() + size_,
                           [&](const DeviceEntry& each) { return each.is_primary(context); });
    }

private:
    DeviceTable();
    [[noreturn]] void throw_no_device(int ordinal) const;

    static OncePerDriver<DeviceTable> table_;

    int size_;
    std::unique_ptr<DeviceEntry[]> entries_;
};

}  // namespace CUBIND_NAMESPACE::detail
