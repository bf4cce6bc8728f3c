// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/driver/types.hpp>

#include <compare>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace CUBIND_NAMESPACE {

class Array;
class Buffer;
class DeviceProperties;
class DeviceResources;
class Event;
class GraphBuilder;
class MemoryResource;
class MipmappedArray;
class Stream;
class StreamRef;
struct ArrayOptions;
struct AtomicCapabilities;
struct DeviceLuid;
struct EventOptions;
struct Extent3D;
struct PeerAttributes;
struct StreamOptions;
template <class Element>
class PitchedBuffer;
template <class Element>
class TypedBuffer;

/// The compute capability of a device, which determines the code that it can run: 9.0 for an H200.
struct ComputeCapability {
    int major;  ///< 9 of 9.0
    int minor;  ///< 0 of 9.0
    /// Compares major, then minor.
    [[nodiscard]] friend auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

/// Free and total memory of a device, in bytes.
struct MemoryInfo {
    std::size_t free;   ///< bytes that are free on the device
    std::size_t total;  ///< bytes of the device
};

/// A GPU, identified by its ordinal: the index that the driver assigns to it in this process. It is as cheap to copy as two
/// numbers, and it is the starting point of most programs:
///
///     Device device;               // the current device, or device 0
///     device.set_current();
///     Stream stream(device);
///
/// Creating a Device initializes the driver but starts nothing on the GPU. The primary context is created when it is first
/// needed, and is retained until the process ends. Every method acts on its own device, whatever device is current, and any
/// thread may call it.
class CUBIND_EXPORT Device {
public:
    /// Selects the device of the calling thread's current context, or device 0 if no context is current. Throws Error if
    /// there is no driver or no device.
    Device();

    /// Selects the device with this ordinal. Throws std::invalid_argument if it does not exist, and Error if there is no driver.
    explicit Device(int ordinal);

    /// Returns the device at "domain:bus:device.function" (cuDeviceGetByPCIBusId). Throws std::invalid_argument if there is none.
    [[nodiscard]] static Device from_pci_bus_id(const std::string& id);

    /// Returns the number of devices that the process can use (cuDeviceGetCount).
    [[nodiscard]] static int count();

    /// Returns all devices in order of their ordinals.
    [[nodiscard]] static std::vector<Device> all();

    /// Returns the index of the device in this process.
    [[nodiscard]] int ordinal() const noexcept { return ordinal_; }
    /// Returns the native handle, for driver calls.
    [[nodiscard]] driver::CUdevice native_handle() const noexcept { return handle_; }

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the product name, such as "NVIDIA H200" (cuDeviceGetName).
    [[nodiscard]] std::string name() const;

    /// Returns the UUID, such as "8a1b0f51-6d21-...". nvidia-smi prints it with the prefix GPU-, or MIG- for a part of a GPU
    /// (cuDeviceGetUuid).
    [[nodiscard]] std::string uuid() const;

    /// Returns the identity of the device for graphics APIs of Windows (cuDeviceGetLuid); defined in
    /// <cubind/core/device/device_luid.hpp>. Throws Error on other systems, where only uuid() and pci_bus_id() exist.
    [[nodiscard]] DeviceLuid luid() const;

    /// Returns the PCI address, such as "0000:3b:00.0" (cuDeviceGetPCIBusId).
    [[nodiscard]] std::string pci_bus_id() const;

    /// Returns the compute capability (cuDeviceGetAttribute).
    [[nodiscard]] ComputeCapability compute_capability() const;

    /// Returns the compute capability without its dot, as compilers expect it: "90" for 9.0. "sm_" + arch() names the
    /// architecture.
    [[nodiscard]] std::string arch() const;

    /// Returns all attributes of the device by name. Each attribute is queried once per process.
    [[nodiscard]] DeviceProperties properties() const;

    /// Returns the SMs and work queues of the device (cuDeviceGetDevResource); defined in
    /// <cubind/core/stream/device_resources.hpp>.
    [[nodiscard]] DeviceResources resources() const;

    /// Returns the free and total memory of the device in bytes (cuMemGetInfo).
    [[nodiscard]] MemoryInfo memory_info() const;

    /// Returns a resource limit of context(). Stack, printf buffer and malloc heap sizes are in bytes (cuCtxGetLimit).
    [[nodiscard]] std::size_t limit(driver::CUlimit which) const;
    /// Requests a resource limit of context(); the driver may round the value (cuCtxSetLimit).
    void set_limit(driver::CUlimit which, std::size_t value) const;

    // ---- contexts --------------------------------------------------------------------------------------------------------

    /// Makes the primary context current in the calling thread, and returns the previous context (cuCtxSetCurrent). No other
    /// method of this class changes the current context.
    ContextRef set_current() const;

    /// Returns the primary context, which the runtime API uses as well (cuDevicePrimaryCtxRetain). It is retained until the
    /// process ends. If other code of the process resets it, the next call retains it again.
    [[nodiscard]] ContextRef primary_context() const;

    /// Returns the context that the methods of this object use: the calling thread's current context if it belongs to
    /// this device, otherwise the primary context.
    [[nodiscard]] ContextRef context() const;

    /// Blocks until all work in context() has completed; throws Error if it failed, or if a stream of the context is being
    /// captured, which makes the capture invalid (cuCtxSynchronize).
    void synchronize() const;

    /// Ends the primary context with everything that belongs to it, for example between tests (cuDevicePrimaryCtxReset). Limits,
    /// access to peers and flags have their defaults afterwards. The next call that needs the primary context creates it again,
    /// so all Device objects remain usable. Streams, events, buffers and green contexts from before cannot be used any more; the
    /// destructors of streams and buffers are silent. Destroy events before, because drivers may crash if events of a context
    /// that has ended are destroyed. Memory pools, memory_resource() and contexts of the class Context remain. All work of the
    /// primary context must have completed, and no other thread may use the device. If code of other libraries uses the primary
    /// context, it loses its objects, too.
    void reset() const;

    // ---- other devices ---------------------------------------------------------------------------------------------------

    /// Returns whether this device can access the peer's memory directly (cuDeviceCanAccessPeer).
    [[nodiscard]] bool can_access_peer(Device peer) const;
    /// Returns the devices whose memory this device can access directly, in order of their ordinals (cuDeviceCanAccessPeer).
    [[nodiscard]] std::vector<Device> peers() const;
    /// Returns how this device reaches the memory of another one (cuDeviceGetP2PAttribute); defined in
    /// <cubind/core/device/peer_attributes.hpp>. Throws std::invalid_argument for the device itself.
    [[nodiscard]] PeerAttributes p2p_attribute(Device peer) const;
    /// Returns for which operands this device's atomic operations on the peer's memory are native
    /// (cuDeviceGetP2PAtomicCapabilities, CUDA 13.0). The driver of CUDA 13.0 names no operands, even where p2p_attribute() says
    /// that atomic operations are native. Throws std::invalid_argument for the device itself.
    [[nodiscard]] AtomicCapabilities peer_atomics(Device peer, driver::CUatomicOperation operation) const;
    /// Returns for which operands atomic operations between this device and the host's memory are native
    /// (cuDeviceGetHostAtomicCapabilities, CUDA 13.0).
    [[nodiscard]] AtomicCapabilities host_atomics(driver::CUatomicOperation operation) const;

    /// Allows kernels in context() to access memory of the peer's primary context (cuCtxEnablePeerAccess). Memory pools have a
    /// separate setting, PoolMemoryResource::allow_peer_access(). Enabling access again has no effect: the error that the driver
    /// returns is ignored.
    void enable_peer_access(Device peer) const;
    /// Revokes the access of kernels in context() to the peer's primary context (cuCtxDisablePeerAccess). Has no effect if
    /// access is not enabled.
    void disable_peer_access(Device peer) const;

    // ---- objects on the device -------------------------------------------------------------------------------------------

    /// Creates a stream in context() with the default options.
    [[nodiscard]] Stream create_stream() const;
    /// Creates a stream in context() with these options.
    [[nodiscard]] Stream create_stream(const StreamOptions& options) const;
    /// Creates an event in context() with the default options.
    [[nodiscard]] Event create_event() const;
    /// Creates an event in context() with these options.
    [[nodiscard]] Event create_event(const EventOptions& options) const;
    /// Creates a builder that captures into a graph and has its own stream in context().
    [[nodiscard]] GraphBuilder create_graph_builder() const;

    /// Returns the legacy default stream, StreamRef::legacy_default(). It belongs to the context that is current in the calling
    /// thread at each call, whatever device this object selects.
    [[nodiscard]] StreamRef default_stream() const;

    /// Returns the resource that allocate() uses: the argument of the latest set_memory_resource(), or the device's default
    /// memory pool (cuDeviceGetDefaultMemPool). On a device without pools, the default is a resource that allocates
    /// synchronously.
    [[nodiscard]] MemoryResource memory_resource() const;
    /// Sets the resource that allocate() uses, for the whole process.
    void set_memory_resource(MemoryResource resource) const;
    /// Allocates `size` bytes from memory_resource() for work that is submitted to the stream from now on. The address is a
    /// multiple of MemoryResourceBase::default_alignment. Throws OutOfMemory if there is not enough memory.
    [[nodiscard]] Buffer allocate(StreamRef stream, std::size_t size) const;
    /// Allocates `size` bytes at a multiple of `alignment`, a power of two. Throws std::invalid_argument for an alignment that
    /// the resource cannot satisfy.
    [[nodiscard]] Buffer allocate(StreamRef stream, std::size_t size, std::size_t alignment) const;
    /// Allocates `count` elements; defined in <cubind/core/memory/typed_buffer.hpp>.
    template <class Element>
    [[nodiscard]] TypedBuffer<Element> allocate(StreamRef stream, std::size_t count) const;
    /// Deleted: the stream is the first argument. Compilers show the line of the deleted function, with its comment.
    template <class... Elements, class Last>
    requires std::is_base_of_v<StreamRef, Last>
    void allocate(std::size_t, const Last&) const = delete;  // write allocate(stream, size)

    /// Allocates rows of elements at a pitch that suits textures and copies; defined in <cubind/core/memory/pitched_buffer.hpp>.
    template <class Element>
    [[nodiscard]] PitchedBuffer<Element> allocate_pitched(StreamRef stream, const Extent3D& extent) const;

    /// Creates an array in context(): Array(*this, options).
    [[nodiscard]] Array create_array(const ArrayOptions& options) const;
    /// Creates a mipmapped array in context() with all levels of detail.
    [[nodiscard]] MipmappedArray create_mipmapped_array(const ArrayOptions& options) const;
    /// Creates a mipmapped array in context() with this number of levels: MipmappedArray(*this, options, level_count).
    [[nodiscard]] MipmappedArray create_mipmapped_array(const ArrayOptions& options, unsigned int level_count) const;

    /// Returns whether both are the same device.
    [[nodiscard]] friend bool operator==(Device, Device) noexcept = default;

private:
    driver::CUdevice handle_;
    int ordinal_;
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::Device> {
    [[nodiscard]] std::size_t operator()(cubind::Device device) const noexcept {
        return static_cast<std::size_t>(device.ordinal());
    }
};
