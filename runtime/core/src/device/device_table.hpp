// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace CUBIND_NAMESPACE::detail {

/// The properties of a device that are queried once per process. It exists until the process ends, because objects of any
/// lifetime may use it. Thread-safe.
class DeviceEntry {
public:
    driver::CUdevice handle() const noexcept { return handle_; }
    int ordinal() const noexcept { return ordinal_; }

    /// Returns the primary context, which is retained at the first call and never released (cuDevicePrimaryCtxRetain).
    driver::CUcontext primary_context();

    /// Returns an attribute, which is queried once; 0 if the driver does not support the attribute (cuDeviceGetAttribute).
    int attribute(driver::CUdevice_attribute which);

private:
    friend class DeviceTable;

    driver::CUdevice handle_{};
    int ordinal_{};
    std::mutex primary_mutex_;
    std::atomic<driver::CUcontext> primary_{nullptr};
    std::shared_mutex attributes_mutex_;
    std::unordered_map<driver::CUdevice_attribute, int> attributes_;
};

/// The devices of the process, which are enumerated when the driver is initialized.
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
