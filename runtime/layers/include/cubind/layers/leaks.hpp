// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

/// A layer that knows what was created and not destroyed, by the call that created it:
///
///     layers::leaks::start();
///     const auto before = layers::leaks::checkpoint();
///     run_my_code();
///     EXPECT_EQ(layers::leaks::report(before), "");
///
/// It knows the objects of all libraries that a program has to end: contexts, streams, events, memory of all kinds, modules, graphs,
/// programs. What ends with its context is no leak. Memory that a graph allocates is not the program's to free. Any thread may call
/// these functions.
namespace cubind::layers::leaks {

/// Begins to note what is created; what there was before stays unknown.
void start();

/// Ends it, and forgets what was noted, unless another layer needs it.
void stop();

/// A moment, for telling what was created after it. Zero: the start.
enum class Checkpoint : unsigned long long {};
Checkpoint checkpoint();

struct Leak {
    std::string kind;         ///< in words: "stream", "device memory"
    unsigned long long value;  ///< handle or address
    unsigned long references;  ///< that have not been given back; 1 for what is not counted
    std::string library;
    std::string call;  ///< that created it, with its arguments
    unsigned thread;   ///< as in traces
    std::chrono::nanoseconds time;  ///< since the process began, as in traces
};

/// What was created after the checkpoint and has not been destroyed, oldest first.
std::vector<Leak> outstanding(Checkpoint since = {});

/// The same as text, a line for each; empty if there is nothing.
std::string report(Checkpoint since = {});

/// What CUBIND_LAYERS=leaks prints when the process ends: all but primary contexts, which libraries share and keep to the end.
std::string report_at_exit();

}  // namespace cubind::layers::leaks
