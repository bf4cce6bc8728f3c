// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/ipc.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>

#include <functional>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include "memory_test.hpp"

namespace cubind::testing {
namespace {

class SharedPoolTest : public MemoryTest {
protected:
    /// Opens a pool of this process as if another process had sent it without its identity.
    DeviceMemoryResource opened() const {
        IpcAllocationHandle handle = pool.allocation_handle();
        handle.uuid = {};
        return DeviceMemoryResource::from_allocation_handle(device, handle);
    }
    int first_of(const Buffer& buffer, StreamRef on) {
        int value = 0;
        copy(on, value, buffer.span<int>().first(1));
        on.synchronize();
        return value;
    }
    Buffer filled(int value, std::size_t size = 4096) {
        Buffer buffer = pool.allocate(stream, size);
        fill(stream, buffer, value);
        stream.synchronize();
        return buffer;
    }

    DeviceMemoryResource pool{device, {.ipc_enabled = true}};
};

TEST_F(SharedPoolTest, HasAnIdentity) {
    EXPECT_TRUE(pool.is_ipc_enabled());
    EXPECT_FALSE(pool.is_mapped());
    EXPECT_NE(pool.uuid(), PoolUuid{});
    EXPECT_EQ(DeviceMemoryResource::from_registry(pool.uuid()), pool);
    EXPECT_EQ(DeviceMemoryResource::from_allocation_handle(device, pool.allocation_handle()), pool)
        << "this process has the pool";
    EXPECT_FALSE(pool.allocate(stream, 16).is_mapped());

    const DeviceMemoryResource other(device, {});
    EXPECT_FALSE(other.is_ipc_enabled());
    EXPECT_EQ(other.uuid(), PoolUuid{});
    expect_misuse([&] { (void)other.allocation_handle(); }, "ipc_enabled");
    expect_misuse([&] { (void)other.allocate(stream, 16).ipc_descriptor(); }, "16 bytes", "ipc_enabled");
    const PoolUuid uuid = std::exchange(pool, other).uuid();
    expect_misuse([&] { (void)DeviceMemoryResource::from_registry(uuid); }, std::to_string(uuid[0]), std::to_string(uuid[1]));
}

TEST_F(SharedPoolTest, MapsABufferOnce) {
    const DeviceMemoryResource imports = opened();
    EXPECT_TRUE(imports.is_mapped());
    EXPECT_EQ(imports.uuid(), PoolUuid{});
    Buffer buffer = filled(3);
    const IpcBufferDescriptor descriptor = buffer.ipc_descriptor();
    Buffer first = Buffer::from_ipc_descriptor(stream, imports, descriptor);
    Buffer second = Buffer::from_ipc_descriptor(stream, imports, descriptor);
    EXPECT_EQ(first, second);
    EXPECT_NE(first, buffer);
    EXPECT_TRUE(first.is_mapped());
    EXPECT_EQ(first.memory_resource(), imports);
    EXPECT_EQ(first.device(), device);
    EXPECT_EQ(imports.attributes().used_mem_current(), 4096u);
    std::atomic<bool> is_done{false};
    stream.launch_host_function([&] { is_done = true; });
    first.close();
    EXPECT_TRUE(is_done) << "closing waits for the stream";
    EXPECT_EQ(first_of(second, stream), 3);
    second.close();
    EXPECT_EQ(imports.attributes().used_mem_current(), 0u);
    const Buffer third = Buffer::from_ipc_descriptor(stream, imports, descriptor);
    EXPECT_EQ(first_of(third, stream), 3);
}

TEST_F(SharedPoolTest, MapsBuffersInManyThreads) {
    const DeviceMemoryResource imports = opened();
    Buffer buffer = filled(3);
    const IpcBufferDescriptor descriptor = buffer.ipc_descriptor();
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            const Stream own{device};
            for (int round = 0; round < 50; ++round) {
                const Buffer mapped = Buffer::from_ipc_descriptor(own, imports, descriptor);
                if (first_of(mapped, own) != 3) ++wrong;
                const auto same = DeviceMemoryResource::from_allocation_handle(device, pool.allocation_handle());
                if (!(same == pool)) ++wrong;
            }
        });
    }
    for (auto& each : threads) each.join();
    EXPECT_EQ(wrong, 0);
}

TEST_F(SharedPoolTest, EndsInOneThreadWhileItIsOpenedInAnother) {
    Buffer buffer = filled(3);
    const IpcBufferDescriptor descriptor = {.data = buffer.ipc_descriptor().data, .size = 4096, .pool = {7, 8}};
    IpcAllocationHandle handle = pool.allocation_handle();
    handle.uuid = {7, 8};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            const Stream own{device};
            for (int round = 0; round < 100; ++round) {
                const auto imports = DeviceMemoryResource::from_allocation_handle(device, handle);
                const auto again = DeviceMemoryResource::from_allocation_handle(device, handle);
                const Buffer mapped = Buffer::from_ipc_descriptor(own, again, descriptor);
                if (!(imports == again) || !imports.is_mapped() || first_of(mapped, own) != 3) ++wrong;
            }
        });
    }
    for (auto& each : threads) each.join();
    EXPECT_EQ(wrong, 0);
    expect_misuse([&] { (void)DeviceMemoryResource::from_registry({7, 8}); }, "{7, 8}");
}

TEST_F(SharedPoolTest, SharesBuffersWithoutMemory) {
    const DeviceMemoryResource imports = opened();
    const Buffer buffer = Buffer::from_ipc_descriptor(stream, imports, pool.allocate(stream, 0).ipc_descriptor());
    EXPECT_EQ(buffer.size(), 0u);
    EXPECT_EQ(buffer.native_handle(), 0u);
}

TEST_F(SharedPoolTest, RejectsWrongDescriptors) {
    const DeviceMemoryResource imports = opened();
    const DeviceMemoryResource another(device, {.ipc_enabled = true});
    const Buffer buffer = filled(3);
    const IpcBufferDescriptor descriptor = buffer.ipc_descriptor();
    const auto import = [&](const IpcBufferDescriptor& each) {
        return [&] { (void)Buffer::from_ipc_descriptor(stream, imports, each); };
    };

    IpcBufferDescriptor too_large = descriptor;
    too_large.size = 4097;
    expect_misuse(import(too_large), "4097", "4096");
    {
        const Buffer mapped = Buffer::from_ipc_descriptor(stream, imports, descriptor);
        expect_misuse(import(too_large), "4097", "4096");
    }
    EXPECT_EQ(imports.attributes().used_mem_current(), 0u) << "no rejected import remains";

    const IpcBufferDescriptor of_another = another.allocate(stream, 64).ipc_descriptor();
    EXPECT_THAT(message_of<Error>(import(of_another)), AllOf(HasSubstr("64 bytes"), HasSubstr("same pool")));
    EXPECT_THROW((void)Buffer::from_ipc_descriptor(stream, imports, {.data = {}, .size = 1, .pool = {}}), Error);
    IpcBufferDescriptor freed;
    {
        Buffer temporary = pool.allocate(stream, 64);
        freed = temporary.ipc_descriptor();
    }
    stream.synchronize();
    EXPECT_THROW((void)Buffer::from_ipc_descriptor(stream, imports, freed), Error);

    expect_misuse([&] { (void)Buffer::from_ipc_descriptor(stream, pool, descriptor); }, "4096 bytes", "from_allocation_handle()");
    expect_misuse([&] { (void)Buffer::from_ipc_descriptor(stream, DeviceMemoryResource(device), descriptor); }, "4096 bytes");
    expect_misuse([&] { (void)imports.allocate(stream, 48); }, "48 bytes", "from_ipc_descriptor()");
    expect_misuse([&] { (void)imports.allocation_handle(); }, "created");
    const Buffer mapped = Buffer::from_ipc_descriptor(stream, imports, descriptor);
    expect_misuse([&] { (void)mapped.ipc_descriptor(); }, "allocated");
    EXPECT_THROW((void)Buffer::view_of(buffer.native_handle() + 16, 16).ipc_descriptor(), Error);
    EXPECT_EQ(Buffer::view_of(buffer.native_handle(), 4096).ipc_descriptor().data, descriptor.data);
}

TEST_F(SharedPoolTest, RejectsWrongHandles) {
    IpcAllocationHandle handle = pool.allocation_handle();
    expect_misuse([&] { (void)DeviceMemoryResource::from_allocation_handle(Device(1), handle); }, "device 0", "device 1");
    expect_misuse([&] { (void)PinnedMemoryResource::from_allocation_handle(handle); }, "device 0", "the host");
    expect_misuse([&] { (void)PinnedMemoryResource::from_registry(pool.uuid()); }, "device 0");
    expect_misuse([&] { PinnedMemoryResource without_node({.ipc_enabled = true}); }, "numa_id");
    handle.uuid = {1, 2};
    ::close(handle.descriptor.native_handle());
    EXPECT_THAT(message_of<Error>([&] { (void)DeviceMemoryResource::from_allocation_handle(device, handle); }),
                AllOf(HasSubstr("cuMemPoolImportFromShareableHandle"), HasSubstr("allocation_handle()")));
    const int number = handle.descriptor.release();
    expect_misuse([&] { (void)DeviceMemoryResource::from_allocation_handle(device, handle); }, "closed");
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    EXPECT_GE(number, 0);
    handle.descriptor = FileDescriptor::from_native_handle(ends[0]);
    EXPECT_THROW((void)DeviceMemoryResource::from_allocation_handle(device, handle), Error) << "a pipe is no pool";
    ::close(ends[1]);
}

TEST_F(SharedPoolTest, RejectsWrongMessages) {
    int sockets[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    send_allocation_handle(sockets[0], pool.allocation_handle());
    const IpcAllocationHandle received = receive_allocation_handle(sockets[1]);
    EXPECT_EQ(received.uuid, pool.uuid());
    EXPECT_EQ(DeviceMemoryResource::from_allocation_handle(device, received), pool);
    ASSERT_EQ(::write(sockets[0], std::string(24, 'x').data(), 24), 24);
    expect_misuse([&] { (void)receive_allocation_handle(sockets[1]); }, "0 file descriptors");
    EXPECT_THROW(send_allocation_handle(sockets[0], IpcAllocationHandle()), std::invalid_argument);
    ::close(sockets[0]);
    EXPECT_THROW((void)receive_allocation_handle(sockets[1]), std::system_error);
    ::close(sockets[1]);
}

TEST_F(SharedPoolTest, DoesNotAffectCaptures) {
    const DeviceMemoryResource imports = opened();
    const Buffer buffer = filled(3);
    const Stream other{device};
    Capture capture(other);
    {
        const Buffer mapped = Buffer::from_ipc_descriptor(stream, imports, buffer.ipc_descriptor());
        const DeviceMemoryResource again = opened();
    }
    EXPECT_THAT(capture.node_types(), IsEmpty()) << "the capture is still valid";
}

TEST_F(SharedPoolTest, SweepReportsFailuresOfSharing) {
    // The memory is unmapped even if no context can be made current.
    const std::vector<std::string> tolerated{"cuStreamIsCapturing", "cuCtxGetCurrent", "cuDevicePrimaryCtxGetState",
                                             "cuCtxPushCurrent_v2"};
    const Buffer buffer = filled(3);
    sweep([&] { const DeviceMemoryResource created(device, {.ipc_enabled = true}); });
    sweep([&] { (void)pool.allocation_handle(); });
    sweep([&] { (void)buffer.ipc_descriptor(); });
    const IpcBufferDescriptor descriptor = buffer.ipc_descriptor();
    sweep([&] { (void)opened(); });
    sweep(
        [&] {
            const DeviceMemoryResource imports = opened();
            Buffer first = Buffer::from_ipc_descriptor(stream, imports, descriptor);
            const Buffer second = Buffer::from_ipc_descriptor(stream, imports, descriptor);
            first.close();
        },
        tolerated);
    sweep([&] {
        const PinnedMemoryResource pinned({.numa_id = 0, .ipc_enabled = true});
        IpcAllocationHandle handle = pinned.allocation_handle();
        handle.uuid = {5, 6};
        (void)PinnedMemoryResource::from_allocation_handle(handle);
    });
}

}  // namespace
}  // namespace cubind::testing
