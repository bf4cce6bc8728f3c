// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class Device;
class DeviceResources;

namespace detail {
/// Throws std::invalid_argument with the message that a ContextRef refers to no context.
[[noreturn]] CUBIND_EXPORT void throw_no_context();
}  // namespace detail

/// The range of stream priorities that a context supports. A smaller number is a higher priority.
struct PriorityRange {
    int least;     ///< the lowest priority, which is the default of streams
    int greatest;  ///< the highest priority
};

/// A view of a context: the address space of a program on one device, to which its streams, events and memory belong. A
/// view owns nothing and is as cheap to copy as the handle. Any thread may use it. Only set_current() changes the calling
/// thread's current context.
///
///     ContextRef before = ContextRef::current();
///     std::size_t heap = device.primary_context().limit(driver::CU_LIMIT_MALLOC_HEAP_SIZE);
class CUBIND_EXPORT ContextRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUcontext;

    /// Creates a view of no context.
    ContextRef() noexcept : handle_(Handle()) {}
    /// Creates a view of the context with this handle; a null handle is no context.
    ContextRef(Handle handle) noexcept : handle_(handle) {}
    ContextRef(std::nullptr_t) = delete;  ///< Deleted: use ContextRef().
    /// Deleted: an integer is not a context.
    template <class Integer>
    requires std::is_integral_v<Integer> ContextRef(Integer)
    = delete;

    /// Returns the calling thread's current context, or a view of no context (cuCtxGetCurrent). Initializes the driver. Throws
    /// Error if there is no driver or no device.
    [[nodiscard]] static ContextRef current();

    /// Returns the native handle, for driver calls. Throws std::invalid_argument if there is no context.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_no_context();
        return handle_;
    }

    /// Returns whether the view refers to a context.
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

    /// Returns the context's device (cuCtxGetDevice).
    [[nodiscard]] Device device() const;

    /// Returns the SMs and work queues of the context (cuCtxGetDevResource).
    [[nodiscard]] DeviceResources resources() const;

    /// Makes the context current in the calling thread and returns the previous one; either may be no context (cuCtxSetCurrent).
    ContextRef set_current() const;

    /// Returns whether the context is current in the calling thread (cuCtxGetCurrent).
    [[nodiscard]] bool is_current() const;

    /// Blocks until all work of the context has completed; throws Error if asynchronous work failed, or if a stream of the
    /// context is being captured, which makes the capture invalid (cuCtxSynchronize).
    void synchronize() const;

    /// Returns a resource limit of the context. Stack, printf buffer and malloc heap sizes are in bytes (cuCtxGetLimit).
    [[nodiscard]] std::size_t limit(driver::CUlimit which) const;
    /// Requests a resource limit; the driver may round the value (cuCtxSetLimit).
    void set_limit(driver::CUlimit which, std::size_t value) const;

    /// Returns the priorities that streams of this context can have (cuCtxGetStreamPriorityRange).
    [[nodiscard]] PriorityRange priority_range() const;

    /// Returns how on-chip memory is split between shared memory and L1 cache for kernels without a preference
    /// (cuCtxGetCacheConfig).
    [[nodiscard]] driver::CUfunc_cache cache_config() const;
    /// Sets how on-chip memory is split for kernels without a preference (cuCtxSetCacheConfig).
    void set_cache_config(driver::CUfunc_cache config) const;

    /// Makes lines of the L2 cache that persist normal again, for all work of the device (cuCtxResetPersistingL2Cache). It is
    /// the counterpart of AccessPolicyWindow with CU_ACCESS_PROPERTY_PERSISTING; the driver may reset the lines later on.
    void reset_persisting_l2_cache() const;

    /// Returns the CU_CTX_ flags that the context was created with (cuCtxGetFlags).
    [[nodiscard]] unsigned int flags() const;

    /// Returns a number that identifies the context among all contexts that the process creates (cuCtxGetId).
    [[nodiscard]] unsigned long long id() const;

    /// Returns whether both views refer to the same context, or both to none.
    [[nodiscard]] friend bool operator==(ContextRef, ContextRef) noexcept = default;

private:
    friend class detail::Owner<ContextRef>;
    friend struct detail::HandleHash;
    static ContextRef empty() noexcept { return ContextRef(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept { return handle_; }

    Handle handle_;
};

/// Options for creating a context.
struct ContextOptions {
    /// How a thread waits for the device, such as CU_CTX_SCHED_SPIN. With CU_CTX_SCHED_AUTO the driver chooses.
    driver::CUctx_flags scheduling = driver::CU_CTX_SCHED_AUTO;
    /// Whether the device retains memory for local variables after the kernel that needed it (CU_CTX_LMEM_RESIZE_TO_MAX).
    bool retain_local_memory = false;
    /// Whether synchronous memory operations always wait, even where the driver may return early (CU_CTX_SYNC_MEMOPS).
    bool synchronize_memory_operations = false;
};

/// An owner of a context that is separate from the device's primary context (cuCtxCreate). It destroys the context together with
/// everything that belongs to the context (cuCtxDestroy). Most programs use Device::primary_context() instead, which they share
/// with the runtime API. Creating a context does not change the calling thread's current context. Any thread may use it.
///
///     Context context(Device(0));
///     {
///         ScopedContext scope(context);   // streams, events and memory created here belong to it
///         Stream stream{Device(0)};
///     }
class [[nodiscard]] CUBIND_EXPORT Context : public detail::Owner<ContextRef> {
public:
    /// Creates an empty object.
    Context() noexcept = default;
    /// Creates a context on the device (cuCtxCreate).
    [[nodiscard]] explicit Context(Device device, const ContextOptions& options = {});

    /// Takes ownership of a context that cuCtxCreate returned.
    static Context from_native_handle(Handle handle) noexcept { return Context(ContextRef(handle)); }

private:
    explicit Context(ContextRef owned) noexcept : Owner(owned) {}
};

/// Makes a context current in the calling thread for the lifetime of the object (cuCtxPushCurrent, cuCtxPopCurrent). If the
/// context is already current, the constructor makes one query and changes nothing. Must be destroyed on the thread that
/// created it, in reverse order of creation.
class [[nodiscard]] CUBIND_EXPORT ScopedContext {
public:
    /// Makes the context current. Throws std::invalid_argument if it is empty.
    [[nodiscard]] explicit ScopedContext(ContextRef context);
    ScopedContext(const ScopedContext&) = delete;
    ScopedContext& operator=(const ScopedContext&) = delete;
    /// Makes the previous context current again. A failure is reported to the cleanup handler.
    ~ScopedContext();

private:
    ContextRef before_;
    bool pushed_;
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::ContextRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::Context> : cubind::detail::HandleHash {};
