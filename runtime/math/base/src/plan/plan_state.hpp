// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/math_base/plan_options.hpp>

#include <mutex>

#include "plan/workspace.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// What every plan has: its device, its workspace, and a lock, because calls of several threads use the same workspace.
struct CUBIND_EXPORT PlanState {
    /// For a device and the options of the user.
    PlanState(const Device& device, const PlanOptions& options);

    const Device device;
    const ContextRef context;  // the primary one
    const PlanOptions options;
    Workspace workspace;
    std::mutex mutex;
};

/// The beginning of a call of a plan: it locks the plan, and makes the context of the stream current. Throws
/// std::invalid_argument for a stream of another device, unless other code owns it.
class [[nodiscard]] CUBIND_EXPORT PlanCall {
public:
    PlanCall(const char* operation, PlanState& plan, StreamRef stream);

    /// Returns the handle of the stream.
    [[nodiscard]] driver::CUstream stream() const noexcept { return stream_; }
    /// Returns the current context.
    [[nodiscard]] driver::CUcontext context() const noexcept { return context_.native_handle(); }

private:
    std::unique_lock<std::mutex> lock_;
    driver::CUstream stream_;
    ContextRef context_;
    ScopedContext scope_;
};

}  // namespace CUBIND_NAMESPACE::math::detail
