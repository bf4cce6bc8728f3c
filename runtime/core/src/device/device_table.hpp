// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace cubind::detail {

/// What is asked of a device once in a process. It lives as long as the process, since objects of any age may need it.
class DeviceEntry {
public:
    driver::CUdevice handle() const noexcept { return handle_; }
    int ordinal() const noexcept { return ordinal_; }

    /// Retains it on first use, for good.
    driver::CUcontext primary_context();

    /// An attribute, asked for once. One that this driver does not know is 0.
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

/// The devices of the process, which the driver has counted when it was started.
class DeviceTable {
public:
    /// Starts the driver on first use, and throws what that failed with; then the next use tries again.
    static DeviceTable& get();

    int size() const noexcept { return size_; }

    /// Throws std::invalid_argument for an ordinal that no device has.
    DeviceEntry& at(int ordinal);

private:
    DeviceTable();

    int size_;
    std::unique_ptr<DeviceEntry[]> entries_;
};

}  // namespace cubind::detail
