// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <chrono>
#include <string>
#include <vector>

/// @file
/// A layer that lists objects that were created and not destroyed, with the call that created each of them:
///
///     layers::leaks::start();
///     const auto before = layers::leaks::checkpoint();
///     run_my_code();
///     EXPECT_EQ(layers::leaks::report(before), "");
///
/// It tracks the objects of all libraries that a program must destroy: contexts, streams, events, memory of all kinds, modules,
/// graphs, programs. An object that is destroyed with its context is not a leak. Memory that a graph allocates is not tracked,
/// because the program does not free it. Any thread may call these functions.
namespace CUBIND_NAMESPACE::layers::leaks {

/// Starts to track objects. Objects that were created before are not tracked.
CUBIND_EXPORT void start();

/// Ends the tracking and discards the recorded objects.
CUBIND_EXPORT void stop();

/// A point in the order of creations. Zero is the start.
enum class Checkpoint : unsigned long long {};

/// Returns a checkpoint after the latest creation.
CUBIND_EXPORT Checkpoint checkpoint();

/// An object that was created and not destroyed.
struct Leak {
    std::string kind;               ///< kind of the object, for example "stream" or "device memory"
    unsigned long long value;       ///< handle or address
    unsigned long references;       ///< references that were not released; 1 for objects without reference count
    std::string library;            ///< library whose call created the object
    std::string call;               ///< call that created the object, with its arguments
    unsigned thread;                ///< number of the thread that made the call, as in traces
    std::chrono::nanoseconds time;  ///< time of the call on the same clock as traces
};

/// Returns the objects that were created after the checkpoint and have not been destroyed, oldest first.
CUBIND_EXPORT std::vector<Leak> outstanding(Checkpoint since = {});

/// Returns the objects of outstanding() as text, one line for each object; empty if there are none.
CUBIND_EXPORT std::string report(Checkpoint since = {});

/// Returns the report that CUBIND_LAYERS=leaks prints when the process exits. Primary contexts are not included, because
/// libraries share them and retain them until the exit.
CUBIND_EXPORT std::string report_at_exit();

}  // namespace CUBIND_NAMESPACE::layers::leaks
