// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Callbacks of CUPTI.
#include <cubind/error.hpp>
#include <cubind/profile/callbacks.hpp>

#include <gmock/gmock.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "recorder_test.hpp"

namespace cubind::testing {
namespace {

using namespace cupti;
using namespace profile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CallbacksTest : public RecorderTest {
protected:
    static void launch(unsigned correlation = 1) {
        stand_in::call(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, nullptr, correlation);
    }
    static void allocate() { stand_in::call(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuMemAlloc_v2, nullptr, 2, 2); }
};

TEST_F(CallbacksTest, ReceivesBothSitesOfACall) {
    std::vector<std::string> log;
    Callbacks callbacks([&](const CallbackEvent& event) {
        if (event.site == CallbackSite::enter) *event.slot = 42;
        log.push_back(std::string(event.name) + (event.site == CallbackSite::enter ? " enter " : " exit ") +
                      std::to_string(event.correlation_id) + " " + std::to_string(*event.slot) + " " +
                      (event.returned == nullptr ? "-" : std::to_string(*static_cast<const int*>(event.returned))));
    });
    launch();
    EXPECT_TRUE(log.empty());  // nothing is enabled
    callbacks.enable(CallbackDomain::driver, "cuMemAlloc");
    launch();
    allocate();
    EXPECT_THAT(log, ElementsAre("cuMemAlloc_v2 enter 2 42 -", "cuMemAlloc_v2 exit 2 42 2"));
    log.clear();
    callbacks.enable(CallbackDomain::driver);
    launch();
    EXPECT_EQ(log.size(), 2u);
    callbacks.disable(CallbackDomain::driver, "cuLaunchKernel");
    launch();
    EXPECT_EQ(log.size(), 2u);
    callbacks.disable(CallbackDomain::driver);
    allocate();
    EXPECT_EQ(log.size(), 2u);
    callbacks.close();
    callbacks.close();
    EXPECT_EQ(stand_in::subscribers(), 0u);
    EXPECT_THROW(callbacks.enable(CallbackDomain::driver), std::invalid_argument);
}

TEST_F(CallbacksTest, KeepsExceptionsFromTheProgram) {
    int count = 0;
    Callbacks callbacks([&](const CallbackEvent&) { throw std::runtime_error("number " + std::to_string(++count)); });
    callbacks.enable(CallbackDomain::driver);
    launch();
    EXPECT_EQ(count, 2);
    EXPECT_EQ(message_of<std::runtime_error>([&] { callbacks.close(); }), "number 1");
    EXPECT_EQ(stand_in::subscribers(), 0u);
}

TEST_F(CallbacksTest, RefusesASecondSubscriber) {
    Callbacks first([](const CallbackEvent&) {});
    EXPECT_THAT(message_of<Error>([] { Callbacks second([](const CallbackEvent&) {}); }),
                HasSubstr("Another profiler is attached"));
    Callbacks moved = std::move(first);
    EXPECT_THROW(first.enable(CallbackDomain::driver), std::invalid_argument);
    EXPECT_EQ(stand_in::subscribers(), 1u);
    moved.close();
    moved = Callbacks([](const CallbackEvent&) {});
    EXPECT_EQ(stand_in::subscribers(), 1u);
}

TEST_F(CallbacksTest, RefusesMistakes) {
    EXPECT_THROW((void)Callbacks{nullptr}, std::invalid_argument);
    Callbacks callbacks([](const CallbackEvent&) {});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { callbacks.enable(CallbackDomain::driver, "cuNoSuchFunction"); }),
                HasSubstr("cuNoSuchFunction"));
    EXPECT_THROW(callbacks.enable(CallbackDomain::driver, "cuMemAlloc_v"), std::invalid_argument);
    EXPECT_NO_THROW(callbacks.enable(CallbackDomain::runtime, "cudaLaunchKernel"));
}

// Callbacks run while the subscriber is closed, and the handler is freed after them.
TEST_F(CallbacksTest, ClosesWhileOthersCall) {
    std::atomic<bool> is_ending = false;
    std::vector<std::jthread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            while (!is_ending) launch();
        });
    }
    for (int i = 0; i < 50; ++i) {
        auto counted = std::make_shared<std::atomic<int>>(0);
        Callbacks callbacks([counted](const CallbackEvent&) { ++*counted; });
        callbacks.enable(CallbackDomain::driver, "cuLaunchKernel");
        std::this_thread::yield();
        callbacks.close();
        EXPECT_EQ(counted.use_count(), 1);
    }
    is_ending = true;
}

TEST_F(CallbacksTest, CallsNothingInAChildOfFork) {
    auto callbacks = std::make_unique<Callbacks>([](const CallbackEvent&) {});
    const unsigned before = stand_in::calls();
    const ::pid_t child = ::fork();
    if (child == 0) {
        callbacks.reset();
        ::_exit(stand_in::calls() == before ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(stand_in::subscribers(), 1u);
}

TEST_F(CallbacksTest, SurvivesEachFailureOfCupti) {
    unsigned sweeps = 0;
    for (unsigned call = 1; call < 1000; ++call) {
        stand_in::reset();
        stand_in::options().fail = call;
        bool has_failed = false;
        try {
            Callbacks callbacks([](const CallbackEvent&) {});
            callbacks.enable(CallbackDomain::runtime);
            callbacks.close();
        } catch (const Error&) {
            has_failed = true;
        }
        EXPECT_EQ(has_failed, stand_in::calls() >= call) << call;
        if (!has_failed) break;
        ++sweeps;
    }
    EXPECT_GE(sweeps, 3u);
}

}  // namespace
}  // namespace cubind::testing
