// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/file_descriptor.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <fcntl.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

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

TEST_F(FileDescriptorTest, WaitsAlsoForASocketThatDoesNotBlock) {
    for (const int socket : sockets) ASSERT_EQ(::fcntl(socket, F_SETFL, O_NONBLOCK), 0);
    std::jthread sender([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        send_descriptor(sockets[0], writing);
    });
    EXPECT_FALSE(receive_descriptor(sockets[1]).is_closed());
    sender.join();

    std::vector<char> rest;
    char block[4096] = {};
    for (ssize_t count = 0; (count = ::write(sockets[0], block, sizeof block)) > 0;) {
        rest.resize(rest.size() + static_cast<std::size_t>(count));
    }
    std::jthread reader([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (std::size_t size = 0; size < rest.size();) {
            const ssize_t count = ::read(sockets[1], rest.data() + size, rest.size() - size);
            size += count > 0 ? static_cast<std::size_t>(count) : 0;
        }
    });
    send_descriptor(sockets[0], writing);
    reader.join();
    EXPECT_FALSE(receive_descriptor(sockets[1]).is_closed());
}

TEST_F(FileDescriptorTest, ReportsASocketsTimeLimit) {
    const timeval limit{0, 1000};
    ASSERT_EQ(::setsockopt(sockets[1], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
    EXPECT_THROW((void)receive_descriptor(sockets[1]), std::system_error);
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
