// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times all-reduce of all GPUs by one process, through nccl::Communicator and through function pointers of NCCL, with the same
/// communicators, streams and memory. benchmarks/nccl_cost runs this program and compares the times; alternate.hpp has its
/// options.

#include <cubind/core.hpp>
#include <cubind/library.hpp>
#include <cubind/nccl/loading.hpp>
#include <cubind/nccl_core.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "../alternate.hpp"
#include "../device_time.hpp"
#include "../plain.hpp"

namespace {

using namespace cubind::nccl;

constexpr std::size_t largest = std::size_t(1) << 30;  // bytes

void expect(ncclResult_t status) {
    if (status != ncclSuccess) [[unlikely]]
        std::abort();
}

struct Rank {
    explicit Rank(Communicator owned)
        : communicator(std::move(owned)),
          stream(communicator.device()),
          data(communicator.device().allocate<float>(stream, largest / sizeof(float))),
          start(communicator.device(), {.timing_enabled = true}),
          stop(communicator.device(), {.timing_enabled = true}) {
        data.fill(stream, 0.0f);
    }
    Communicator communicator;
    cubind::Stream stream;
    cubind::TypedBuffer<float> data;
    cubind::Event start, stop;
};

class Ranks {
public:
    Ranks() {
        for (Communicator& each : Communicator::init_all(cubind::Device::all())) all_.emplace_back(std::move(each));
        wait();
    }
    std::size_t size() const { return all_.size(); }
    void wait() {
        for (Rank& each : all_) each.communicator.wait(each.stream, std::chrono::seconds(60));
    }

    /// One operation of all GPUs in a group.
    void reduce(std::size_t count) {
        Group group;
        for (Rank& each : all_) each.communicator.all_reduce(each.stream, each.data.first(count));
        group.end();
    }
    void reduce_plainly(std::size_t count) {
        static auto* const begin = plain<ncclResult_t()>(library(), "ncclGroupStart");
        static auto* const end = plain<ncclResult_t()>(library(), "ncclGroupEnd");
        using AllReduce = ncclResult_t(const void*, void*, std::size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t, cudaStream_t);
        static auto* const all_reduce = plain<AllReduce>(library(), "ncclAllReduce");
        expect(begin());
        for (Rank& each : all_) {
            void* const data = reinterpret_cast<void*>(each.data.native_handle());
            expect(all_reduce(data, data, count, ncclFloat32, ncclSum, each.communicator.native_handle(),
                              each.stream.native_handle()));
        }
        expect(end());
    }

    /// Returns the time on the device of one of `repeats` operations, in nanoseconds.
    template <class Operation>
    double device_time(int repeats, Operation operation) {
        std::vector<HeldStream> held;
        for (Rank& each : all_) {
            held.emplace_back(each.stream);
            each.stream.record(each.start);
        }
        for (int i = 0; i < repeats; ++i) operation();
        for (Rank& each : all_) each.stream.record(each.stop);
        for (HeldStream& each : held) each.release();
        wait();
        double longest = 0;
        for (Rank& each : all_)
            longest = std::max(longest, std::chrono::duration<double, std::nano>(each.stop - each.start).count());
        return longest / repeats;
    }

private:
    std::vector<Rank> all_;
};

std::string text_of(std::size_t bytes) {
    const char* unit = "KiB";
    std::size_t number = bytes >> 10;
    for (const char* const larger : {"MiB", "GiB"}) {
        if (number < 1024) break;
        number >>= 10;
        unit = larger;
    }
    return std::to_string(number) + " " + unit;
}

int run(int argc, char** argv) {
    Alternation calls(argc, argv);
    static Ranks ranks;
    for (std::size_t bytes = 1 << 10; bytes <= largest; bytes *= 4) {
        const std::size_t count = bytes / sizeof(float);
        const int repeats = bytes <= (64 << 20) ? 50 : 5;
        const std::string name = "device time of all_reduce, " + text_of(bytes);
        calls.add_timed(name, "plain", [=] { return ranks.device_time(repeats, [=] { ranks.reduce_plainly(count); }); });
        calls.add_timed(name, "cubind", [=] { return ranks.device_time(repeats, [=] { ranks.reduce(count); }); });
    }
    const auto wait = [] { ranks.wait(); };
    const std::string name = "host time of all_reduce on " + std::to_string(ranks.size()) + " GPUs";
    calls.add(
        name, "plain", 64, [] { ranks.reduce_plainly(256); }, wait);
    calls.add(
        name, "cubind", 64, [] { ranks.reduce(256); }, wait);
    return calls.run();
}

}  // namespace

int main(int argc, char** argv) try {
    ::setenv("NCCL_NVLS_ENABLE", "0", 0);  // multicast of NVLink can disturb other users of the host
    if (cubind::library_path(cubind::nccl::library()) == nullptr || cubind::Device::count() < 2) {
        std::fprintf(stderr, "NCCL or a second GPU is missing\n");
        return 77;
    }
    return run(argc, argv);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 77;
}
