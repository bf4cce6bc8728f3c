// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

/// A layer that shows every call: when, in which thread, how long, with which arguments and which results.
///
///     layers::trace::start();                        // on the standard error stream
///     layers::trace::start({.format = layers::trace::Format::chrome, .file = "trace.json"});
///     layers::trace::start({.memory = 1 << 20});     // in memory, for recorded()
///
/// Text has a line for each call, which is written when the call ends:
///
///     [1]    0.001523 s     2.1 us  driver cuMemAlloc_v2(bytesize=64) -> CUDA_SUCCESS dptr=0x7f0000000200
///
/// that is thread, time at which the call began, duration, library. Enumerators stand by name, records by field; strings and arrays
/// are cut. Arguments that only the call writes stand behind the status. Any thread may call these functions.
namespace cubind::layers::trace {

enum class Format {
    text,
    json_lines,  ///< an object for each call, one a line
    chrome,      ///< what chrome://tracing and Perfetto open; complete when the trace has stopped, readable at any time
};

struct Options {
    Format format = Format::text;
    std::string file = {};   ///< is replaced; empty: the standard error stream
    std::size_t memory = 0;  ///< bytes kept for each thread that runs, the oldest calls are dropped; 0: calls are written as they end
};

/// Begins a trace, in place of one that is under way. Throws std::runtime_error, and leaves all as it was, if the file cannot be
/// opened.
void start(const Options& options = {});

/// Ends the trace. Calls in memory stay there until the next start().
void stop();

/// The calls in memory, in the order in which they began.
std::string recorded(Format format = Format::text);

/// Calls that have been dropped from memory since start().
unsigned long dropped();

/// Forgets the calls in memory.
void clear();

}  // namespace cubind::layers::trace
