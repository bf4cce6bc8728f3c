// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/driver/types.hpp>

#include <optional>

namespace CUBIND_NAMESPACE {

/// The host's memory as a location.
struct Host {
    /// The NUMA node, or std::nullopt for any node.
    std::optional<int> numa_id = std::nullopt;
    /// Whether the node is the NUMA node of the thread that makes the driver call. Requires CUDA 12.2, and `numa_id` must be
    /// std::nullopt.
    bool is_numa_current = false;

    /// Returns the location whose NUMA node is, at each use, the node of the thread that uses the location.
    [[nodiscard]] static Host numa_current() noexcept;
    /// Compares the NUMA nodes.
    [[nodiscard]] friend bool operator==(const Host&, const Host&) = default;
};

inline Host Host::numa_current() noexcept {
    return {std::nullopt, true};
}

/// A part of a device's memory that is close to a part of its multiprocessors. DeviceProperties::locality_domain_count() returns
/// the number of a device's domains (CUDA 13.4); a device with one domain treats it like the whole device.
struct LocalityDomain {
    Device device;  ///< the device
    int id = 0;     ///< the number of the domain on the device, from 0 on

    /// Returns whether both are the same domain.
    [[nodiscard]] friend bool operator==(const LocalityDomain&, const LocalityDomain&) noexcept = default;
};

/// A location of memory: a device, a locality domain of a device, or the host. Device, LocalityDomain and Host convert to it.
///
///     prefetch(stream, buffer, device);
///     prefetch(stream, buffer, Host{});
///     prefetch(stream, buffer, Host::numa_current());
class CUBIND_EXPORT MemoryLocation {
public:
    /// Creates the location of the device's memory.
    MemoryLocation(Device device) noexcept;
    /// Creates the location of the memory of a locality domain. Functions of the driver accept it from CUDA 13.4 on. Throws
    /// std::invalid_argument for a number outside 0 to 255, or a device whose ordinal exceeds 255.
    MemoryLocation(LocalityDomain domain);
    /// Creates the location of the host's memory. Throws std::invalid_argument if both numa_id and is_numa_current are set.
    MemoryLocation(Host host);
    /// Converts a location of the driver. Throws std::invalid_argument for a location that is no device, no locality domain
    /// and not the host.
    explicit MemoryLocation(const driver::CUmemLocation& native);

    /// Returns the device, also of a locality domain, or std::nullopt for the host.
    [[nodiscard]] std::optional<Device> device() const;
    /// Returns the locality domain, or std::nullopt for the host or a whole device.
    [[nodiscard]] std::optional<LocalityDomain> locality_domain() const;
    /// Returns the host, or std::nullopt for a device.
    [[nodiscard]] std::optional<Host> host() const noexcept;

    /// Returns the location for driver calls.
    [[nodiscard]] driver::CUmemLocation native() const noexcept;

    /// Returns whether both are the same location.
    [[nodiscard]] friend bool operator==(const MemoryLocation&, const MemoryLocation&) noexcept = default;

private:
    driver::CUmemLocationType type_;
    int id_;          // of the device or the NUMA node; 0 without one
    int domain_ = 0;  // of a locality domain
};

}  // namespace CUBIND_NAMESPACE
