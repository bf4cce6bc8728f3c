// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/external_resource.hpp>
#include <cubind/interop/external_semaphore.hpp>

#include <atomic>
#include <string>
#include <vector>

#include "interop_test.hpp"
#include "shared_semaphore.hpp"

namespace cubind::testing {
namespace {

using Kind = ExternalSemaphoreKind;

class ExternalSemaphoreTest : public InteropTest {
protected:
    using Shared = SharedSemaphore;
};

TEST_F(ExternalSemaphoreTest, SignalsATimelineInTheOrderOfTheStream) {
    const Shared timeline(device, Kind::timeline);
    EXPECT_EQ(timeline.semaphore.kind(), Kind::timeline);
    Gate gate;
    stream.launch_host_function(gate.blocker());
    timeline.semaphore.signal(stream, 5);
    EXPECT_EQ(timeline.value(), 0u);
    gate.open();
    stream.synchronize();
    EXPECT_EQ(timeline.value(), 5u);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(ExternalSemaphoreTest, WaitsUntilTheTimelineHasTheValue) {
    const Shared timeline(device, Kind::timeline);
    std::atomic<bool> has_run{false};
    timeline.semaphore.wait(stream, 0);
    timeline.semaphore.wait(stream, 3);
    stream.launch_host_function([&] { has_run = true; });
    timeline.set(2);
    EXPECT_FALSE(stream.is_done());
    EXPECT_FALSE(has_run);
    timeline.set(4);
    stream.synchronize();
    EXPECT_TRUE(has_run);
}

TEST_F(ExternalSemaphoreTest, OrdersTwoStreamsByABinarySemaphore) {
    const Shared binary(device, Kind::binary);
    const Stream other(Device(1));
    std::vector<std::string> order;
    binary.semaphore.wait(stream);
    stream.launch_host_function([&] { order.push_back("after the wait"); });
    other.launch_host_function([&] { order.push_back("before the signal"); });
    binary.semaphore.signal(other);
    stream.synchronize();
    EXPECT_THAT(order, ElementsAre("before the signal", "after the wait"));
    EXPECT_EQ(binary.value(), 0u) << "the wait has consumed the signal";
}

TEST_F(ExternalSemaphoreTest, SignalsAndWaitsInBatches) {
    const Shared first(device, Kind::timeline), second(device, Kind::timeline), binary(device, Kind::binary);
    signal_semaphores(stream, {{first.semaphore, 2}, {second.semaphore, 7}, {binary.semaphore}});
    stream.synchronize();
    EXPECT_EQ(first.value(), 2u);
    EXPECT_EQ(second.value(), 7u);
    EXPECT_EQ(binary.value(), 1u);
    const std::vector<ExternalSemaphoreOperation> waits{{first.semaphore, 2}, {second.semaphore, 8}, {binary.semaphore}};
    wait_semaphores(stream, waits);
    EXPECT_FALSE(stream.is_done());
    second.set(8);
    stream.synchronize();
    EXPECT_EQ(binary.value(), 0u);
    signal_semaphores(stream, {});
    wait_semaphores(stream, {});
}

TEST_F(ExternalSemaphoreTest, RejectsMisuse) {
    const Shared timeline(device, Kind::timeline), binary(device, Kind::binary);
    expect_misuse([&] { timeline.semaphore.signal(stream, 0); }, "value 0", "at least 0");
    expect_misuse([&] { timeline.semaphore.signal(stream); }, "timeline", "without a value");
    expect_misuse([&] { timeline.semaphore.wait(stream); }, "wait for", "without a value");
    expect_misuse([&] { binary.semaphore.signal(stream, 3); }, "binary", "value 3");
    expect_misuse([&] { binary.semaphore.wait(stream, 3); }, "binary", "value 3");
    int fence = 0;
    expect_misuse([&] { signal_semaphores(stream, {{binary.semaphore, std::nullopt, &fence}}); }, "with a fence");
    expect_misuse([&] { wait_semaphores(stream, {{timeline.semaphore, 1, nullptr, true}}); }, "skip_memory_synchronization");
    EXPECT_THROW(ExternalSemaphore().wait(stream), std::invalid_argument);
    EXPECT_THROW(binary.semaphore.signal(Stream()), std::invalid_argument);
    EXPECT_EQ(binary.value(), 0u);
    FileDescriptor descriptor = binary.file.descriptor();
    expect_misuse([&] { (void)ExternalSemaphore(device, std::move(descriptor), Kind::nv_sci_sync); }, "file descriptor");
    expect_misuse([&] { (void)ExternalSemaphore::import_nv_sci_sync(device.context(), nullptr); }, "nullptr");
}

TEST_F(ExternalSemaphoreTest, TakesTheDescriptorOnlyOnSuccess) {
    FileDescriptor other = FileDescriptor::from_native_handle(::open("/dev/null", O_RDWR | O_CLOEXEC));
    EXPECT_THAT(message_of<Error>([&] { (void)ExternalSemaphore(device, std::move(other), Kind::timeline); }),
                AllOf(HasSubstr("cuImportExternalSemaphore"), HasSubstr("TIMELINE_SEMAPHORE_FD"),
                      HasSubstr(std::to_string(other.native_handle()))));
    ExportedFile file(8);
    FileDescriptor descriptor = file.descriptor();
    const int number = descriptor.native_handle();
    ExternalSemaphore semaphore(device, std::move(descriptor), Kind::binary);
    EXPECT_TRUE(descriptor.is_closed());
    EXPECT_TRUE(is_open(number));
    semaphore.close();
    EXPECT_FALSE(is_open(number));
}

TEST_F(ExternalSemaphoreTest, ExplainsARefusedObjectOfNvSci) {
    const int object = 0;
    EXPECT_THAT(message_of<Error>([&] { (void)ExternalSemaphore::import_nv_sci_sync(device.context(), &object); }),
                AllOf(HasSubstr("cuImportExternalSemaphore"), HasSubstr("NvSciSyncObj")));
}

TEST_F(ExternalSemaphoreTest, DescribesTheBatchThatTheDriverRefuses) {
    Shared timeline(device, Kind::timeline);
    const driver::CUexternalSemaphore handle = timeline.semaphore.release();
    check(driver::cuCtxSetCurrent(device.context().native_handle()));
    check(driver::cuDestroyExternalSemaphore(handle));
    EXPECT_THAT(message_of<Error>([&] { ExternalSemaphoreRef(handle).signal(stream, 12); }),
                AllOf(HasSubstr("cuSignalExternalSemaphoresAsync"), HasSubstr("value 12")));
    check(driver::cuCtxSetCurrent(nullptr));
}

TEST_F(ExternalSemaphoreTest, OwnsTheHandle) {
    Shared timeline(device, Kind::timeline);
    const driver::CUexternalSemaphore handle = timeline.semaphore.release();
    EXPECT_TRUE(timeline.semaphore.is_closed());
    const ExternalSemaphoreRef foreign = handle;
    EXPECT_EQ(foreign.kind(), std::nullopt);
    EXPECT_EQ(detail::share(foreign), nullptr);
    foreign.signal(stream, 2);
    foreign.wait(stream, 1);
    stream.synchronize();
    EXPECT_EQ(timeline.value(), 2u);
    ExternalSemaphore adopted = ExternalSemaphore::from_native_handle(handle, Kind::timeline);
    EXPECT_EQ(adopted, foreign);
    EXPECT_NE(detail::share(adopted), nullptr);
    ExternalSemaphore moved = std::move(adopted);
    EXPECT_TRUE(adopted.is_closed());
    moved.close();
    const layers::Unobserved own_call;
    EXPECT_EQ(driver::cuDestroyExternalSemaphore(handle).status, driver::CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ExternalSemaphoreTest, SurvivesAFailureOfEachCall) {
    ExportedFile file(8);
    std::uint64_t value = 0;
    sweep([&] {
        ExternalSemaphore timeline(device, file.descriptor(), Kind::timeline);
        timeline.signal(stream, ++value);
        timeline.wait(stream, 1);
        stream.synchronize();
        timeline.close();
    });
}

}  // namespace
}  // namespace cubind::testing
