// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "lifetime/running_captures.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <vector>

#include "lifetime/process_state.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

struct RunningCaptures {
    std::mutex mutex;
    std::vector<const RunningCapture*> all;
};

}  // namespace

RunningCapture::RunningCapture(driver::CUstream own_stream, driver::CUcontext own_context)
    : stream(own_stream), context(own_context) {
    RunningCaptures& captures = ProcessState<RunningCaptures>::get();
    const std::lock_guard lock(captures.mutex);
    captures.all.push_back(this);
}

void RunningCapture::end() noexcept {
    RunningCaptures& captures = ProcessState<RunningCaptures>::get();
    const std::lock_guard lock(captures.mutex);
    std::erase(captures.all, this);
}

std::string describe_capture(driver::CUcontext context) {
    RunningCaptures& captures = ProcessState<RunningCaptures>::get();
    const std::lock_guard lock(captures.mutex);
    const auto found = std::ranges::find(captures.all, context, &RunningCapture::context);
    if (found == captures.all.end()) return "code other than a GraphBuilder captures a stream of the context";
    char text[80];
    std::snprintf(text, sizeof text, "%s thread captures the stream %p with a GraphBuilder",
                  (*found)->thread == std::this_thread::get_id() ? "this" : "another",
                  static_cast<const void*>((*found)->stream));
    return text;
}

}  // namespace CUBIND_NAMESPACE::detail
