// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/records.hpp>

#include <cstdint>
#include <string_view>

/// The members of each record, in the order of a file. An archive writes them, or reads them.
namespace cubind::prof {

constexpr std::uint64_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    return hash;
}

template <class Archive, class Record>
void visit_timed(Archive& archive, Record& record) {
    archive(record.start, record.end, record.process, record.correlation_id);
}

template <class Archive, class Record>
void visit_device(Archive& archive, Record& record) {
    visit_timed(archive, record);
    archive(record.device, record.context, record.stream, record.graph, record.graph_node);
}

template <class Archive, class Record>
void visit_record(Archive& archive, Record& record) {
    using Plain = std::remove_const_t<Record>;
    if constexpr (std::is_same_v<Plain, profile::KernelRecord>) {
        visit_device(archive, record);
        archive(record.name, record.symbol, record.grid, record.block, record.cluster, record.registers_per_thread,
                record.static_shared_memory, record.dynamic_shared_memory, record.local_memory_per_thread);
    } else if constexpr (std::is_same_v<Plain, profile::CopyRecord>) {
        visit_device(archive, record);
        archive(record.bytes, record.direction, record.source, record.destination, record.is_asynchronous, record.source_device,
                record.destination_device);
    } else if constexpr (std::is_same_v<Plain, profile::FillRecord>) {
        visit_device(archive, record);
        archive(record.bytes, record.value, record.memory, record.is_asynchronous);
    } else if constexpr (std::is_same_v<Plain, profile::MemoryRecord>) {
        visit_device(archive, record);
        archive(record.address, record.bytes, record.memory, record.is_release, record.is_asynchronous);
    } else if constexpr (std::is_same_v<Plain, profile::ApiRecord>) {
        visit_timed(archive, record);
        archive(record.name, record.function_id, record.api, record.thread, record.status);
    } else if constexpr (std::is_same_v<Plain, profile::SynchronizationRecord>) {
        visit_timed(archive, record);
        archive(record.kind, record.context, record.stream, record.event);
    } else {
        static_assert(std::is_same_v<Plain, profile::RangeRecord>);
        visit_timed(archive, record);
        archive(record.name, record.domain, record.thread, record.color, record.category, record.payload, record.is_mark,
                record.is_open);
    }
}

/// Calls `visit` with each list of records.
template <class Records, class Visit>
void for_each_list(Records& records, const Visit& visit) {
    visit(records.kernels);
    visit(records.copies);
    visit(records.fills);
    visit(records.memory_operations);
    visit(records.calls);
    visit(records.synchronizations);
    visit(records.ranges);
}

}  // namespace cubind::prof
