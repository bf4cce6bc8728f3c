// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace cubind::testing {

/// A process that is started by fork() and computes a text.
class Child {
public:
    explicit Child(const std::function<std::string()>& body, int exit_status = 0) {
        int ends[2];
        EXPECT_EQ(::pipe(ends), 0);
        std::fflush(nullptr);
        id_ = ::fork();
        if (id_ == 0) {
            const std::string text = result(body);
            (void)!::write(ends[1], text.data(), text.size());
            std::exit(exit_status);
        }
        ::close(ends[1]);
        pipe_ = ends[0];
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (id_ > 0) static_cast<void>(outcome());
    }

    /// Waits, and returns the text, "rejected: MESSAGE" for a mistake, "failed: MESSAGE" for another error, or nothing.
    std::string outcome() {
        std::string text(8192, '\0');
        std::size_t size = 0;
        for (ssize_t count; (count = ::read(pipe_, text.data() + size, text.size() - size)) > 0;)
            size += static_cast<std::size_t>(count);
        ::close(pipe_);
        ::waitpid(id_, nullptr, 0);
        id_ = -1;
        text.resize(size);
        return text;
    }
    void kill() const { ::kill(id_, SIGKILL); }

private:
    static std::string result(const std::function<std::string()>& body) {
        try {
            return body();
        } catch (const std::invalid_argument& error) {
            return std::string("rejected: ") + error.what();
        } catch (const std::exception& error) {
            return std::string("failed: ") + error.what();
        }
    }

    pid_t id_ = -1;
    int pipe_ = -1;
};

}  // namespace cubind::testing
