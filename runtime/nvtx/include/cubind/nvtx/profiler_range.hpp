// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>

/// @file
/// Sections of a program that a profiler records.
namespace CUBIND_NAMESPACE {

/// Makes a profiler record during the lifetime of the object (cuProfilerStart, cuProfilerStop). A profiler that was started so
/// that it waits for this, such as `nsys profile --capture-range=cudaProfilerApi`, records nothing else. Without a profiler, both
/// calls have no effect. Ranges are not nested: the end of an inner range ends the recording. Any thread may destroy the object.
///
///     {
///         const ProfilerRange recorded;
///         step();
///     }
class [[nodiscard]] CUBIND_EXPORT ProfilerRange {
public:
    /// Starts the recording for the current context, or for the primary context of device 0 if there is none. Throws Error if
    /// the driver refuses it.
    ProfilerRange();
    /// Starts the recording for a context. Throws std::invalid_argument if it is empty, and Error if the driver refuses it.
    explicit ProfilerRange(ContextRef context);
    ProfilerRange(const ProfilerRange&) = delete;
    ProfilerRange& operator=(const ProfilerRange&) = delete;
    /// Waits for the work of the context, so that the profiler records its end, and stops the recording. Failures are reported to
    /// the cleanup handler.
    ~ProfilerRange();

private:
    ContextRef context_;
};

}  // namespace CUBIND_NAMESPACE
