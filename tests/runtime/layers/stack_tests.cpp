// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <memory>

#include "correct_program.hpp"

namespace cubind::testing {
namespace {

class StackTest : public SimulatedTest {};

struct Outcome {
    std::vector<CUresult> statuses;
    std::vector<std::string> leaks;
    unsigned long findings = 0;
    unsigned long calls = 0;
    std::size_t lines = 0;
};

// Starts the layers, the first one on top, runs a program with mistakes, and returns the results of the layers.
Outcome outcome_with(const std::vector<int>& order) {
    for (auto each = order.rbegin(); each != order.rend(); ++each) {
        switch (*each) {
            case 0:
                layers::trace::start({.memory = 1 << 20});
                break;
            case 1:
                layers::validate::start({.report = [](const layers::validate::Finding&) {}});
                break;
            case 2:
                layers::faults::start();
                break;
            case 3:
                layers::leaks::start();
                break;
        }
    }
    layers::faults::fail("cuMemAlloc", CUDA_ERROR_OUT_OF_MEMORY, 2);
    layers::faults::fail("cuEventDestroy", CUDA_ERROR_LAUNCH_FAILED);
    Outcome outcome;
    const auto note = [&](const auto& result) {
        outcome.statuses.push_back(result.status);
        return result;
    };
    note(cuMemAlloc(16));
    note(cuMemAlloc(16));
    const CUstream stream = note(cuStreamCreate(1)).value;
    const CUevent event = note(cuEventCreate(0)).value;
    note(cuStreamDestroy(stream));
    note(cuStreamSynchronize(stream));
    note(cuStreamCreate(1));
    note(cuEventDestroy(event));
    note(cuMemcpyHtoD(0, nullptr, 4));
    for (const auto& each : layers::leaks::outstanding()) outcome.leaks.push_back(each.kind + " " + each.call);
    outcome.findings = layers::validate::findings();
    outcome.calls = layers::faults::calls("cuMemAlloc") + layers::faults::calls("cuStreamCreate");
    outcome.lines = traced_calls().size();
    stop_all_layers();
    return outcome;
}

TEST_F(StackTest, GivesTheSameResultsInEveryOrder) {
    std::vector<int> order{0, 1, 2, 3};
    const Outcome expected{{CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY, CUDA_SUCCESS, CUDA_SUCCESS, CUDA_SUCCESS,
                            CUDA_ERROR_INVALID_HANDLE, CUDA_SUCCESS, CUDA_ERROR_LAUNCH_FAILED, CUDA_ERROR_INVALID_VALUE},
                           {"device memory cuMemAlloc_v2(bytesize=16)", "stream cuStreamCreate(Flags=1)"},
                           2,
                           4,
                           0};
    int orders = 0;
    do {
        const Outcome outcome = outcome_with(order);
        EXPECT_EQ(outcome.statuses, expected.statuses);
        EXPECT_EQ(outcome.leaks, expected.leaks);
        EXPECT_EQ(outcome.findings, expected.findings);
        EXPECT_EQ(outcome.calls, expected.calls);
        // A call with a fault does not reach the layers below.
        const bool traces_faults = std::find(order.begin(), order.end(), 0) < std::find(order.begin(), order.end(), 2);
        EXPECT_EQ(outcome.lines, traces_faults ? 9u : 8u);
        ++orders;
    } while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(orders, 24);
}

TEST_F(StackTest, PreservesTheResultsOfACorrectProgram) {
    layers::leaks::start();
    layers::faults::start();
    layers::validate::start();
    layers::trace::start({.memory = 1 << 18});
    EXPECT_THAT(CorrectProgram().run(), IsEmpty());
    EXPECT_EQ(layers::leaks::report(), "");
    EXPECT_EQ(layers::validate::findings(), 0u);
}

TEST_F(StackTest, CallsTheLayerThatIsPushedLastFirst) {
    std::string seen;
    const auto noting = [&](char name) {
        return std::make_unique<FunctionLayer>([&seen, name](const cubind::Call& call, const layers::Next& next) {
            seen += name;
            next(call);
            seen += static_cast<char>(name - 'a' + 'A');
        });
    };
    const auto a = noting('a'), b = noting('b');
    layers::push(*a);
    layers::push(*b);
    cuDriverGetVersion();
    EXPECT_EQ(seen, "baAB");
    layers::push(*a);  // moves to the top
    seen.clear();
    cuDriverGetVersion();
    EXPECT_EQ(seen, "abBA");
    EXPECT_TRUE(is_on(*a));
    layers::remove(*a);
    layers::remove(*a);
    EXPECT_FALSE(is_on(*a));
    seen.clear();
    cuDriverGetVersion();
    EXPECT_EQ(seen, "bB");
    {
        const layers::Unobserved outer;
        const layers::Unobserved inner;
        cuDriverGetVersion();
    }
    EXPECT_EQ(seen, "bB");
    layers::remove(*b);
    cuDriverGetVersion();
    EXPECT_EQ(seen, "bB");
}

TEST_F(StackTest, ReturnsTheResultsOfALayer) {
    FunctionLayer answers([](const cubind::Call& call, const layers::Next&) {
        **static_cast<int**>(call.arguments[0]) = 123;
        call.status() = CUDA_ERROR_UNKNOWN;
    });
    layers::push(answers);
    const auto [status, version] = cuDriverGetVersion();
    layers::remove(answers);
    EXPECT_EQ(status, CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(version, 123);
    EXPECT_NE(cuDriverGetVersion().value, 123);
}

TEST_F(StackTest, AllowsCallsWhileLayersAreSwitched) {
    FunctionLayer passes([](const cubind::Call& call, const layers::Next& next) { next(call); });
    std::atomic<int> running{3};
    in_threads(4, [&](int index) {
        if (index == 3) {
            for (unsigned times = 0; running.load() > 0; ++times) {
                if (times % 2 == 0) layers::push(passes);
                layers::validate::start({.unknown_handles = false});
                layers::trace::start({.memory = 4096});
                layers::faults::start();
                layers::leaks::start();
                layers::leaks::outstanding();
                layers::remove(passes);
                stop_all_layers();
            }
            return;
        }
        ASSERT_TRUE(cuCtxSetCurrent(context).ok());
        for (int times = 0; times < 500; ++times) {
            const auto [status, stream] = cuStreamCreate(CU_STREAM_NON_BLOCKING);
            EXPECT_EQ(status, CUDA_SUCCESS);
            EXPECT_TRUE(cuStreamSynchronize(stream).ok());
            EXPECT_TRUE(cuStreamDestroy(stream).ok());
            EXPECT_EQ(cuDeviceGetCount().value, 2);
        }
        running.fetch_sub(1);
    });
}

}  // namespace
}  // namespace cubind::testing
