// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/core/memory/virtual_buffer.hpp>

#include <functional>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "memory_test.hpp"
#include "sanitizers.hpp"

namespace cubind::testing {
namespace {

constexpr std::size_t unit = std::size_t{2} << 20;  // granularity of the simulated devices

class ExportedMemoryTest : public MemoryTest {
protected:
    ExportedMemoryTest() : MemoryTest(machine_of_children) {}

    void SetUp() override {
        MemoryTest::SetUp();
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    }
    void TearDown() override {
        ::close(sockets[0]);
        ::close(sockets[1]);
        MemoryTest::TearDown();
    }

    ExportedMemory exchanged(const VirtualBuffer& buffer) {
        send_memory(sockets[0], buffer.export_memory());
        return receive_memory(sockets[1]);
    }
    int first_of(const VirtualBuffer& buffer) {
        int value = 0;
        copy(stream, value, buffer.span<int>().first(1));
        stream.synchronize();
        return value;
    }
    std::size_t free_memory() const { return device.memory_info().free; }

    int sockets[2];
    VirtualMemoryResource memory{device, {.sharing = SharingHandle::posix_file_descriptor}};
};

TEST_F(ExportedMemoryTest, IsOneMappingForAllImports) {
    const std::size_t before = free_memory();
    VirtualBuffer buffer(memory, stream, 16, {.reserve_size = 8 * unit});
    fill(stream, buffer, 5);
    stream.synchronize();
    VirtualBuffer first = VirtualBuffer::import_memory(device, stream, exchanged(buffer));
    EXPECT_EQ(first.size(), 16u);
    EXPECT_EQ(first.reserved_size(), 8 * unit);
    EXPECT_NE(first.native_handle(), buffer.native_handle());
    EXPECT_EQ(first.bytes().device(), device);
    EXPECT_EQ(first_of(first), 5);

    buffer.grow(3 * unit);
    VirtualBuffer second = VirtualBuffer::import_memory(Device(1), stream, exchanged(buffer));
    EXPECT_EQ(second.native_handle(), first.native_handle());
    EXPECT_EQ(second.size(), 3 * unit);
    EXPECT_EQ(second.access(Device(1)), MemoryAccess::read_write);
    fill(stream, second.bytes().span<int>().last(1), 6);
    int last = 0;
    copy(stream, last, buffer.span<int>().last(1));
    stream.synchronize();
    EXPECT_EQ(last, 6);
    first.grow(3 * unit);
    expect_misuse([&] { first.grow(3 * unit + 1); }, "6291457", "6291456");

    buffer.close();
    first.close();
    EXPECT_EQ(first_of(second), 5) << "the memory exists as long as an import";
    second.close();
    EXPECT_EQ(free_memory(), before);
}

TEST_F(ExportedMemoryTest, RejectsInvalidMemory) {
    VirtualBuffer buffer(memory, stream, 2 * unit);
    ExportedMemory exported = buffer.export_memory();
    exported.size = 2 * unit + 1;
    expect_misuse([&] { (void)VirtualBuffer::import_memory(device, stream, exported); }, "4194305", "4194304");
    exported.size = 0;
    EXPECT_THROW((void)VirtualBuffer::import_memory(device, stream, exported), std::invalid_argument);
    exported.size = 1;
    exported.parts.front().size = unit;
    EXPECT_THROW((void)VirtualBuffer::import_memory(device, stream, exported), Error) << "the driver knows the size";
    const VirtualBuffer private_memory(VirtualMemoryResource{device}, stream, 16);
    expect_misuse([&] { (void)private_memory.export_memory(); }, "posix_file_descriptor");
    const VirtualBuffer imported = VirtualBuffer::import_memory(device, stream, exchanged(buffer));
    EXPECT_THROW((void)imported.export_memory(), std::invalid_argument);
    EXPECT_THROW((void)imported.bytes().memory_resource()->allocate(stream, 16), std::invalid_argument);
    ASSERT_EQ(::write(sockets[0], std::string(48, 'x').data(), 48), 48);
    expect_misuse([&] { (void)receive_memory(sockets[1]); }, "0 file descriptors");
    ExportedMemory many;
    many.parts.resize(254);
    expect_misuse([&] { send_memory(sockets[0], many); }, "254", "253");
}

TEST_F(ExportedMemoryTest, IsSharedWithAnotherProcess) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    for (const MemoryLocation& location : {MemoryLocation(device), MemoryLocation(Host{})}) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::alarm(60);
            try {
                Stream own_stream{device};
                const ExportedMemory received = receive_memory(sockets[1]);
                VirtualBuffer buffer = VirtualBuffer::import_memory(device, own_stream, received);
                std::vector<int> values(4);
                copy(own_stream, values, buffer.span<int>().first(4));
                own_stream.synchronize();
                if (values != std::vector<int>(4, 7)) ::_exit(2);
                fill(own_stream, buffer.span<int>().last(1), 8);
                own_stream.synchronize();
                ::_exit(0);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                ::_exit(1);
            }
        }
        const VirtualMemoryResource own(location, {.sharing = SharingHandle::posix_file_descriptor});
        VirtualBuffer buffer(own, stream, unit);
        buffer.grow(3 * unit);
        fill(stream, buffer, 7);
        stream.synchronize();
        send_memory(sockets[0], buffer.export_memory());
        int status = -1;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
        int last = 0;
        copy(stream, last, buffer.span<int>().last(1));
        stream.synchronize();
        EXPECT_EQ(last, 8);
    }
}

TEST_F(ExportedMemoryTest, SweepReportsFailuresOfSharing) {
    const VirtualBuffer buffer(memory, stream, 16);
    const std::vector<std::string> tolerated{"cuStreamIsCapturing", "cuMemUnmap"};
    sweep([&] { (void)buffer.export_memory(); });
    sweep(
        [&] {
            VirtualBuffer imported = VirtualBuffer::import_memory(device, stream, buffer.export_memory());
            const VirtualBuffer again = VirtualBuffer::import_memory(Device(1), stream, buffer.export_memory());
            imported.close();
        },
        tolerated);
}

}  // namespace
}  // namespace cubind::testing
