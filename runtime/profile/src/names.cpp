// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/recording.hpp>

#include <algorithm>
#include <iterator>

namespace CUBIND_NAMESPACE::profile {

namespace {

template <std::size_t count, class Enum>
const char* name_in(const char* const (&names)[count], Enum value) noexcept {
    const auto index = static_cast<std::size_t>(value);
    return names[index < count ? index : 0];
}

}  // namespace

std::string_view NamePool::intern(std::string_view text) {
    const auto found = texts_.find(text);
    return found != texts_.end() ? *found : *texts_.emplace(text).first;
}

void Records::add(Records more) {
    const auto append = [](auto& to, auto& from) {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    append(kernels, more.kernels);
    append(copies, more.copies);
    append(fills, more.fills);
    append(memory_operations, more.memory_operations);
    append(calls, more.calls);
    append(synchronizations, more.synchronizations);
    append(ranges, more.ranges);
    append(names, more.names);
    std::erase_if(more.notes, [&](const std::string& each) { return std::ranges::find(notes, each) != notes.end(); });
    append(notes, more.notes);
    dropped.by_cupti += more.dropped.by_cupti;
    dropped.by_limit += more.dropped.by_limit;
    dropped.incomplete += more.dropped.incomplete;
    if (more.end == TimePoint{}) return;
    start = end == TimePoint{} ? more.start : std::min(start, more.start);
    end = std::max(end, more.end);
}

const char* to_string(CopyDirection direction) noexcept {
    static constexpr const char* names[] = {"unknown",          "host to device", "device to host",  "host to array",
                                            "array to host",    "array to array", "array to device", "device to array",
                                            "device to device", "host to host",   "peer to peer"};
    return name_in(names, direction);
}

const char* to_string(MemoryKind kind) noexcept {
    static constexpr const char* names[] = {"unknown", "pageable", "pinned",        "device",
                                            "array",   "managed",  "device static", "managed static"};
    return name_in(names, kind);
}

const char* to_string(Api api) noexcept {
    return api == Api::driver ? "driver" : "runtime";
}

const char* to_string(SynchronizationKind kind) noexcept {
    static constexpr const char* names[] = {"unknown", "event", "stream waits for event", "stream", "context"};
    return name_in(names, kind);
}

const char* to_string(Subject subject) noexcept {
    static constexpr const char* names[] = {"kernels", "copies", "fills", "calls", "synchronizations", "ranges"};
    return name_in(names, subject);
}

}  // namespace CUBIND_NAMESPACE::profile
