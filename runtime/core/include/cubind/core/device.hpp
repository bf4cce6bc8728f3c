// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/driver/types.hpp>

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

namespace cubind {

class Buffer;
class DeviceProperties;
class Event;
class GraphBuilder;
class MemoryResource;
class Stream;
class StreamRef;
struct EventOptions;
struct StreamOptions;
template <class Element>
class TypedBuffer;

/// What code a device can run: 9.0 for an H200.
struct ComputeCapability {
    int major;
    int minor;
    friend auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

/// Memory of a device, in bytes.
struct MemoryInfo {
    std::size_t free;
    std::size_t total;
};

/// A GPU, by its ordinal: the number that the driver counts it under in this process. A value as cheap as two numbers, and the place
/// where most programs begin:
///
///     Device device;               // the current one, else 0
///     device.set_current();
///     Stream stream(device);
///
/// Making one starts the driver, but nothing on the GPU: the primary context comes into being with the first thing that needs it, and
/// stays until the process ends. Every method acts on its own device, whatever is current, and any thread may call it.
class Device {
public:
    /// The device of the calling thread's current context, else device 0. Throws Error where there is no driver or no device.
    Device();

    /// The device of that ordinal. Throws std::invalid_argument where there is none, Error where there is no driver.
    explicit Device(int ordinal);

    /// The device at "domain:bus:device.function" (cuDeviceGetByPCIBusId).
    static Device from_pci_bus_id(const std::string& id);

    /// How many devices the process sees (cuDeviceGetCount).
    static int count();

    /// All devices, by ordinal.
    static std::vector<Device> all();

    int ordinal() const noexcept { return ordinal_; }
    driver::CUdevice native_handle() const noexcept { return handle_; }

    // ---- what it is ------------------------------------------------------------------------------------------------------

    /// Such as "NVIDIA H200" (cuDeviceGetName).
    std::string name() const;

    /// Such as "8a1b0f51-6d21-..."; nvidia-smi writes GPU- before it, or MIG- where it is a part of a GPU (cuDeviceGetUuid).
    std::string uuid() const;

    /// Such as "0000:3b:00.0" (cuDeviceGetPCIBusId).
    std::string pci_bus_id() const;

    ComputeCapability compute_capability() const;

    /// The compute capability without its dot, as compilers want it: "90" for 9.0, so that "sm_" + arch() names the architecture.
    std::string arch() const;

    /// Every attribute of the device by name; each is asked for once in a process.
    DeviceProperties properties() const;

    /// cuMemGetInfo
    MemoryInfo memory_info() const;

    /// A limit of what kernels in context() may use: stack, printf buffer and malloc heap are in bytes (cuCtxGetLimit, cuCtxSetLimit).
    std::size_t limit(driver::CUlimit which) const;
    void set_limit(driver::CUlimit which, std::size_t value) const;

    // ---- contexts --------------------------------------------------------------------------------------------------------

    /// Makes the primary context the calling thread's current one, and returns what was current: the only method here that changes it.
    ContextRef set_current() const;

    /// The context that the runtime API uses, too (cuDevicePrimaryCtxRetain); retained until the process ends.
    ContextRef primary_context() const;

    /// What the methods of this object work in: the calling thread's current context if it is one of this device, else the primary one.
    ContextRef context() const;

    /// Blocks until all work in context() is done.
    void synchronize() const;

    // ---- other devices ---------------------------------------------------------------------------------------------------

    /// Whether this device can reach memory of the peer directly (cuDeviceCanAccessPeer).
    bool can_access_peer(Device peer) const;

    /// Lets kernels in context() reach memory of the peer's primary context; memory pools have a setting of their own
    /// (cuCtxEnablePeerAccess). Enabling it again does nothing.
    void enable_peer_access(Device peer) const;
    /// Disabling what is not enabled does nothing (cuCtxDisablePeerAccess).
    void disable_peer_access(Device peer) const;

    // ---- what is made on it ----------------------------------------------------------------------------------------------

    Stream create_stream() const;
    Stream create_stream(const StreamOptions& options) const;
    Event create_event() const;
    Event create_event(const EventOptions& options) const;
    /// A builder with a stream of its own, whose work becomes a graph.
    GraphBuilder create_graph_builder() const;

    /// The default stream: work on it waits for the device's other blocking streams and they for it. It means the device that is current
    /// where it is used.
    StreamRef default_stream() const;

    /// Memory for allocate(): the device's default pool, or what set_memory_resource() named.
    MemoryResource memory_resource() const;
    /// For the whole process.
    void set_memory_resource(MemoryResource resource) const;
    /// Allocates `size` bytes from memory_resource() for work that is submitted to the stream from now on, at a multiple of `alignment`, a
    /// power of two, or of MemoryResourceBase::default_alignment.
    [[nodiscard]] Buffer allocate(StreamRef stream, std::size_t size) const;
    [[nodiscard]] Buffer allocate(StreamRef stream, std::size_t size, std::size_t alignment) const;
    /// Allocates `count` elements; defined in <cubind/core/typed_buffer.hpp>.
    template <class Element>
    [[nodiscard]] TypedBuffer<Element> allocate(StreamRef stream, std::size_t count) const;

    friend bool operator==(Device, Device) noexcept = default;

private:
    driver::CUdevice handle_;
    int ordinal_;
};

}  // namespace cubind
