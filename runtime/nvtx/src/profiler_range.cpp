// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/profiler.hpp>
#include <cubind/nvtx/profiler_range.hpp>

#include <exception>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE {

ProfilerRange::ProfilerRange() : ProfilerRange(Device().context()) {}

ProfilerRange::ProfilerRange(ContextRef context) : context_(context) {
    const ScopedContext scope(context_);
    check(driver::cuProfilerStart());
}

ProfilerRange::~ProfilerRange() {
    try {
        const ScopedContext scope(context_);
        const auto completed = driver::cuCtxSynchronize();
        if (!completed.ok()) detail::report_unless_released(completed, "wait for the end of a ProfilerRange", nullptr);
        const auto stopped = driver::cuProfilerStop();
        if (!stopped.ok()) detail::report_unless_released(stopped, "stop the profiler", nullptr);
    } catch (const std::exception& error) {
        detail::report_cleanup_failure("stop the profiler", error.what());
    }
}

}  // namespace CUBIND_NAMESPACE
