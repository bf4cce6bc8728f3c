// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/core/memory/sharing_handle.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace CUBIND_NAMESPACE {

namespace detail {
class MulticastState;
}

/// A unit of sizes and offsets of multicast objects.
enum class MulticastGranularity : unsigned int {
    minimum = driver::CU_MULTICAST_GRANULARITY_MINIMUM,          ///< the unit that the devices require
    recommended = driver::CU_MULTICAST_GRANULARITY_RECOMMENDED,  ///< the unit with which the devices are fastest
};

/// Options of a multicast object.
struct MulticastOptions {
    /// The number of devices, if other processes add more of them; 0 for the devices of the constructor.
    unsigned int device_count = 0;
    /// How other processes can obtain the object.
    SharingHandle sharing = SharingHandle::none;
};

/// A multicast object for another process: MulticastObject::export_object() creates it, and MulticastObject::import_object()
/// opens the object. A file descriptor retains the object; a fabric handle is bytes, which can be sent in any way. Move-only.
struct [[nodiscard]] ExportedMulticast {
    SharingHandle kind = SharingHandle::none;  ///< which handle this is
    FileDescriptor descriptor = {};            ///< of SharingHandle::posix_file_descriptor
    FabricHandle fabric = {};                  ///< of SharingHandle::fabric
    std::size_t size = 0;                      ///< bytes of the object
    unsigned int device_count = 0;             ///< devices of all processes
};

/// An owner of a multicast object: addresses at which a write reaches memory of several devices, and a reduction reads it from
/// all of them (the instructions `multimem` of PTX). The devices need CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED and a driver of
/// CUDA 12.1. Where a device lacks the attribute, the functions throw Error, which names it, and make no call for multicast. Only
/// one thread at a time may use an object. Movable, not copyable.
///
///     MulticastObject team(Device::all(), 64 << 20);
///     for (const VirtualBuffer& part : parts) team.bind(part);      // one part of each device
///     Buffer all = team.map();                                      // for kernels of all devices
class [[nodiscard]] CUBIND_EXPORT MulticastObject {
public:
    /// The type of the native handle.
    using Handle = driver::CUmemGenericAllocationHandle;

    /// Creates an empty object, which is closed.
    MulticastObject() noexcept = default;
    /// Creates an object of `size` bytes, rounded up to the recommended granularity, and adds the devices (cuMulticastCreate,
    /// cuMulticastAddDevice). Throws std::invalid_argument for no devices, for one device twice, for a size of 0, and if
    /// MulticastOptions::device_count is less than the number of devices.
    MulticastObject(const std::vector<Device>& devices, std::size_t size, const MulticastOptions& options = {});

    /// Opens an object of another process, which has no devices of this process yet: add_device() adds them
    /// (cuMemImportFromShareableHandle, cuMulticastGetGranularity). Throws std::invalid_argument for a size or a number of
    /// devices of 0 or a kind that is not one kind of handles, and Error if the driver rejects the handle.
    [[nodiscard]] static MulticastObject import_object(const ExportedMulticast& exported);
    /// Returns the object for other processes (cuMemExportToShareableHandle). Throws std::invalid_argument unless the kind is one
    /// of those in MulticastOptions::sharing, and for an object of another process.
    [[nodiscard]] ExportedMulticast export_object(SharingHandle kind = SharingHandle::posix_file_descriptor) const;

    /// Returns the unit of sizes and offsets for an object of these devices, in bytes (cuMulticastGetGranularity).
    [[nodiscard]] static std::size_t granularity(const std::vector<Device>& devices,
                                                 MulticastGranularity kind = MulticastGranularity::recommended);

    /// Adds a device (cuMulticastAddDevice). All devices must be added, by all processes, before memory is bound. Throws
    /// std::invalid_argument for a device that was added before, and beyond the number of devices.
    void add_device(Device device);

    /// Binds the memory of a buffer, all capacity() bytes, to the bytes from `offset` on (cuMulticastBindAddr). The object
    /// retains the memory until unbind(). Later memory of a buffer that grows is not bound. Throws std::invalid_argument, before
    /// it calls the driver, if the memory is not on a device that was added, if it exceeds the object or overlaps memory that is
    /// bound for the same device, or if a size or offset is not a multiple of the minimum granularity.
    void bind(const VirtualBuffer& memory, std::size_t offset = 0);

    /// Binds `size` bytes of physical memory of the device, from `memory_offset` on, to the bytes from `offset` on
    /// (cuMulticastBindMem). The caller owns the handle, which may be released afterwards. Has the checks of the other bind().
    void bind(Device device, driver::CUmemGenericAllocationHandle memory, std::size_t size, std::size_t memory_offset = 0,
              std::size_t offset = 0);

    /// Unbinds the memory that was bound for the device at this offset (cuMulticastUnbind). Work that uses it must have
    /// completed. Throws std::invalid_argument if there is none.
    void unbind(Device device, std::size_t offset = 0);

    /// Maps the object to addresses that all its devices can read and write, for kernels (cuMemAddressReserve, cuMemMap,
    /// cuMemSetAccess). The buffer is a view that retains the mapping and the object. Work that uses it must have completed when
    /// the last such buffer is destroyed.
    [[nodiscard]] Buffer map() const;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty object, like all functions below.
    [[nodiscard]] Handle native_handle() const;
    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size() const;
    /// Returns the devices that this object has added.
    [[nodiscard]] const std::vector<Device>& devices() const;
    /// Returns the number of devices of all processes.
    [[nodiscard]] unsigned int device_count() const;

    /// Gives up the object. It is destroyed with the last mapping, after its memory was unbound; failures are reported to the
    /// cleanup handler (cuMulticastUnbind, cuMemRelease). Closing again has no effect.
    void close() noexcept { state_.reset(); }
    /// Returns whether the object is empty: default-constructed, moved from or closed.
    [[nodiscard]] bool is_closed() const noexcept { return state_ == nullptr; }

    /// Moves the object; the other one is empty afterwards.
    MulticastObject(MulticastObject&&) noexcept = default;
    /// Closes the object, and moves the other one into it.
    MulticastObject& operator=(MulticastObject&&) noexcept = default;
    MulticastObject(const MulticastObject&) = delete;
    MulticastObject& operator=(const MulticastObject&) = delete;
    /// Closes the object.
    ~MulticastObject() = default;

private:
    detail::MulticastState& state() const;

    std::shared_ptr<detail::MulticastState> state_;
};

}  // namespace CUBIND_NAMESPACE
