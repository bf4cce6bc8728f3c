// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>

#include "layers_test.hpp"
#include "sanitizers.hpp"
#include "trace/call_record.hpp"

namespace cubind::testing {
namespace {

namespace trace = layers::trace;

constexpr std::size_t one_call =
    sizeof(trace::CallRecord) + 8;  // a call of cuInit: 4 bytes for the argument and 4 for the status

class TraceMemoryTest : public StubbedTest {
protected:
    static std::string init(unsigned flags) { return "cuInit(Flags=" + std::to_string(flags) + ") -> CUDA_SUCCESS"; }
};

TEST_F(TraceMemoryTest, RetainsCallsUntilTheNextStart) {
    trace::start({.memory = 1 << 16});
    cuInit(1);
    trace::stop();
    cuInit(2);
    EXPECT_THAT(traced_calls(), ElementsAre(init(1)));
    trace::start({.memory = 1 << 16});
    EXPECT_EQ(trace::recorded(), "");
    cuInit(3);
    EXPECT_THAT(traced_calls(), ElementsAre(init(3)));
    trace::clear();
    EXPECT_EQ(trace::recorded(), "");
    cuInit(4);
    EXPECT_THAT(traced_calls(), ElementsAre(init(4)));
    EXPECT_EQ(trace::dropped(), 0u);
}

TEST_F(TraceMemoryTest, ContinuesIfAStartFails) {
    if (CUBIND_TEST_ADDRESS_SANITIZER) GTEST_SKIP() << "the address sanitizer ends the process if an allocation is too large";
    trace::start({.memory = 1 << 16});
    cuInit(1);
    EXPECT_ANY_THROW(trace::start({.memory = ~std::size_t{0}}));
    EXPECT_ANY_THROW(trace::start({.memory = std::size_t{1} << 62}));
    cuInit(2);
    // The second thread gets a new buffer, because the first one does not end before.
    std::thread([] {
        cuInit(3);
        std::thread([] { cuInit(4); }).join();
    }).join();
    EXPECT_THAT(traced_calls(), ElementsAre(init(1), init(2), init(3), init(4)));
    EXPECT_EQ(trace::dropped(), 0u);
}

TEST_F(TraceMemoryTest, DropsTheOldestCalls) {
    trace::start({.memory = 3 * one_call});
    for (unsigned call = 1; call <= 3; ++call) cuInit(call);
    EXPECT_EQ(trace::dropped(), 0u);
    for (unsigned call = 4; call <= 10; ++call) {
        cuInit(call);
        EXPECT_THAT(traced_calls(), ElementsAre(init(call - 2), init(call - 1), init(call)));
        EXPECT_EQ(trace::dropped(), call - 3);
    }
}

// For all sizes, the memory contains as many of the last calls as fit, in order.
TEST_F(TraceMemoryTest, RetainsTheLastCallsOfManySizes) {
    for (std::size_t memory = 0; memory < 700; memory += 7) {
        trace::start({.memory = memory + 1});
        std::vector<std::string> made;
        for (unsigned call = 0; call < 60; ++call) {
            const std::string text(call * 7 % 50, 'x');
            if (call % 3 == 0) {
                cuInit(call);
                made.push_back(init(call));
            } else {
                cuDeviceGetByPCIBusId(text.c_str());
                made.push_back("cuDeviceGetByPCIBusId(pciBusId=\"" + text + "\") -> CUDA_SUCCESS dev=0");
            }
            // Some calls are too large for the smallest memory, which then retains the previous calls.
            const auto retained = traced_calls();
            ASSERT_EQ(retained.size() + trace::dropped(), made.size());
            auto place = made.begin();
            for (const std::string& each : retained) {
                place = std::find(place, made.end(), each);
                ASSERT_NE(place, made.end()) << each << " with " << memory;
                ++place;
            }
            if (memory > 300) {
                ASSERT_FALSE(retained.empty());
                ASSERT_EQ(retained.back(), made.back());
                ASSERT_EQ(retained, std::vector(made.end() - static_cast<std::ptrdiff_t>(retained.size()), made.end()));
            }
        }
    }
}

TEST_F(TraceMemoryTest, DropsCallsThatDoNotFit) {
    for (const std::size_t memory : {std::size_t{1}, one_call - 1}) {
        trace::start({.memory = memory});
        for (unsigned call = 0; call < 5; ++call) cuInit(call);
        EXPECT_EQ(trace::recorded(), "");
        EXPECT_EQ(trace::dropped(), 5u);
    }
    trace::start({.memory = 2 * one_call - 1});
    for (unsigned call = 0; call < 5; ++call) cuInit(call);
    EXPECT_THAT(traced_calls(), ElementsAre(init(4)));
}

TEST_F(TraceMemoryTest, PrintsCallsInOtherFormats) {
    trace::start({.memory = 1 << 16});
    cuInit(5);
    EXPECT_THAT(
        trace::recorded(trace::Format::json_lines),
        HasSubstr(R"("library":"driver","function":"cuInit","arguments":{"Flags":5},"status":"CUDA_SUCCESS","results":{}})"));
    const std::string chrome = trace::recorded(trace::Format::chrome);
    EXPECT_THAT(chrome, ::testing::StartsWith("[\n{\"ph\":\"X\""));
    EXPECT_THAT(chrome, ::testing::EndsWith("}\n]\n"));
}

TEST_F(TraceMemoryTest, SortsCallsOfAllThreads) {
    trace::start({.memory = 1 << 16});
    for (unsigned call = 0; call < 20; ++call) std::thread([=] { cuInit(call); }).join();
    std::vector<std::string> expected;
    for (unsigned call = 0; call < 20; ++call) expected.push_back(init(call));
    EXPECT_EQ(traced_calls(), expected) << "calls of threads that have ended";
}

// The number of concurrent threads bounds the memory, not the number of all threads.
TEST_F(TraceMemoryTest, ReusesTheMemoryOfThreadsThatHaveEnded) {
    trace::start({.memory = 2 * one_call});
    for (unsigned call = 0; call < 200; ++call) std::thread([=] { cuInit(call); }).join();
    EXPECT_LT(traced_calls().size(), 20u);
    EXPECT_EQ(traced_calls().back(), init(199));
    EXPECT_EQ(traced_calls().size() + trace::dropped(), 200u);
}

// A thread_local object that was created before the trace is destroyed after the thread's own objects of the trace.
struct CallAtThreadExit {
    unsigned flags = 0;
    ~CallAtThreadExit() {
        if (flags != 0) cuInit(flags);
    }
};
thread_local CallAtThreadExit call_at_thread_exit;

TEST_F(TraceMemoryTest, RecordsCallsOfEndingThreads) {
    trace::start({.memory = 1 << 12});
    for (unsigned thread = 1; thread <= 3; ++thread) {
        std::thread([=] {
            call_at_thread_exit.flags = 10 * thread;
            cuInit(thread);
        }).join();
    }
    EXPECT_THAT(traced_calls(), ElementsAre(init(1), init(10), init(2), init(20), init(3), init(30)));
}

TEST_F(TraceMemoryTest, RecordsWhileItIsReadAndCleared) {
    trace::start({.memory = 1 << 14});
    std::atomic<int> running{3};
    in_threads(4, [&](int index) {
        if (index == 3) {
            while (running.load() > 0) {
                for (const std::string& call : traced_calls()) ASSERT_THAT(call, ::testing::StartsWith("cuInit(Flags="));
                trace::dropped();
                trace::clear();
                trace::start({.memory = 1 << 13});
            }
            return;
        }
        for (unsigned call = 0; call < 3000; ++call) cuInit(call);
        running.fetch_sub(1);
    });
    trace::start({.memory = 1 << 16});
    in_threads(4, [](int index) { cuInit(static_cast<unsigned>(index)); });
    EXPECT_EQ(traced_calls().size(), 4u);
}

}  // namespace
}  // namespace cubind::testing
