// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/descriptor_message.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

// Control data of a message, aligned for its header.
struct Control {
    alignas(cmsghdr) char bytes[CMSG_SPACE(max_descriptors * sizeof(int))];
};

// Takes ownership of the descriptors of a message. `descriptors` has room for max_descriptors more, so that none is lost for want
// of memory.
void add_descriptors(msghdr& message, std::vector<FileDescriptor>& descriptors) {
    int numbers[max_descriptors];
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (each->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        std::memcpy(numbers, CMSG_DATA(each), count * sizeof(int));
        for (std::size_t i = 0; i < count; ++i) descriptors.push_back(FileDescriptor::from_native_handle(numbers[i]));
    }
}

// Returns whether a call that failed with `error` can be repeated. Waits for a socket that does not block, because a caller could
// not continue after a part of a message.
bool can_repeat(int error, int socket, short events) {
    if (error == EINTR) return true;
    const bool would_block = error == EAGAIN || error == EWOULDBLOCK;
    if (!would_block || (::fcntl(socket, F_GETFL) & O_NONBLOCK) == 0) return false;  // otherwise, the socket has a time limit
    pollfd ready{socket, events, 0};
    return ::poll(&ready, 1, -1) > 0 || errno == EINTR;
}

}  // namespace

void send_message(int socket, std::span<const std::byte> bytes, std::span<const int> descriptors) {
    Control control{};
    iovec data{const_cast<std::byte*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    if (!descriptors.empty()) {
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* const header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
    }
    while (data.iov_len != 0) {
        const ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
        if (sent < 0 && can_repeat(errno, socket, POLLOUT)) continue;
        if (sent < 0) throw std::system_error(errno, std::generic_category(), "cannot send a file descriptor");
        data.iov_base = static_cast<std::byte*>(data.iov_base) + sent;
        data.iov_len -= static_cast<std::size_t>(sent);
        message.msg_control = nullptr;  // the descriptors were sent with the first bytes
        message.msg_controllen = 0;
    }
}

void receive_message(int socket, std::span<std::byte> bytes, std::vector<FileDescriptor>& descriptors) {
    while (!bytes.empty()) {
        descriptors.reserve(descriptors.size() + max_descriptors);
        Control control{};
        iovec data{bytes.data(), bytes.size()};
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        const ssize_t received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (received < 0 && can_repeat(errno, socket, POLLIN)) continue;
        if (received < 0) throw std::system_error(errno, std::generic_category(), "cannot receive a file descriptor");
        add_descriptors(message, descriptors);
        if (received == 0) {
            throw std::system_error(std::make_error_code(std::errc::connection_reset),
                                    "cannot receive a file descriptor: the other end of the socket is closed");
        }
        if ((message.msg_flags & MSG_CTRUNC) != 0) {
            throw std::system_error(EMFILE, std::generic_category(), "cannot receive a file descriptor");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(received));
    }
}

}  // namespace detail

// ---- single descriptors --------------------------------------------------------------------------------------------------

void send_descriptor(int socket, const FileDescriptor& descriptor) {
    const std::byte data{};
    const int number = descriptor.native_handle();
    detail::send_message(socket, {&data, 1}, {&number, 1});
}

FileDescriptor receive_descriptor(int socket) {
    std::byte data{};
    std::vector<FileDescriptor> descriptors;
    detail::receive_message(socket, {&data, 1}, descriptors);
    if (descriptors.size() != 1) {
        detail::throw_misuse("a message with ", descriptors.size(), " file descriptors arrived: send_descriptor() sends 1");
    }
    return std::move(descriptors.front());
}

}  // namespace CUBIND_NAMESPACE
