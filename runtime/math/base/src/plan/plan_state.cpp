// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_state.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

// Streams of other contexts than the primary one, such as those of green contexts, have handles of libraries of their own.
ContextRef context_of(const char* operation, const PlanState& plan, StreamRef stream) {
    const auto* const owned = cubind::detail::StreamAccess::state(stream);
    if (owned == nullptr || owned->context() == plan.context.native_handle()) return plan.context;
    if (const Device other = stream.device(); other != plan.device) {
        cubind::detail::throw_misuse(operation, ": the stream is of device ", other.ordinal(), ", but the plan is of device ",
                                     plan.device.ordinal(), ": pass a stream of the latter");
    }
    return stream.context();
}

}  // namespace

PlanState::PlanState(const Device& plan_device, const PlanOptions& plan_options)
    : device(plan_device),
      context(plan_device.primary_context()),
      options(plan_options),
      workspace(plan_device, plan_options.memory_resource) {}

PlanCall::PlanCall(const char* operation, PlanState& plan, StreamRef stream)
    : lock_(plan.mutex),
      stream_(cubind::detail::StreamAccess::handle(stream)),
      context_(context_of(operation, plan, stream)),
      scope_(context_) {}

}  // namespace CUBIND_NAMESPACE::math::detail
