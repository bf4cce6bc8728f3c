// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cubind::testing {

/// A child of fork() with a Unix socket between both processes. The child ends with status 0 if its function returns true.
class OtherProcess {
public:
    explicit OtherProcess(const std::function<bool(int socket)>& function) {
        int ends[2] = {-1, -1};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
        child_ = ::fork();
        socket_ = ends[child_ == 0 ? 1 : 0];
        ::close(ends[child_ == 0 ? 0 : 1]);
        if (child_ == 0) run(function);
    }
    ~OtherProcess() {
        if (child_ > 0) (void)end();
        ::close(socket_);
    }
    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;

    int socket() const noexcept { return socket_; }
    /// Returns the status of waitpid(); 0 if the function has returned true.
    int end() {
        int status = -1;
        if (::waitpid(child_, &status, 0) != child_) status = -1;
        child_ = -1;
        return status;
    }
    /// Ends the process at once.
    void kill() {
        ::kill(child_, SIGKILL);
        (void)end();
    }

private:
    [[noreturn]] void run(const std::function<bool(int socket)>& function) const {
        ::alarm(60);
        try {
            ::_exit(function(socket_) ? 0 : 2);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "the other process: %s\n", error.what());
            ::_exit(1);
        }
    }

    pid_t child_ = -1;
    int socket_ = -1;
};

/// Sends the bytes of a value.
template <class Value>
void send_value(int socket, const Value& value) {
    if (::write(socket, &value, sizeof value) != static_cast<ssize_t>(sizeof value)) throw std::runtime_error("cannot send");
}

/// Waits for the bytes of a value.
template <class Value>
Value receive_value(int socket) {
    Value value{};
    if (::recv(socket, &value, sizeof value, MSG_WAITALL) != static_cast<ssize_t>(sizeof value)) {
        throw std::runtime_error("cannot receive");
    }
    return value;
}

}  // namespace cubind::testing
