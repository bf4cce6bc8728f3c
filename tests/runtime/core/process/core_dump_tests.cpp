// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/process/core_dump_callback.hpp>
#include <cubind/core/process/core_dump_settings.hpp>
#include <cubind/driver/device.hpp>

#include <unistd.h>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CoreDumpTest : public CoreTest {
protected:
    Device device{0};
    CoreDumpSettings global = CoreDumpSettings::global();
};

TEST_F(CoreDumpTest, HasTheDefaultsOfTheDriver) {
    EXPECT_FALSE(global.is_enabled_on_exception());
    EXPECT_FALSE(global.is_user_trigger_enabled());
    EXPECT_FALSE(global.is_lightweight());
    EXPECT_TRUE(global.has_host_abort());
    EXPECT_EQ(global.flags(), 0u);
    EXPECT_EQ(global.file(), "");
    EXPECT_EQ(global.pipe(), "");
    EXPECT_FALSE(global.context());
}

TEST_F(CoreDumpTest, GivesNewContextsTheGlobalSettings) {
    const Context before(device);
    global.set_file("dump.%p");
    global.set_enabled_on_exception(true);
    global.set_host_abort(false);
    const Context after(device);
    const CoreDumpSettings settings = CoreDumpSettings::of(after);
    EXPECT_EQ(settings.file(), "dump." + std::to_string(::getpid()));
    EXPECT_TRUE(settings.is_enabled_on_exception());
    EXPECT_FALSE(settings.has_host_abort());
    EXPECT_FALSE(CoreDumpSettings::of(before).is_enabled_on_exception());
    EXPECT_EQ(settings.context(), after);
    EXPECT_EQ(settings, CoreDumpSettings::of(after));
    EXPECT_NE(settings, global);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(CoreDumpTest, ChangesTheSettingsOfOneContext) {
    const CoreDumpSettings settings = CoreDumpSettings::of(device.primary_context());
    settings.set_enabled_on_exception(true);
    settings.set_lightweight(true);
    settings.set_file(std::string(1023, 'f'));
    EXPECT_TRUE(settings.is_enabled_on_exception());
    EXPECT_TRUE(settings.is_lightweight());
    EXPECT_EQ(settings.file(), std::string(1023, 'f'));
    EXPECT_FALSE(global.is_enabled_on_exception());
    settings.set_flags(driver::CU_COREDUMP_SKIP_GLOBAL_MEMORY | driver::CU_COREDUMP_SKIP_ABORT);
    EXPECT_EQ(settings.flags(), 18u);
    EXPECT_FALSE(settings.is_lightweight());
    EXPECT_FALSE(settings.has_host_abort());
}

TEST_F(CoreDumpTest, HasOneTriggerForAllContexts) {
    global.set_pipe("trigger");
    global.set_user_trigger_enabled(true);
    const Context context(device);
    const CoreDumpSettings settings = CoreDumpSettings::of(context);
    EXPECT_TRUE(global.is_user_trigger_enabled());
    EXPECT_EQ(global.pipe(), "trigger");
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)settings.is_user_trigger_enabled(); }),
                AllOf(HasSubstr("is_user_trigger_enabled"), HasSubstr("global()")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)settings.pipe(); }), HasSubstr("pipe()"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { settings.set_user_trigger_enabled(false); }),
                AllOf(HasSubstr("set_user_trigger_enabled"), HasSubstr("global()")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { settings.set_pipe("other"); }), HasSubstr("set_pipe"));
    EXPECT_THAT(message_of<Error>([&] { global.set_pipe("other"); }), HasSubstr("CUDA_ERROR_NOT_PERMITTED"));
}

TEST_F(CoreDumpTest, InitializesTheDriverBeforeItChangesGlobalSettings) {
    sim::install({});
    EXPECT_EQ(driver::cuDeviceGetCount().status, driver::CUDA_ERROR_NOT_INITIALIZED);
    FailedCalls::get().forget();
    global.set_enabled_on_exception(true);
    EXPECT_EQ(driver::cuDeviceGetCount().status, driver::CUDA_SUCCESS);
    EXPECT_TRUE(global.is_enabled_on_exception());
}

TEST_F(CoreDumpTest, RefusesWrongArguments) {
    EXPECT_THROW((void)CoreDumpSettings::of(ContextRef()), std::invalid_argument);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { global.set_file(std::string(1024, 'f')); }),
                AllOf(HasSubstr("1024"), HasSubstr("1023"), HasSubstr("set_file")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { global.set_pipe(""); }), HasSubstr("0 bytes"));
    EXPECT_THROW(global.set_file(std::string("a\0b", 3)), std::invalid_argument);
    EXPECT_THROW((void)CoreDumpCallback::at_start(nullptr), std::invalid_argument);
}

TEST_F(CoreDumpTest, NamesTheReleaseThatAnOlderDriverLacks) {
    sim::install({.release = "12.0"});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)global.file(); }), AllOf(HasSubstr("12.1"), HasSubstr("12.0")));
    sim::install({.release = "12.4"});
    EXPECT_FALSE(global.is_lightweight());
    EXPECT_THAT(message_of<std::invalid_argument>([&] { global.set_flags(0); }), AllOf(HasSubstr("12.5"), HasSubstr("12.4")));
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)CoreDumpCallback::at_end([](int, driver::CUdevice) {}); }),
                AllOf(HasSubstr("13.2"), HasSubstr("12.4")));
}

TEST_F(CoreDumpTest, RetainsTheFunctionOfACallback) {
    const auto retained = std::make_shared<int>(1);
    const auto function = [retained](int, driver::CUdevice) {};
    CoreDumpCallback start = CoreDumpCallback::at_start(function), end = CoreDumpCallback::at_end(function);
    EXPECT_EQ(retained.use_count(), 4);
    CoreDumpCallback moved = std::move(start);
    EXPECT_TRUE(start.is_closed());  // NOLINT(bugprone-use-after-move)
    EXPECT_FALSE(moved.is_closed());
    moved = std::move(end);
    EXPECT_EQ(retained.use_count(), 3);
    moved.close();
    moved.close();
    EXPECT_TRUE(moved.is_closed() && end.is_closed());
    EXPECT_EQ(retained.use_count(), 2);
    EXPECT_TRUE(CoreDumpCallback().is_closed());
}

TEST_F(CoreDumpTest, KeepsAFunctionThatTheDriverMayStillCall) {
    int calls = 0;
    {
        const CoreDumpCallback callback = CoreDumpCallback::at_end([&](int, driver::CUdevice) { ++calls; });
        layers::faults::start();
        layers::faults::fail("cuCoredumpDeregisterCompleteCallback", driver::CUDA_ERROR_UNKNOWN);
    }
    layers::faults::stop();
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(HasSubstr("core dumps")));
    FailedCalls::get().forget();
}

TEST_F(CoreDumpTest, SweepReportsFailures) {
    const Context context(device);
    for (const CoreDumpSettings settings : {global, CoreDumpSettings::of(context)}) {
        sweep([&] { settings.set_file(settings.file() + 'f'); });
        sweep([&] { settings.set_lightweight(settings.is_lightweight()); });
    }
    sweep([] { const CoreDumpCallback callback = CoreDumpCallback::at_start([](int, driver::CUdevice) {}); });
    sweep([] {
        CoreDumpCallback callback = CoreDumpCallback::at_end([](int, driver::CUdevice) {});
        callback.close();
    });
}

}  // namespace
}  // namespace cubind::testing
