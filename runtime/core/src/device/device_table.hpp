// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/driver/types.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

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

    /// Returns whether this is the retained primary context. It may have been reset since.
    bool is_primary(ContextRef context) const noexcept { return context == ContextRef(primary_.load(std::memory_order_acquire)); }

    /// Returns an attribute, which is queried once; 0 if the driver does not support the attribute (cuDeviceGetAttribute).
    int attribute(driver::CUdevice_attribute which);

private:
    friend class DeviceTable;
    bool is_active() const;

    driver::CUdevice handle_{};
    int ordinal_{};
    std::mutex primary_mutex_;
    std::atomic<driver::CUcontext> primary_{nullptr};
    std::shared_mutex attributes_mutex_;
    std::unordered_map<driver::CUdevice_attribute, int> attributes_;
};

/// The devices of the driver, which are enumerated when it is initialized.
class DeviceTable {
public:
    /// Returns the table. The first call initializes the driver; if that fails, it throws Error and the next call tries
    /// again (cuInit).
    static DeviceTable& get();

    int size() const noexcept { return size_; }

    /// Returns the entry of a device; throws std::invalid_argument if no device has this ordinal.
    DeviceEntry& at(int ordinal);

private:
    DeviceTable();

    int size_;
    std::unique_ptr<DeviceEntry[]> entries_;
};

}  // namespace CUBIND_NAMESPACE::detail
