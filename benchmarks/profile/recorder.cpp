// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times a run of launches without a profiler, with CUPTI's activities and functions that drop the buffers, and with a Recorder
/// of the same activities. benchmarks/profile_cost runs this program and compares the times.
///
/// usage: recorder_benchmark [off] [--batches=N] [--launches=N]
/// "off" times launches only, and links the recorder without using it.

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/program/object_code.hpp>
#include <cubind/core/stream/stream.hpp>
#ifdef WITH_RECORDER
#include <cubind/cupti/activity.hpp>
#include <cubind/cupti/status.hpp>
#include <cubind/profile/recorder.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace cubind;
using Clock = std::chrono::steady_clock;

constexpr const char* ptx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry nothing() { ret; }
.visible .entry spin(.param .u64 ns) {
    .reg .pred %p<2>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd2, [ns];
    mov.u64 %rd3, %globaltimer;
wait:
    mov.u64 %rd4, %globaltimer;
    sub.u64 %rd5, %rd4, %rd3;
    setp.lt.u64 %p1, %rd5, %rd2;
    @%p1 bra wait;
    ret;
}
)";

struct Work {
    Device device{0};
    Stream stream{device};
    ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, std::string_view(ptx));
    Kernel nothing = code.kernel("nothing");
    Kernel spin = code.kernel("spin");
    int launches = 10'000;

    // Returns nanoseconds per launch, with the wait at the end.
    double run(bool is_short) {
        const auto begin = Clock::now();
        for (int i = 0; i < launches; ++i) {
            if (is_short)
                launch(stream, {.grid = 1, .block = 32}, nothing);
            else
                launch(stream, {.grid = 1, .block = 1}, spin, 10'000ull);
        }
        stream.synchronize();
        return std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / launches;
    }
};

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

using Times = std::map<std::string, std::vector<double>>;

#ifdef WITH_RECORDER

using namespace cubind::cupti;

constexpr std::size_t buffer_size = 1 << 20;

void provide_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(64, buffer_size));
    *size = buffer_size;
    *max_records = 0;
}

void drop_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t) {
    std::free(buffer);
}

// The activities of RecorderOptions without ranges, and those of kernels alone.
constexpr CUpti_ActivityKind all_kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                            CUPTI_ACTIVITY_KIND_MEMCPY2,           CUPTI_ACTIVITY_KIND_MEMSET,
                                            CUPTI_ACTIVITY_KIND_RUNTIME,           CUPTI_ACTIVITY_KIND_DRIVER};

double with_cupti(Work& work, bool is_short, std::size_t kinds) {
    check(cuptiActivityRegisterCallbacks(provide_buffer, drop_buffer));
    for (std::size_t i = 0; i < kinds; ++i) check(cuptiActivityEnable(all_kinds[i]));
    const double time = work.run(is_short);
    check(cuptiActivityFlushAll(0));
    for (std::size_t i = 0; i < kinds; ++i) check(cuptiActivityDisable(all_kinds[i]));
    check(cuptiActivityFlushAll(1));
    return time;
}

double with_recorder(Work& work, bool is_short, const profile::RecorderOptions& options, Times& times) {
    const auto begin = Clock::now();
    profile::Recorder recorder(options);
    const auto started = Clock::now();
    const double time = work.run(is_short);
    const auto ended = Clock::now();
    const profile::Recording recording = recorder.stop();
    const auto stopped = Clock::now();
    if (recording.kernels().size() != static_cast<std::size_t>(work.launches) || recording.dropped().total() != 0) {
        std::fprintf(stderr, "%zu kernels were recorded, and %zu records dropped\n", recording.kernels().size(),
                     recording.dropped().total());
        std::exit(1);
    }
    times["start"].push_back(std::chrono::duration<double, std::nano>(started - begin).count());
    times["stop"].push_back(std::chrono::duration<double, std::nano>(stopped - ended).count());
    return time;
}

void add_recorders(Work& work, int batches, Times& times) {
    for (int i = 0; i < batches; ++i) {
        for (const bool is_short : {true, false}) {
            const std::string suffix = is_short ? "/empty kernel" : "/10 us kernel";
            times["off again" + suffix].push_back(work.run(is_short));
            times["CUPTI, kernels" + suffix].push_back(with_cupti(work, is_short, 1));
            times["Recorder, kernels" + suffix].push_back(with_recorder(
                work, is_short, {.copies = false, .fills = false, .driver_calls = false, .runtime_calls = false, .ranges = false},
                times));
            times["CUPTI, default" + suffix].push_back(with_cupti(work, is_short, std::size(all_kinds)));
            times["Recorder, default" + suffix].push_back(with_recorder(work, is_short, {.ranges = false}, times));
        }
    }
}

#endif

}  // namespace

int main(int argc, char** argv) {
    int batches = 11;
    bool is_off = false;
    Work work;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--batches=", 10) == 0) batches = std::max(1, std::atoi(argv[i] + 10));
        if (std::strncmp(argv[i], "--launches=", 11) == 0) work.launches = std::max(1, std::atoi(argv[i] + 11));
        if (std::strcmp(argv[i], "off") == 0) is_off = true;
    }
    Times times;
    work.run(true);
    for (int i = 0; i < batches; ++i) {
        times["off/empty kernel"].push_back(work.run(true));
        if (!is_off) times["off/10 us kernel"].push_back(work.run(false));
    }
#ifdef WITH_RECORDER
    if (!is_off) add_recorders(work, batches, times);
#endif
    const char* separator = "{";
    for (const auto& [name, values] : times) {
        std::printf("%s\n\"%s\": %.1f", separator, name.c_str(), median(values));
        separator = ",";
    }
    std::printf("\n}\n");
    return 0;
}
