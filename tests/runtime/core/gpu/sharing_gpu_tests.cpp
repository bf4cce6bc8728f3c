// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Pools, buffers and events that two processes share on a GPU. Each test starts this program again as the second process, because
// a process that has used CUDA must not call fork() and continue.

#include <cubind/core.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/driver.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

extern char** environ;

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

constexpr const char* socket_variable = "CUBIND_TEST_SOCKET";

template <class Value>
void send_value(int socket, const Value& value) {
    ASSERT_EQ(::send(socket, &value, sizeof value, MSG_NOSIGNAL), static_cast<ssize_t>(sizeof value));
}

template <class Value>
Value receive_value(int socket) {
    Value value{};
    EXPECT_EQ(::recv(socket, &value, sizeof value, MSG_WAITALL), static_cast<ssize_t>(sizeof value));
    return value;
}

class SharingGpuTest : public DeviceGpuTest {
protected:
    void SetUp() override {
        DeviceGpuTest::SetUp();
        if (IsSkipped()) return;
        const auto types = static_cast<unsigned int>(device->properties().mempool_supported_handle_types());
        if ((types & driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) == 0) GTEST_SKIP() << "the device has no shared pools";
    }
    void TearDown() override {
        if (HasFailure() && socket >= 0) ::close(std::exchange(socket, -1));  // the other process would wait forever
        if (child > 0) {
            EXPECT_EQ(end(), 0) << "the other process has failed";
        }
        if (socket >= 0) ::close(socket);
    }

    /// Starts this program again, with the test of this name of OtherProcessGpuTest only.
    void start(const char* test) {
        int ends[2];
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
        ::fcntl(ends[1], F_SETFD, 0);  // the other process inherits this end
        ::setenv(socket_variable, std::to_string(ends[1]).c_str(), 1);
        std::string filter = std::string("--gtest_filter=OtherProcessGpuTest.") + test;
        std::string program = "cubind_gpu_test";
        char* arguments[] = {program.data(), filter.data(), nullptr};
        ASSERT_EQ(::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environ), 0);
        ::unsetenv(socket_variable);
        ::close(ends[1]);
        socket = ends[0];
    }
    int end() {
        int status = -1;
        ::waitpid(child, &status, 0);
        child = 0;
        return status;
    }
    std::vector<int> read(const Buffer& buffer) {
        std::vector<int> values(buffer.size() / sizeof(int));
        copy(stream, values, buffer);
        stream.synchronize();
        return values;
    }

    pid_t child = 0;
    int socket = -1;
};

/// The tests of the second process, which are skipped without the socket of the first one.
class OtherProcessGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        const char* const number = std::getenv(socket_variable);
        if (number == nullptr) GTEST_SKIP() << "the tests of SharingGpuTest start this test";
        socket = std::atoi(number);
        ::alarm(120);
    }

    int socket = -1;
};

// ---- buffers of a pool ---------------------------------------------------------------------------------------------------

TEST_F(SharingGpuTest, SharesBuffers) {
    start("SharesBuffers");
    const DeviceMemoryResource pool(*device, {.ipc_enabled = true});
    EXPECT_EQ(DeviceMemoryResource::from_allocation_handle(*device, pool.allocation_handle()), pool);
    send_allocation_handle(socket, pool.allocation_handle());
    Buffer small = pool.allocate(stream, 64);
    Buffer large = pool.allocate(stream, 8 << 20);
    fill(stream, small, 1);
    fill(stream, large, 2);
    stream.synchronize();
    send_value(socket, small.ipc_descriptor());
    send_value(socket, large.ipc_descriptor());
    EXPECT_EQ(receive_value<char>(socket), 'u') << "the other process has unmapped the buffers";
    EXPECT_THAT(read(small), Each(3));
    EXPECT_THAT(read(large), Each(4));

    const DeviceMemoryResource another(*device, {.ipc_enabled = true});
    IpcBufferDescriptor wrong = another.allocate(stream, 64).ipc_descriptor();
    wrong.pool = pool.uuid();  // so that the driver must find out
    send_value(socket, wrong);
    IpcBufferDescriptor too_large = small.ipc_descriptor();
    too_large.size = std::size_t{1} << 36;
    send_value(socket, too_large);
    EXPECT_EQ(end(), 0);
}

TEST_F(OtherProcessGpuTest, SharesBuffers) {
    const Device device;
    const Stream stream(device);
    const IpcAllocationHandle handle = receive_allocation_handle(socket);
    const auto pool = DeviceMemoryResource::from_allocation_handle(device, handle);
    EXPECT_EQ(DeviceMemoryResource::from_allocation_handle(device, handle), pool);
    EXPECT_TRUE(pool.is_mapped());
    EXPECT_THROW((void)pool.allocate(stream, 64), std::invalid_argument);
    Buffer small = Buffer::from_ipc_descriptor(stream, pool, receive_value<IpcBufferDescriptor>(socket));
    const auto descriptor = receive_value<IpcBufferDescriptor>(socket);
    Buffer large = Buffer::from_ipc_descriptor(stream, pool, descriptor);
    Buffer again = Buffer::from_ipc_descriptor(stream, pool, descriptor);
    EXPECT_EQ(large, again);
    const auto attributes = PointerAttributes::of(large.native_handle());
    EXPECT_EQ(attributes.device, device);
    RecordProperty("size of the imported allocation", std::to_string(attributes.allocation_size));
    std::vector<int> values(small.size() / sizeof(int));
    copy(stream, values, small);
    stream.synchronize();
    EXPECT_THAT(values, Each(1));
    again.close();  // the mapping remains
    values.resize(large.size() / sizeof(int));
    copy(stream, values, large);
    stream.synchronize();
    EXPECT_THAT(values, Each(2));
    fill(stream, small, 3);
    fill(stream, large, 4);
    small.close();
    large.close();
    { const Buffer third = Buffer::from_ipc_descriptor(stream, pool, descriptor); }
    send_value(socket, 'u');

    const auto wrong = receive_value<IpcBufferDescriptor>(socket);
    EXPECT_THROW((void)Buffer::from_ipc_descriptor(stream, pool, wrong), Error);
    const auto too_large = receive_value<IpcBufferDescriptor>(socket);
    EXPECT_THROW((void)Buffer::from_ipc_descriptor(stream, pool, too_large), std::invalid_argument);
}

TEST_F(SharingGpuTest, SurvivesAProcessThatWasKilled) {
    start("WaitsToBeKilled");
    const DeviceMemoryResource pool(*device, {.ipc_enabled = true});
    send_allocation_handle(socket, pool.allocation_handle());
    Buffer buffer = pool.allocate(stream, 4096);
    fill(stream, buffer, 1);
    stream.synchronize();
    send_value(socket, buffer.ipc_descriptor());
    EXPECT_EQ(receive_value<char>(socket), 'm');
    ::kill(child, SIGKILL);
    EXPECT_TRUE(WIFSIGNALED(end()));
    EXPECT_THAT(read(buffer), Each(5));
    buffer.close();
    Buffer next = pool.allocate(stream, 4096);
    fill(stream, next, 6);
    EXPECT_THAT(read(next), Each(6));
}

TEST_F(OtherProcessGpuTest, WaitsToBeKilled) {
    const Device device;
    const Stream stream(device);
    const auto pool = DeviceMemoryResource::from_allocation_handle(device, receive_allocation_handle(socket));
    Buffer buffer = Buffer::from_ipc_descriptor(stream, pool, receive_value<IpcBufferDescriptor>(socket));
    fill(stream, buffer, 5);
    stream.synchronize();
    send_value(socket, 'm');
    for (;;) ::pause();
}

TEST_F(SharingGpuTest, SharesPinnedMemory) {
    std::optional<PinnedMemoryResource> pool;
    try {
        pool.emplace(PinnedMemoryResourceOptions{.numa_id = 0, .ipc_enabled = true});
    } catch (const Error& error) {
        GTEST_SKIP() << error.what();
    }
    start("SharesPinnedMemory");
    const Buffer buffer = pool->allocate(stream, 4096);
    stream.synchronize();
    buffer.span<int>()[7] = 1;
    send_allocation_handle(socket, pool->allocation_handle());
    send_value(socket, buffer.ipc_descriptor());
    EXPECT_EQ(receive_value<char>(socket), 'u');
    EXPECT_THAT(read(buffer), Each(2));
}

TEST_F(OtherProcessGpuTest, SharesPinnedMemory) {
    const Device device;
    const Stream stream(device);
    const auto pool = PinnedMemoryResource::from_allocation_handle(receive_allocation_handle(socket));
    const auto descriptor = receive_value<IpcBufferDescriptor>(socket);
    Buffer buffer = Buffer::from_ipc_descriptor(stream, pool, descriptor);
    Buffer again = Buffer::from_ipc_descriptor(stream, pool, descriptor);
    EXPECT_EQ(again, buffer);
    EXPECT_EQ(buffer.span<int>()[7], 1);
    fill(stream, buffer, 2);
    buffer.close();
    again.close();
    send_value(socket, 'u');
}

// ---- events --------------------------------------------------------------------------------------------------------------

TEST_F(SharingGpuTest, SharesEvents) {
    if (!device->properties().ipc_event_supported()) GTEST_SKIP() << "the device has no shared events";
    start("SharesEvents");
    const DeviceMemoryResource pool(*device, {.ipc_enabled = true});
    const Event event(*device, {.ipc_enabled = true});
    EXPECT_THAT(
        [&] {
            try {
                (void)Event::from_ipc_descriptor(*device, event.ipc_descriptor());
            } catch (const Error& error) {
                return std::string(error.what());
            }
            return std::string();
        }(),
        HasSubstr("other processes"));
    Buffer buffer = pool.allocate(stream, 16 << 20);
    stream.synchronize();
    for (int round = 0; round < 16; ++round) fill(stream, buffer, round);
    stream.record(event);
    send_allocation_handle(socket, pool.allocation_handle());
    send_value(socket, buffer.ipc_descriptor());
    send_value(socket, event.ipc_descriptor());
    EXPECT_EQ(receive_value<char>(socket), 'r') << "the other process has recorded the event";
    stream.wait(event);
    const std::vector<int> values = read(buffer);
    EXPECT_EQ(std::count(values.begin(), values.end(), 16), static_cast<std::ptrdiff_t>(values.size()));
    EXPECT_TRUE(event.is_done());
    EXPECT_EQ(receive_value<char>(socket), 'u');
}

// ---- memory of cuMemAlloc, and virtual memory ------------------------------------------------------------------------------

TEST_F(SharingGpuTest, SharesPlainMemory) {
    if (is_simulated_driver()) GTEST_SKIP() << "the simulated driver shares such memory between contexts of a process only";
    start("SharesPlainMemory");
    const ScopedContext scope(device->primary_context());
    const driver::CUdeviceptr address = check(driver::cuMemAlloc(4 << 20));
    Buffer part = Buffer::view_of(address + 4096, 4096);
    fill(stream, part, 6);
    stream.synchronize();
    EXPECT_THROW((void)Buffer::from_legacy_ipc_descriptor(stream, part.legacy_ipc_descriptor()), Error) << "of this process";
    send_value(socket, part.legacy_ipc_descriptor());
    EXPECT_EQ(receive_value<char>(socket), 'u');
    EXPECT_THAT(read(part), Each(7));
    EXPECT_EQ(end(), 0);
    check(driver::cuMemFree(address));
}

TEST_F(OtherProcessGpuTest, SharesPlainMemory) {
    const Device device;
    const Stream stream(device);
    const auto descriptor = receive_value<LegacyIpcDescriptor>(socket);
    EXPECT_EQ(descriptor.offset, 4096u);
    Buffer buffer = Buffer::from_legacy_ipc_descriptor(stream, descriptor);
    Buffer again = Buffer::from_legacy_ipc_descriptor(stream, descriptor);
    EXPECT_EQ(buffer, again);
    again.close();
    std::vector<int> values(1024);
    copy(stream, values, buffer);
    stream.synchronize();
    EXPECT_THAT(values, Each(6));
    fill(stream, buffer, 7);
    buffer.close();
    send_value(socket, 'u');
}

TEST_F(SharingGpuTest, SharesMemoryForCommunication) {
    start("SharesMemoryForCommunication");
    const VirtualMemoryResource memory = VirtualMemoryResource::for_communication(*device);
    RecordProperty("sharing", std::to_string(static_cast<unsigned int>(memory.options().sharing)));
    VirtualBuffer buffer(memory, stream, 4096);
    fill(stream, buffer, 8);
    stream.synchronize();
    send_memory(socket, buffer.export_memory(SharingHandle::posix_file_descriptor));
    const bool has_fabric = (memory.options().sharing & SharingHandle::fabric) == SharingHandle::fabric;
    const std::vector<std::byte> bytes =
        has_fabric ? to_bytes(buffer.export_memory(SharingHandle::fabric)) : std::vector<std::byte>();
    send_value(socket, bytes.size());
    if (has_fabric) {
        ASSERT_EQ(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
    }
    EXPECT_EQ(receive_value<char>(socket), 'u');
}

TEST_F(OtherProcessGpuTest, SharesMemoryForCommunication) {
    const Device device;
    const Stream stream(device);
    const auto expect_content = [&](const ExportedMemory& exported) {
        const VirtualBuffer buffer = VirtualBuffer::import_memory(device, stream, exported);
        std::vector<int> values(1024);
        copy(stream, values, buffer);
        stream.synchronize();
        EXPECT_THAT(values, Each(8));
    };
    expect_content(receive_memory(socket));
    std::vector<std::byte> bytes(receive_value<std::size_t>(socket));
    if (!bytes.empty()) {
        ASSERT_EQ(::recv(socket, bytes.data(), bytes.size(), MSG_WAITALL), static_cast<ssize_t>(bytes.size()));
        expect_content(memory_from_bytes(bytes));
    }
    send_value(socket, 'u');
}

// ---- events --------------------------------------------------------------------------------------------------------------

TEST_F(SharingGpuTest, ReturnsTheDescriptorOfAnEventInAnyContext) {
    if (!device->properties().ipc_event_supported()) GTEST_SKIP() << "the device has no shared events";
    const Context other(*device);
    const Event event(*device, {.ipc_enabled = true});
    const Event event_of_other(other, {.ipc_enabled = true});
    for (const ContextRef current : {ContextRef(), device->context(), ContextRef(other)}) {
        check(driver::cuCtxSetCurrent(current ? current.native_handle() : nullptr));
        EXPECT_NO_THROW((void)event.ipc_descriptor());
        EXPECT_NO_THROW((void)event_of_other.ipc_descriptor());
    }
}

TEST_F(OtherProcessGpuTest, SharesEvents) {
    const Device device;
    const Stream stream(device);
    const auto pool = DeviceMemoryResource::from_allocation_handle(device, receive_allocation_handle(socket));
    Buffer buffer = Buffer::from_ipc_descriptor(stream, pool, receive_value<IpcBufferDescriptor>(socket));
    const auto event = Event::from_ipc_descriptor(device, receive_value<IpcEventDescriptor>(socket));
    stream.wait(event);
    std::vector<int> values(buffer.size() / sizeof(int));
    copy(stream, values, buffer);
    fill(stream, buffer, 16);
    stream.record(event);
    send_value(socket, 'r');
    stream.synchronize();
    EXPECT_EQ(std::count(values.begin(), values.end(), 15), static_cast<std::ptrdiff_t>(values.size()));
    buffer.close();
    send_value(socket, 'u');
}

}  // namespace
}  // namespace cubind::testing
