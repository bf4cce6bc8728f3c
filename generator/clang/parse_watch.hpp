// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace cubind::gen::clang {

/// What libclang may use to parse one source. Macros can expand without limit, and headers can include devices, which have no
/// end, and pipes, which have no writer.
struct ParseLimits {
    int seconds = 300;
    int gibibytes = 8;  ///< of the whole process
};

/// Sets the limits of this process. Not to be called while a source is parsed.
void set_parse_limits(const ParseLimits& limits);

/// Ends the process with a message and exit status 1 if it exceeds the limits before the object is destroyed. libclang offers no
/// way to stop a parser.
class ParseWatch {
public:
    /// `name` is the name of the source, for the message.
    explicit ParseWatch(const std::string& name);
    ParseWatch(const ParseWatch&) = delete;
    ParseWatch& operator=(const ParseWatch&) = delete;
    ~ParseWatch();

private:
    void watch(const std::string& name);

    std::mutex mutex_;
    std::condition_variable ended_;
    bool has_ended_ = false;
    std::thread thread_;  // last, because the thread uses the other members
};

}  // namespace cubind::gen::clang
