// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/over_budget_callback.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/entry_point.hpp>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The latest registration. A simulated device has no budget, so the test calls the function in place of the driver.
driver::CUasyncCallback registered;
void* registered_data;

driver::CUresult remember(driver::CUdevice, driver::CUasyncCallback function, void* data, driver::CUasyncCallbackHandle* handle) {
    registered = function;
    registered_data = data;
    *handle = nullptr;
    return driver::CUDA_SUCCESS;
}

class OverBudgetCallbackTest : public CoreTest {
protected:
    Device device{1};
};

TEST_F(OverBudgetCallbackTest, CallsTheFunction) {
    EntryPoint& entry = *driver::entry_point_of(reinterpret_cast<void (*)()>(driver::cuDeviceRegisterAsyncNotification));
    void* const drivers = exchange_address(entry, reinterpret_cast<void*>(remember));
    std::vector<std::uint64_t> calls;
    OverBudgetCallback callback(device, [&](std::uint64_t bytes) { calls.push_back(bytes); });
    exchange_address(entry, drivers);
    driver::CUasyncNotificationInfo info{};
    info.type = driver::CU_ASYNC_NOTIFICATION_TYPE_OVER_BUDGET;
    info.info.overBudget.bytesOverBudget = std::uint64_t{5} << 30;
    registered(&info, registered_data, nullptr);
    info.type = static_cast<driver::CUasyncNotificationType>(2);
    registered(&info, registered_data, nullptr);
    EXPECT_THAT(calls, ElementsAre(std::uint64_t{5} << 30)) << "notifications of other kinds are ignored";
    EXPECT_THROW(callback.close(), Error) << "the driver does not know the registration";
    EXPECT_TRUE(callback.is_closed());
    registered(&info, registered_data, nullptr);  // the function still exists
}

TEST_F(OverBudgetCallbackTest, RetainsTheFunction) {
    const auto retained = std::make_shared<int>(1);
    const auto function = [retained](std::uint64_t) {};
    OverBudgetCallback first(device, function), second(Device(0), function);
    EXPECT_EQ(retained.use_count(), 4);
    OverBudgetCallback moved = std::move(first);
    EXPECT_TRUE(first.is_closed());  // NOLINT(bugprone-use-after-move)
    moved = std::move(second);
    EXPECT_EQ(retained.use_count(), 3);
    moved.close();
    moved.close();
    EXPECT_TRUE(moved.is_closed());
    EXPECT_EQ(retained.use_count(), 2);
    EXPECT_TRUE(OverBudgetCallback().is_closed());
}

TEST_F(OverBudgetCallbackTest, RefusesWhatCannotBeRegistered) {
    EXPECT_THROW((void)OverBudgetCallback(device, nullptr), std::invalid_argument);
    sim::install({.devices = 2, .release = "12.3"});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)OverBudgetCallback(device, [](std::uint64_t) {}); }),
                AllOf(HasSubstr("12.4"), HasSubstr("12.3")));
}

TEST_F(OverBudgetCallbackTest, KeepsAFunctionThatTheDriverMayStillCall) {
    {
        const OverBudgetCallback callback(device, [](std::uint64_t) {});
        layers::faults::start();
        layers::faults::fail("cuDeviceUnregisterAsyncNotification", driver::CUDA_ERROR_UNKNOWN);
    }
    layers::faults::stop();
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("memory budget")));
    FailedCalls::get().forget();
}

TEST_F(OverBudgetCallbackTest, SweepReportsFailures) {
    sweep([&] { const OverBudgetCallback callback(device, [](std::uint64_t) {}); });
    sweep([&] {
        OverBudgetCallback callback(device, [](std::uint64_t) {});
        callback.close();
    });
}

}  // namespace
}  // namespace cubind::testing
