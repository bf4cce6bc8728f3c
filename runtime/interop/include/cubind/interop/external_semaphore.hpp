// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class ExternalSemaphoreRef;

namespace detail {

class ExternalSemaphoreState;

/// Shares ownership of the semaphore; nullptr for a semaphore that cubind does not own.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<const void> share(ExternalSemaphoreRef semaphore);

}  // namespace detail

/// The kind of an external semaphore.
enum class ExternalSemaphoreKind {
    /// Signaled or not. Each signal ends exactly one wait, so signals and waits alternate (OPAQUE_FD).
    binary = driver::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD,
    /// A number that grows with each signal. A wait ends when it has reached a value (TIMELINE_SEMAPHORE_FD).
    timeline = driver::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD,
    /// A synchronization object of NvSci. Each signal writes a fence, on which others wait (NVSCISYNC).
    nv_sci_sync = driver::CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC,
};

/// A view of a semaphore that another interface, such as Vulkan, has created, and CUDA has imported. A view owns nothing and
/// converts implicitly from the native handle. Any thread may use it.
///
/// signal() and wait() are work of the stream: they run after the work that was submitted before. A signal makes the writes of
/// that work visible to the other interface. Work that is submitted after a wait sees the writes of the other interface that
/// precede its signal. If the stream belongs to a GraphBuilder that is building, the graph retains the semaphore.
class CUBIND_EXPORT ExternalSemaphoreRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUexternalSemaphore;

    /// Creates a view of the semaphore with this handle. Every use of a null handle throws std::invalid_argument.
    ExternalSemaphoreRef(Handle handle) noexcept : handle_(handle) {}
    ExternalSemaphoreRef(std::nullptr_t) = delete;  ///< Deleted: no semaphore has a null handle.
    /// Deleted: an integer is not a handle.
    template <class Integer>
    requires std::is_integral_v<Integer> ExternalSemaphoreRef(Integer)
    = delete;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty object.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_moved_from("ExternalSemaphore");
        return handle_;
    }

    /// Returns the kind, or std::nullopt for a semaphore that cubind does not own, because the driver does not report it.
    [[nodiscard]] std::optional<ExternalSemaphoreKind> kind() const;

    // Each function is one call of signal_semaphores() or wait_semaphores() with one semaphore, and throws like it.

    /// Signals a binary semaphore.
    void signal(StreamRef stream) const;
    /// Signals a timeline semaphore: sets its value, which must be greater than the current one.
    void signal(StreamRef stream, std::uint64_t value) const;
    /// Makes work that is submitted from now on wait until a binary semaphore is signaled. It is not signaled afterwards.
    void wait(StreamRef stream) const;
    /// Makes work that is submitted from now on wait until a timeline semaphore has reached the value.
    void wait(StreamRef stream, std::uint64_t value) const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(ExternalSemaphoreRef left, ExternalSemaphoreRef right) noexcept {
        return left.handle_ == right.handle_;
    }

private:
    friend class detail::Owner<ExternalSemaphoreRef>;
    friend class detail::ExternalSemaphoreState;
    friend struct detail::HandleHash;
    friend std::shared_ptr<const void> detail::share(ExternalSemaphoreRef semaphore);
    static ExternalSemaphoreRef empty() noexcept { return Handle(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::ExternalSemaphoreState* state_ = nullptr;  // nullptr for a semaphore that cubind does not own
};

/// A signal of, or a wait for, one semaphore of a batch.
struct ExternalSemaphoreOperation {
    /// The semaphore.
    ExternalSemaphoreRef semaphore;
    /// The value of a timeline semaphore; std::nullopt for other kinds.
    std::optional<std::uint64_t> value = std::nullopt;
    /// The NvSciSyncFence that a signal writes, or on which a wait waits; nullptr for other kinds than nv_sci_sync. It must exist
    /// until the call returns.
    void* fence = nullptr;
    /// Whether the operation omits the synchronization of memory that was imported from NvSciBuf. Only for nv_sci_sync.
    bool skip_memory_synchronization = false;
};

/// Signals several semaphores in one call (cuSignalExternalSemaphoresAsync). An empty batch does nothing. Throws
/// std::invalid_argument if an operation does not suit the kind of its semaphore: a timeline semaphore needs a value, which is
/// not 0, because a timeline starts at 0 or above and only grows; nv_sci_sync needs a fence; a binary semaphore has neither.
/// Throws Error if the driver refuses the call.
CUBIND_EXPORT void signal_semaphores(StreamRef stream, std::span<const ExternalSemaphoreOperation> operations);
/// Signals several semaphores: signal_semaphores(stream, {{ready, 3}, {done, 7}}).
inline void signal_semaphores(StreamRef stream, std::initializer_list<ExternalSemaphoreOperation> operations) {
    signal_semaphores(stream, std::span<const ExternalSemaphoreOperation>(operations.begin(), operations.size()));
}

/// Makes work that is submitted from now on wait for several semaphores in one call (cuWaitExternalSemaphoresAsync). An empty
/// batch does nothing. Throws like signal_semaphores(), but a value of 0 is permitted.
CUBIND_EXPORT void wait_semaphores(StreamRef stream, std::span<const ExternalSemaphoreOperation> operations);
/// Waits for several semaphores: wait_semaphores(stream, {{ready, 3}, {done, 7}}).
inline void wait_semaphores(StreamRef stream, std::initializer_list<ExternalSemaphoreOperation> operations) {
    wait_semaphores(stream, std::span<const ExternalSemaphoreOperation>(operations.begin(), operations.size()));
}

/// What CUDA does with a synchronization object of NvSci.
enum class NvSciSyncAccess {
    signal = driver::CUDA_NVSCISYNC_ATTR_SIGNAL,                                              ///< only signals
    wait = driver::CUDA_NVSCISYNC_ATTR_WAIT,                                                  ///< only waits
    signal_and_wait = driver::CUDA_NVSCISYNC_ATTR_SIGNAL | driver::CUDA_NVSCISYNC_ATTR_WAIT,  ///< both
};

/// Writes what the device needs to an NvSciSyncAttrList, which the program created with NvSciSyncAttrListCreate() and reconciles
/// with those of other engines before it allocates the object (cuDeviceGetNvSciSyncAttributes). The caller owns the list. Throws
/// std::invalid_argument for nullptr, and Error if the system has no NvSci.
CUBIND_EXPORT void fill_nv_sci_sync_attributes(Device device, void* attribute_list, NvSciSyncAccess access);

/// An owner of an imported semaphore (cuImportExternalSemaphore, cuDestroyExternalSemaphore). The semaphore itself belongs to the
/// interface that has created it. Work that uses the semaphore must complete before the owner is destroyed. Movable, not
/// copyable. It may be destroyed on any thread, with any current context, and after its context.
///
///     FileDescriptor file = FileDescriptor::from_native_handle(descriptor_of_vulkan);   // vkGetSemaphoreFdKHR
///     ExternalSemaphore frames(device, std::move(file), ExternalSemaphoreKind::timeline);
///     frames.wait(stream, 1);             // until Vulkan has signaled 1
///     launch(stream, config, kernel, image);
///     frames.signal(stream, 2);           // Vulkan waits for 2
class [[nodiscard]] CUBIND_EXPORT ExternalSemaphore : public detail::Owner<ExternalSemaphoreRef> {
public:
    /// Creates an empty object.
    ExternalSemaphore() noexcept = default;
    /// Imports a binary or a timeline semaphore into device.context(). The device must be the one of the other interface. CUDA
    /// owns the descriptor afterwards, and `descriptor` is closed; if the constructor throws, `descriptor` still owns it, unless
    /// the driver has closed it. Throws std::invalid_argument for a closed descriptor and for another kind, and Error if the
    /// descriptor does not refer to such a semaphore.
    [[nodiscard]] explicit ExternalSemaphore(Device device, FileDescriptor&& descriptor, ExternalSemaphoreKind kind);
    /// Imports a semaphore into this context, like the other constructor.
    [[nodiscard]] explicit ExternalSemaphore(ContextRef context, FileDescriptor&& descriptor, ExternalSemaphoreKind kind);

    /// Imports an NvSciSyncObj of NvSci, which systems such as Jetson have, into this context. The caller still owns the object,
    /// which must outlive the semaphore. Throws std::invalid_argument for nullptr, and Error if the driver refuses the object.
    [[nodiscard]] static ExternalSemaphore import_nv_sci_sync(ContextRef context, const void* object);

    /// Takes ownership of a semaphore that was imported elsewhere, in the current context or, if none is current, in the primary
    /// context of device 0. If this throws, the caller still owns the semaphore.
    static ExternalSemaphore from_native_handle(Handle handle, ExternalSemaphoreKind kind);

private:
    explicit ExternalSemaphore(ExternalSemaphoreRef owned) noexcept : Owner(owned) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::ExternalSemaphoreRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::ExternalSemaphore> : cubind::detail::HandleHash {};
