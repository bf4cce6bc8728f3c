// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Adds the arrays of all GPUs with NCCL, so that each GPU has the sum. One process controls all GPUs. The program also runs with
// one GPU.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/library.hpp>
#include <cubind/nccl.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;
using namespace cubind::nccl;

namespace {

constexpr std::size_t n = 1 << 20;

struct Rank {
    explicit Rank(Device device) : stream(device), data(device.allocate<float>(stream, n)) {}
    Stream stream;
    TypedBuffer<float> data;
};

struct Communicators {
    explicit Communicators(int count) : handles(static_cast<std::size_t>(count)) {
        check(ncclCommInitAll(handles.data(), count, nullptr));  // rank i is device i
    }
    ~Communicators() {
        for (const ncclComm_t each : handles) (void)ncclCommDestroy(each);
    }
    std::vector<ncclComm_t> handles;
};

int all_reduce() {
    if (library_path(nccl::library()) == nullptr)
        return example::skip("NCCL was not found. It is in the Python package nvidia-nccl-cu13.");
    const int count = Device::count();
    std::vector<Rank> ranks;
    for (int i = 0; i < count; ++i) {
        ranks.emplace_back(Device(i));
        fill(ranks.back().stream, ranks.back().data, static_cast<float>(i + 1));
    }
    const Communicators communicators(count);
    // Calls for several GPUs by one thread must be in a group, or the first one would wait for the others.
    check(ncclGroupStart());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        auto* const address = reinterpret_cast<void*>(ranks[i].data.native_handle());
        check(ncclAllReduce(address, address, n, ncclFloat, ncclSum, communicators.handles[i], ranks[i].stream.native_handle()));
    }
    check(ncclGroupEnd());

    const float expected = static_cast<float>(count * (count + 1) / 2);
    bool right = true;
    for (Rank& rank : ranks) {
        std::vector<float> sums(n);
        copy(rank.stream, sums, rank.data);
        rank.stream.synchronize();
        for (const float sum : sums) right = right && sum == expected;
    }
    std::printf("%d GPUs, %zu elements; each sum is %g.\n", count, n, static_cast<double>(expected));
    return example::verdict(right, "each GPU has the sum of the arrays of all GPUs");
}

}  // namespace

int main() {
    return example::run(all_reduce);
}
