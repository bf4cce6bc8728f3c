// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>
#include <cubind/layers/layer.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "memory_test.hpp"
#include "other_process.hpp"
#include "sanitizers.hpp"

namespace cubind::testing {
namespace {

/// Creates its pools after the other processes: a process that has memory for others cannot fork.
class SharedPoolProcessTest : public MemoryTest {
protected:
    SharedPoolProcessTest() : MemoryTest(machine_of_children) {}

    void SetUp() override {
        MemoryTest::SetUp();
        if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    }
    Buffer filled(const DeviceMemoryResource& pool, int value) {
        Buffer buffer = pool.allocate(stream, 4096);
        fill(stream, buffer, value);
        stream.synchronize();
        return buffer;
    }
};

TEST_F(SharedPoolProcessTest, SharesBuffersWithAnotherProcess) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        const IpcAllocationHandle handle = receive_allocation_handle(socket);
        const auto opened = DeviceMemoryResource::from_allocation_handle(device, handle);
        const auto again = DeviceMemoryResource::from_allocation_handle(device, handle);
        const bool is_one_pool = opened == again && DeviceMemoryResource::from_registry(opened.uuid()) == opened;
        const auto descriptor = receive_value<IpcBufferDescriptor>(socket);
        Buffer buffer = Buffer::from_ipc_descriptor(own, opened, descriptor);
        std::vector<int> values(1024);
        copy(own, values, buffer);
        own.synchronize();
        fill(own, buffer.span<int>().last(1), 8);
        buffer.close();
        send_value(socket, 'x');
        return is_one_pool && opened.is_mapped() && values == std::vector<int>(1024, 7);
    });
    const DeviceMemoryResource pool(device, {.ipc_enabled = true});
    const Buffer buffer = filled(pool, 7);
    send_allocation_handle(other.socket(), pool.allocation_handle());
    send_value(other.socket(), buffer.ipc_descriptor());
    (void)receive_value<char>(other.socket());
    int last = 0;
    copy(stream, last, buffer.span<int>().last(1));
    stream.synchronize();
    EXPECT_EQ(last, 8);
    EXPECT_EQ(other.end(), 0);
}

TEST_F(SharedPoolProcessTest, EndsInAnyOrder) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        std::optional<DeviceMemoryResource> opened =
            DeviceMemoryResource::from_allocation_handle(device, receive_allocation_handle(socket));
        const auto descriptor = receive_value<IpcBufferDescriptor>(socket);
        Buffer buffer = Buffer::from_ipc_descriptor(own, *opened, descriptor);
        opened.reset();
        send_value(socket, 'x');
        (void)receive_value<char>(socket);  // the memory was freed, which is a mistake, but no crash
        int value = 0;
        copy(own, value, buffer.span<int>().first(1));
        own.synchronize();
        buffer.close();
        return true;
    });
    {
        const DeviceMemoryResource pool(device, {.ipc_enabled = true});
        const Buffer buffer = filled(pool, 7);
        send_allocation_handle(other.socket(), pool.allocation_handle());
        send_value(other.socket(), buffer.ipc_descriptor());
        (void)receive_value<char>(other.socket());
    }
    stream.synchronize();
    send_value(other.socket(), 'x');
    EXPECT_EQ(other.end(), 0);
}

TEST_F(SharedPoolProcessTest, SurvivesAProcessThatWasKilled) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        const auto opened = DeviceMemoryResource::from_allocation_handle(device, receive_allocation_handle(socket));
        Buffer buffer = Buffer::from_ipc_descriptor(own, opened, receive_value<IpcBufferDescriptor>(socket));
        fill(own, buffer, 9);
        own.synchronize();
        send_value(socket, 'x');
        ::pause();
        return true;
    });
    const DeviceMemoryResource pool(device, {.ipc_enabled = true});
    Buffer buffer = filled(pool, 7);
    send_allocation_handle(other.socket(), pool.allocation_handle());
    send_value(other.socket(), buffer.ipc_descriptor());
    (void)receive_value<char>(other.socket());
    other.kill();
    int first = 0;
    copy(stream, first, buffer.span<int>().first(1));
    buffer.close(stream);
    stream.synchronize();
    EXPECT_EQ(first, 9);
    EXPECT_EQ(pool.attributes().used_mem_current(), 0u);
    EXPECT_NO_THROW((void)pool.allocate(stream, 16));
}

TEST_F(SharedPoolProcessTest, SharesPinnedMemory) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        const auto opened = PinnedMemoryResource::from_allocation_handle(receive_allocation_handle(socket));
        Buffer buffer = Buffer::from_ipc_descriptor(own, opened, receive_value<IpcBufferDescriptor>(socket));
        Buffer again = Buffer::from_ipc_descriptor(
            own, opened, buffer.is_mapped() ? receive_value<IpcBufferDescriptor>(socket) : IpcBufferDescriptor());
        return again == buffer && buffer.is_host_accessible() && buffer.span<int>()[3] == 5;
    });
    const PinnedMemoryResource pool({.numa_id = 0, .ipc_enabled = true});
    const Buffer buffer = pool.allocate(stream, 16);
    stream.synchronize();
    buffer.span<int>()[3] = 5;
    send_allocation_handle(other.socket(), pool.allocation_handle());
    send_value(other.socket(), buffer.ipc_descriptor());
    send_value(other.socket(), buffer.ipc_descriptor());
    EXPECT_EQ(other.end(), 0);
}

TEST_F(SharedPoolProcessTest, RejectsABufferOfAnotherPool) {
    OtherProcess other([&](int socket) {
        const Stream own{device};
        const auto opened = DeviceMemoryResource::from_allocation_handle(device, receive_allocation_handle(socket));
        const auto descriptor = receive_value<IpcBufferDescriptor>(socket);
        expect_misuse([&] { (void)Buffer::from_ipc_descriptor(own, opened, descriptor); }, std::to_string(descriptor.pool[0]),
                      std::to_string(opened.uuid()[0]));
        return !::testing::Test::HasFailure();
    });
    const DeviceMemoryResource pool(device, {.ipc_enabled = true});
    const DeviceMemoryResource another(device, {.ipc_enabled = true});
    send_allocation_handle(other.socket(), pool.allocation_handle());
    const Buffer buffer = another.allocate(stream, 64);
    send_value(other.socket(), buffer.ipc_descriptor());
    EXPECT_EQ(other.end(), 0);
}

/// Reports that the pools of devices cannot be shared.
class NoSharedPools final : public layers::Layer {
public:
    void handle(const Call& call, const layers::Next& next) noexcept override {
        next(call);
        if (std::string_view(call.function.symbol) != "cuDeviceGetAttribute") return;
        const auto which = *static_cast<const driver::CUdevice_attribute*>(call.arguments[1]);
        if (which == driver::CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES)
            **static_cast<int* const*>(call.arguments[0]) = 0;
    }
};

TEST_F(SharedPoolProcessTest, ReportsADeviceWithoutSharedPools) {
    NoSharedPools layer;
    layers::push(layer);
    EXPECT_THAT(message_of<Error>([&] { DeviceMemoryResource pool(device, {.ipc_enabled = true}); }), HasSubstr("device 0"));
    layers::remove(layer);
}

}  // namespace
}  // namespace cubind::testing
