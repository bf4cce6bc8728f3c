// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/detail/owner.hpp>
#include <cubind/core/detail/stream_state.hpp>
#include <cubind/driver/types.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace cubind {

class Device;
class Event;
class EventRef;
class GraphBuilder;
struct EventOptions;

namespace detail {
struct StreamAccess;
}

/// A view of a stream: a queue of work for one device, done in the order in which it was submitted. It owns nothing, is as cheap as the
/// handle, and comes from it by itself, so that whatever takes a StreamRef also takes a cudaStream_t, a Stream or a GraphBuilder.
/// Any thread may use it; what several threads submit is done in the order in which their calls came.
///
///     void scale(StreamRef stream, Buffer& data);
///     scale(foreign_cuda_stream, data);
///
/// A null handle is the legacy default stream. The default streams mean the calling thread's current context at each call.
class StreamRef {
public:
    using Handle = driver::CUstream;

    /// A view of the stream with this handle.
    StreamRef(Handle handle) noexcept : handle_(handle) {}

    /// The stream that waits for, and is waited for by, all streams of its context that are not non-blocking.
    static StreamRef legacy_default() noexcept;
    /// The default stream that each thread has of its own.
    static StreamRef per_thread_default() noexcept;

    /// The native handle, for calls of the driver; throws std::invalid_argument for a stream that was moved from or closed.
    Handle native_handle() const {
        if (handle_ == none()) [[unlikely]] detail::throw_moved_from("Stream");
        return handle_;
    }

    /// Whether it is one of the default streams, which belong to no context of their own.
    bool is_default() const noexcept;

    // ---- what it is ------------------------------------------------------------------------------------------------------

    /// cuStreamGetCtx
    ContextRef context() const;
    Device device() const;
    /// A smaller number is a greater priority (cuStreamGetPriority).
    int priority() const;
    /// Whether it ignores the legacy default stream (cuStreamGetFlags).
    bool is_nonblocking() const;
    /// A number that no other stream of the process ever has (cuStreamGetId).
    unsigned long long id() const;
    /// Whether work goes into a graph rather than to the device (cuStreamIsCapturing).
    bool is_capturing() const;

    // ---- waiting ---------------------------------------------------------------------------------------------------------

    /// Whether all work is done; an error of that work throws (cuStreamQuery).
    bool is_done() const;
    /// Blocks until all work is done; throws what it failed with (cuStreamSynchronize).
    void synchronize() const;
    /// Work submitted from now on waits for what was recorded in the event (cuStreamWaitEvent).
    void wait(EventRef event) const;
    /// Work submitted from now on waits for what the other stream was given up to now, also of another device.
    void wait(StreamRef other) const;

    // ---- work ------------------------------------------------------------------------------------------------------------

    /// Has the event stand for what was submitted up to now (cuEventRecord).
    void record(EventRef event) const;
    /// The same with an event made for it, in the stream's context.
    Event record() const;
    Event record(const EventOptions& options) const;

    /// Calls `function()` on a thread of the driver, once the work before it is done; the work after it waits for it. The function must
    /// not call CUDA and must not throw (that ends the program); it and what it holds are destroyed later, on another thread, where
    /// they may call CUDA (cuLaunchHostFunc).
    template <class Function>
    void launch_host_function(Function&& function) const;

    // ---- attributes ------------------------------------------------------------------------------------------------------

    /// cuStreamGetAttribute
    driver::CUstreamAttrValue attribute(driver::CUstreamAttrID which) const;
    /// For the work submitted from now on: access policy window, synchronization policy, priority... (cuStreamSetAttribute)
    void set_attribute(driver::CUstreamAttrID which, const driver::CUstreamAttrValue& value) const;

    friend bool operator==(StreamRef left, StreamRef right) noexcept { return left.handle_ == right.handle_; }

private:
    static Handle none() noexcept { return reinterpret_cast<Handle>(~std::uintptr_t{0}); }

    friend class detail::Owner<StreamRef>;
    friend struct detail::StreamAccess;
    static StreamRef empty() noexcept { return none(); }
    bool is_empty() const noexcept { return handle_ == none(); }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::StreamState* state_ = nullptr;
};

/// What a stream is made with.
struct StreamOptions {
    /// Whether it ignores the legacy default stream, neither waiting for it nor awaited by it.
    bool nonblocking = true;
    /// A smaller number is a greater priority; between the ends of ContextRef::priority_range(), whose least one is the default.
    int priority = 0;
};

/// A stream that the object owns. Destroying it does not wait: the work that it was given is still done; buffers whose memory goes back in
/// its order and graphs that were launched on it last keep it until then. Movable; the moved-from object refuses every operation.
///
///     Stream stream(device, {.priority = -1});
///     launch(stream, config, kernel, x, y, n);
///     stream.synchronize();
class Stream : public detail::Owner<StreamRef> {
public:
    /// In device.context() (cuStreamCreateWithPriority). Throws std::invalid_argument for a priority that the context does not have.
    explicit Stream(Device device, const StreamOptions& options = {});

    /// In another context than the device's.
    explicit Stream(ContextRef context, const StreamOptions& options = {});

    /// Takes ownership of a stream that was made elsewhere, unless it throws.
    static Stream from_native_handle(Handle handle);

private:
    explicit Stream(StreamRef owned) noexcept : Owner(owned) {}
};

// ---- host functions ------------------------------------------------------------------------------------------------------

namespace detail {

/// A callable without its type. It is owned by whoever holds it.
struct HostFunction {
    void* callable;
    void (*invoke)(void* callable) noexcept;
    void (*destroy)(void* callable) noexcept;
};

/// Takes the function, also when it throws.
void launch_host_function(StreamRef stream, HostFunction function);

}  // namespace detail

template <class Function>
void StreamRef::launch_host_function(Function&& function) const {
    using Callable = std::decay_t<Function>;
    static_assert(std::is_invocable_v<Callable&>, "a host function takes no argument: capture what it needs");
    detail::launch_host_function(*this, {new Callable(std::forward<Function>(function)),
                                         [](void* callable) noexcept { (*static_cast<Callable*>(callable))(); },
                                         [](void* callable) noexcept { delete static_cast<Callable*>(callable); }});
}

}  // namespace cubind
