// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The stand-in as a tool of NVTX: it makes a record of each mark, and of each beginning and end of a range. It uses the binary
// interface, as recording_tool.cpp does.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/syscall.h>
#include <unistd.h>

#include "stand_in_state.hpp"

namespace cubind::testing::cupti_stand_in {

using namespace cupti;

namespace {

using Function = void (*)();

struct Event {
    std::uint16_t version;
    std::uint16_t size;
    std::uint32_t category;
    std::int32_t color_kind;
    std::uint32_t color;
    std::int32_t payload_kind;
    std::int32_t reserved;
    std::uint64_t payload;
    std::int32_t message_kind;
    const char* message;
};

struct Callbacks {
    std::size_t size;
    int (*get_group)(unsigned group, Function*** addresses, unsigned* size);
};

std::atomic<std::uint32_t> last_id{0};
thread_local std::vector<std::uint32_t> open_ranges;

// A domain is a copy of its name; the default domain is null.
void add_marker(void* domain, const char* name, CUpti_ActivityFlag flags, std::uint32_t id) {
    CUpti_ActivityMarker2 marker{};
    marker.kind = CUPTI_ACTIVITY_KIND_MARKER;
    marker.flags = flags;
    marker.timestamp = timestamp();
    marker.id = id;
    marker.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
    marker.objectId.pt.processId = static_cast<std::uint32_t>(::getpid());
    marker.objectId.pt.threadId = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    marker.name = name;
    marker.domain = static_cast<const char*>(domain);
    add(marker);
}

// A registered text is a copy of it.
const char* message_of(const Event& event) {
    return event.message != nullptr && (event.message_kind == 1 || event.message_kind == 3) ? keep(event.message) : "";
}

void mark(void* domain, const Event* event) {
    add_marker(domain, message_of(*event), CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS, ++last_id);
}

std::uint64_t start(void* domain, const Event* event) {
    const std::uint32_t id = ++last_id;
    add_marker(domain, message_of(*event), CUPTI_ACTIVITY_FLAG_MARKER_START, id);
    return id;
}

void end(void* domain, std::uint64_t range) {
    add_marker(domain, nullptr, CUPTI_ACTIVITY_FLAG_MARKER_END, static_cast<std::uint32_t>(range));
}

int push(void* domain, const Event* event) {
    open_ranges.push_back(static_cast<std::uint32_t>(start(domain, event)));
    return static_cast<int>(open_ranges.size()) - 1;
}

int pop(void* domain) {
    if (open_ranges.empty()) return -1;
    end(domain, open_ranges.back());
    open_ranges.pop_back();
    return static_cast<int>(open_ranges.size());
}

const void* register_string(void*, const char* text) {
    return keep(text);
}

void* create_domain(const char* name) {
    return const_cast<char*>(keep(name));
}

void destroy_domain(void*) {}

int push_text(const char* text) {
    const Event event{3, sizeof(Event), 0, 0, 0, 0, 0, 0, 1, text};
    return push(nullptr, &event);
}

int pop_text() {
    return pop(nullptr);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int InitializeInjectionNvtx2(const void* (*get_export_table)(std::uint32_t)) {
    if (begin_call(__func__) != CUPTI_SUCCESS) return 0;
    const auto* const callbacks = static_cast<const Callbacks*>(get_export_table(1));
    if (callbacks == nullptr || callbacks->size < sizeof(Callbacks)) return 0;
    const auto assign = [&](unsigned group, unsigned number, auto function) {
        Function** addresses = nullptr;
        unsigned size = 0;
        if (callbacks->get_group(group, &addresses, &size) == 1 && number < size)
            *addresses[number] = reinterpret_cast<Function>(function);
    };
    assign(1, 9, push_text);  // nvtxRangePushA and nvtxRangePop, which know no domain
    assign(1, 11, pop_text);
    assign(5, 1, mark);
    assign(5, 2, start);
    assign(5, 3, end);
    assign(5, 4, push);
    assign(5, 5, pop);
    assign(5, 10, register_string);
    assign(5, 12, create_domain);
    assign(5, 14, destroy_domain);
    return 1;
}

}  // namespace cubind::testing::cupti_stand_in
