// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory_resource.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

/// Memory resources that take their memory from another one and do something beside it. They can be stacked, and any thread may use them.
/// Memory that is left to a graph counts as allocated.
///
///     StatisticsMemoryResource counted(device.memory_resource());
///     device.set_memory_resource(LimitMemoryResource(counted, std::size_t{1} << 30));
namespace cubind {

// ---- statistics ----------------------------------------------------------------------------------------------------------

/// What a resource handed out. Sizes in bytes.
struct MemoryStatistics {
    std::size_t current_size;
    std::size_t current_count;
    std::size_t peak_size;  ///< the most at any time since the last reset
    std::size_t total_size;  ///< of all allocations ever
    std::size_t total_count;
};

namespace detail {
class MemoryStatisticsState;
class MemoryLog;
class AllocationFailureCallback;
std::shared_ptr<MemoryResourceBase> make_logging(const MemoryResource& upstream, std::shared_ptr<MemoryLog> log);
std::shared_ptr<MemoryResourceBase> make_retrying(const MemoryResource& upstream, std::shared_ptr<AllocationFailureCallback> callback);
}  // namespace detail

/// Counts what is handed out and taken back.
class StatisticsMemoryResource : public MemoryResource {
public:
    explicit StatisticsMemoryResource(const MemoryResource& upstream);

    MemoryStatistics statistics() const;
    /// The peak is what is in use now.
    void reset_peak() const;

private:
    explicit StatisticsMemoryResource(std::shared_ptr<detail::MemoryStatisticsState> state);
    std::shared_ptr<detail::MemoryStatisticsState> state_;
};

// ---- limit ---------------------------------------------------------------------------------------------------------------

/// Throws OutOfMemory rather than have more bytes in use than the limit.
class LimitMemoryResource : public MemoryResource {
public:
    LimitMemoryResource(const MemoryResource& upstream, std::size_t limit);
};

// ---- logging -------------------------------------------------------------------------------------------------------------

/// One thing that a resource did.
struct MemoryEvent {
    enum class Kind { allocated, deallocated, failed_to_allocate, failed_to_deallocate };
    Kind kind;
    driver::CUdeviceptr pointer;  ///< 0 where there is none
    std::size_t size;
    StreamRef stream;
};

namespace detail {

class MemoryLog {
public:
    virtual ~MemoryLog() = default;
    virtual void add(const MemoryEvent& event) noexcept = 0;
};

}  // namespace detail

/// Tells a function what is handed out and taken back, right after it was: `log(const MemoryEvent&)`. It is called by any thread, by
/// several at once, and must not throw.
///
///     LoggingMemoryResource logged(upstream, [](const MemoryEvent& event) { std::printf("%zu\n", event.size); });
class LoggingMemoryResource : public MemoryResource {
public:
    template <class Log>
    LoggingMemoryResource(const MemoryResource& upstream, Log log)
        : MemoryResource(detail::make_logging(upstream, std::make_shared<Wrapped<Log>>(std::move(log)))) {
        static_assert(std::is_invocable_v<Log&, const MemoryEvent&>, "the log is called with a MemoryEvent");
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

class AllocationFailureCallback {
public:
    virtual ~AllocationFailureCallback() = default;
    virtual bool should_retry(std::size_t size) = 0;
};

}  // namespace detail

/// Where the upstream throws OutOfMemory, calls `callback(size)`, which may make room, and tries again for as long as that returns true.
/// What the callback throws instead is passed on.
///
///     FailureCallbackMemoryResource patient(upstream, [&](std::size_t) { return cache.drop_oldest(); });
class FailureCallbackMemoryResource : public MemoryResource {
public:
    template <class Callback>
    FailureCallbackMemoryResource(const MemoryResource& upstream, Callback callback)
        : MemoryResource(detail::make_retrying(upstream, std::make_shared<Wrapped<Callback>>(std::move(callback)))) {
        static_assert(std::is_invocable_r_v<bool, Callback&, std::size_t>,
                      "the callback is called with a size and returns whether to try again");
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

}  // namespace cubind
