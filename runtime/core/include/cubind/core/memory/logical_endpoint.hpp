// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/driver/types.hpp>

#include <cstdint>
#include <memory>
#include <optional>

namespace CUBIND_NAMESPACE {

namespace detail {
class EndpointState;
}

/// What a logical endpoint is: a plain value. It is unicast with the memory of `device`, or multicast with memory of
/// `device_count` devices. Exactly one of the two is set.
struct LogicalEndpointProperties {
    std::optional<Device> device = std::nullopt;  ///< the device that owns the memory of a unicast endpoint
    unsigned int device_count = 0;                ///< the devices of a multicast endpoint, of all processes
    std::uint64_t size = 0;                       ///< bytes that can be bound for each device
    bool is_shareable = false;                    ///< whether other processes can import it, by fabric handles
    bool has_counted_operations = false;          ///< whether kernels may use counted operations

    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const LogicalEndpointProperties&, const LogicalEndpointProperties&) noexcept = default;
};

/// The limits of endpoints with certain properties, in bytes.
struct LogicalEndpointLimits {
    std::uint64_t bind_alignment = 0;  ///< of which sizes and offsets are multiples
    std::uint64_t max_size = 0;        ///< of an endpoint

    /// Returns the limits (cuLogicalEndpointGetLimits). Throws like the constructor of LogicalEndpoint, except that the size may
    /// be 0.
    [[nodiscard]] CUBIND_EXPORT static LogicalEndpointLimits of(const LogicalEndpointProperties& properties);
    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const LogicalEndpointLimits&, const LogicalEndpointLimits&) noexcept = default;
};

/// A logical endpoint for another process: plain bytes, which can be sent in any way and own nothing.
/// LogicalEndpoint::export_endpoint() creates it.
struct ExportedLogicalEndpoint {
    FabricHandle handle = {};          ///< the CUlogicalEndpointFabricHandle
    std::uint64_t size = 0;            ///< LogicalEndpointProperties::size
    std::uint64_t bind_alignment = 0;  ///< LogicalEndpointLimits::bind_alignment
    unsigned int device_count = 0;     ///< of a multicast endpoint; 0 for a unicast endpoint

    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const ExportedLogicalEndpoint&, const ExportedLogicalEndpoint&) noexcept = default;
};

/// An owner of a logical endpoint: a number by which kernels and copies of a fabric name memory of one device or of several
/// (CUDA 13.3). The devices need CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_UNICAST_SUPPORTED or
/// CU_DEVICE_ATTRIBUTE_LOGICAL_ENDPOINT_MULTICAST_SUPPORTED; where a device lacks it, the functions throw Error, which names the
/// attribute, and make no call for endpoints. Only one thread at a time may use an endpoint. Movable, not copyable.
///
///     LogicalEndpoint endpoint({.device = device, .size = memory.capacity()});
///     while (!endpoint.is_ready()) std::this_thread::yield();
///     endpoint.bind(memory);
///     launch(stream, config, kernel, endpoint.id());
class [[nodiscard]] CUBIND_EXPORT LogicalEndpoint {
public:
    /// The type of the number.
    using Id = driver::CUlogicalEndpointId;

    /// Creates an empty object, which is closed.
    LogicalEndpoint() noexcept = default;
    /// Reserves a number and creates the endpoint (cuLogicalEndpointIdReserve, cuLogicalEndpointCreate). Throws
    /// std::invalid_argument unless either the device or the number of devices is set, and for a size that is 0, no multiple of
    /// the alignment, or larger than the maximum, which the message names.
    explicit LogicalEndpoint(const LogicalEndpointProperties& properties);

    /// Opens an endpoint of another process (cuLogicalEndpointIdReserve, cuLogicalEndpointImport). Throws std::invalid_argument
    /// for a size or an alignment of 0.
    [[nodiscard]] static LogicalEndpoint import_endpoint(const ExportedLogicalEndpoint& exported);
    /// Returns the endpoint for other processes (cuLogicalEndpointExport). Throws std::invalid_argument unless it was created
    /// with is_shareable.
    [[nodiscard]] ExportedLogicalEndpoint export_endpoint() const;

    /// Adds a device to a multicast endpoint (cuLogicalEndpointAddDevice). All devices must be added, by all processes, before
    /// the endpoint becomes ready. Throws std::invalid_argument for a unicast endpoint, for a device that was added before, and
    /// beyond the number of devices.
    void add_device(Device device);
    /// Returns whether the endpoint is complete, and never waits (cuLogicalEndpointQuery). Before it has returned true, nothing
    /// may be bound, and no kernel may use the number.
    [[nodiscard]] bool is_ready() const;

    /// Binds the memory of a buffer, all capacity() bytes, to the bytes from `offset` on (cuLogicalEndpointBindAddr). The
    /// endpoint retains the memory until unbind(). Later memory of a buffer that grows is not bound. Throws
    /// std::invalid_argument, before it calls the driver, for an imported unicast endpoint, if the memory is not on a device of
    /// the endpoint, if it exceeds the endpoint, or if a size or offset is no multiple of the alignment.
    void bind(const VirtualBuffer& memory, std::uint64_t offset = 0);
    /// Binds `size` bytes of physical memory of the device, from `memory_offset` on, to the bytes from `offset` on
    /// (cuLogicalEndpointBindMem). The caller owns the handle, which may be released afterwards. Has the checks of the other
    /// bind().
    void bind(Device device, driver::CUmemGenericAllocationHandle memory, std::uint64_t size, std::uint64_t memory_offset = 0,
              std::uint64_t offset = 0);
    /// Unbinds the memory that was bound for the device at this offset (cuLogicalEndpointUnbind). Work that uses it must have
    /// completed. Throws std::invalid_argument if there is none.
    void unbind(Device device, std::uint64_t offset = 0);

    /// Returns the number, for kernels and driver calls. Throws std::invalid_argument for an empty object, like all functions
    /// below.
    [[nodiscard]] Id id() const;
    /// Returns the properties. Of an imported endpoint, only the size and the number of devices are known.
    [[nodiscard]] const LogicalEndpointProperties& properties() const;
    /// Returns the unit of sizes and offsets in bytes.
    [[nodiscard]] std::uint64_t bind_alignment() const;

    /// Unbinds the memory, destroys the endpoint, and releases the number; failures are reported to the cleanup handler
    /// (cuLogicalEndpointDestroy, cuLogicalEndpointIdRelease). Closing again has no effect.
    void close() noexcept { state_.reset(); }
    /// Returns whether the object is empty: default-constructed, moved from or closed.
    [[nodiscard]] bool is_closed() const noexcept { return state_ == nullptr; }

    /// Moves the endpoint; the other object is empty afterwards.
    LogicalEndpoint(LogicalEndpoint&&) noexcept = default;
    /// Closes the endpoint, and moves the other one into it.
    LogicalEndpoint& operator=(LogicalEndpoint&&) noexcept = default;
    LogicalEndpoint(const LogicalEndpoint&) = delete;
    LogicalEndpoint& operator=(const LogicalEndpoint&) = delete;
    /// Closes the endpoint.
    ~LogicalEndpoint() = default;

private:
    detail::EndpointState& state() const;

    std::shared_ptr<detail::EndpointState> state_;
};

}  // namespace CUBIND_NAMESPACE
