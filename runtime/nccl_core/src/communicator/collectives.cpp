// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nccl/collectives.hpp>
#include <cubind/nccl_core/communicator.hpp>

#include <limits>

#include "support/communicator_state.hpp"
#include "support/native_config.hpp"

namespace CUBIND_NAMESPACE::nccl {

using cubind::detail::throw_misuse;
using detail::CommunicatorState;
using detail::Elements;
using detail::pointer;

namespace {

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

// Calls NCCL's function, or the one with settings if there are any.
template <class Plain, class Configured, class... Arguments>
void submit(CommunicatorState& own, const CollectiveConfig& config, Plain plain, Configured configured, Arguments... arguments) {
    if (config == CollectiveConfig()) [[likely]] {
        own.check(plain(arguments...));
    } else {
        const ncclCollConfig_t native = detail::native(config);
        own.check(configured(arguments..., &native));
    }
}

}  // namespace

Elements Communicator::own_part(const char* operation, const Elements& all) const {
    const std::size_t count = count_of_part(operation, all, size());
    return all.part(static_cast<std::size_t>(rank()) * count, count);
}

// Returns the handle of the reduction after checks, which NCCL does not make for operators of other communicators.
ncclRedOp_t Communicator::operator_of(const Reduction& op, const Elements& data) const {
    if (op.communicator_ == nullptr) return op.handle_;
    const char* const operation = state_->operation;
    if (op.communicator_ != state_.get())
        throw_misuse(operation, ": the ReductionOperator is of another communicator: create one of this");
    if (op.type_ != data.type) {
        throw_misuse(operation, ": the ReductionOperator is for the data type ", static_cast<int>(op.type_),
                     " of ncclDataType_t, but the elements are of ", static_cast<int>(data.type));
    }
    return op.handle_;
}

void Communicator::submit_all_reduce(StreamRef stream, Data source, Data destination, const Reduction& op,
                                     const CollectiveConfig& config) {
    auto& own = state();
    const cudaStream_t at = own.begin("all_reduce", stream, {&source, &destination});
    check_equal(own.operation, source, destination);
    submit(own, config, ncclAllReduce, ncclAllReduceConfig, pointer(source), pointer(destination), source.count, source.type,
           operator_of(op, source), own.handle, at);
}

void Communicator::submit_reduce(StreamRef stream, Data source, Data destination, int root, const Reduction& op,
                                 const CollectiveConfig& config) {
    auto& own = state();
    const cudaStream_t at = own.begin("reduce", stream, {&source, own.of_root(destination, root)});
    detail::check_rank(own.operation, "root", root, size());
    if (rank() == root) check_equal(own.operation, source, destination);
    submit(own, config, ncclReduce, ncclReduceConfig, pointer(source), pointer(destination), source.count, source.type,
           operator_of(op, source), root, own.handle, at);
}

void Communicator::submit_broadcast(StreamRef stream, Data data, int root, const CollectiveConfig& config) {
    auto& own = state();
    const cudaStream_t at = own.begin("broadcast", stream, {&data});
    detail::check_rank(own.operation, "root", root, size());
    submit(own, config, ncclBroadcast, ncclBroadcastConfig, pointer(data), pointer(data), data.count, data.type, root, own.handle,
           at);
}

void Communicator::submit_all_gather(StreamRef stream, Data source, Data destination, const CollectiveConfig& config) {
    auto& own = state();
    const cudaStream_t at = own.begin("all_gather", stream, {&source, &destination});
    check_parts(own.operation, "destination", "source", destination, source.count, size());
    submit(own, config, ncclAllGather, ncclAllGatherConfig, pointer(source), pointer(destination), source.count, source.type,
           own.handle, at);
}

void Communicator::submit_reduce_scatter(StreamRef stream, Data source, Data destination, const Reduction& op,
                                         const CollectiveConfig& config) {
    auto& own = state();
    const cudaStream_t at = own.begin("reduce_scatter", stream, {&source, &destination});
    check_parts(own.operation, "source", "destination", source, destination.count, size());
    submit(own, config, ncclReduceScatter, ncclReduceScatterConfig, pointer(source), pointer(destination), destination.count,
           source.type, operator_of(op, source), own.handle, at);
}

void Communicator::submit_all_to_all(StreamRef stream, Data source, Data destination, const CollectiveConfig& config) {
    auto& own = state();
    const cudaStream_t at = own.begin("all_to_all", stream, {&source, &destination});
    check_equal(own.operation, source, destination);
    submit(own, config, ncclAlltoAll, ncclAlltoAllConfig, pointer(source), pointer(destination),
           count_of_part(own.operation, source, size()), source.type, own.handle, at);
}

void Communicator::submit_gather(StreamRef stream, Data source, Data destination, int root, const CollectiveConfig& config) {
    auto& own = state();
    const cudaStream_t at = own.begin("gather", stream, {&source, own.of_root(destination, root)});
    detail::check_rank(own.operation, "root", root, size());
    if (rank() == root) check_parts(own.operation, "destination", "source", destination, source.count, size());
    submit(own, config, ncclGather, ncclGatherConfig, pointer(source), pointer(destination), source.count, source.type, root,
           own.handle, at);
}

void Communicator::submit_scatter(StreamRef stream, Data source, Data destination, int root, const CollectiveConfig& config) {
    auto& own = state();
    const cudaStream_t at = own.begin("scatter", stream, {own.of_root(source, root), &destination});
    detail::check_rank(own.operation, "root", root, size());
    if (rank() == root) check_parts(own.operation, "source", "destination", source, destination.count, size());
    submit(own, config, ncclScatter, ncclScatterConfig, pointer(source), pointer(destination), destination.count, source.type,
           root, own.handle, at);
}

}  // namespace CUBIND_NAMESPACE::nccl
