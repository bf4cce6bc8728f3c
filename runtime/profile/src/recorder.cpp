// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/cupti/activity.hpp>
#include <cubind/cupti/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/profile/recorder.hpp>

#include <array>
#include <chrono>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "checked.hpp"
#include "collector.hpp"
#include "errors/misuse.hpp"
#include "lifetime/cleanup.hpp"
#include "platform/environment.hpp"
#include "platform/file.hpp"
#include "platform/nvtx_tool.hpp"

namespace CUBIND_NAMESPACE::profile {

using namespace cupti;
using cubind::detail::concat;
using cubind::detail::throw_misuse;
using detail::checked;
using detail::Collector;

namespace {

struct Activity {
    CUpti_ActivityKind kind;
    bool RecorderOptions::*option;
    const char* name;
};

// Not CUPTI_ACTIVITY_KIND_GRAPH_TRACE, with which CUPTI 13.0 crashes in cuGraphLaunch.
constexpr Activity activities[] = {
    {CUPTI_ACTIVITY_KIND_MARKER, &RecorderOptions::ranges, "record ranges of NVTX (option ranges)"},
    {CUPTI_ACTIVITY_KIND_MARKER_DATA, &RecorderOptions::ranges, "record ranges of NVTX (option ranges)"},
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, &RecorderOptions::kernels, "record kernels (option kernels)"},
    {CUPTI_ACTIVITY_KIND_MEMCPY, &RecorderOptions::copies, "record copies (option copies)"},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, &RecorderOptions::copies, "record copies between devices (option copies)"},
    {CUPTI_ACTIVITY_KIND_MEMSET, &RecorderOptions::fills, "record fills (option fills)"},
    {CUPTI_ACTIVITY_KIND_MEMORY2, &RecorderOptions::memory_operations, "record memory operations (option memory_operations)"},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, &RecorderOptions::synchronizations, "record waits (option synchronizations)"},
    {CUPTI_ACTIVITY_KIND_RUNTIME, &RecorderOptions::runtime_calls, "record calls of the runtime library (option runtime_calls)"},
    {CUPTI_ACTIVITY_KIND_DRIVER, &RecorderOptions::driver_calls, "record calls of the driver (option driver_calls)"},
};

void check_options(const RecorderOptions& options) {
    constexpr std::size_t min_size = 4096;
    if (options.buffer_size < min_size)
        throw_misuse("Recorder: RecorderOptions::buffer_size is ", options.buffer_size, " bytes; at least ", min_size,
                     " are needed");
    if (options.max_buffers < 2)
        throw_misuse("Recorder: RecorderOptions::max_buffers is ", options.max_buffers, "; at least 2 are needed");
    for (const Activity& each : activities) {
        if (options.*each.option) return;
    }
    throw_misuse("Recorder: no activity of RecorderOptions is on, so nothing would be recorded");
}

constexpr const char* tool_variable = "NVTX_INJECTION64_PATH";

// The variable may also be a name that the OS loader searches: "libcupti.so.13".
bool is_cupti(const char* tool, const char* library) {
    cubind::detail::FileStatus left, right;
    if (cubind::detail::status_of_path(tool, left) == 0 && cubind::detail::status_of_path(library, right) == 0)
        return left.is_same_file(right);
    return std::string_view(tool).find("libcupti") != std::string_view::npos;
}

// Makes CUPTI, whose path is given, the tool that receives ranges and marks of NVTX in this process. Returns "" or a sentence
// that says why ranges will be missing. NVTX's implementations in the process look for the tool at their first range. That of
// cubind does so here.
std::string send_ranges_to_cupti(const char* library) {
    if (library == nullptr) return {};  // the calls of CUPTI fail
    const char* const tool = cubind::detail::environment_variable(tool_variable);
    if (tool == nullptr || *tool == '\0') {
        if (cubind::detail::set_environment_variable(tool_variable, library) != 0)
            return concat("Ranges of NVTX are missing: the environment variable ", tool_variable, " could not be set.");
    } else if (!is_cupti(tool, library)) {
        return concat("Ranges of NVTX are missing: they go to another tool, because the environment variable ", tool_variable,
                      " is ", tool, ". Start the program without it.");
    }
    if (cubind::detail::nvtx_tool().is_attached) return {};
    return concat(
        "Ranges of cubind are missing, because the first one preceded the recorder: create the recorder earlier, or start the "
        "program with the environment variable ",
        tool_variable, "=", library, ".");
}

// Returns what to add to CUPTI's times. Of some measurements, the one that took the shortest time is the most exact.
std::int64_t clock_shift() {
    using Clock = std::chrono::steady_clock;
    std::int64_t shift = 0;
    Nanoseconds shortest = Nanoseconds::max();
    for (int i = 0; i < 8; ++i) {
        const TimePoint before = Clock::now();
        const auto time = static_cast<std::int64_t>(checked(cuptiGetTimestamp(), "compare its clock with the host's"));
        const Nanoseconds took = Clock::now() - before;
        if (took >= shortest) continue;
        shortest = took;
        shift = (before.time_since_epoch() + took / 2).count() - time;
    }
    return shift;
}

void enable(const RecorderOptions& options) {
    std::size_t count = 0;
    try {
        for (; count < std::size(activities); ++count) {
            if (options.*activities[count].option) checked(cuptiActivityEnable(activities[count].kind), activities[count].name);
        }
    } catch (...) {
        while (count-- > 0) {
            if (options.*activities[count].option)
                detail::report(cuptiActivityDisable(activities[count].kind), "end an activity of CUPTI");
        }
        throw;
    }
}

void start(const RecorderOptions& options) {
    // This is the first call of CUPTI, and finds out whether there is one.
    checked(cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM), "number threads as the system does");
    const std::int64_t shift = clock_shift();
    Collector& collector = Collector::instance();
    collector.begin(options, std::chrono::steady_clock::now(), shift);
    checked(cuptiActivityRegisterCallbacks(Collector::provide_buffer, Collector::read_buffer),
            "pass it the functions for its buffers");
    enable(options);
    if (!options.ranges) return;
    // CUPTI records no ranges of an NVTX that it has joined before the activity was enabled.
    const std::string note = send_ranges_to_cupti(library_path(cupti::library()));
    if (!note.empty()) collector.with_records([&](Records& records) { records.notes.push_back(note); });
}

void count_dropped() {
    const std::size_t count = checked(cuptiActivityGetNumDroppedRecords(nullptr, 0), "count the records that it has dropped");
    Collector::instance().with_records([&](Records& records) { records.dropped.by_cupti += count; });
}

Records nothing_in_child() {
    Records records;
    records.notes.emplace_back("Nothing was recorded: fork() created this process, and the recorder works in its parent only.");
    return records;
}

}  // namespace

Recorder::Recorder(const RecorderOptions& options) : options_(options) {
    check_options(options);
    Collector& collector = Collector::instance();
    collector.claim();
    try {
        start(options);
    } catch (...) {
        collector.end();
        throw;
    }
    is_recording_ = true;
}

Recorder::~Recorder() {
    if (!is_recording_) return;
    try {
        static_cast<void>(stop());
    } catch (const std::exception& error) {
        cubind::detail::report_cleanup_failure("stop a recorder", error.what());
    }
}

void Recorder::flush() {
    if (!is_recording_) throw_misuse("Recorder: the recorder has stopped, so there is nothing to deliver: create another one");
    if (Collector::instance().is_copy()) return;
    checked(cuptiActivityFlushAll(0), "deliver its records");
    count_dropped();
}

RecorderProgress Recorder::progress() const noexcept {
    if (!is_recording_) return {};
    return Collector::instance().with_records([](const Records& records) {
        return RecorderProgress{records.size(), records.kernels.size(), records.dropped.total()};
    });
}

Records Recorder::take() {
    flush();
    return Collector::instance().is_copy() ? nothing_in_child() : Collector::instance().take(false);
}

// CUPTI completes the records of ended work when it delivers them. What it delivers last is what has begun before the end of its
// activity. All steps are made, and the first failure is thrown.
Recording Recorder::stop() {
    if (!is_recording_) throw_misuse("Recorder::stop: the recorder has stopped before, and a recording is returned once");
    is_recording_ = false;
    Collector& collector = Collector::instance();
    if (collector.is_copy()) return Recording(nothing_in_child());
    std::exception_ptr first;
    const auto attempt = [&](const auto& step) {
        try {
            step();
        } catch (...) {
            if (first == nullptr) first = std::current_exception();
        }
    };
    attempt([] { checked(cuptiActivityFlushAll(0), "deliver its records"); });
    for (const Activity& each : activities) {
        if (options_.*each.option) attempt([&] { checked(cuptiActivityDisable(each.kind), "end an activity"); });
    }
    attempt([] { checked(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "deliver its last records"); });
    attempt(count_dropped);
    Records records;
    attempt([&] { records = collector.take(true); });
    collector.end();
    if (first != nullptr) std::rethrow_exception(first);
    return Recording(std::move(records));
}

}  // namespace CUBIND_NAMESPACE::profile
