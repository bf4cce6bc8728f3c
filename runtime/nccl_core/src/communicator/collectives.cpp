// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/lifetime/detail/retainer.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/nccl/collectives.hpp>
#include <cubind/nccl/point_to_point.hpp>
#include <cubind/nccl_core/communicator.hpp>

#include <limits>

#include "support/communicator_state.hpp"

namespace CUBIND_NAMESPACE::nccl {

using cubind::detail::throw_misuse;
using detail::Elements;

namespace {

void* pointer(const Elements& elements) noexcept {
    return reinterpret_cast<void*>(elements.address);
}

// Returns the handle of the stream. If a GraphBuilder captures, its graph retains the buffers.
cudaStream_t handle_of(StreamRef stream, std::initializer_list<const Elements*> operands) {
    if (auto* const retainer = cubind::detail::StreamAccess::retainer(stream); retainer != nullptr) [[unlikely]] {
        for (const Elements* each : operands) {
            if (each->buffer != nullptr) retainer->retain(cubind::detail::share(*each->buffer));
        }
    }
    return stream.native_handle();
}

void check_equal(const char* operation, const Elements& source, const Elements& destination) {
    if (source.count != destination.count) [[unlikely]] {
        throw_misuse(operation, ": the source has ", source.count, " elements and the destination ", destination.count,
                     ": pass views of equal counts");
    }
}

// Checks that `all` has the parts of all ranks.
void check_parts(const char* operation, const char* whole, const char* part, const Elements& all, std::size_t part_count,
                 int size) {
    const std::size_t ranks = static_cast<std::size_t>(size);
    if (part_count > std::numeric_limits<std::size_t>::max() / ranks || all.count != part_count * ranks) [[unlikely]] {
        throw_misuse(operation, ": the ", whole, " has ", all.count, " elements and the ", part, " ", part_count, ", but with ",
                     ranks, " ranks the ", whole, " must have ", ranks, " times as many");
    }
}

std::size_t count_of_part(const char* operation, const Elements& all, int size) {
    const std::size_t ranks = static_cast<std::size_t>(size);
    if (all.count % ranks != 0) [[unlikely]] {
        throw_misuse(operation, ": ", all.count, " elements have no ", ranks,
                     " equal parts: pass a multiple of the number of ranks");
    }
    return all.count / ranks;
}

}  // namespace

Elements Communicator::own_part(const char* operation, const Elements& all) const {
    const std::size_t count = count_of_part(operation, all, size());
    return all.part(static_cast<std::size_t>(rank()) * count, count);
}

// Returns the handle of the reduction after checks, which NCCL does not make for operators of other communicators.
static ncclRedOp_t checked_operator(const char* operation, ncclRedOp_t handle, ncclDataType_t type, const void* owner,
                                    const Elements& data, const void* communicator) {
    if (owner == nullptr) return handle;
    if (owner != communicator) throw_misuse(operation, ": the ReductionOperator is of another communicator: create one of this");
    if (type != data.type) {
        throw_misuse(operation, ": the ReductionOperator is for the data type ", static_cast<int>(type),
                     " of ncclDataType_t, but the elements are of ", static_cast<int>(data.type));
    }
    return handle;
}

// ---- collectives ---------------------------------------------------------------------------------------------------------

void Communicator::submit_all_reduce(StreamRef stream, const Elements& source, const Elements& destination, const Reduction& op) {
    constexpr const char* name = "all_reduce";
    auto& own = state();
    check_equal(name, source, destination);
    const ncclRedOp_t native = checked_operator(name, op.handle_, op.type_, op.communicator_, source, &own);
    const cudaStream_t handle = handle_of(stream, {&source, &destination});
    own.begin(name);
    own.check(ncclAllReduce(pointer(source), pointer(destination), source.count, source.type, native, own.handle, handle));
}

void Communicator::submit_reduce(StreamRef stream, const Elements& source, const Elements& destination, int root,
                                 const Reduction& op) {
    constexpr const char* name = "reduce";
    auto& own = state();
    detail::check_rank(name, "root", root, size());
    if (rank() == root) check_equal(name, source, destination);
    const ncclRedOp_t native = checked_operator(name, op.handle_, op.type_, op.communicator_, source, &own);
    const cudaStream_t handle = handle_of(stream, {&source, &destination});
    own.begin(name);
    own.check(ncclReduce(pointer(source), pointer(destination), source.count, source.type, native, root, own.handle, handle));
}

void Communicator::submit_broadcast(StreamRef stream, const Elements& data, int root) {
    auto& own = state();
    detail::check_rank("broadcast", "root", root, size());
    const cudaStream_t handle = handle_of(stream, {&data});
    own.begin("broadcast");
    own.check(ncclBroadcast(pointer(data), pointer(data), data.count, data.type, root, own.handle, handle));
}

void Communicator::submit_all_gather(StreamRef stream, const Elements& source, const Elements& destination) {
    auto& own = state();
    check_parts("all_gather", "destination", "source", destination, source.count, size());
    const cudaStream_t handle = handle_of(stream, {&source, &destination});
    own.begin("all_gather");
    own.check(ncclAllGather(pointer(source), pointer(destination), source.count, source.type, own.handle, handle));
}

void Communicator::submit_reduce_scatter(StreamRef stream, const Elements& source, const Elements& destination,
                                         const Reduction& op) {
    constexpr const char* name = "reduce_scatter";
    auto& own = state();
    check_parts(name, "source", "destination", source, destination.count, size());
    const ncclRedOp_t native = checked_operator(name, op.handle_, op.type_, op.communicator_, source, &own);
    const cudaStream_t handle = handle_of(stream, {&source, &destination});
    own.begin(name);
    own.check(
        ncclReduceScatter(pointer(source), pointer(destination), destination.count, source.type, native, own.handle, handle));
}

void Communicator::submit_all_to_all(StreamRef stream, const Elements& source, const Elements& destination) {
    auto& own = state();
    check_equal("all_to_all", source, destination);
    const std::size_t count = count_of_part("all_to_all", source, size());
    const cudaStream_t handle = handle_of(stream, {&source, &destination});
    own.begin("all_to_all");
    own.check(ncclAlltoAll(pointer(source), pointer(destination), count, source.type, own.handle, handle));
}

void Communicator::submit_gather(StreamRef stream, const Elements& source, const Elements& destination, int root) {
    auto& own = state();
    detail::check_rank("gather", "root", root, size());
    if (rank() == root) check_parts("gather", "destination", "source", destination, source.count, size());
    const cudaStream_t handle = handle_of(stream, {&source, &destination});
    own.begin("gather");
    own.check(ncclGather(pointer(source), pointer(destination), source.count, source.type, root, own.handle, handle));
}

void Communicator::submit_scatter(StreamRef stream, const Elements& source, const Elements& destination, int root) {
    auto& own = state();
    detail::check_rank("scatter", "root", root, size());
    if (rank() == root) check_parts("scatter", "source", "destination", source, destination.count, size());
    const cudaStream_t handle = handle_of(stream, {&source, &destination});
    own.begin("scatter");
    own.check(ncclScatter(pointer(source), pointer(destination), destination.count, source.type, root, own.handle, handle));
}

// ---- messages ------------------------------------------------------------------------------------------------------------

void Communicator::submit_send(StreamRef stream, const Elements& source, int peer) {
    auto& own = state();
    detail::check_rank("send", "peer", peer, size());
    const cudaStream_t handle = handle_of(stream, {&source});
    own.begin("send");
    own.check(ncclSend(pointer(source), source.count, source.type, peer, own.handle, handle));
}

void Communicator::submit_receive(StreamRef stream, const Elements& destination, int peer) {
    auto& own = state();
    detail::check_rank("receive", "peer", peer, size());
    const cudaStream_t handle = handle_of(stream, {&destination});
    own.begin("receive");
    own.check(ncclRecv(pointer(destination), destination.count, destination.type, peer, own.handle, handle));
}

}  // namespace CUBIND_NAMESPACE::nccl
