// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/recording.hpp>

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

/// Numbers and texts of the outputs, independent of the locale.
namespace CUBIND_NAMESPACE::profile::detail {

inline void append_number(std::string& out, std::integral auto value) {
    char digits[24];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

/// Appends a number with a fixed number of decimals.
inline void append_decimal(std::string& out, double value, int decimals) {
    char digits[400];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, decimals).ptr);
}

/// Appends the text as UTF-8: bytes that are not are written as their Latin-1 characters.
void append_utf8(std::string& out, std::string_view text);

/// A record as fields with names, for CSV and JSON. `visit` is called with the name and the value of each: std::string_view,
/// std::uint64_t, std::int64_t, double or bool.
template <class Visit>
void visit_timed(const TimedRecord& record, TimePoint zero, Visit visit) {
    visit("start_ns", std::int64_t{(record.start - zero).count()});
    visit("duration_ns", std::int64_t{record.duration().count()});
    visit("process", std::uint64_t{record.process});
    visit("correlation_id", std::uint64_t{record.correlation_id});
}

template <class Visit>
void visit_device(const DeviceRecord& record, TimePoint zero, Visit visit) {
    visit_timed(record, zero, visit);
    visit("device", std::uint64_t{record.device});
    visit("context", std::uint64_t{record.context});
    visit("stream", std::uint64_t{record.stream});
    visit("graph", std::uint64_t{record.graph});
    visit("graph_node", std::uint64_t{record.graph_node});
}

template <class Visit>
void visit_range_of(const Recording& recording, const TimedRecord& record, Visit visit) {
    const RangeRecord* const range = recording.range_of(record);
    visit("range", range == nullptr ? std::string_view() : range->name);
}

template <class Visit>
void visit_fields(const Recording& recording, const KernelRecord& record, Visit visit) {
    visit("name", record.name);
    visit("symbol", record.symbol);
    visit_device(record, recording.start(), visit);
    visit("grid_x", std::uint64_t{record.grid.x});
    visit("grid_y", std::uint64_t{record.grid.y});
    visit("grid_z", std::uint64_t{record.grid.z});
    visit("block_x", std::uint64_t{record.block.x});
    visit("block_y", std::uint64_t{record.block.y});
    visit("block_z", std::uint64_t{record.block.z});
    visit("cluster_x", std::uint64_t{record.cluster.x});
    visit("cluster_y", std::uint64_t{record.cluster.y});
    visit("cluster_z", std::uint64_t{record.cluster.z});
    visit("registers_per_thread", std::uint64_t{record.registers_per_thread});
    visit("static_shared_memory", std::uint64_t{record.static_shared_memory});
    visit("dynamic_shared_memory", std::uint64_t{record.dynamic_shared_memory});
    visit("local_memory_per_thread", std::uint64_t{record.local_memory_per_thread});
    visit_range_of(recording, record, visit);
}

template <class Visit>
void visit_fields(const Recording& recording, const CopyRecord& record, Visit visit) {
    visit("direction", std::string_view(to_string(record.direction)));
    visit_device(record, recording.start(), visit);
    visit("bytes", record.bytes);
    visit("source", std::string_view(to_string(record.source)));
    visit("destination", std::string_view(to_string(record.destination)));
    visit("source_device", std::uint64_t{record.source_device});
    visit("destination_device", std::uint64_t{record.destination_device});
    visit("is_asynchronous", record.is_asynchronous);
    visit_range_of(recording, record, visit);
}

template <class Visit>
void visit_fields(const Recording& recording, const FillRecord& record, Visit visit) {
    visit("memory", std::string_view(to_string(record.memory)));
    visit_device(record, recording.start(), visit);
    visit("bytes", record.bytes);
    visit("value", std::uint64_t{record.value});
    visit("is_asynchronous", record.is_asynchronous);
    visit_range_of(recording, record, visit);
}

template <class Visit>
void visit_fields(const Recording& recording, const MemoryRecord& record, Visit visit) {
    visit("memory", std::string_view(to_string(record.memory)));
    visit_device(record, recording.start(), visit);
    visit("address", record.address);
    visit("bytes", record.bytes);
    visit("is_release", record.is_release);
    visit("is_asynchronous", record.is_asynchronous);
}

template <class Visit>
void visit_fields(const Recording& recording, const ApiRecord& record, Visit visit) {
    visit("name", record.name);
    visit("api", std::string_view(to_string(record.api)));
    visit_timed(record, recording.start(), visit);
    visit("function_id", std::uint64_t{record.function_id});
    visit("thread", std::uint64_t{record.thread});
    visit("status", std::int64_t{record.status});
    visit_range_of(recording, record, visit);
}

template <class Visit>
void visit_fields(const Recording& recording, const SynchronizationRecord& record, Visit visit) {
    visit("kind", std::string_view(to_string(record.kind)));
    visit_timed(record, recording.start(), visit);
    visit("context", std::uint64_t{record.context});
    visit("stream", std::uint64_t{record.stream});
    visit("event", std::uint64_t{record.event});
    visit_range_of(recording, record, visit);
}

template <class Visit>
void visit_fields(const Recording& recording, const RangeRecord& record, Visit visit) {
    visit("name", record.name);
    visit("domain", record.domain);
    visit_timed(record, recording.start(), visit);
    visit("thread", std::uint64_t{record.thread});
    visit("color", std::uint64_t{record.color});
    visit("category", std::uint64_t{record.category});
    visit("payload", record.payload);
    visit("is_mark", record.is_mark);
    visit("is_open", record.is_open);
    const RangeRecord* const parent = recording.parent_of(record);
    visit("range", parent == nullptr ? std::string_view() : parent->name);
}

/// Calls a function with the records of the subject.
template <class Visit>
auto with_records(const Recording& recording, Subject subject, Visit visit) {
    switch (subject) {
        case Subject::kernels:
            return visit(recording.kernels());
        case Subject::copies:
            return visit(recording.copies());
        case Subject::fills:
            return visit(recording.fills());
        case Subject::calls:
            return visit(recording.calls());
        case Subject::synchronizations:
            return visit(recording.synchronizations());
        case Subject::ranges:
            break;
    }
    return visit(recording.ranges());
}

}  // namespace CUBIND_NAMESPACE::profile::detail
