// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/recording.hpp>

#include <string_view>
#include <type_traits>

/// The names and values of records. The outputs write them, and cubind-prof stores them.
namespace CUBIND_NAMESPACE::profile::detail {

/// Calls `visit` with the name of each list of Records, which is that of its Subject, and the list.
template <class Lists, class Visit>
void visit_lists(Lists& records, const Visit& visit) {
    visit("kernels", records.kernels);
    visit("copies", records.copies);
    visit("fills", records.fills);
    visit("memory_operations", records.memory_operations);
    visit("calls", records.calls);
    visit("synchronizations", records.synchronizations);
    visit("ranges", records.ranges);
}

/// Calls `visit` with the name of each member of a record, and the member, in the order of the outputs.
template <class Record, class Visit>
void visit_members(Record& record, const Visit& visit) {
    using Plain = std::remove_const_t<Record>;
    constexpr bool is_range = std::is_same_v<Plain, RangeRecord>;
    if constexpr (requires { record.name; }) visit("name", record.name);
    if constexpr (std::is_same_v<Plain, KernelRecord>) visit("symbol", record.symbol);
    if constexpr (is_range) visit("domain", record.domain);
    if constexpr (std::is_same_v<Plain, ApiRecord>) visit("api", record.api);
    if constexpr (requires { record.direction; }) visit("direction", record.direction);
    if constexpr (requires { record.memory; }) visit("memory", record.memory);
    if constexpr (requires { record.kind; }) visit("kind", record.kind);
    visit("start_ns", record.start);
    visit("duration_ns", record.end);
    visit("process", record.process);
    visit("correlation_id", record.correlation_id);
    if constexpr (std::is_base_of_v<DeviceRecord, Plain>) {
        visit("device", record.device);
        visit("context", record.context);
        visit("stream", record.stream);
        visit("graph", record.graph);
        visit("graph_node", record.graph_node);
    }
    if constexpr (std::is_same_v<Plain, KernelRecord>) {
        visit("grid", record.grid);
        visit("block", record.block);
        visit("cluster", record.cluster);
        visit("registers_per_thread", record.registers_per_thread);
        visit("static_shared_memory", record.static_shared_memory);
        visit("dynamic_shared_memory", record.dynamic_shared_memory);
        visit("local_memory_per_thread", record.local_memory_per_thread);
    } else if constexpr (std::is_same_v<Plain, CopyRecord>) {
        visit("bytes", record.bytes);
        visit("source", record.source);
        visit("destination", record.destination);
        visit("source_device", record.source_device);
        visit("destination_device", record.destination_device);
        visit("is_asynchronous", record.is_asynchronous);
    } else if constexpr (std::is_same_v<Plain, FillRecord>) {
        visit("bytes", record.bytes);
        visit("value", record.value);
        visit("is_asynchronous", record.is_asynchronous);
    } else if constexpr (std::is_same_v<Plain, MemoryRecord>) {
        visit("address", record.address);
        visit("bytes", record.bytes);
        visit("is_release", record.is_release);
        visit("is_asynchronous", record.is_asynchronous);
    } else if constexpr (std::is_same_v<Plain, ApiRecord>) {
        visit("function_id", record.function_id);
        visit("thread", record.thread);
        visit("status", record.status);
    } else if constexpr (std::is_same_v<Plain, SynchronizationRecord>) {
        visit("context", record.context);
        visit("stream", record.stream);
        visit("event", record.event);
    } else if constexpr (is_range) {
        visit("thread", record.thread);
        visit("color", record.color);
        visit("category", record.category);
        visit("payload", record.payload);
        visit("is_mark", record.is_mark);
        visit("is_open", record.is_open);
    }
}

/// Calls a function with the records of the subject.
template <class Visit>
void visit_subject(const Recording& recording, Subject subject, const Visit& visit) {
    visit_lists(recording.records(), [&](std::string_view name, const auto& records) {
        if (name == to_string(subject)) visit(records);
    });
}

}  // namespace CUBIND_NAMESPACE::profile::detail
