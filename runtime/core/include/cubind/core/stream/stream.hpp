// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/lifetime/detail/stream_state.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

class Device;
class DeviceResources;
class Event;
class EventRef;
class GraphBuilder;
class GreenContextRef;
struct EventOptions;

/// Which work can use managed memory, on devices that cannot use it at the same time as the host; see StreamRef::attach().
enum class MemoryAttachment {
    global = driver::CU_MEM_ATTACH_GLOBAL,  ///< any work of any device
    host = driver::CU_MEM_ATTACH_HOST,      ///< the host only
    single = driver::CU_MEM_ATTACH_SINGLE,  ///< work of this stream; the host, while the stream has none
};

namespace detail {
struct StreamAccess;
}

/// A view of a stream: a queue of work for one device that runs in the order of submission. A view owns nothing, is as
/// cheap to copy as the handle, and converts implicitly from the native handle, so that a function with a StreamRef
/// parameter also accepts a cudaStream_t, a Stream or a GraphBuilder. Any thread may use it; work from several threads
/// runs in the order of their calls.
///
///     void scale(StreamRef stream, Buffer& data);
///     scale(foreign_cuda_stream, data);
///
/// A handle whose value is null at run time is the legacy default stream. A default stream belongs to the context that is
/// current in the calling thread at each call.
class CUBIND_EXPORT StreamRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUstream;

    /// Creates a view of the stream with this handle.
    StreamRef(Handle handle) noexcept : handle_(handle) {}
    StreamRef(std::nullptr_t) = delete;  ///< Deleted: use legacy_default().
    /// Deleted: an integer is not a stream. Use legacy_default() or per_thread_default().
    template <class Integer>
    requires std::is_integral_v<Integer> StreamRef(Integer)
    = delete;

    /// Returns the legacy default stream. Its work and the work of every blocking stream of its context wait for each other.
    [[nodiscard]] static StreamRef legacy_default() noexcept;
    /// Returns the calling thread's default stream; each thread has its own.
    [[nodiscard]] static StreamRef per_thread_default() noexcept;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty stream.
    [[nodiscard]] Handle native_handle() const {
        if (state_ != nullptr) state_->expose();
        return checked_handle();
    }

    /// Returns whether this is one of the default streams, which do not belong to a fixed context.
    [[nodiscard]] bool is_default() const noexcept;

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the stream's context (cuStreamGetCtx).
    [[nodiscard]] ContextRef context() const;
    /// Returns the green context, or a view of none for a stream outside of green contexts. Throws std::invalid_argument for a
    /// driver before CUDA 12.4 (cuStreamGetGreenCtx).
    [[nodiscard]] GreenContextRef green_context() const;
    /// Returns the device of the stream's context.
    [[nodiscard]] Device device() const;
    /// Returns the resources that work of the stream can use (cuStreamGetDevResource).
    [[nodiscard]] DeviceResources resources() const;
    /// Returns the priority; a smaller number is a higher priority (cuStreamGetPriority).
    [[nodiscard]] int priority() const;
    /// Returns whether the stream does not synchronize with the legacy default stream (cuStreamGetFlags).
    [[nodiscard]] bool is_nonblocking() const;
    /// Returns a number that identifies the stream among all streams that the process creates (cuStreamGetId).
    [[nodiscard]] unsigned long long id() const;
    /// Returns whether submitted work is captured into a graph instead of being executed (cuStreamIsCapturing).
    [[nodiscard]] bool is_capturing() const;

    // ---- waiting ---------------------------------------------------------------------------------------------------------

    /// Returns whether all submitted work has completed; throws Error if that work failed (cuStreamQuery).
    [[nodiscard]] bool is_done() const;
    /// Blocks until all submitted work has completed; throws Error if it failed (cuStreamSynchronize).
    void synchronize() const;
    /// Makes work submitted from now on wait for the event (cuStreamWaitEvent).
    void wait(EventRef event) const;
    /// Makes work submitted from now on wait for all work submitted to the other stream so far. The other stream may belong to
    /// any device (cuEventRecord, cuStreamWaitEvent).
    void wait(StreamRef other) const;

    // ---- work ------------------------------------------------------------------------------------------------------------

    /// Records the event; it completes once all work submitted so far has completed (cuEventRecord).
    void record(EventRef event) const;
    /// Creates an event in the stream's context with the default options, records it and returns it (cuEventRecord).
    [[nodiscard]] Event record() const;
    /// Creates an event in the stream's context with these options, records it and returns it (cuEventRecord).
    [[nodiscard]] Event record(const EventOptions& options) const;

    /// Calls `function()` on a thread of the driver after all previous work; subsequent work waits for the call. The function
    /// must not call CUDA and must not throw (an exception terminates the program). The function object is destroyed later: by
    /// the next call of this function, or of synchronize() or is_done() of any object. That call runs the destructor on its own
    /// thread, so the destructor may call CUDA (cuLaunchHostFunc).
    template <class Function>
    void launch_host_function(Function&& function) const;

    // ---- attributes ------------------------------------------------------------------------------------------------------

    /// Returns an attribute of the stream (cuStreamGetAttribute).
    [[nodiscard]] driver::CUstreamAttrValue attribute(driver::CUstreamAttrID which) const;
    /// Sets an attribute for work submitted from now on, such as the access policy window or the priority (cuStreamSetAttribute).
    void set_attribute(driver::CUstreamAttrID which, const driver::CUstreamAttrValue& value) const;
    /// Sets all attributes to those of another stream of the same context (cuStreamCopyAttributes).
    void copy_attributes(StreamRef source) const;
    /// Attaches the managed allocation at this address to the stream, in stream order (cuStreamAttachMemAsync). It is global
    /// again when the stream is destroyed. Has an effect on devices without CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS. Throws
    /// Error for other memory, for `single` in a default stream, and during a capture, which it invalidates.
    void attach(driver::CUdeviceptr memory, MemoryAttachment attachment = MemoryAttachment::single) const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(StreamRef left, StreamRef right) noexcept { return left.handle_ == right.handle_; }

private:
    static Handle none() noexcept { return reinterpret_cast<Handle>(~std::uintptr_t{0}); }

    friend class detail::Owner<StreamRef>;
    friend struct detail::HandleHash;
    friend struct detail::StreamAccess;
    Handle checked_handle() const {
        if (handle_ == none()) [[unlikely]]
            detail::throw_moved_from("Stream");
        return handle_;
    }
    static StreamRef empty() noexcept { return none(); }
    bool is_empty() const noexcept { return handle_ == none(); }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::StreamState* state_ = nullptr;
};

namespace detail {

/// Whether the last argument is a stream and the first is not: the order of arguments that functions of cubind reject.
template <class First, class Last>
concept HasStreamLast = std::is_base_of_v<StreamRef, Last> && !std::is_base_of_v<StreamRef, std::remove_cvref_t<First>>;

}  // namespace detail

/// Options for creating a stream.
struct StreamOptions {
    /// Whether the stream does not synchronize with the legacy default stream.
    bool nonblocking = true;
    /// The priority, in the range of ContextRef::priority_range(). A smaller number is a higher priority.
    int priority = 0;
};

/// An owner of a stream. Destroying it (cuStreamDestroy) does not wait: submitted work still runs. Buffers that are freed in its
/// order retain the native stream until they are freed, and a graph retains the stream of its last launch. Any thread may use it.
/// Movable, not copyable.
///
///     Stream stream(device, {.priority = -1});
///     launch(stream, config, kernel, x, y, n);
///     stream.synchronize();
class [[nodiscard]] CUBIND_EXPORT Stream : public detail::Owner<StreamRef> {
public:
    /// Creates an empty object.
    Stream() noexcept = default;
    /// Creates a stream in device.context() (cuStreamCreateWithPriority). Throws std::invalid_argument for a priority
    /// that the context does not support.
    [[nodiscard]] explicit Stream(Device device, const StreamOptions& options = {});
    /// Creates a stream in this context (cuStreamCreateWithPriority). Throws std::invalid_argument for a priority that the
    /// context does not support.
    [[nodiscard]] explicit Stream(ContextRef context, const StreamOptions& options = {});
    /// Creates a stream in this green context (cuGreenCtxStreamCreate). If a GreenContext owns it, the stream retains the native
    /// green context. Throws std::invalid_argument for a priority that the device does not support, if StreamOptions::nonblocking
    /// is false, and for a driver before CUDA 12.5.
    [[nodiscard]] explicit Stream(GreenContextRef context, const StreamOptions& options = {});

    /// Takes ownership of a stream that was created elsewhere. If this throws, the caller still owns the stream. Throws
    /// std::invalid_argument for a default stream, which cannot be owned.
    static Stream from_native_handle(Handle handle);

private:
    explicit Stream(StreamRef owned) noexcept : Owner(owned) {}
};

// ---- host functions ------------------------------------------------------------------------------------------------------

namespace detail {

/// A type-erased callable, which must be destroyed once with `destroy`.
struct CUBIND_EXPORT HostFunction {
    void* callable;
    void (*invoke)(void* callable) noexcept;
    void (*destroy)(void* callable) noexcept;
};

/// Copies or moves the function into a HostFunction.
template <class Function>
HostFunction host_function(Function&& function) {
    using Callable = std::decay_t<Function>;
    static_assert(std::is_invocable_v<Callable&>, "a host function must be callable without arguments: capture what it needs");
    return {new Callable(std::forward<Function>(function)),
            [](void* callable) noexcept { (*static_cast<Callable*>(callable))(); },
            [](void* callable) noexcept { delete static_cast<Callable*>(callable); }};
}

/// Takes ownership of `function`, even if this function throws.
CUBIND_EXPORT void launch_host_function(StreamRef stream, HostFunction function);

}  // namespace detail

template <class Function>
void StreamRef::launch_host_function(Function&& function) const {
    detail::launch_host_function(*this, detail::host_function(std::forward<Function>(function)));
}

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::StreamRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::Stream> : cubind::detail::HandleHash {};
