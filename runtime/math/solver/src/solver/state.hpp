// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/lifetime/detail/stream_state.hpp>
#include <cubind/math/solver_result.hpp>
#include <cubind/math_base/operand.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "operand/checks.hpp"
#include "plan/plan_state.hpp"
#include "solver/element_type.hpp"
#include "solver/handle.hpp"
#include "solver/matrix.hpp"

namespace CUBIND_NAMESPACE::math::detail::solver {

/// The bytes that cuSOLVER requests on the device and on the host.
using WorkspaceSizes = Result<cusolver::cusolverStatus_t, std::size_t, std::size_t>;

/// What plans of solvers have in common. Factors, pivots and the numbers that report failures (devInfo) are in `storage`.
/// cuSOLVER uses the host's part of the workspace like the device's, in the order of the stream, so that it exists until that
/// work is done.
struct SolverState : PlanState, std::enable_shared_from_this<SolverState> {
    /// For the element type and the shape of `a`. `failure` is the meaning of a positive devInfo. Throws std::invalid_argument
    /// for another type and for a captured stream.
    SolverState(const char* operation, StreamRef stream, const Operand& a, NumericalFailure::Kind failure,
                const PlanOptions& options);
    SolverState(const SolverState&) = delete;
    SolverState& operator=(const SolverState&) = delete;
    virtual ~SolverState();

    /// Waits for the stream, and returns the first failure.
    virtual std::optional<NumericalFailure> find_failure(StreamRef stream);

    /// Adds memory to `storage`, and returns its offset.
    std::size_t store(std::size_t bytes) { return storage_layout.add(bytes); }
    /// Allocates `storage`, and asks for the workspace: `sizes_of(call)` returns WorkspaceSizes.
    template <class Query>
    void prepare(StreamRef stream, const Query& sizes_of);
    void allocate(const WorkspaceSizes& sizes);
    /// Throws unless an operand has the type, shape and strides of the creation.
    void check_like(const char* name, const Operand& operand, DataType type, const Dimensions& shape,
                    const Dimensions& strides) const;
    /// Reads from `storage`, and waits.
    void read(StreamRef stream, void* to, std::size_t offset, std::size_t bytes);

    const char* const operation;
    const ElementType type;
    const DataType dtype;  // of `a`, as the shape and the strides
    const Dimensions shape;
    const Dimensions strides;
    const bool is_empty;  // no element: calls do nothing
    const NumericalFailure::Kind failure_kind;
    std::size_t info_count = 1;
    std::size_t info_offset = 0;
    Arena storage_layout;
    Workspace storage;
    std::size_t device_bytes = 0;
    std::size_t host_bytes = 0;
    std::unique_ptr<std::byte[]> host;
    driver::CUstream last_stream = nullptr;  // of the latest call that used the host's workspace
    cubind::detail::StreamUser last_user;
};

/// Checks a call of cuSOLVER that submits work. The message has the shape of the matrix.
template <class... Values>
auto checked_for(const SolverState& state, const Result<cusolver::cusolverStatus_t, Values...>& result) {
    return checked(result, [&] {
        return concat(state.operation, ": the matrix is ", to_string(state.dtype), " ", to_string(state.shape), ".");
    });
}

/// A call of a plan: lock, context, handles, storage and workspace. A graph that captures it retains the plan.
class [[nodiscard]] SolverCall {
public:
    SolverCall(SolverState& state, StreamRef stream);

    /// Obtains the workspace of cuSOLVER, if the call needs it, and that of the arena.
    void reserve(const Arena& arena, bool for_library = true);

    [[nodiscard]] SolverHandles& handles() const noexcept { return *handles_.get(); }
    [[nodiscard]] cublas::cublasHandle_t blas() const { return handles().blas_for(call_.stream()); }
    [[nodiscard]] driver::CUstream stream() const noexcept { return call_.stream(); }
    /// Returns an address in `storage`.
    template <class Element = void>
    [[nodiscard]] Element* stored(std::size_t offset) const noexcept {
        return static_cast<Element*>(static_cast<void*>(storage_ + offset));
    }
    [[nodiscard]] int* info() const noexcept { return stored<int>(state_.info_offset); }
    /// Returns a devInfo for calls that report only wrong arguments there.
    [[nodiscard]] int* unused_info() const noexcept { return info() + state_.info_count; }
    /// Returns the workspace of the arena.
    [[nodiscard]] std::byte* arena() const noexcept { return static_cast<std::byte*>(use_.data()) + arena_offset_; }

    /// Calls a function of the interface with 64 bits that has no workspace, and returns its result.
    template <class Function, class... Arguments>
    auto call(const Function& function, Arguments... arguments) const {
        return function(handles().solver, handles().params, arguments...);
    }
    /// Calls a function that decomposes, whose last parameters are the workspaces and devInfo, and checks its result.
    template <class Function, class... Arguments>
    void decompose(const Function& function, Arguments... arguments) const {
        checked_for(state_, call(function, arguments..., use_.data(), state_.device_bytes, static_cast<void*>(state_.host.get()),
                                 state_.host_bytes, info()));
    }

private:
    SolverState& state_;
    StreamRef ref_;
    PlanCall call_;
    PooledHandle<SolverLibrary> handles_;
    std::byte* storage_;
    std::size_t arena_offset_ = 0;
    Workspace::Use use_;
};

template <class Query>
void SolverState::prepare(StreamRef stream, const Query& sizes_of) {
    info_offset = store((info_count + 1) * sizeof(int));
    if (is_empty) return;
    const SolverCall call(*this, stream);
    clear(call.stream(), call.info(), (info_count + 1) * sizeof(int));
    allocate(sizes_of(call));
}

}  // namespace CUBIND_NAMESPACE::math::detail::solver
