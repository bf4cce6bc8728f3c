// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/stream/device_resources.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace CUBIND_NAMESPACE {

class Stream;
struct StreamOptions;

namespace detail {
class GreenContextState;
}

/// A view of a green context. A view owns nothing and converts implicitly from the native handle. The driver does not
/// synchronize calls for the same green context: only one thread at a time may call its methods.
class CUBIND_EXPORT GreenContextRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUgreenCtx;

    /// Creates a view of no green context.
    GreenContextRef() noexcept : handle_(Handle()) {}
    /// Creates a view of the green context with this handle; a null handle is no green context.
    GreenContextRef(Handle handle) noexcept : handle_(handle) {}
    GreenContextRef(std::nullptr_t) = delete;  ///< Deleted: use GreenContextRef().
    /// Deleted: an integer is not a green context.
    template <class Integer>
    requires std::is_integral_v<Integer> GreenContextRef(Integer)
    = delete;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument if there is no green context.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_moved_from("GreenContext");
        return handle_;
    }

    /// Returns whether the view refers to a green context.
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /// Returns the green context as a context (cuCtxFromGreenCtx). While it is current, streams are created in the green context.
    /// It shares memory and code with the device's primary context, and ends with the green context.
    [[nodiscard]] ContextRef context() const;
    /// Returns the device of the green context.
    [[nodiscard]] Device device() const;
    /// Returns the resources of the green context (cuGreenCtxGetDevResource).
    [[nodiscard]] DeviceResources resources() const;
    /// Returns a number that identifies the green context in the process. Throws std::invalid_argument for a driver before CUDA
    /// 12.9 (cuGreenCtxGetId).
    [[nodiscard]] unsigned long long id() const;

    /// Creates a stream with the default options: Stream(*this).
    [[nodiscard]] Stream create_stream() const;
    /// Creates a stream with these options: Stream(*this, options).
    [[nodiscard]] Stream create_stream(const StreamOptions& options) const;

    /// Records the event; it completes once all work submitted to the green context so far has completed
    /// (cuGreenCtxRecordEvent).
    void record(EventRef event) const;
    /// Creates an event in the device's primary context with the default options, records it and returns it
    /// (cuGreenCtxRecordEvent).
    [[nodiscard]] Event record() const;
    /// Creates an event in the device's primary context with these options, records it and returns it (cuGreenCtxRecordEvent).
    [[nodiscard]] Event record(const EventOptions& options) const;
    /// Makes all work submitted to the green context from now on wait for the event (cuGreenCtxWaitEvent).
    void wait(EventRef event) const;

    /// Returns whether both views refer to the same green context, or both to none.
    [[nodiscard]] friend bool operator==(GreenContextRef left, GreenContextRef right) noexcept {
        return left.handle_ == right.handle_;
    }

private:
    friend class detail::GreenContextState;
    friend class detail::Owner<GreenContextRef>;
    friend struct detail::HandleHash;
    static GreenContextRef empty() noexcept { return GreenContextRef(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::GreenContextState* state_ = nullptr;
};

/// Options for creating a green context.
struct GreenContextOptions {
    /// The SMs: one resource, or several groups of the same split.
    std::vector<SmResource> sm = {};
    /// The work queues. An empty resource selects the driver's default.
    WorkqueueResource workqueue = {};
};

/// A green context: a part of a device's resources, mostly SMs, to which the work of its streams is restricted. It shares
/// memory and code with the device's primary context. The object and the streams that create_stream() returns retain the native
/// green context, which the last of them destroys (cuGreenCtxDestroy). Movable, not copyable. Needs a driver of CUDA 12.4.
///
///     auto parts = device.resources().sm().split({.count = 16, .groups = 1});
///     GreenContext critical(device, parts.groups[0]);
///     GreenContext background(device, parts.remainder);
///     Stream stream = critical.create_stream();
class [[nodiscard]] CUBIND_EXPORT GreenContext : public detail::Owner<GreenContextRef> {
public:
    /// Creates an empty object.
    GreenContext() noexcept = default;
    /// Creates a green context with these SMs (cuDevResourceGenerateDesc, cuGreenCtxCreate). Throws std::invalid_argument if the
    /// resource is empty or of another device, and for a driver before CUDA 12.4.
    [[nodiscard]] explicit GreenContext(Device device, const SmResource& sm);
    /// Creates a green context with these resources (cuDevResourceGenerateDesc, cuGreenCtxCreate). Throws std::invalid_argument
    /// if there are none, if one is of another device, and for a driver before CUDA 12.4.
    [[nodiscard]] explicit GreenContext(Device device, const GreenContextOptions& options);

    /// Takes ownership of a green context that was created elsewhere (cuCtxFromGreenCtx). If this throws, the caller still owns
    /// it. Throws std::invalid_argument for a null handle.
    static GreenContext from_native_handle(Handle handle);

private:
    explicit GreenContext(GreenContextRef owned) noexcept : Owner(owned) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::GreenContextRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::GreenContext> : cubind::detail::HandleHash {};
