// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string>

/// @file
/// A layer that records every call with its time, thread, duration, arguments and results.
///
///     layers::trace::start();                        // on the standard error stream
///     layers::trace::start({.format = layers::trace::Format::chrome, .file = "trace.json"});
///     layers::trace::start({.memory = 1 << 20});     // in memory, for recorded()
///
/// The text format has one line for each call, which is written when the call ends:
///
///     [1]    0.001523 s     2.1 us  driver cuMemAlloc_v2(bytesize=64) -> CUDA_SUCCESS dptr=0x7f0000000200
///
/// A line contains the thread, the time at which the call began, the duration, the library and the call. Enumerators are
/// printed by name and records by field; long strings and arrays are truncated. Arguments that the call only writes follow
/// the status. A file that cannot be written, for example because the disk is full, is reported once on the standard error
/// stream; the program continues. Any thread may call these functions.
namespace CUBIND_NAMESPACE::layers::trace {

/// Format of a trace.
enum class Format {
    text,        ///< one line of text for each call
    json_lines,  ///< one JSON object for each call, one per line
    chrome,      ///< input of chrome://tracing and Perfetto; complete when the trace has stopped, readable at any time
};

/// Options of a trace.
struct Options {
    Format format = Format::text;  ///< format of the output
    /// Path of the file, which is overwritten; empty for the standard error stream. %p is replaced by the process ID and %% by
    /// %. If another process writes the file, and in a child process, "." and the process ID are appended to the name.
    std::string file = {};
    /// Bytes of memory in which each running thread records its calls; the oldest calls are dropped if it is full. With 0, each
    /// call is written when it ends.
    std::size_t memory = 0;
};

/// Starts a trace and ends the current one. Throws std::runtime_error if the file cannot be opened, and std::bad_alloc or
/// std::length_error if there is not as much memory as Options::memory states; then the current trace continues.
CUBIND_EXPORT void start(const Options& options = {});

/// Ends the trace. Calls in memory remain available until the next start().
CUBIND_EXPORT void stop();

/// Returns the calls in memory, in the order in which they began.
CUBIND_EXPORT std::string recorded(Format format = Format::text);

/// Returns the number of calls that are missing since start(), because the trace's memory was full, the file could not be
/// written, or the process's memory was exhausted.
CUBIND_EXPORT unsigned long dropped();

/// Discards the calls in memory.
CUBIND_EXPORT void clear();

}  // namespace CUBIND_NAMESPACE::layers::trace
