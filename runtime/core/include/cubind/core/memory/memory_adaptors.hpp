// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/memory_resource.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

/// @file
/// Memory resources that allocate from another resource, the upstream, and add statistics, a limit, a log or retries. They can
/// be stacked, and their copies are handles of the same resource. Any thread may use them. Memory that belongs to a captured
/// graph counts as allocated.
///
///     StatisticsMemoryResource counted(device.memory_resource());
///     device.set_memory_resource(LimitMemoryResource(counted, std::size_t{1} << 30));
namespace CUBIND_NAMESPACE {

// ---- statistics ----------------------------------------------------------------------------------------------------------

/// The allocations of a resource. Sizes are in bytes.
struct MemoryStatistics {
    std::size_t current_size;   ///< size of the allocations that were not freed
    std::size_t current_count;  ///< number of the allocations that were not freed
    std::size_t peak_size;      ///< maximum of current_size since the last reset
    std::size_t total_size;     ///< size of all allocations, including freed ones
    std::size_t total_count;    ///< number of all allocations, including freed ones
};

namespace detail {
class MemoryStatisticsState;
class MemoryLog;
class AllocationFailureCallback;
CUBIND_EXPORT std::shared_ptr<MemoryResourceBase> make_logging(const MemoryResource& upstream, std::shared_ptr<MemoryLog> log);
CUBIND_EXPORT std::shared_ptr<MemoryResourceBase> make_retrying(const MemoryResource& upstream,
                                                                std::shared_ptr<AllocationFailureCallback> callback);
}  // namespace detail

/// Counts allocations.
class CUBIND_EXPORT StatisticsMemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a resource that counts the allocations that it passes to `upstream`.
    explicit StatisticsMemoryResource(const MemoryResource& upstream);

    /// Returns the statistics since the resource was created.
    [[nodiscard]] MemoryStatistics statistics() const;
    /// Sets the peak to the current size.
    void reset_peak() const;

private:
    explicit StatisticsMemoryResource(std::shared_ptr<detail::MemoryStatisticsState> state);
    std::shared_ptr<detail::MemoryStatisticsState> state_;
};

// ---- limit ---------------------------------------------------------------------------------------------------------------

/// Limits the bytes that are allocated at the same time. An allocation that exceeds the limit throws OutOfMemory.
class CUBIND_EXPORT LimitMemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a resource that has at most `limit` bytes of `upstream` allocated at the same time.
    LimitMemoryResource(const MemoryResource& upstream, std::size_t limit);
};

// ---- logging -------------------------------------------------------------------------------------------------------------

/// One call of a resource.
struct MemoryEvent {
    /// The result of a call.
    enum class Kind {
        allocated,             ///< memory was allocated
        deallocated,           ///< memory was freed
        failed_to_allocate,    ///< the upstream threw instead of allocating
        failed_to_deallocate,  ///< the upstream threw instead of freeing
    };
    Kind kind;                    ///< the result
    driver::CUdeviceptr pointer;  ///< 0 if an allocation failed
    std::size_t size;             ///< in bytes
    StreamRef stream;             ///< stream of the call
};

namespace detail {

class CUBIND_EXPORT MemoryLog {
public:
    virtual ~MemoryLog() = default;
    virtual void add(const MemoryEvent& event) noexcept = 0;
};

}  // namespace detail

/// Calls `log(const MemoryEvent&)` after each allocation and deallocation. `log` must not throw. Several threads may call it at
/// once.
///
///     LoggingMemoryResource logged(upstream, [](const MemoryEvent& event) { std::printf("%zu\n", event.size); });
class CUBIND_EXPORT LoggingMemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a resource that stores `log` and calls it for each call of `upstream`.
    template <class Log>
    LoggingMemoryResource(const MemoryResource& upstream, Log log)
        : ResourceHandle(detail::make_logging(upstream, std::make_shared<Wrapped<Log>>(std::move(log)))) {
        static_assert(std::is_invocable_v<Log&, const MemoryEvent&>, "the log must be callable with a const MemoryEvent&");
    }

private:
    template <class Log>
    class Wrapped final : public detail::MemoryLog {
    public:
        explicit Wrapped(Log log) : log_(std::move(log)) {}
        void add(const MemoryEvent& event) noexcept override { log_(event); }

    private:
        Log log_;
    };
};

// ---- failures ------------------------------------------------------------------------------------------------------------

namespace detail {

class CUBIND_EXPORT AllocationFailureCallback {
public:
    virtual ~AllocationFailureCallback() = default;
    virtual bool should_retry(std::size_t size) = 0;
};

}  // namespace detail

/// When the upstream throws OutOfMemory, calls `callback(size)` with the requested bytes. The callback may free memory. While
/// it returns true, the allocation is repeated. Exceptions of the callback reach the caller of allocate().
///
///     FailureCallbackMemoryResource patient(upstream, [&](std::size_t) { return cache.drop_oldest(); });
class CUBIND_EXPORT FailureCallbackMemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a resource that stores `callback` and calls it when `upstream` does not have enough memory.
    template <class Callback>
    FailureCallbackMemoryResource(const MemoryResource& upstream, Callback callback)
        : ResourceHandle(detail::make_retrying(upstream, std::make_shared<Wrapped<Callback>>(std::move(callback)))) {
        static_assert(std::is_invocable_r_v<bool, Callback&, std::size_t>,
                      "the callback must be callable with a size and return whether to try again");
    }

private:
    template <class Callback>
    class Wrapped final : public detail::AllocationFailureCallback {
    public:
        explicit Wrapped(Callback callback) : callback_(std::move(callback)) {}
        bool should_retry(std::size_t size) override { return callback_(size); }

    private:
        Callback callback_;
    };
};

}  // namespace CUBIND_NAMESPACE
