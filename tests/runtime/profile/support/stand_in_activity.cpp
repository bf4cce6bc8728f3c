// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <optional>
#include <thread>

#include "stand_in_state.hpp"
#include "unlimited_memory.hpp"

namespace cubind::testing::cupti_stand_in {

using namespace cupti;

namespace {

struct Buffer {
    std::uint8_t* data = nullptr;
    std::size_t size = 0;
    std::size_t used = 0;
    std::size_t max_records = 0;  ///< 0: no limit
    std::size_t records = 0;
};

struct Records {
    std::mutex mutex;  ///< is held while the program is asked for a buffer, and not while a buffer is delivered
    CUpti_BuffersCallbackRequestFunc request = nullptr;
    CUpti_BuffersCallbackCompleteFunc complete = nullptr;
    std::optional<Buffer> buffer;
    std::map<const std::uint8_t*, std::vector<std::size_t>> places;  ///< where the records of a buffer begin
    std::size_t dropped = 0;
    CUpti_TimestampCallbackFunc clock = nullptr;

    std::condition_variable changed;
    unsigned period = 0;  ///< milliseconds
    std::thread flusher;
};
Records& records() {
    static Records& all = *new Records;
    return all;
}

// Records of CUDA 13.5 are larger than those that older programs know.
std::size_t size_of(unsigned kind) {
    switch (kind) {
        case CUPTI_ACTIVITY_KIND_KERNEL:
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
            return sizeof(CUpti_ActivityKernel13);
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            return sizeof(CUpti_ActivityMemcpy7);
        case CUPTI_ACTIVITY_KIND_MEMCPY2:
            return sizeof(CUpti_ActivityMemcpyPtoP4);
        case CUPTI_ACTIVITY_KIND_MEMSET:
            return sizeof(CUpti_ActivityMemset5);
        case CUPTI_ACTIVITY_KIND_MEMORY2:
            return sizeof(CUpti_ActivityMemory4);
        case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
            return sizeof(CUpti_ActivitySynchronization2);
        case CUPTI_ACTIVITY_KIND_MARKER_DATA:
            return sizeof(CUpti_ActivityMarkerData2);
        default:
            return sizeof(CUpti_Activity);
    }
}

void deliver(const std::optional<Buffer>& buffer) {
    if (!buffer) return;
    const auto complete = records().complete;
    if (complete == nullptr) return;
    const auto call = [&] { complete(nullptr, 0, buffer->data, buffer->size, buffer->used); };
    if (options().delivers_on_thread)
        std::thread(call).join();
    else
        call();
}

// Needs the lock. Asks the program for a buffer if there is none.
bool has_buffer() {
    Records& all = records();
    if (all.buffer) return true;
    if (all.request == nullptr) return false;
    Buffer buffer;
    all.request(&buffer.data, &buffer.size, &buffer.max_records);
    if (buffer.data == nullptr || buffer.size == 0) return false;
    if (options().max_records != 0) buffer.max_records = options().max_records;
    all.places[buffer.data].clear();
    all.buffer = buffer;
    return true;
}

bool has_room(const Buffer& buffer, std::size_t size) {
    return buffer.used + size <= buffer.size && (buffer.max_records == 0 || buffer.records < buffer.max_records);
}

std::optional<Buffer> take_buffer() {
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    if (!all.buffer || all.buffer->records == 0) return {};
    return std::exchange(all.buffer, std::nullopt);
}

bool must_drop() {
    State& all = state();
    const std::lock_guard lock(all.mutex);
    if (all.options.drop == 0) return false;
    --all.options.drop;
    return true;
}

void flush_periodically() {
    Records& all = records();
    std::unique_lock lock(all.mutex);
    while (all.period != 0) {
        if (all.changed.wait_for(lock, std::chrono::milliseconds(all.period)) == std::cv_status::no_timeout) continue;
        lock.unlock();
        deliver(take_buffer());
        lock.lock();
    }
}

void set_period(unsigned period) {
    Records& all = records();
    std::thread ended;
    {
        const std::lock_guard lock(all.mutex);
        all.period = period;
        if (period == 0) ended = std::move(all.flusher);
        if (period != 0 && !all.flusher.joinable()) all.flusher = std::thread(flush_periodically);
    }
    all.changed.notify_all();
    if (ended.joinable()) ended.join();
}

}  // namespace

std::uint64_t timestamp() {
    if (const auto clock = records().clock) return clock();
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

void forget_records() {
    set_period(0);
    (void)take_buffer();
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    all.request = nullptr;
    all.complete = nullptr;
    all.buffer.reset();
    all.dropped = 0;
    all.clock = nullptr;
}

bool add(const void* record, std::size_t size) {
    CUpti_ActivityKind kind{};
    std::memcpy(&kind, record, sizeof kind);
    if (!is_enabled(kind)) return false;
    const std::size_t slot = (std::max(size, size_of(kind)) + 7) / 8 * 8;
    const bool is_dropped = must_drop();
    std::optional<Buffer> full;
    {
        Records& all = records();
        const std::lock_guard lock(all.mutex);
        if (!is_dropped && all.buffer && !has_room(*all.buffer, slot)) full = std::exchange(all.buffer, std::nullopt);
        if (is_dropped || !has_buffer() || !has_room(*all.buffer, slot)) {
            ++all.dropped;
        } else {
            Buffer& buffer = *all.buffer;
            all.places[buffer.data].push_back(buffer.used);
            std::memset(buffer.data + buffer.used, 0, slot);
            std::memcpy(buffer.data + buffer.used, record, size);
            buffer.used += slot;
            ++buffer.records;
        }
    }
    deliver(full);
    return true;
}

std::size_t room() {
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    return has_buffer() ? all.buffer->size - all.buffer->used : 0;
}

extern "C" {

#define CUBIND_STAND_IN(function) [[gnu::visibility("default")]] CUptiResult function

CUBIND_STAND_IN(cuptiActivityRegisterCallbacks)
(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (request == nullptr || complete == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    const UnlimitedMemory memory;
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    all.request = request;
    all.complete = complete;
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN(cuptiActivityEnable)(CUpti_ActivityKind kind) {
    const UnlimitedMemory memory;
    if (const CUptiResult status = begin_call(__func__)) return status;
    observe_loaded_driver();
    if (kind <= CUPTI_ACTIVITY_KIND_INVALID || kind >= CUPTI_ACTIVITY_KIND_COUNT) return CUPTI_ERROR_INVALID_KIND;
    State& all = state();
    const std::lock_guard lock(all.mutex);
    const bool is_serial = kind == CUPTI_ACTIVITY_KIND_KERNEL;
    const unsigned other = is_serial ? CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL : CUPTI_ACTIVITY_KIND_KERNEL;
    if ((is_serial || kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) && all.kinds.contains(other))
        return CUPTI_ERROR_NOT_COMPATIBLE;
    all.kinds.insert(kind);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN(cuptiActivityDisable)(CUpti_ActivityKind kind) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    State& all = state();
    const std::lock_guard lock(all.mutex);
    all.kinds.erase(kind);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN(cuptiActivityFlushAll)(std::uint32_t) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    deliver(take_buffer());
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN(cuptiActivityFlushPeriod)(std::uint32_t period) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    set_period(period);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN(cuptiActivityGetNextRecord)(std::uint8_t* buffer, std::size_t size, CUpti_Activity** record) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (buffer == nullptr || record == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    const auto found = all.places.find(buffer);
    if (found == all.places.end()) return CUPTI_ERROR_INVALID_PARAMETER;
    const auto& places = found->second;
    const std::size_t current =
        *record != nullptr ? static_cast<std::size_t>(reinterpret_cast<std::uint8_t*>(*record) - buffer) : 0;
    const auto next = *record == nullptr ? places.begin() : std::upper_bound(places.begin(), places.end(), current);
    if (next == places.end() || *next >= size) return CUPTI_ERROR_MAX_LIMIT_REACHED;
    *record = reinterpret_cast<CUpti_Activity*>(buffer + *next);
    return CUPTI_SUCCESS;
}

// CUPTI forgets the number when it tells it.
CUBIND_STAND_IN(cuptiActivityGetNumDroppedRecords)(CUcontext, std::uint32_t, std::size_t* dropped) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (dropped == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    Records& all = records();
    const std::lock_guard lock(all.mutex);
    *dropped = std::exchange(all.dropped, 0);
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN(cuptiActivitySetAttribute)(CUpti_ActivityAttribute, std::size_t* size, void* value) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    return size != nullptr && value != nullptr ? CUPTI_SUCCESS : CUPTI_ERROR_INVALID_PARAMETER;
}

CUBIND_STAND_IN(cuptiActivityRegisterTimestampCallback)(CUpti_TimestampCallbackFunc clock) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    records().clock = clock;
    return CUPTI_SUCCESS;
}

// The stand-in always numbers threads as the system does.
CUBIND_STAND_IN(cuptiSetThreadIdType)(CUpti_ActivityThreadIdType) {
    return begin_call(__func__);
}

CUBIND_STAND_IN(cuptiGetTimestamp)(std::uint64_t* time) {
    if (const CUptiResult status = begin_call(__func__)) return status;
    if (time == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *time = timestamp();
    return CUPTI_SUCCESS;
}

CUBIND_STAND_IN(cuptiFinalize)() {
    if (const CUptiResult status = begin_call(__func__)) return status;
    deliver(take_buffer());
    set_period(0);
    State& all = state();
    const std::lock_guard lock(all.mutex);
    all.kinds.clear();
    delete std::exchange(all.subscriber, nullptr);
    return CUPTI_SUCCESS;
}

}  // extern "C"

}  // namespace cubind::testing::cupti_stand_in
