// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>

namespace CUBIND_NAMESPACE::detail::meeting {
namespace {

using Clock = std::chrono::steady_clock;
using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

std::string text_of(int error) {
    return std::generic_category().message(error);
}

// Returns the addresses of a host, or those of this host for a null pointer.
Addresses addresses_of(const char* host, const std::string& port, int& status) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV | (host == nullptr ? AI_PASSIVE : 0);
    addrinfo* found = nullptr;
    status = ::getaddrinfo(host, port.c_str(), &hints, &found);
    return {status == 0 ? found : nullptr, ::freeaddrinfo};
}

// Waits until the descriptor is ready. Signals do not end the wait.
bool is_ready_within(int descriptor, short events, std::chrono::milliseconds timeout) noexcept {
    const auto end = Clock::now() + timeout;
    for (;;) {
        const auto left =
            std::max<std::chrono::milliseconds::rep>(0, std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count());
        pollfd entry{descriptor, events, 0};
        const int count =
            ::poll(&entry, 1, static_cast<int>(std::min<std::chrono::milliseconds::rep>(left, std::numeric_limits<int>::max())));
        if (count > 0) return true;
        if (count == 0 || errno != EINTR) return false;
    }
}

bool is_loopback(const std::string& host) {
    return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace

// Other hosts cannot reach the address that a host name has on its own host, which is often a loopback address, so that rank 0
// listens at all of them.
Descriptor listen_at(const std::string& host, const std::string& port, std::string& problem) {
    int status = 0;
    const Addresses addresses = addresses_of(is_loopback(host) ? host.c_str() : nullptr, port, status);
    if (status != 0) problem = ::gai_strerror(status);
    // An IPv6 socket takes connections of both kinds.
    for (const int family : {AF_INET6, AF_INET}) {
        for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next) {
            if (each->ai_family != family || (host == "localhost" && family == AF_INET6)) continue;
            Descriptor listener = beside_streams(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
            if (!listener) continue;
            const int on = 1, off = 0;
            ::setsockopt(listener.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
            if (family == AF_INET6) ::setsockopt(listener.number(), IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
            if (::bind(listener.number(), each->ai_addr, each->ai_addrlen) == 0 && ::listen(listener.number(), SOMAXCONN) == 0)
                return listener;
            problem = text_of(errno);
            if (errno == EADDRINUSE) return {};
        }
    }
    if (problem.empty()) problem = "this host has no such address";
    return {};
}

Descriptor accept_within(int listener, std::chrono::milliseconds timeout) noexcept {
    if (!is_ready_within(listener, POLLIN, timeout)) return {};
    return beside_streams(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
}

Descriptor connect_within(const std::string& host, const std::string& port, std::chrono::milliseconds timeout,
                          std::string& problem, bool& is_final) {
    int status = 0;
    const Addresses addresses = addresses_of(host.c_str(), port, status);
    if (status != 0) {
        problem = "the host does not resolve: " + std::string(::gai_strerror(status));
        is_final = status != EAI_AGAIN && status != EAI_SYSTEM;
        return {};
    }
    for (const addrinfo* each = addresses.get(); each != nullptr; each = each->ai_next) {
        Descriptor connection = beside_streams(::socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (!connection) continue;
        int error = ::connect(connection.number(), each->ai_addr, each->ai_addrlen) == 0 ? 0 : errno;
        if (error == EINPROGRESS) {
            socklen_t size = sizeof error;
            if (!is_ready_within(connection.number(), POLLOUT, timeout)) {
                error = ETIMEDOUT;
            } else if (::getsockopt(connection.number(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
                error = errno;
            }
        }
        if (error == 0) {
            ::fcntl(connection.number(), F_SETFL, 0);  // blocks from now on
            return connection;
        }
        problem = text_of(error);
    }
    return {};
}

bool receive_within(int connection, void* data, std::size_t size, std::chrono::milliseconds timeout, std::string& problem) {
    const auto end = Clock::now() + timeout;
    for (auto* place = static_cast<char*>(data); size > 0;) {
        if (!is_ready_within(connection, POLLIN, std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()))) {
            problem = "nothing was received in time";
            return false;
        }
        const auto count = ::recv(connection, place, size, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            problem = count == 0 ? "the other side has closed the connection" : text_of(errno);
            return false;
        }
        place += count;
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace CUBIND_NAMESPACE::detail::meeting
