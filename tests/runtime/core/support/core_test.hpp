// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Common to the tests of the high-level layer: simulated devices, and a sweep that makes every call of an operation fail
/// in turn.

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/error.hpp>
#include <cubind/layers/faults.hpp>
#include <cubind/layers/leaks.hpp>
#include <cubind/sim/gtest.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "failed_calls.hpp"
#include "lifetime/deferred.hpp"
#include "observed.hpp"

namespace cubind::testing {

using namespace cubind;

/// Returns the messages that the cleanup handler has received and that no test has removed.
inline std::vector<std::string>& cleanup_messages() {
    static std::vector<std::string> messages;
    return messages;
}

inline std::mutex& cleanup_mutex() {
    static std::mutex mutex;
    return mutex;
}

/// Waits until the driver, which calls them on a thread of its own and in order, has called the destructors of all user objects
/// that were released before. Graphs whose captures retain objects have user objects.
inline void wait_for_user_objects() {
    static std::atomic<bool> is_called;
    is_called = false;
    const auto created = driver::cuUserObjectCreate(
        &is_called, [](void* called) { *static_cast<std::atomic<bool>*>(called) = true; }, 1,
        driver::CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
    if (created.ok() && driver::cuUserObjectRelease(created.value, 1).ok()) {
        EXPECT_TRUE(eventually([] { return is_called.load(); }));
    } else {
        FailedCalls::get().forget();  // the test uses no driver, or leaves it without a device
    }
}

class CoreTest : public sim::DriverTest {
protected:
    explicit CoreTest(const sim::Options& options = {.devices = 2}) : DriverTest(options) {}

    void SetUp() override {
        set_cleanup_handler([](const char* message) noexcept {
            FailedCalls::get().forget();
            const std::lock_guard lock(cleanup_mutex());
            cleanup_messages().push_back(message);
        });
    }

    void TearDown() override {
        destroy_deferred_objects();  // before the next test installs another driver
        EXPECT_THAT(taken_cleanup_messages(), ::testing::IsEmpty()) << "the test did not expect these messages";
        // Tests that run in the same process count their own calls and objects.
        layers::faults::stop();
        layers::leaks::stop();
    }

    static std::vector<std::string> taken_cleanup_messages() {
        const std::lock_guard lock(cleanup_mutex());
        return std::exchange(cleanup_messages(), {});
    }

    /// Waits until all objects whose destruction was deferred are destroyed, also those that the driver still retains.
    static void destroy_deferred_objects() {
        wait_for_user_objects();
        const bool is_empty = eventually([] {
            detail::destroy_ready_objects();
            return detail::deferred_objects.empty();
        });
        EXPECT_TRUE(is_empty);
    }

    /// Runs the operation, then again with each of its calls failing once. Checks that the error names that call (or that
    /// the cleanup handler received a message), that nothing leaks, and that the calling thread's context is unchanged.
    /// Returns the number of calls. `tolerated` names functions whose failure the operation may recover from, and `except` those
    /// that do not fail.
    static std::size_t sweep(const std::function<void()>& operation, const std::vector<std::string>& tolerated = {},
                             const std::vector<std::string>& except = {}) {
        operation();  // creates the objects that exist once per process, which are not leaks
        destroy_deferred_objects();
        layers::leaks::start();
        const auto before = layers::leaks::checkpoint();
        const ContextRef context = ContextRef::current();
        std::string failed_function;
        const auto recording = [&] {
            failed_function.clear();
            try {
                operation();
            } catch (const Error& error) {
                failed_function = error.function();
                throw;
            } catch (const std::invalid_argument&) {
                failed_function = "rejected";
                throw;
            }
        };
        const std::size_t calls = layers::faults::fail_each_call(
            recording,
            {.except = except, .after = [&](const layers::faults::Fault& fault) {
                 destroy_deferred_objects();
                 const std::string which = fault.function + ", call " + std::to_string(fault.call);
                 const bool was_reported = !taken_cleanup_messages().empty();
                 // If the capture mode cannot be relaxed, the operation continues without it. If cuCtxGetApiVersion fails, the
                 // context is assumed to exist.
                 const bool may_pass = fault.function == "cuThreadExchangeStreamCaptureMode" ||
                                       fault.function == "cuCtxGetApiVersion" ||
                                       std::find(tolerated.begin(), tolerated.end(), fault.function) != tolerated.end();
                 if (failed_function != fault.function && failed_function != "rejected" && !was_reported && !may_pass) {
                     ADD_FAILURE() << which << " failed, and the error names \"" << failed_function << '"';
                 }
                 FailedCalls::get().forget();  // the faults were intended
                 EXPECT_EQ(layers::leaks::report(before), "") << which;
                 EXPECT_EQ(ContextRef::current(), context) << which;
             }});
        operation();  // succeeds again
        destroy_deferred_objects();
        EXPECT_EQ(layers::leaks::report(before), "");
        EXPECT_GT(calls, 0u);
        return calls;
    }
};

}  // namespace cubind::testing
