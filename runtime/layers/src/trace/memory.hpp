// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "trace/call_record.hpp"

namespace CUBIND_NAMESPACE::layers::trace {

/// Calls of all threads in memory. Each thread writes to its own ring buffer, which another thread reuses after the first one has
/// ended. Thread-safe.
class Memory {
public:
    Memory();

    /// Acquires all locks, before fork().
    void lock();
    /// Releases all locks, after fork().
    void unlock();

    /// Discards all calls and sets the size of each thread's ring buffer in bytes. If it throws, nothing changes.
    void begin(std::size_t bytes_per_thread);
    void add(const CallRecord& record, const std::byte* captured);
    std::string text(Format format) const;
    unsigned long dropped() const;
    void clear();

private:
    /// Ring buffer. Records are contiguous, each followed by its captured values. After the last record that fits before the
    /// end of the room, records continue at its start.
    struct Ring {
        mutable std::mutex mutex;
        std::vector<std::byte> room;
        std::size_t first = 0;      ///< begin of the oldest record
        std::size_t next = 0;       ///< begin of the next record
        std::size_t end = 0;        ///< end of the last record before the wrap
        std::size_t records = 0;    ///< number of records
        unsigned long dropped = 0;  ///< number of dropped calls

        void drop_oldest();
        std::byte* take(std::size_t bytes);
        void reset(std::vector<std::byte> empty_room) noexcept;
        /// Discards all records. The caller holds the mutex.
        void clear() noexcept;
    };
    struct Entry {
        CallRecord record;
        std::vector<std::byte> captured;
    };

    /// The ring buffer of a running thread.
    struct Own {
        std::shared_ptr<Ring> ring;
        ~Own();
    };

    Ring& own_ring();
    /// Returns the ring buffer of a thread that has ended, with its contents, or a new one.
    std::shared_ptr<Ring> free_ring();
    std::vector<Entry> entries() const;

    mutable std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::vector<std::shared_ptr<Ring>> rings_{std::make_shared<Ring>()};  ///< also those of threads that have ended
    const std::shared_ptr<Ring> late_ = rings_.front();                   ///< shared by threads whose objects are being destroyed
};

}  // namespace CUBIND_NAMESPACE::layers::trace
