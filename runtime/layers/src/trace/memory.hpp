// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "trace/call_record.hpp"

namespace cubind::layers::trace {

/// Calls of all threads, in memory: each thread writes into a ring of its own, which
/// another one takes over when it has ended. Thread-safe.
class Memory {
public:
    /// Keeps this many bytes for each thread from now on, and forgets what there is.
    void begin(std::size_t bytes_per_thread);
    void add(const CallRecord& record, const std::byte* captured);
    std::string text(Format format) const;
    unsigned long dropped() const;
    void clear();

private:
    /// Records stand one behind the other, each followed by its captured values; the last ones before the end of the room may be
    /// followed by others at its beginning.
    struct Ring {
        mutable std::mutex mutex;
        std::vector<std::byte> room;
        std::size_t first = 0;  ///< where the oldest record begins
        std::size_t next = 0;   ///< where the next one will
        std::size_t end = 0;    ///< behind the last record of the upper part
        std::size_t records = 0;
        unsigned long dropped = 0;

        void drop_oldest();
        std::byte* take(std::size_t bytes);
        void reset(std::size_t bytes);
    };
    struct Entry {
        CallRecord record;
        std::vector<std::byte> captured;
    };

    /// The ring that a thread writes to as long as it runs.
    struct Own {
        std::shared_ptr<Ring> ring;
        ~Own();
    };

    Ring& own_ring();
    /// One whose thread has ended, with what is in it, or a new one.
    std::shared_ptr<Ring> free_ring();
    std::vector<Entry> entries() const;

    mutable std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::vector<std::shared_ptr<Ring>> rings_{std::make_shared<Ring>()};  ///< of threads that have ended, too
    const std::shared_ptr<Ring> late_ = rings_.front();  ///< of all threads that are ending
};

}  // namespace cubind::layers::trace
