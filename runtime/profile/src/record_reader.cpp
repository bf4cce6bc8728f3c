// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "record_reader.hpp"

#include <cubind/cupti/callback.hpp>

#include <chrono>
#include <utility>

#include "platform/demangled_name.hpp"

namespace CUBIND_NAMESPACE::profile::detail {

using namespace cupti;

namespace {

template <class To>
const To& as(const CUpti_Activity& record) noexcept {
    return reinterpret_cast<const To&>(record);
}

template <class Enum>
Enum limited(std::uint32_t value, Enum last) noexcept {
    return value <= static_cast<std::uint32_t>(last) ? static_cast<Enum>(value) : Enum{};
}

MemoryKind memory_kind(std::uint32_t value) noexcept {
    return limited(value, MemoryKind::managed_static);
}

Dim3 extents(std::int32_t x, std::int32_t y, std::int32_t z) noexcept {
    return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)};
}

double payload_of(const CUpti_ActivityMarkerData& data) noexcept {
    switch (data.payloadKind) {
        case CUPTI_METRIC_VALUE_KIND_DOUBLE:
            return data.payload.metricValueDouble;
        case CUPTI_METRIC_VALUE_KIND_UINT64:
            return static_cast<double>(data.payload.metricValueUint64);
        case CUPTI_METRIC_VALUE_KIND_INT64:
            return static_cast<double>(data.payload.metricValueInt64);
        default:
            return 0;
    }
}

}  // namespace

void RecordReader::begin(TimePoint start, std::int64_t shift, std::uint32_t process, std::size_t max_records) {
    auto pool = std::make_shared<NamePool>();
    *this = {};
    pool_ = std::move(pool);
    records_.start = start;
    shift_ = shift;
    process_ = process;
    max_records_ = max_records;
}

// Drivers before CUDA 13 call the unversioned kind for kernels that run alone.
void RecordReader::add(const CUpti_Activity& record) {
    if (record.kind == CUPTI_ACTIVITY_KIND_MARKER_DATA) return add_marker_data(as<CUpti_ActivityMarkerData>(record));
    if (records_.size() >= max_records_) {
        ++records_.dropped.by_limit;
        return;
    }
    switch (record.kind) {
        case CUPTI_ACTIVITY_KIND_KERNEL:
        case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
            return add_kernel(as<CUpti_ActivityKernel9>(record));
        case CUPTI_ACTIVITY_KIND_MEMCPY:
            return add_copy(as<CUpti_ActivityMemcpy5>(record));
        case CUPTI_ACTIVITY_KIND_MEMCPY2:
            return add_peer_copy(as<CUpti_ActivityMemcpyPtoP4>(record));
        case CUPTI_ACTIVITY_KIND_MEMSET:
            return add_fill(as<CUpti_ActivityMemset4>(record));
        case CUPTI_ACTIVITY_KIND_MEMORY2:
            return add_memory(as<CUpti_ActivityMemory3>(record));
        case CUPTI_ACTIVITY_KIND_DRIVER:
        case CUPTI_ACTIVITY_KIND_RUNTIME:
            return add_call(as<CUpti_ActivityAPI>(record));
        case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
            return add_synchronization(as<CUpti_ActivitySynchronization>(record));
        case CUPTI_ACTIVITY_KIND_MARKER:
            return add_marker(as<CUpti_ActivityMarker2>(record));
        default:
            return;  // a kind that no option enables
    }
}

Records RecordReader::take(TimePoint now, bool is_end) {
    for (auto& [id, range] : open_ranges_) {
        if (!is_end) break;
        range.end = now;
        range.is_open = true;
        records_.ranges.push_back(range);
    }
    if (is_end) open_ranges_.clear();
    auto pool = std::make_shared<NamePool>();
    auto open = open_ranges_;  // these will be part of another recording
    for (auto& [id, range] : open) {
        range.name = pool->intern(range.name);
        range.domain = pool->intern(range.domain);
    }
    records_.names.push_back(pool_);
    pool_ = std::move(pool);
    open_ranges_ = std::move(open);
    demangled_.clear();
    for (auto& each : functions_) each.clear();
    records_.end = now;
    Records taken = std::exchange(records_, {});
    records_.start = now;
    return taken;
}

TimePoint RecordReader::time(std::uint64_t cupti_time) const noexcept {
    return TimePoint(Nanoseconds(static_cast<std::int64_t>(cupti_time) + shift_));
}

template <class Record>
void RecordReader::set_times(TimedRecord& to, const Record& from) const noexcept {
    if constexpr (requires { from.timestamp; }) {
        to.start = to.end = time(from.timestamp);
    } else {
        to.start = time(from.start);
        to.end = time(from.end);
    }
    to.process = process_;
    to.correlation_id = from.correlationId;
}

template <class Record>
void RecordReader::set_device(DeviceRecord& to, const Record& from) const noexcept {
    set_times(to, from);
    to.device = from.deviceId;
    to.context = from.contextId;
    to.stream = from.streamId;
    if constexpr (requires { from.graphId; }) {
        to.graph = from.graphId;
        to.graph_node = from.graphNodeId;
    }
}

std::string_view RecordReader::intern(const char* text) {
    return text == nullptr ? std::string_view() : pool_->intern(text);
}

std::string_view RecordReader::demangled(std::string_view symbol) {
    if (const auto found = demangled_.find(symbol); found != demangled_.end()) return found->second;
    const std::string text = cubind::detail::demangled_name(symbol.data());
    const std::string_view name = text.empty() ? symbol : pool_->intern(text);
    demangled_.emplace(symbol, name);
    return name;
}

// A driver that is newer than CUPTI has functions that CUPTI has no names for.
std::string_view RecordReader::function_name(Api api, std::uint32_t id) {
    auto& known = functions_[static_cast<std::size_t>(api)];
    if (const auto found = known.find(id); found != known.end()) return found->second;
    const auto name = cuptiGetCallbackName(api == Api::driver ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API, id);
    const bool is_known = name.ok() && name.value != nullptr && *name.value != '\0';
    const std::string_view text =
        is_known ? pool_->intern(name.value) : pool_->intern(std::string(to_string(api)) + " function " + std::to_string(id));
    known.emplace(id, text);
    return text;
}

void RecordReader::add_kernel(const CUpti_ActivityKernel9& from) {
    if (from.start == 0 || from.end == 0) {
        ++records_.dropped.incomplete;
        return;
    }
    KernelRecord to;
    set_device(to, from);
    to.symbol = intern(from.name);
    to.name = demangled(to.symbol);
    to.grid = extents(from.gridX, from.gridY, from.gridZ);
    to.block = extents(from.blockX, from.blockY, from.blockZ);
    to.cluster = {from.clusterX, from.clusterY, from.clusterZ};
    to.registers_per_thread = from.registersPerThread;
    to.static_shared_memory = static_cast<std::uint32_t>(from.staticSharedMemory);
    to.dynamic_shared_memory = static_cast<std::uint32_t>(from.dynamicSharedMemory);
    to.local_memory_per_thread = from.localMemoryPerThread;
    records_.kernels.push_back(to);
}

template <class Record>
CopyRecord& RecordReader::add_any_copy(const Record& from) {
    CopyRecord to;
    set_device(to, from);
    to.bytes = from.bytes;
    to.source = memory_kind(from.srcKind);
    to.destination = memory_kind(from.dstKind);
    to.is_asynchronous = (from.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
    to.source_device = to.destination_device = from.deviceId;
    return records_.copies.emplace_back(to);
}

void RecordReader::add_copy(const CUpti_ActivityMemcpy5& from) {
    add_any_copy(from).direction = limited(from.copyKind, CopyDirection::peer_to_peer);
}

void RecordReader::add_peer_copy(const CUpti_ActivityMemcpyPtoP4& from) {
    CopyRecord& to = add_any_copy(from);
    to.direction = CopyDirection::peer_to_peer;
    to.source_device = from.srcDeviceId;
    to.destination_device = from.dstDeviceId;
}

void RecordReader::add_fill(const CUpti_ActivityMemset4& from) {
    FillRecord to;
    set_device(to, from);
    to.bytes = from.bytes;
    to.value = from.value;
    to.memory = memory_kind(from.memoryKind);
    to.is_asynchronous = (from.flags & CUPTI_ACTIVITY_FLAG_MEMSET_ASYNC) != 0;
    records_.fills.push_back(to);
}

void RecordReader::add_memory(const CUpti_ActivityMemory3& from) {
    MemoryRecord to;
    set_device(to, from);
    to.address = from.address;
    to.bytes = from.bytes;
    to.memory = memory_kind(from.memoryKind);
    to.is_release = from.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
    to.is_asynchronous = from.isAsync != 0;
    records_.memory_operations.push_back(to);
}

void RecordReader::add_call(const CUpti_ActivityAPI& from) {
    ApiRecord to;
    set_times(to, from);
    to.api = from.kind == CUPTI_ACTIVITY_KIND_DRIVER ? Api::driver : Api::runtime;
    to.function_id = from.cbid;
    to.name = function_name(to.api, from.cbid);
    to.thread = from.threadId;
    to.status = static_cast<std::int32_t>(from.returnValue);
    records_.calls.push_back(to);
}

void RecordReader::add_synchronization(const CUpti_ActivitySynchronization& from) {
    SynchronizationRecord to;
    set_times(to, from);
    to.kind = limited(from.type, SynchronizationKind::context);
    to.context = from.contextId;
    to.stream = from.streamId;
    to.event = from.cudaEventId == UINT32_MAX ? 0 : from.cudaEventId;
    records_.synchronizations.push_back(to);
}

// A range has a record of its begin, with its name, and one of its end. The end of a range that began before the recorder is left
// out.
void RecordReader::add_marker(const CUpti_ActivityMarker2& from) {
    if ((from.flags & CUPTI_ACTIVITY_FLAG_MARKER_END) != 0) {
        const auto open = open_ranges_.find(from.id);
        if (open == open_ranges_.end()) return;
        open->second.end = time(from.timestamp);
        records_.ranges.push_back(open->second);
        open_ranges_.erase(open);
        return;
    }
    RangeRecord range;
    range.start = range.end = time(from.timestamp);
    range.process = process_;
    range.name = intern(from.name);
    range.domain = intern(from.domain);
    if (from.objectKind == CUPTI_ACTIVITY_OBJECT_THREAD) range.thread = from.objectId.pt.threadId;
    if ((from.flags & CUPTI_ACTIVITY_FLAG_MARKER_START) != 0) {
        open_ranges_.insert_or_assign(from.id, range);
    } else if ((from.flags & CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS) != 0) {
        range.is_mark = true;
        records_.ranges.push_back(range);
        last_range_id_ = from.id;
    }
}

void RecordReader::add_marker_data(const CUpti_ActivityMarkerData& from) {
    const auto open = open_ranges_.find(from.id);
    const bool is_latest_mark = from.id == last_range_id_ && !records_.ranges.empty() && records_.ranges.back().is_mark;
    if (open == open_ranges_.end() && !is_latest_mark) return;
    RangeRecord& range = open != open_ranges_.end() ? open->second : records_.ranges.back();
    range.category = from.category;
    range.payload = payload_of(from);
    if ((from.flags & CUPTI_ACTIVITY_FLAG_MARKER_COLOR_ARGB) != 0) range.color = from.color;
}

}  // namespace CUBIND_NAMESPACE::profile::detail
