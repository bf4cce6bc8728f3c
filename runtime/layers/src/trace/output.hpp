// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/layers/trace.hpp>

#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::layers::trace {

/// File or stream that a process writes a trace to. Processes share streams, such as the standard error stream and pipes; the
/// process that started the trace writes the first and the last text. They never share a regular file: if another process
/// writes it, or in a child process, the name of the file is extended by "." and the process ID. Not thread-safe.
class Output {
public:
    /// Opens the file without changing it. Throws std::runtime_error if it cannot be opened.
    explicit Output(const Options& options);
    /// Closes the file.
    ~Output();
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    Format format() const noexcept { return format_; }
    /// Truncates the file and writes its first text. This is separate from the constructor, because until then the previous trace
    /// may write to the same file.
    void begin();
    /// Writes the line of one call. Reports the first failure on the standard error stream.
    void write(std::string_view line);
    /// Writes the last text and reports the number of missing calls.
    void finish();
    /// Releases the parent's file in a child process. The child's first call opens the child's own file.
    void continue_in_child() noexcept;
    /// Returns the number of calls that could not be written.
    unsigned long lost() const noexcept { return lost_; }

private:
    bool is_stream() const noexcept { return name_.empty(); }
    bool take_file();
    void begin_in_child();
    void open_extended(const char* reason);
    int put(std::string_view text);

    const Format format_;
    const std::string name_;     ///< name in the options; empty for the standard error stream
    std::string path_;           ///< path of the file
    int file_ = -1;              ///< file descriptor; -1 if no file could be opened
    bool is_new_child_ = false;  ///< whether the process is a child that has not written yet
    bool owns_ends_ = true;      ///< whether the process writes the first and the last text
    unsigned long lost_ = 0;     ///< number of calls that could not be written
};

}  // namespace CUBIND_NAMESPACE::layers::trace
