// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/file_descriptor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fcntl.h>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace cubind::testing {
namespace {

bool is_open(int number) {
    return ::fcntl(number, F_GETFD) >= 0;
}

class FileDescriptorTest : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
        int ends[2];
        ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
        reading = FileDescriptor::from_native_handle(ends[0]);
        writing = FileDescriptor::from_native_handle(ends[1]);
    }
    void TearDown() override {
        ::close(sockets[0]);
        ::close(sockets[1]);
    }

    int sockets[2];
    FileDescriptor reading, writing;
};

TEST_F(FileDescriptorTest, OwnsItsNumber) {
    const int number = writing.native_handle();
    FileDescriptor moved = std::move(writing);
    EXPECT_TRUE(writing.is_closed());
    EXPECT_THROW((void)writing.native_handle(), std::invalid_argument);
    EXPECT_EQ(moved.native_handle(), number);
    moved = FileDescriptor();
    EXPECT_FALSE(is_open(number));
    const int released = reading.release();
    EXPECT_TRUE(reading.is_closed());
    reading.close();
    EXPECT_EQ(reading.release(), -1);
    EXPECT_TRUE(is_open(released));
    ::close(released);
    EXPECT_THROW((void)FileDescriptor::from_native_handle(-1), std::invalid_argument);
}

TEST_F(FileDescriptorTest, IsSentThroughASocket) {
    send_descriptor(sockets[0], writing);
    const FileDescriptor received = receive_descriptor(sockets[1]);
    EXPECT_NE(received.native_handle(), writing.native_handle());
    EXPECT_NE(::fcntl(received.native_handle(), F_GETFD) & FD_CLOEXEC, 0);
    writing.close();
    ASSERT_EQ(::write(received.native_handle(), "x", 1), 1);
    char found = 0;
    ASSERT_EQ(::read(reading.native_handle(), &found, 1), 1);
    EXPECT_EQ(found, 'x');
}

TEST_F(FileDescriptorTest, ReportsFailuresOfTheSocket) {
    EXPECT_THROW(send_descriptor(-1, writing), std::system_error);
    EXPECT_THROW((void)receive_descriptor(-1), std::system_error);
    ASSERT_EQ(::write(sockets[0], "x", 1), 1);
    EXPECT_THROW((void)receive_descriptor(sockets[1]), std::invalid_argument) << "the message has no descriptor";
    ::shutdown(sockets[0], SHUT_WR);
    try {
        (void)receive_descriptor(sockets[1]);
        FAIL() << "nothing arrives";
    } catch (const std::system_error& error) {
        EXPECT_EQ(error.code(), std::errc::connection_reset);
    }
    writing.close();
    EXPECT_THROW(send_descriptor(sockets[0], writing), std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing
