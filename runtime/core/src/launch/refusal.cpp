// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/refusal.hpp"

#include "launch/refused_launch.hpp"
#include "stream/stream_context.hpp"
#include "support/driver.hpp"

namespace cubind::detail {
namespace {

// The first thing that is wrong.
std::string advice(driver::CUresult status, const RefusedLaunch& launch) {
    for (const auto look : {&RefusedLaunch::extents, &RefusedLaunch::threads, &RefusedLaunch::shared_memory, &RefusedLaunch::cluster,
                            &RefusedLaunch::cooperation, &RefusedLaunch::newer_attribute}) {
        if (std::string found = (launch.*look)(); !found.empty()) return found;
    }
    if (status == driver::CUDA_ERROR_INVALID_HANDLE) {
        return "The stream, the kernel or an event of the launch was destroyed, or they belong to different contexts.";
    }
    return {};
}

// Whether the launch may be to blame, rather than what ran before.
bool is_about_the_launch(driver::CUresult status) {
    switch (status) {
        case driver::CUDA_ERROR_INVALID_VALUE:
        case driver::CUDA_ERROR_INVALID_HANDLE:
        case driver::CUDA_ERROR_INVALID_CLUSTER_SIZE:
        case driver::CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
        case driver::CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
        case driver::CUDA_ERROR_NOT_SUPPORTED: return true;
        default: return false;
    }
}

std::string advice_or_nothing(driver::CUresult status, StreamRef stream, const LaunchConfig& config, driver::CUkernel kernel) {
    if (std::string on_context = advice_on_context(status, stream); !on_context.empty()) return on_context;
    if (!is_about_the_launch(status)) return {};
    try {
        const RefusedLaunch launch(stream, config, kernel);
        const std::string found = advice(status, launch);
        return launch.description().append(found.empty() ? "" : " ").append(found);
    } catch (const Error&) {
        return {};  // nothing can be asked about it either
    }
}

}  // namespace

void throw_refused(Result<driver::CUresult> launched, StreamRef stream, const LaunchConfig& config, driver::CUkernel kernel) {
    try {
        check(launched);
    } catch (const Error& failure) {
        const std::string found = advice_or_nothing(launched.status, stream, config, kernel);
        if (found.empty()) throw;
        throw Error(failure, found);
    }
    throw_misuse("a launch that succeeded is no failure");
}

}  // namespace cubind::detail
