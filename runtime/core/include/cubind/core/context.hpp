// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/detail/owner.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>

namespace cubind {

class Device;

/// Between them lie the priorities that streams of a context can have. A smaller number is a greater priority.
struct PriorityRange {
    int least;     ///< what a stream has that asks for none
    int greatest;  ///< the most urgent one
};

/// A view of a context: the address space of a program on one device, to which its streams, events and memory belong. It owns nothing
/// and is as cheap as the handle. Any thread may use it. Only set_current() changes the calling thread's current context.
///
///     ContextRef before = ContextRef::current();
///     std::size_t heap = device.primary_context().limit(driver::CU_LIMIT_MALLOC_HEAP_SIZE);
class ContextRef {
public:
    using Handle = driver::CUcontext;

    /// A view of the context with this handle; nullptr: of none.
    ContextRef(Handle handle) noexcept : handle_(handle) {}

    /// The calling thread's current context, or the view of none (cuCtxGetCurrent).
    static ContextRef current();

    /// The native handle, for calls of the driver; throws std::invalid_argument for the view of none.
    Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]] detail::throw_moved_from("Context");
        return handle_;
    }

    /// Whether there is a context.
    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /// The context's device (cuCtxGetDevice).
    Device device() const;

    /// Makes it the calling thread's current context, the view of none included, and returns what was current (cuCtxSetCurrent).
    ContextRef set_current() const;

    bool is_current() const;

    /// Blocks until all work of the context is done; throws what asynchronous work failed with (cuCtxSynchronize).
    void synchronize() const;

    /// A limit of what kernels of the context may use: stack, printf buffer and malloc heap are in bytes (cuCtxGetLimit).
    std::size_t limit(driver::CUlimit which) const;
    /// Asks for another limit; the driver may round it (cuCtxSetLimit).
    void set_limit(driver::CUlimit which, std::size_t value) const;

    /// cuCtxGetStreamPriorityRange
    PriorityRange priority_range() const;

    /// How shared memory and L1 cache divide what they share, where a kernel does not say (cuCtxGetCacheConfig).
    driver::CUfunc_cache cache_config() const;
    void set_cache_config(driver::CUfunc_cache config) const;

    /// The CU_CTX_ flags that the context was made with (cuCtxGetFlags).
    unsigned int flags() const;

    /// A number that no other context of the process ever has (cuCtxGetId).
    unsigned long long id() const;

    friend bool operator==(ContextRef, ContextRef) noexcept = default;

private:
    friend class detail::Owner<ContextRef>;
    static ContextRef empty() noexcept { return nullptr; }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept { return handle_; }

    Handle handle_;
};

/// How a context waits and what its kernels may do.
struct ContextOptions {
    /// How a thread waits for the device: by CU_CTX_SCHED_AUTO the driver decides.
    driver::CUctx_flags scheduling = driver::CU_CTX_SCHED_AUTO;
    /// Keep the memory for local variables that a kernel needed, rather than shrink it after the kernel.
    bool keeps_local_memory = false;
    /// Let synchronous memory operations wait always, also where their documentation allows them not to.
    bool synchronizes_memory_operations = false;
};

/// A context of its own beside the device's primary one (cuCtxCreate), destroyed with the object and with all that belongs to it. Most
/// programs want Device::primary_context() instead, which they share with the runtime API. Making one leaves the calling thread's
/// current context as it was.
///
///     Context context(Device(0));
///     {
///         ScopedContext scope(context);   // what is created here belongs to it
///         Stream stream{Device(0)};
///     }
class Context : public detail::Owner<ContextRef> {
public:
    explicit Context(Device device, const ContextOptions& options = {});

    /// Takes ownership of a context that cuCtxCreate made.
    static Context from_native_handle(Handle handle);

private:
    explicit Context(Handle handle) noexcept : Owner(handle) {}
};

/// Makes a context the calling thread's current one for as long as the object lives; costs next to nothing where it is current anyway
/// (cuCtxPushCurrent, cuCtxPopCurrent). It lives and dies on one thread, in the reverse order of others.
class [[nodiscard]] ScopedContext {
public:
    explicit ScopedContext(ContextRef context);
    ScopedContext(const ScopedContext&) = delete;
    ScopedContext& operator=(const ScopedContext&) = delete;
    ~ScopedContext();

private:
    ContextRef before_;
    bool pushed_;
};

}  // namespace cubind
