// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Recorders in children of fork(), and each call of CUPTI failing once.
#include <cubind/error.hpp>

#include <gmock/gmock.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "recorder_test.hpp"

namespace cubind::testing {
namespace {

using namespace cupti;
using namespace profile;

using RecorderFailureTest = RecorderTest;

// The child calls nothing of CUPTI, and its parent's recorder goes on.
TEST_F(RecorderFailureTest, RecordsNothingInAChildOfFork) {
    Recorder recorder;
    stand_in::add(kernel_record("k", 1000, 1001));
    const unsigned before = stand_in::calls();
    const ::pid_t child = ::fork();
    if (child == 0) {
        bool is_right = recorder.take().size() == 0;
        const Recording recording = recorder.stop();
        is_right = is_right && recording.size() == 0 && recording.notes().size() == 1;
        try {
            const Recorder another;
            is_right = false;
        } catch (const std::invalid_argument&) {
        }
        ::_exit(is_right && stand_in::calls() == before ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(recorder.stop().kernels().size(), 1u);
}

// A thread delivers records all the time, so that some children are created while it has a lock.
TEST_F(RecorderFailureTest, DoesNotBlockChildrenOfFork) {
    Recorder recorder({.buffer_size = 4096});
    std::atomic<bool> is_ending = false;
    std::jthread busy([&] {
        while (!is_ending) stand_in::add(kernel_record("k", 1000, 1001));
    });
    for (int i = 0; i < 20; ++i) {
        const ::pid_t child = ::fork();
        if (child == 0) {
            ::alarm(20);
            static_cast<void>(recorder.progress());
            static_cast<void>(recorder.stop());
            ::_exit(0);
        }
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_EQ(status, 0);
    }
    is_ending = true;
}

// ---- each call of CUPTI, failing once --------------------------------------------------------------------------------------

TEST_F(RecorderFailureTest, SurvivesEachFailureOfCupti) {
    const auto record = [](std::string& failures) {
        std::optional<Recorder> recorder;
        Recording recording;
        try {
            recorder.emplace(RecorderOptions{.memory_operations = true, .synchronizations = true});
            stand_in::add(kernel_record("k", 1000, 1001));
            stand_in::add(call_record(CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, 10, 20, 1));
            recording.merge(Recording(recorder->take()));
            stand_in::add(kernel_record("k", 2000, 2001));
            recording.merge(recorder->stop());
        } catch (const Error& error) {
            failures += error.what();
        }
        for (const std::string& each : recording.notes()) failures += each;
        for (const ApiRecord& each : recording.calls()) {
            if (each.name != "cuLaunchKernel") failures += each.name;
        }
        return recording.kernels().size();
    };
    unsigned sweeps = 0;
    for (unsigned call = 1;; ++call) {
        stand_in::reset();
        stand_in::options().fail = call;
        std::string failures;
        const std::size_t kernels = record(failures);
        if (stand_in::calls() < call) {
            EXPECT_EQ(failures, "");
            EXPECT_EQ(kernels, 2u);
            break;
        }
        EXPECT_NE(failures, "") << "call " << call;
        stand_in::reset();
        std::string later;
        EXPECT_EQ(record(later), 2u) << "after call " << call << " failed";
        EXPECT_EQ(later, "") << "after call " << call << " failed";
        EXPECT_TRUE(is_off()) << "after call " << call << " failed";
        ++sweeps;
    }
    EXPECT_GT(sweeps, 30u);
}

}  // namespace
}  // namespace cubind::testing
