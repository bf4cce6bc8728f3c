// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/layers/layer.hpp>
#include <cubind/layers/trace.hpp>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

#include "support/threads.hpp"
#include "trace/memory.hpp"

namespace CUBIND_NAMESPACE::layers::trace {

namespace {

void write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) return;  // a failed write cannot be reported
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
}

class Trace final : public Layer {
public:
    void start(const Options& options) {
        const int opened = options.memory > 0 ? -1 : open(options);
        const std::lock_guard lock(mutex_);
        finish();
        truncate(opened);
        format_.store(options.format, std::memory_order_relaxed);
        file_ = opened;
        to_memory_.store(options.memory > 0, std::memory_order_release);
        if (options.memory > 0) {
            memory_.begin(options.memory);
        } else {
            write_all(file_, head(options.format));
        }
        push(*this);
    }

    void stop() {
        const std::lock_guard lock(mutex_);
        remove(*this);
        finish();
    }

    Memory& memory() { return memory_; }

    void handle(const Call& call, const Next& next) noexcept override {
        std::byte room[max_capture];
        Capture capture(room);
        capture_arguments(call, capture);
        const long long begin = time_since_start().count();
        next(call);
        const long long end = time_since_start().count();
        capture_results(call, capture);
        const CallRecord record{&call.library, &call.function,       begin,
                                end - begin,   this_thread_number(), static_cast<unsigned>(capture.size())};
        if (to_memory_.load(std::memory_order_acquire)) {
            memory_.add(record, room);
        } else {
            write_line(record, room);
        }
    }

private:
    static int open(const Options& options) {
        if (options.file.empty()) return STDERR_FILENO;
        const int file = ::open(options.file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (file < 0) {
            throw std::runtime_error("trace: cannot open " + options.file + " for writing: " + std::strerror(errno) +
                                     "; give a file in an existing folder with write permission");
        }
        return file;
    }

    // Truncates the file. This is separate from open(), because until now the previous trace may have written to the same file.
    static void truncate(int file) {
        if (file > STDERR_FILENO && ftruncate(file, 0) != 0) return;  // for example a pipe
    }

    void write_line(const CallRecord& record, const std::byte* captured) {
        const Format format = format_.load(std::memory_order_relaxed);
        std::string line;
        append_line(line, record, captured, format);
        const std::lock_guard lock(mutex_);
        // Omits a call that began during a previous trace with another format.
        if (file_ >= 0 && format == format_.load(std::memory_order_relaxed)) write_all(file_, line);
    }

    // Completes the file and closes it.
    void finish() {
        if (file_ >= 0) write_all(file_, tail(format_.load(std::memory_order_relaxed)));
        if (file_ > STDERR_FILENO) close(file_);
        file_ = -1;
    }

    std::mutex mutex_;
    std::atomic<Format> format_{Format::text};
    int file_ = -1;
    std::atomic<bool> to_memory_{false};
    Memory memory_;
};

// Never destroyed: calls may be made until the process ends.
Trace& trace_layer() {
    static Trace& layer = *new Trace;
    return layer;
}

}  // namespace

void start(const Options& options) {
    trace_layer().start(options);
}

void stop() {
    trace_layer().stop();
}

std::string recorded(Format format) {
    return trace_layer().memory().text(format);
}

unsigned long dropped() {
    return trace_layer().memory().dropped();
}

void clear() {
    trace_layer().memory().clear();
}

}  // namespace CUBIND_NAMESPACE::layers::trace
