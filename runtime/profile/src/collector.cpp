// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "collector.hpp"

#include <cubind/cupti/activity.hpp>
#include <cubind/cupti/strings.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "errors/misuse.hpp"
#include "platform/dynamic_library.hpp"
#include "platform/process.hpp"

namespace CUBIND_NAMESPACE::profile::detail {

using cubind::detail::throw_misuse;

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t first_buffers = 4;

std::uint8_t* allocate(std::size_t size) noexcept {
    return static_cast<std::uint8_t*>(::operator new (size, std::align_val_t{alignment}, std::nothrow));
}

void free_buffer(std::uint8_t* buffer) noexcept {
    ::operator delete (buffer, std::align_val_t{alignment});
}

}  // namespace

// ---- buffers -------------------------------------------------------------------------------------------------------------

Buffers::Buffers() noexcept : fork_hook_(&mutex_) {}

// Writes to the buffers, because the system provides their memory at the first write, which would delay the program's calls.
void Buffers::begin(std::size_t size, std::size_t max_count) {
    const std::lock_guard lock(mutex_);
    free_.reserve(max_count);
    size_ = size;
    count_ = 0;
    max_count_ = max_count;
    while (count_ < std::min(first_buffers, max_count)) {
        std::uint8_t* const buffer = allocate(size);
        if (buffer == nullptr) throw std::bad_alloc();
        std::memset(buffer, 0, size);
        free_.push_back(buffer);
        ++count_;
    }
}

void Buffers::end() noexcept {
    const std::lock_guard lock(mutex_);
    for (std::uint8_t* const each : free_) free_buffer(each);
    free_.clear();
    size_ = 0;
}

std::uint8_t* Buffers::acquire(std::size_t& size) noexcept {
    const std::lock_guard lock(mutex_);
    size = size_;
    if (!free_.empty()) {
        std::uint8_t* const buffer = free_.back();
        free_.pop_back();
        return buffer;
    }
    std::uint8_t* const buffer = size_ != 0 && count_ < max_count_ ? allocate(size_) : nullptr;
    if (buffer != nullptr) ++count_;
    return buffer;
}

// A buffer of an earlier recorder is one more than this one counts.
void Buffers::release(std::uint8_t* buffer, std::size_t size) noexcept {
    const std::lock_guard lock(mutex_);
    if (size != size_ || free_.size() == free_.capacity()) return free_buffer(buffer);
    free_.push_back(buffer);
}

// ---- collector -----------------------------------------------------------------------------------------------------------

Collector::Collector() noexcept
    : fork_hook_(cubind::detail::ForkLevel::object, &mutex_, this, [](void* object) noexcept {
          auto& self = *static_cast<Collector*>(object);
          self.is_copy_ = self.was_used_.load();
          self.is_on_ = false;
      }) {}

// Never destroyed: CUPTI may call it until the process ends.
Collector& Collector::instance() {
    static Collector& only = (cubind::detail::keep_library_of(reinterpret_cast<const void*>(read_buffer)), *new Collector);
    return only;
}

void Collector::claim() {
    const std::lock_guard lock(mutex_);
    if (is_copy()) {
        throw_misuse(
            "Recorder: fork() created this process after its parent had recorded with CUPTI, which works in the parent only: "
            "start the child with exec, as posix_spawn() does, or create the recorder in the child only");
    }
    if (is_claimed_) {
        throw_misuse(
            "Recorder: this process has a recorder that has not stopped, and CUPTI serves one at a time: call its stop(), "
            "or take() to get what it has recorded so far");
    }
    is_claimed_ = true;
}

void Collector::begin(const RecorderOptions& options, TimePoint start, std::int64_t shift) {
    buffers_.begin(options.buffer_size, options.max_buffers);
    const std::lock_guard lock(mutex_);
    reader_.begin(start, shift, static_cast<std::uint32_t>(cubind::detail::process_id()), options.max_records);
    has_lost_buffer_ = false;
    was_used_ = is_on_ = true;
}

Records Collector::take(bool is_end) {
    const std::lock_guard lock(mutex_);
    const TimePoint now = std::chrono::steady_clock::now();
    if (std::exchange(has_lost_buffer_, false))
        reader_.records().notes.emplace_back("CUPTI could not read one of its buffers, so its records are missing.");
    Records records = reader_.take(now, is_end);
    if (is_end) is_on_ = false;
    return records;
}

void Collector::end() noexcept {
    {
        const std::lock_guard lock(mutex_);
        is_claimed_ = is_on_ = false;
        reader_ = {};
    }
    buffers_.end();
}

void Collector::provide_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
    *max_records = 0;  // as many as fit
    *buffer = instance().buffers_.acquire(*size);
    if (*buffer == nullptr) *size = 0;
}

void Collector::read_buffer(cupti::CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t size, std::size_t valid_size) {
    if (buffer == nullptr) return;
    instance().read(buffer, valid_size);
    instance().buffers_.release(buffer, size);
}

// A record for which there is no memory is counted, and the next one tried.
void Collector::read(std::uint8_t* buffer, std::size_t valid_size) noexcept {
    const std::lock_guard lock(mutex_);
    if (!is_on_ || valid_size == 0) return;
    cupti::CUpti_Activity* record = nullptr;
    auto next = cupti::cuptiActivityGetNextRecord(buffer, valid_size, record);
    for (; next.ok(); next = cupti::cuptiActivityGetNextRecord(buffer, valid_size, record)) {
        record = next.value;
        try {
            reader_.add(*record);
        } catch (const std::bad_alloc&) {
            ++reader_.records().dropped.by_limit;
        }
    }
    if (next.status != cupti::CUPTI_ERROR_MAX_LIMIT_REACHED) has_lost_buffer_ = true;
}

}  // namespace CUBIND_NAMESPACE::profile::detail
