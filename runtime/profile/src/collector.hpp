// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/recorder.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "platform/fork_hook.hpp"
#include "record_reader.hpp"

namespace CUBIND_NAMESPACE::profile::detail {

/// The buffers that CUPTI fills. A buffer is used again, so that CUPTI's calls allocate memory only if they need more buffers
/// than ever before. Thread-safe.
class Buffers {
public:
    explicit Buffers() noexcept;
    /// Creates the first buffers, and allows more. Throws std::bad_alloc.
    void begin(std::size_t size, std::size_t max_count);
    /// Frees the buffers that CUPTI does not have, and those that it has when it returns them.
    void end() noexcept;
    /// Returns a buffer, or null if there are too many or memory is exhausted.
    std::uint8_t* acquire(std::size_t& size) noexcept;
    void release(std::uint8_t* buffer, std::size_t size) noexcept;

private:
    std::mutex mutex_;
    cubind::detail::ForkHook fork_hook_;
    std::vector<std::uint8_t*> free_;  // has room for all buffers
    std::size_t size_ = 0;             // 0 while there is no recorder
    std::size_t count_ = 0;            // of this size, here or at CUPTI
    std::size_t max_count_ = 0;
};

/// The one recorder of the process, whose functions CUPTI calls. Thread-safe.
class Collector {
public:
    static Collector& instance();

    /// Reserves the collector for one recorder. Throws std::invalid_argument if there is one, and in a child process of one that
    /// has used CUPTI.
    void claim();
    /// Returns whether this is a child process, which has a copy of the recorder.
    bool is_copy() const noexcept { return is_copy_.load(std::memory_order_relaxed); }

    /// Receives records from now on. Throws std::bad_alloc.
    void begin(const RecorderOptions& options, TimePoint start, std::int64_t shift);
    /// Returns the records. Receives no more if `is_end`. Throws std::bad_alloc.
    Records take(bool is_end);
    /// Receives no more records, and allows another recorder.
    void end() noexcept;
    /// Calls a function with the records that were received.
    template <class Function>
    auto with_records(const Function& function) {
        const std::lock_guard lock(mutex_);
        return function(reader_.records());
    }

    /// What CUPTI calls.
    static void provide_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records);
    static void read_buffer(cupti::CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t size, std::size_t valid_size);

private:
    Collector() noexcept;
    void read(std::uint8_t* buffer, std::size_t valid_size) noexcept;

    Buffers buffers_;
    std::mutex mutex_;  // also held while a buffer is read
    cubind::detail::ForkHook fork_hook_;
    RecordReader reader_;
    bool is_claimed_ = false;
    bool is_on_ = false;
    bool has_lost_buffer_ = false;
    std::atomic<bool> is_copy_ = false;
    std::atomic<bool> was_used_ = false;
};

}  // namespace CUBIND_NAMESPACE::profile::detail
