// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/memory.hpp"

#include <algorithm>
#include <cstring>

#include "support/fork.hpp"

namespace CUBIND_NAMESPACE::layers::trace {

namespace {

CallRecord record_at(const std::byte* at) {
    CallRecord record;
    std::memcpy(&record, at, sizeof record);
    return record;
}

// Whether this thread's ring buffer is destroyed. Later destructors of the thread may still make calls.
constinit thread_local bool has_ended = false;

}  // namespace

void Memory::Ring::reset(std::vector<std::byte> empty_room) noexcept {
    const std::lock_guard lock(mutex);
    room.swap(empty_room);
    clear();
}

void Memory::Ring::clear() noexcept {
    first = next = end = records = 0;
    dropped = 0;
}

void Memory::Ring::drop_oldest() {
    first += sizeof(CallRecord) + record_at(room.data() + first).bytes;
    --records;
    ++dropped;
    if (records == 0) {
        first = next = end = 0;
    } else if (first == end && next <= first) {
        first = 0;
        end = next;
    }
}

// Returns contiguous room and drops the oldest records as needed; returns null if the record can never fit.
std::byte* Memory::Ring::take(std::size_t bytes) {
    if (bytes > room.size()) return nullptr;
    while (true) {
        const bool is_wrapped = records > 0 && next <= first;
        const std::size_t limit = is_wrapped ? first : room.size();
        if (limit - next >= bytes) {
            std::byte* const taken = room.data() + next;
            next += bytes;
            if (!is_wrapped) end = next;
            ++records;
            return taken;
        }
        if (is_wrapped) {
            drop_oldest();
        } else if (records == 0 || first > 0) {
            next = 0;  // continues at the start, before the oldest record
            if (records == 0) first = end = 0;
        } else {
            drop_oldest();
        }
    }
}

Memory::Ring& Memory::own_ring() {
    thread_local Own own;
    if (has_ended) return *late_;  // `own` is destroyed
    if (own.ring == nullptr) own.ring = free_ring();
    return *own.ring;
}

std::shared_ptr<Memory::Ring> Memory::free_ring() {
    const std::lock_guard lock(mutex_);
    for (const auto& ring : rings_) {
        if (ring.use_count() == 1) return ring;
    }
    auto ring = std::make_shared<Ring>();
    ring->reset(std::vector<std::byte>(bytes_));
    rings_.push_back(ring);
    return ring;
}

Memory::Own::~Own() {
    has_ended = true;
}

Memory::Memory() {
    hold_during_fork(ForkLevel::layer_memory, *this);
}

void Memory::lock() {
    mutex_.lock();
    for (const auto& ring : rings_) ring->mutex.lock();
}

void Memory::unlock() {
    for (const auto& ring : rings_) ring->mutex.unlock();
    mutex_.unlock();
}

void Memory::begin(std::size_t bytes_per_thread) {
    const std::lock_guard lock(mutex_);
    std::vector<std::vector<std::byte>> rooms;
    for (std::size_t index = 0; index < rings_.size(); ++index) rooms.emplace_back(bytes_per_thread);
    bytes_ = bytes_per_thread;
    for (const auto& ring : rings_) {
        ring->reset(std::move(rooms.back()));
        rooms.pop_back();
    }
}

void Memory::add(const CallRecord& record, const std::byte* captured) {
    Ring& ring = own_ring();
    const std::lock_guard lock(ring.mutex);
    std::byte* const at = ring.take(sizeof record + record.bytes);
    if (at == nullptr) {
        ++ring.dropped;
        return;
    }
    std::memcpy(at, &record, sizeof record);
    std::memcpy(at + sizeof record, captured, record.bytes);
}

std::vector<Memory::Entry> Memory::entries() const {
    std::vector<Entry> entries;
    const std::lock_guard lock(mutex_);
    for (const auto& ring : rings_) {
        const std::lock_guard ring_lock(ring->mutex);
        std::size_t at = ring->first;
        for (std::size_t index = 0; index < ring->records; ++index) {
            if (at == ring->end) at = 0;
            const std::byte* const data = ring->room.data() + at;
            const CallRecord record = record_at(data);
            const std::byte* const captured = data + sizeof record;
            entries.push_back({record, {captured, captured + record.bytes}});
            at += sizeof record + record.bytes;
        }
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.record.begin < b.record.begin; });
    return entries;
}

std::string Memory::text(Format format) const {
    std::string text = head(format);
    for (const Entry& entry : entries()) append_line(text, entry.record, entry.captured.data(), format);
    return text + tail(format);
}

unsigned long Memory::dropped() const {
    const std::lock_guard lock(mutex_);
    unsigned long sum = 0;
    for (const auto& ring : rings_) {
        const std::lock_guard ring_lock(ring->mutex);
        sum += ring->dropped;
    }
    return sum;
}

void Memory::clear() {
    const std::lock_guard lock(mutex_);
    for (const auto& ring : rings_) {
        const std::lock_guard ring_lock(ring->mutex);
        ring->clear();
    }
}

}  // namespace CUBIND_NAMESPACE::layers::trace
