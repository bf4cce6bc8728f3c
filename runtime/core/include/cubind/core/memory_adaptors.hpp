// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory_resource.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

/// Memory resources that allocate from another resource, the upstream, and add a function. They can be stacked, and any
/// thread may use them. Memory that is left to a graph counts as allocated.
///
///     StatisticsMemoryResource counted(device.memory_resource());
///     device.set_memory_resource(LimitMemoryResource(counted, std::size_t{1} << 30));
namespace CUBIND_NAMESPACE {

// ---- statistics ----------------------------------------------------------------------------------------------------------

/// What a resource has allocated. Sizes are in bytes.
struct MemoryStatistics {
    std::size_t current_size;
    std::size_t current_count;
    std::size_t peak_size;   ///< the maximum of current_size since the last reset
    std::size_t total_size;  ///< of all allocations, also of freed ones
    std::size_t total_count;
};

namespace detail {
class MemoryStatisticsState;
class MemoryLog;
class AllocationFailureCallback;
CUBIND_EXPORT std::shared_ptr<MemoryResourceBase> make_logging(const MemoryResource& upstream, std::shared_ptr<MemoryLog> log);
CUBIND_EXPORT std::shared_ptr<MemoryResourceBase> make_retrying(const MemoryResource& upstream,
                                                                std::shared_ptr<AllocationFailureCallback> callback);
}  // namespace detail

/// Counts allocations. A handle.
class CUBIND_EXPORT StatisticsMemoryResource final : public detail::ResourceHandle {
public:
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

/// Throws OutOfMemory instead of having more than `limit` bytes allocated at a time. A handle.
class CUBIND_EXPORT LimitMemoryResource final : public detail::ResourceHandle {
public:
    LimitMemoryResource(const MemoryResource& upstream, std::size_t limit);
};

// ---- logging -------------------------------------------------------------------------------------------------------------

/// One call of a resource.
struct MemoryEvent {
    enum class Kind { allocated, deallocated, failed_to_allocate, failed_to_deallocate };
    Kind kind;
    driver::CUdeviceptr pointer;  ///< 0 if an allocation failed
    std::size_t size;             ///< in bytes
    StreamRef stream;
};

namespace detail {

class CUBIND_EXPORT MemoryLog {
public:
    virtual ~MemoryLog() = default;
    virtual void add(const MemoryEvent& event) noexcept = 0;
};

}  // namespace detail

/// Calls `log(const MemoryEvent&)` after each allocation and deallocation. Any thread may call it, several at once, and
/// it must not throw. A handle.
///
///     LoggingMemoryResource logged(upstream, [](const MemoryEvent& event) { std::printf("%zu\n", event.size); });
class CUBIND_EXPORT LoggingMemoryResource final : public detail::ResourceHandle {
public:
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

/// When the upstream throws OutOfMemory, calls `callback(size)`, which may free memory, and tries again as long as it
/// returns true. An exception of the callback is passed on. A handle.
///
///     FailureCallbackMemoryResource patient(upstream, [&](std::size_t) { return cache.drop_oldest(); });
class CUBIND_EXPORT FailureCallbackMemoryResource final : public detail::ResourceHandle {
public:
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
