// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvshmem_core/team.hpp>

#include <limits>

#include "errors/misuse.hpp"
#include "support/session_state.hpp"
#include "team/functions.hpp"

namespace CUBIND_NAMESPACE::nvshmem {

using cubind::detail::throw_misuse;
using detail::handle_of;
using detail::Operand;
using detail::SessionState;

namespace {

void check_heap(const char* operation, const Operand& destination, const Operand& source, const SessionState& session) {
    detail::check_symmetric(operation, "destination", destination, session);
    detail::check_symmetric(operation, "source", source, session);
}

/// Checks that `all` has the parts of all PEs.
void check_parts(const char* operation, const char* whole, const char* part, const Operand& all, std::size_t part_count,
                 int n_pes) {
    const auto pes = static_cast<std::size_t>(n_pes);
    if (part_count > std::numeric_limits<std::size_t>::max() / pes || all.count != part_count * pes) [[unlikely]] {
        throw_misuse(operation, ": the ", whole, " has ", all.count, " elements and the ", part, " ", part_count, ", but with ",
                     pes, " PEs the ", whole, " must have ", pes, " times as many");
    }
}

}  // namespace

void Team::submit_all_reduce(StreamRef stream, const Operand& destination, const Operand& source, ReductionKind kind,
                             ElementType type) const {
    constexpr const char* name = "all_reduce";
    const SessionState& own = state();
    detail::check_equal(name, destination, source);
    check_heap(name, destination, source, own);
    if (source.count == 0) return;
    const cudaStream_t handle = handle_of(own, stream, {&destination, &source});
    const ScopedContext scope(own.context);
    own.check(name, detail::reduction(kind, type)(handle_, destination.pointer(), source.pointer(), source.count, handle));
}

void Team::submit_reduce_scatter(StreamRef stream, const Operand& destination, const Operand& source, ReductionKind kind,
                                 ElementType type) const {
    constexpr const char* name = "reduce_scatter";
    const SessionState& own = state();
    check_parts(name, "source", "destination", source, destination.count, size_);
    check_heap(name, destination, source, own);
    if (destination.count == 0) return;
    const cudaStream_t handle = handle_of(own, stream, {&destination, &source});
    const ScopedContext scope(own.context);
    const auto function = detail::scattered_reduction(kind, type);
    own.check(name, function(handle_, destination.pointer(), source.pointer(), destination.count, handle));
}

void Team::submit_all_gather(StreamRef stream, const Operand& destination, const Operand& source) const {
    constexpr const char* name = "all_gather";
    const SessionState& own = state();
    check_parts(name, "destination", "source", destination, source.count, size_);
    check_heap(name, destination, source, own);
    if (source.count == 0) return;
    const cudaStream_t handle = handle_of(own, stream, {&destination, &source});
    const ScopedContext scope(own.context);
    const auto [function, factor] = detail::gather_of(destination, source);
    own.check(name, function(handle_, destination.pointer(), source.pointer(), source.count * factor, handle));
}

void Team::submit_broadcast(StreamRef stream, const Operand& destination, const Operand& source, int root) const {
    constexpr const char* name = "broadcast";
    const SessionState& own = state();
    check_pe(name, "root", root);
    detail::check_equal(name, destination, source);
    check_heap(name, destination, source, own);
    if (source.count == 0) return;
    const cudaStream_t handle = handle_of(own, stream, {&destination, &source});
    const ScopedContext scope(own.context);
    own.check(name, detail::broadcast_elements(handle_, destination, source, root, handle));
}

void Team::submit_all_to_all(StreamRef stream, const Operand& destination, const Operand& source) const {
    constexpr const char* name = "all_to_all";
    const SessionState& own = state();
    detail::check_equal(name, destination, source);
    const auto pes = static_cast<std::size_t>(size_);
    if (source.count % pes != 0) {
        throw_misuse(name, ": ", source.count, " elements have no ", pes, " equal parts: pass a multiple of the number of PEs");
    }
    check_heap(name, destination, source, own);
    if (source.count == 0) return;
    const cudaStream_t handle = handle_of(own, stream, {&destination, &source});
    const ScopedContext scope(own.context);
    const auto [function, factor] = detail::exchange_of(destination, source);
    own.check(name, function(handle_, destination.pointer(), source.pointer(), source.count / pes * factor, handle));
}

}  // namespace CUBIND_NAMESPACE::nvshmem
