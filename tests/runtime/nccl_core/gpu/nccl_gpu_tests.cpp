// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// NCCL itself, on all GPUs in one process.
#include <cubind/core.hpp>
#include <cubind/nccl.hpp>
#include <cubind/nccl_core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "nccl_gpu.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;
using nccl::Communicator;

constexpr std::size_t n = element_count;

/// One GPU of this process.
struct Rank {
    Rank(Communicator owned, std::size_t count)
        : communicator(std::move(owned)),
          device(communicator.device()),
          stream(device),
          data(device.allocate<float>(stream, count)) {}
    void fill(float value) { data.fill(stream, value); }
    std::vector<float> values() {
        std::vector<float> all(data.count());
        copy(stream, all, data);
        stream.synchronize();
        return all;
    }
    Communicator communicator;
    Device device;
    Stream stream;
    TypedBuffer<float> data;
};

bool are(const std::vector<float>& values, float expected) {
    return std::all_of(values.begin(), values.end(), [&](float each) { return each == expected; });
}

class NcclGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = problem(); !why.empty()) GTEST_SKIP() << why;
        for (Communicator& each : Communicator::init_all(Device::all())) ranks_.emplace_back(std::move(each), n);
        for (std::size_t i = 0; i < ranks_.size(); ++i) ranks_[i].fill(static_cast<float>(i + 1));
    }
    /// Makes a call of each rank in one group, and waits.
    void all(const std::function<void(Rank&)>& call) {
        nccl::Group group;
        for (Rank& rank : ranks_) call(rank);
        group.end();
        for (Rank& rank : ranks_) rank.communicator.wait(rank.stream, 30s);
    }
    float total() const { return static_cast<float>(size()) * static_cast<float>(size() + 1) / 2; }
    void expect_total() {
        all([](Rank& rank) { rank.communicator.all_reduce(rank.stream, rank.data); });
        for (Rank& rank : ranks_) EXPECT_TRUE(are(rank.values(), total()));
    }
    std::size_t size() const { return ranks_.size(); }

    std::vector<Rank> ranks_;
};

TEST_F(NcclGpuTest, ReducesOnAllRanks) {
    expect_total();
    all([](Rank& rank) { rank.communicator.all_reduce(rank.stream, rank.data, nccl::average); });
    for (Rank& rank : ranks_) EXPECT_TRUE(are(rank.values(), total()));
}

TEST_F(NcclGpuTest, ReducesAndBroadcasts) {
    all([](Rank& rank) { rank.communicator.reduce(rank.stream, rank.data, 1, nccl::max); });
    EXPECT_TRUE(are(ranks_[1].values(), static_cast<float>(size())));
    EXPECT_TRUE(are(ranks_[0].values(), 1));
    all([](Rank& rank) { rank.communicator.broadcast(rank.stream, rank.data, 1); });
    for (Rank& rank : ranks_) EXPECT_TRUE(are(rank.values(), static_cast<float>(size())));
}

TEST_F(NcclGpuTest, GathersAndScatters) {
    const std::size_t part = n / size();
    // Rank r contributes the value r + 1 as its part of the data.
    all([&](Rank& rank) { rank.communicator.all_gather(rank.stream, rank.data.first(part * size())); });
    for (Rank& rank : ranks_) {
        const auto values = rank.values();
        for (std::size_t i = 0; i < size(); ++i) EXPECT_EQ(values[i * part], static_cast<float>(i + 1));
    }
    all([&](Rank& rank) { rank.communicator.reduce_scatter(rank.stream, rank.data.first(part * size())); });
    for (std::size_t i = 0; i < size(); ++i) EXPECT_EQ(ranks_[i].values()[i * part], static_cast<float>((i + 1) * size()));
}

TEST_F(NcclGpuTest, ExchangesParts) {
    const std::size_t part = n / size();
    std::vector<TypedBuffer<float>> results;
    for (Rank& rank : ranks_) results.push_back(rank.device.allocate<float>(rank.stream, part * size()));
    const auto value = [&](std::size_t of, std::size_t index) {
        Rank& rank = ranks_[of];
        return results[of].get(rank.stream, index);
    };
    std::size_t next = 0;
    all([&](Rank& rank) { rank.communicator.all_to_all(rank.stream, rank.data.first(part * size()), results[next++]); });
    for (std::size_t of = 0; of < size(); ++of) {
        for (std::size_t i = 0; i < size(); ++i) EXPECT_EQ(value(of, i * part), static_cast<float>(i + 1));
    }
    next = 0;
    all([&](Rank& rank) { rank.communicator.gather(rank.stream, rank.data.first(part), results[next++], 0); });
    for (std::size_t i = 0; i < size(); ++i) EXPECT_EQ(value(0, i * part), static_cast<float>(i + 1));
    all([&](Rank& rank) { rank.communicator.scatter(rank.stream, results[0], rank.data.first(part), 0); });
    for (std::size_t i = 0; i < size(); ++i) EXPECT_EQ(ranks_[i].values()[0], static_cast<float>(i + 1));
}

TEST_F(NcclGpuTest, SendsInARing) {
    const int count = static_cast<int>(size());
    std::vector<TypedBuffer<float>> received;
    for (Rank& rank : ranks_) received.push_back(rank.device.allocate<float>(rank.stream, n));
    std::size_t next = 0;
    all([&](Rank& rank) {
        const int own = rank.communicator.rank();
        rank.communicator.send(rank.stream, rank.data, (own + 1) % count);
        rank.communicator.receive(rank.stream, received[next++], (own + count - 1) % count);
    });
    for (std::size_t i = 0; i < size(); ++i) {
        EXPECT_EQ(received[i].get(ranks_[i].stream, n - 1), static_cast<float>((i + size() - 1) % size() + 1));
    }
}

TEST_F(NcclGpuTest, MultipliesBeforeASum) {
    std::vector<nccl::ReductionOperator> operators;
    for (Rank& rank : ranks_) operators.push_back(nccl::ReductionOperator::premultiplied_sum(rank.communicator, 0.5f));
    std::size_t next = 0;
    all([&](Rank& rank) { rank.communicator.all_reduce(rank.stream, rank.data, operators[next++]); });
    for (Rank& rank : ranks_) EXPECT_TRUE(are(rank.values(), total() / 2));
}

TEST_F(NcclGpuTest, AcceptsNoElements) {
    const int count = static_cast<int>(size());
    all([&](Rank& rank) {
        Communicator& own = rank.communicator;
        const std::span<float> none = rank.data.first(0);
        own.all_reduce(rank.stream, none);
        own.reduce(rank.stream, none, 0);
        own.broadcast(rank.stream, none, 0);
        own.all_gather(rank.stream, none);
        own.reduce_scatter(rank.stream, none);
        own.all_to_all(rank.stream, none, none);
        own.gather(rank.stream, none, none, 0);
        own.scatter(rank.stream, none, none, 0);
        own.send(rank.stream, none, (own.rank() + 1) % count);
        own.receive(rank.stream, none, (own.rank() + count - 1) % count);
    });
    for (std::size_t i = 0; i < size(); ++i) EXPECT_TRUE(are(ranks_[i].values(), static_cast<float>(i + 1)));
}

TEST_F(NcclGpuTest, AcceptsManyElements) {
    constexpr std::size_t many = (std::size_t{1} << 31) + 8;
    const int count = static_cast<int>(size());
    std::vector<TypedBuffer<signed char>> own, received;
    for (Rank& rank : ranks_) {
        own.push_back(rank.device.allocate<signed char>(rank.stream, many));
        received.push_back(rank.device.allocate<signed char>(rank.stream, many));
        own.back().fill(rank.stream, static_cast<signed char>(own.size()));
    }
    const auto of = [](const Rank& rank) { return static_cast<std::size_t>(rank.communicator.rank()); };
    all([&](Rank& rank) {
        const int number = rank.communicator.rank();
        rank.communicator.send(rank.stream, own[of(rank)], (number + 1) % count);
        rank.communicator.receive(rank.stream, received[of(rank)], (number + count - 1) % count);
    });
    for (std::size_t i = 0; i < size(); ++i) {
        for (const std::size_t at : {std::size_t{0}, many - 1}) {
            EXPECT_EQ(received[i].get(ranks_[i].stream, at), static_cast<signed char>((i + size() - 1) % size() + 1));
        }
    }
    all([&](Rank& rank) { rank.communicator.all_reduce(rank.stream, own[of(rank)]); });
    for (std::size_t i = 0; i < size(); ++i) EXPECT_EQ(own[i].get(ranks_[i].stream, many - 1), static_cast<signed char>(total()));
    all([&](Rank& rank) { rank.communicator.broadcast(rank.stream, received[of(rank)], count - 1); });
    for (std::size_t i = 0; i < size(); ++i) {
        EXPECT_EQ(received[i].get(ranks_[i].stream, many - 1), static_cast<signed char>(size() - 1));
    }
}

TEST_F(NcclGpuTest, RefusesStreamsAndBuffersOfAnotherDevice) {
    EXPECT_THROW(ranks_[0].communicator.all_reduce(ranks_[1].stream, ranks_[0].data), std::invalid_argument);
    EXPECT_THROW(ranks_[0].communicator.all_reduce(ranks_[0].stream, ranks_[1].data), std::invalid_argument);
    expect_total();
}

TEST_F(NcclGpuTest, DiscardsAGroupIfAnExceptionPasses) {
    EXPECT_THROW(
        {
            const nccl::Group group;
            ranks_[0].communicator.all_reduce(ranks_[0].stream, ranks_[0].data);
            throw std::runtime_error("the other ranks are missing");
        },
        std::runtime_error);
    ranks_[0].communicator.wait(ranks_[0].stream, 5s);
    EXPECT_TRUE(are(ranks_[0].values(), 1));
    expect_total();
}

TEST_F(NcclGpuTest, AbortsAfterTheTimeoutAndCanBeBuiltAgain) {
    all([](Rank& rank) { rank.communicator.all_reduce(rank.stream, rank.data); });
    ranks_[0].communicator.all_reduce(ranks_[0].stream, ranks_[0].data);  // the others do not take part
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(ranks_[0].communicator.wait(ranks_[0].stream, 500ms), nccl::CommunicationError);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
    for (Rank& rank : ranks_) rank.communicator.abort();
    ranks_.clear();
    SetUp();
    expect_total();
}

TEST_F(NcclGpuTest, RunsInGraphs) {
    all([](Rank& rank) { rank.communicator.all_reduce(rank.stream, rank.data); });  // connects the ranks
    std::vector<GraphBuilder> builders;
    for (Rank& rank : ranks_) builders.emplace_back(rank.device).begin_building();
    {
        nccl::Group group;
        for (std::size_t i = 0; i < size(); ++i) ranks_[i].communicator.all_reduce(builders[i], ranks_[i].data, nccl::max);
        group.end();
    }
    std::vector<Graph> graphs;
    for (GraphBuilder& each : builders) graphs.push_back(each.end_building().complete());
    for (int repeat = 0; repeat < 3; ++repeat) {
        for (std::size_t i = 0; i < size(); ++i) {
            ranks_[i].fill(static_cast<float>(i) * 2);
            graphs[i].launch(ranks_[i].stream);
        }
        for (Rank& rank : ranks_) rank.communicator.wait(rank.stream, 30s);
        for (Rank& rank : ranks_) EXPECT_TRUE(are(rank.values(), static_cast<float>(size() - 1) * 2));
    }
}

TEST_F(NcclGpuTest, UsesRegisteredMemory) {
    std::vector<TypedBuffer<float>> memory;
    for (Rank& rank : ranks_) {
        memory.push_back(nccl::NcclMemoryResource(rank.device).allocate<float>(rank.stream, 1 << 20));
        memory.back().fill(rank.stream, 1.0f);
        rank.stream.synchronize();
    }
    std::vector<nccl::Window> windows;
    windows.reserve(size());
    {
        nccl::Group group;
        for (std::size_t i = 0; i < size(); ++i)
            windows.emplace_back(ranks_[i].communicator, memory[i], nccl::NCCL_WIN_COLL_SYMMETRIC);
        group.end();
    }
    std::vector<nccl::RegisteredBuffer> registered;
    for (std::size_t i = 0; i < size(); ++i) registered.emplace_back(ranks_[i].communicator, memory[i]);
    std::size_t next = 0;
    all([&](Rank& rank) { rank.communicator.all_reduce(rank.stream, memory[next++]); });
    for (std::size_t i = 0; i < size(); ++i) EXPECT_EQ(memory[i].get(ranks_[i].stream, 12345), static_cast<float>(size()));
    registered.clear();
    nccl::Group group;
    windows.clear();
    group.end();
}

TEST_F(NcclGpuTest, SplitsInAGroup) {
    std::vector<Communicator> parts;
    parts.reserve(size());
    nccl::Group group;
    for (Rank& rank : ranks_) parts.push_back(rank.communicator.split(rank.communicator.rank() == 0 ? 0 : 1));
    group.end();
    EXPECT_EQ(parts[0].size(), 1);
    EXPECT_EQ(parts[1].size(), static_cast<int>(size()) - 1);
    EXPECT_EQ(parts[1].rank(), 0);
}

}  // namespace
}  // namespace cubind::testing
