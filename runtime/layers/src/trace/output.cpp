// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/output.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "platform/file.hpp"
#include "platform/process.hpp"
#include "support/write.hpp"
#include "trace/call_record.hpp"

namespace CUBIND_NAMESPACE::layers::trace {

namespace {

// Replaces %p by the process ID and %% by %.
std::string expand(const std::string& name, const std::string& process) {
    std::string path;
    for (std::size_t index = 0; index < name.size(); ++index) {
        const std::string_view next = std::string_view(name).substr(index, 2);
        if (next == "%p") path += process;
        if (next == "%%") path += '%';
        if (next == "%p" || next == "%%") {
            ++index;
        } else {
            path += name[index];
        }
    }
    return path;
}

std::string this_process() {
    return std::to_string(detail::process_id());
}

bool is_regular(int file, detail::FileStatus& status) noexcept {
    return detail::status_of_file(file, status) == 0 && status.kind == detail::FileKind::regular;
}

void report(const std::string& message) {
    print_error("cubind: trace: " + message + "\n");
}

}  // namespace

Output::Output(const Options& options)
    : format_(options.format),
      name_(options.file.empty() ? options.file : std::filesystem::absolute(options.file).string()),
      path_(expand(name_, this_process())),
      file_(is_stream() ? detail::standard_error : open_to_append(path_.c_str()).release()) {
    if (file_ < 0) {
        throw std::runtime_error("trace: cannot open " + path_ + " for writing: " + open_problem(errno) +
                                 "; give a file in an existing folder with write permission");
    }
}

Output::~Output() {
    if (file_ > detail::standard_error) detail::close_descriptor(file_);
}

void Output::begin() {
    if (!take_file()) {
        open_extended("another process writes ");
        if (file_ >= 0) take_file();
    }
    put(head(format_));
}

// Truncates a regular file; returns false if another process writes it. The lock ends when the file is closed.
bool Output::take_file() {
    detail::FileStatus status;
    if (is_stream() || !is_regular(file_, status)) return true;
    if (detail::try_lock_file(file_) == detail::LockAttempt::held_by_other) return false;
    if (const int error = detail::set_file_size(file_, 0)) report("cannot truncate " + path_ + ": " + std::strerror(error));
    return true;
}

void Output::open_extended(const char* reason) {
    const std::string taken = path_;
    path_ += "." + this_process();
    if (file_ > detail::standard_error) detail::close_descriptor(file_);
    file_ = open_to_append(path_.c_str()).release();
    const int error = errno;
    const std::string result = file_ >= 0 ? "" : std::string(", which cannot be opened: ") + open_problem(error);
    report(reason + taken + ", so process " + this_process() + " writes " + path_ + result +
           "; %p in a name gives each process a file");
}

void Output::begin_in_child() {
    if (file_ < 0) {  // otherwise the parent's stream
        try {
            open_in_child();
        } catch (...) {  // memory is exhausted; the next call begins again
            if (file_ >= 0) detail::close_descriptor(std::exchange(file_, -1));
            throw;
        }
    }
    is_new_child_ = false;
}

void Output::open_in_child() {
    path_ = expand(name_, this_process());
    if (path_ == expand(name_, "")) {
        open_extended("the parent process writes ");  // also after its end, so that its trace is not replaced
    } else {
        file_ = open_to_append(path_.c_str()).release();
        if (file_ < 0) report("cannot open " + path_ + ": " + open_problem(errno));
    }
    if (file_ >= 0) begin();
}

void Output::write(std::string_view line) {
    if (is_new_child_) begin_in_child();
    const int error = put(line);
    if (error == 0) return;
    if (lost_++ == 0 && !is_stream()) {
        report("cannot write " + path_ + ": " + std::strerror(error) + "; calls are missing from here on");
    }
}

void Output::finish() {
    const int error = owns_ends_ && !is_new_child_ ? put(tail(format_)) : 0;
    if (is_stream()) return;
    if (error != 0) report("cannot write the end of " + path_ + ": " + std::strerror(error));
    if (lost_ > 0) report(std::to_string(lost_) + " calls are missing in " + path_);
    if (file_ >= 0) detail::unlock_file(file_);  // even if a child still has the descriptor
}

void Output::continue_in_child() noexcept {
    detail::FileStatus status;
    const bool has_file = file_ > detail::standard_error && is_regular(file_, status);
    if (has_file) detail::close_descriptor(std::exchange(file_, -1));
    owns_ends_ = has_file;
    is_new_child_ = true;
    lost_ = 0;
}

// Writes the text completely or not at all; returns the error.
int Output::put(std::string_view text) {
    if (file_ < 0) return text.empty() ? 0 : EBADF;
    const detail::Written written = write_text(file_, text);
    detail::FileStatus status;
    if (written.error != 0 && written.bytes > 0 && is_regular(file_, status)) {
        detail::set_file_size(file_, status.size - written.bytes);
    }
    return written.error;
}

}  // namespace CUBIND_NAMESPACE::layers::trace
