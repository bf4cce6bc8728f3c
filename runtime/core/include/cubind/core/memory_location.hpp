// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device.hpp>
#include <cubind/driver/types.hpp>

#include <optional>

namespace cubind {

/// The host's memory, as a place.
struct Host {
    /// A NUMA node; none: any of them.
    std::optional<int> numa_id = std::nullopt;
    friend bool operator==(const Host&, const Host&) = default;
};

/// A place where managed memory can lie: a device or the host. Both become one by themselves.
///
///     prefetch(stream, buffer, device);
///     prefetch(stream, buffer, Host{});
class MemoryLocation {
public:
    MemoryLocation(Device device) noexcept;
    MemoryLocation(Host host) noexcept;
    /// From what the driver calls it; throws std::invalid_argument for other places.
    explicit MemoryLocation(const driver::CUmemLocation& native);

    /// Nothing for the host.
    std::optional<Device> device() const;
    /// Nothing for a device.
    std::optional<Host> host() const noexcept;

    /// For calls of the driver.
    driver::CUmemLocation native() const noexcept;

    friend bool operator==(const MemoryLocation&, const MemoryLocation&) noexcept = default;

private:
    driver::CUmemLocationType type_;
    int id_;
};

}  // namespace cubind
