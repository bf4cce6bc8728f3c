// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver/state.hpp"

#include <cubind/check.hpp>
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/memory.hpp>

#include <algorithm>
#include <vector>

#include "lifetime/known_contexts.hpp"

namespace CUBIND_NAMESPACE::math::detail::solver {

using cubind::detail::StreamAccess;
using cubind::detail::StreamUser;

SolverState::SolverState(const char* name, StreamRef stream, const Operand& matrix, NumericalFailure::Kind failure,
                         const PlanOptions& plan_options)
    : PlanState(stream.device(), plan_options),
      operation(name),
      type(element_type_of(name, "a", matrix)),
      dtype(matrix.dtype()),
      shape(matrix.shape()),
      strides(matrix.strides()),
      is_empty(matrix.size() == 0),
      failure_kind(failure),
      storage(device, plan_options.memory_resource) {
    if (is_captured(stream))
        throw_misuse(operation, ": the stream is captured: create the plan before the capture, and call it during the capture");
}

SolverState::~SolverState() {
    if (last_stream == nullptr || host == nullptr) return;
    StreamUser user = last_user;
    if (user.get() != nullptr && user.get()->has_ended()) return;
    const StreamRef stream = user.get() != nullptr ? StreamAccess::view(user.get()) : StreamRef(last_stream);
    try {
        if (is_captured(stream) || stream.is_done()) return;
        stream.launch_host_function([kept = std::move(host)] {});
    } catch (const Error& error) {
        report_failed_release("keep the workspace of a solver until its work is done", error.what());
    }
}

void SolverState::allocate(const WorkspaceSizes& sizes) {
    checked_for(*this, sizes);
    device_bytes = sizes.value1;
    host_bytes = sizes.value2;
    if (options.workspace_limit && device_bytes > *options.workspace_limit) {
        throw_misuse(operation, ": the workspace has ", device_bytes, " bytes, but its limit is ", *options.workspace_limit,
                     ": raise the limit, because cuSOLVER cannot work with less");
    }
    if (host_bytes != 0) host = std::make_unique<std::byte[]>(host_bytes);
}

void SolverState::check_like(const char* name, const Operand& operand, DataType expected_type, const Dimensions& expected_shape,
                             const Dimensions& expected_strides) const {
    check_type(operation, name, operand, expected_type);
    check_shape(operation, name, operand, expected_shape);
    check_strides(operation, name, operand, expected_strides);
}

void SolverState::read(StreamRef stream, void* to, std::size_t offset, std::size_t bytes) {
    {
        const SolverCall call(*this, stream);
        const auto from = reinterpret_cast<driver::CUdeviceptr>(call.stored(offset));
        check(driver::cuMemcpyDtoHAsync(to, from, bytes, call.stream()));
    }
    stream.synchronize();
}

std::optional<NumericalFailure> SolverState::find_failure(StreamRef stream) {
    if (is_captured(stream))
        throw_misuse(operation, ": failure() waits for the stream, which is captured: call it after the launch of the graph");
    if (is_empty) return std::nullopt;
    std::vector<int> infos(info_count);
    read(stream, infos.data(), info_offset, info_count * sizeof(int));
    const auto first = std::find_if(infos.begin(), infos.end(), [](int info) { return info != 0; });
    if (first == infos.end()) return std::nullopt;
    if (*first < 0) throw_misuse(operation, ": cuSOLVER rejects its parameter ", -*first);
    return NumericalFailure{failure_kind, *first - 1, first - infos.begin()};
}

SolverCall::SolverCall(SolverState& state, StreamRef stream)
    : state_(state),
      ref_(stream),
      call_(state.operation, state, stream),
      handles_(call_.context(), call_.stream()),
      storage_(static_cast<std::byte*>(state.storage.keep(state.operation, stream, state.storage_layout.size))) {
    if (auto* const retainer = StreamAccess::retainer(stream)) retainer->retain(state.shared_from_this());
}

void SolverCall::reserve(const Arena& arena, bool for_library) {
    Arena all;
    if (for_library) all.add(state_.device_bytes);
    arena_offset_ = all.size;
    use_ = state_.workspace.use(ref_, all.size + arena.size);
    if (!for_library || state_.host == nullptr || is_captured(ref_) || state_.last_stream == call_.stream()) return;
    state_.last_stream = call_.stream();
    state_.last_user = StreamUser(StreamAccess::state(ref_));
}

}  // namespace CUBIND_NAMESPACE::math::detail::solver
