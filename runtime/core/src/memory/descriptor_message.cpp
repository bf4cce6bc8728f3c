// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/descriptor_message.hpp"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <system_error>

#include "support/misuse.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

// Control data of a message, aligned for its header.
struct Control {
    alignas(cmsghdr) char bytes[CMSG_SPACE(max_descriptors * sizeof(int))];
};

void add_descriptors(msghdr& message, std::vector<FileDescriptor>& descriptors) {
    std::vector<int> numbers;
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS) continue;
        numbers.resize((each->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        std::memcpy(numbers.data(), CMSG_DATA(each), numbers.size() * sizeof(int));
        descriptors.reserve(descriptors.size() + numbers.size());
        for (const int number : numbers) descriptors.push_back(FileDescriptor::from_native_handle(number));
    }
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
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) throw std::system_error(errno, std::generic_category(), "cannot send a file descriptor");
        data.iov_base = static_cast<std::byte*>(data.iov_base) + sent;
        data.iov_len -= static_cast<std::size_t>(sent);
        message.msg_control = nullptr;  // the descriptors were sent with the first bytes
        message.msg_controllen = 0;
    }
}

void receive_message(int socket, std::span<std::byte> bytes, std::vector<FileDescriptor>& descriptors) {
    while (!bytes.empty()) {
        Control control{};
        iovec data{bytes.data(), bytes.size()};
        msghdr message{};
        message.msg_iov = &data;
        message.msg_iovlen = 1;
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        const ssize_t received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (received < 0 && errno == EINTR) continue;
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
