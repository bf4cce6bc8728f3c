// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "array/box_batch.hpp"
#include "array/box_call.hpp"
#include "calls/driver.hpp"
#include "memory/copy_attributes.hpp"
#include "memory/operand_checks.hpp"
#include "memory/refusals.hpp"
#include "memory/single_copy.hpp"
#include "memory/used_memory.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {

struct CopyPieceAccess {
    static const BoxOperands& operands(const CopyPiece& piece) noexcept { return piece.operands_; }
    static const CopyOptions& options(const CopyPiece& piece, const CopyOptions& of_batch) noexcept {
        return piece.has_options_ ? piece.options_ : of_batch;
    }
};

namespace {

MemoryView memory_of(const BoxView& side) noexcept {
    return {side.address, side.size, side.buffer};
}

/// One piece that is not empty.
struct IndexedCopy {
    const BoxOperands* operands;
    const CopyOptions* options;
    std::size_t index;
    std::optional<BoxPlan> plan;  ///< of a copy in two or three dimensions

    CopyOperands memory() const noexcept { return {memory_of(operands->destination), memory_of(operands->source)}; }
};

/// The pieces of a call of copy_batch().
class BatchOfPieces {
public:
    BatchOfPieces(const std::vector<CopyPiece>& pieces, const CopyOptions& options) : count_(pieces.size()) {
        copies_.reserve(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            IndexedCopy copy{&CopyPieceAccess::operands(pieces[i]), &CopyPieceAccess::options(pieces[i], options), i, {}};
            if (is_empty(copy)) continue;
            (void)attributes_of(*copy.options);  // throws for an access order that does not exist
            copies_.push_back(copy);
        }
        check_order();
    }

    const std::vector<IndexedCopy>& copies() const noexcept { return copies_; }

    /// Returns the beginning of a message about the piece.
    std::string name(std::size_t index) const { return concat("copy ", index, " of ", count_, " of the batch: "); }

    /// Throws the error of a call that submitted several copies. The message names the first copy that explains the failure.
    [[noreturn]] void throw_failed(Result<driver::CUresult> failure, StreamRef stream,
                                   const std::vector<const IndexedCopy*>& submitted) const {
        if (failure.status == driver::CUDA_ERROR_INVALID_VALUE) {
            for (const IndexedCopy* const each : submitted) {
                if (is_within_allocations(*each)) continue;
                if (!each->plan) throw_not_copied(failure, stream, each->memory(), name(each->index));
                const auto& [destination, source] = *each->operands;
                throw_with_advice(
                    failure, concat(name(each->index), describe_copy(*each->plan, destination, source, stream.device(), stream)));
            }
        }
        throw_with_advice(failure, advice_on_context(failure.status, stream));
    }

    /// Copies one piece by itself. The stream's context is current.
    void copy_alone(StreamRef stream, const IndexedCopy& piece) const {
        if (!piece.plan) {
            const CopyOperands memory = piece.memory();
            retain_for_capture(stream, memory);
            const auto copied = submit_copy(stream, memory);
            if (!copied.ok()) throw_not_copied(copied, stream, memory, name(piece.index));
            return;
        }
        try {
            copy_box(stream, piece.operands->destination, piece.operands->source);
        } catch (const OutOfMemory&) {
            throw;
        } catch (const Error& failure) {
            throw Error(failure, concat("This is copy ", piece.index, " of ", count_, " of the batch."));
        }
    }

private:
    // Sets the plan. Throws std::invalid_argument if the sides do not fit.
    bool is_empty(IndexedCopy& copy) const {
        const auto& [destination, source] = *copy.operands;
        if (!has_shape(destination) && !has_shape(source)) {
            if (source.size > destination.size) throw_too_small(copy.memory(), name(copy.index));
            return source.size == 0;
        }
        try {
            copy.plan = plan_copy(destination, source);
        } catch (const std::invalid_argument& misuse) {
            throw_misuse(name(copy.index), misuse.what());
        }
        return copy.plan->is_empty();
    }

    static UsedMemory use_of_side(const BoxEnd& side, const IndexedCopy& copy, bool is_destination) noexcept {
        const BoxPlan& plan = *copy.plan;
        UsedMemory use{.piece = copy.index,
                       .is_destination = is_destination,
                       .begin = side.z,
                       .end = side.z + plan.depth,
                       .width = plan.width,
                       .height = plan.height,
                       .depth = plan.depth};
        if (side.array != nullptr) {
            use.array = side.array;
            use.x = side.x;
            use.y = side.y;
        } else {
            use.pitch = side.pitch;
            use.slice_pitch = std::max(side.rows_per_slice, plan.height) * side.pitch;
            use.begin = side.address;
            use.end = use.begin + (plan.depth - 1) * use.slice_pitch + (plan.height - 1) * use.pitch + plan.width;
        }
        return use;
    }

    static std::array<UsedMemory, 2> uses_of(const IndexedCopy& copy) noexcept {
        if (copy.plan) return {use_of_side(copy.plan->to, copy, true), use_of_side(copy.plan->from, copy, false)};
        const auto [to, from] = copy.memory();
        return {use_of(to.address, from.size, copy.index, true), use_of(from.address, from.size, copy.index, false)};
    }

    // Memory that is not registered may be pageable memory.
    static bool is_within_allocations(const IndexedCopy& copy) {
        try {
            for (const UsedMemory& each : uses_of(copy)) {
                if (each.array != nullptr) continue;
                const MemoryView memory{each.begin, each.end - each.begin, nullptr};
                const auto found = PointerAttributes::of(memory.address);
                const bool is_inside_of_it = found.kind == MemoryType::unregistered
                                                 ? memory.address != 0
                                                 : is_inside(memory, found) && found.device_pointer != 0;
                if (!is_inside_of_it) return false;
            }
        } catch (const Error&) {  // the driver cannot be asked
        }
        return true;
    }

    // Throws std::invalid_argument if memory that a piece writes overlaps memory that a piece uses. The copies have no order.
    void check_order() const {
        std::vector<UsedMemory> uses;
        uses.reserve(2 * copies_.size());
        for (const IndexedCopy& each : copies_) {
            for (const UsedMemory& use : uses_of(each)) uses.push_back(use);
        }
        const auto conflict = find_conflict(std::move(uses));
        if (!conflict) return;
        throw_misuse(name(conflict->first.piece), conflict->first.describe(), ", overlaps ", conflict->second.describe(),
                     ": the copies of a batch have no order; use one batch after the other");
    }

    std::size_t count_;
    std::vector<IndexedCopy> copies_;
};

/// Copies that one call of the driver submits.
template <class Batch>
struct Group {
    // Submits the copies, or adds them to `rest` if the driver lacks the function.
    void submit(StreamRef stream, const BatchOfPieces& pieces, std::vector<const IndexedCopy*>& rest) {
        if (batch.is_empty()) return;
        const auto submitted = batch.submit(stream);
        if (submitted.ok()) return;
        if (!is_missing(submitted)) pieces.throw_failed(submitted, stream, members);
        rest.insert(rest.end(), members.begin(), members.end());
    }

    Batch batch;
    std::vector<const IndexedCopy*> members;
};

// Submits the copies that driver calls can make together, and returns the others.
std::vector<const IndexedCopy*> copy_together(StreamRef stream, const BatchOfPieces& pieces) {
    Group<AttributeBatch> rows;
    Group<BoxBatch> boxes;
    std::vector<const IndexedCopy*> rest;
    for (const IndexedCopy& each : pieces.copies()) {
        if (!each.plan && are_within_reach(stream, each.memory())) {
            rows.batch.add(each.memory(), *each.options);
            rows.members.push_back(&each);
        } else if (each.plan && BoxBatch::accepts(*each.plan) &&
                   !is_between_devices(each.operands->destination, each.operands->source)) {
            boxes.batch.add(*each.plan, *each.options);
            boxes.members.push_back(&each);
        } else {
            rest.push_back(&each);
        }
    }
    rows.submit(stream, pieces, rest);
    boxes.submit(stream, pieces, rest);
    return rest;
}

}  // namespace
}  // namespace detail

void copy_batch(StreamRef stream, const std::vector<CopyPiece>& pieces, const CopyOptions& options) {
    (void)detail::StreamAccess::handle(stream);  // throws for an empty stream
    const detail::BatchOfPieces batch(pieces, options);
    if (batch.copies().empty()) return;
    const detail::AttributeObstacle obstacle = detail::attribute_obstacle(stream);
    for (const detail::IndexedCopy& each : batch.copies()) {
        detail::check_order_in_capture(*each.options, obstacle, batch.name(each.index));
    }
    bool waits = false;
    {
        const detail::StreamScope scope(stream);
        std::vector<const detail::IndexedCopy*> rest;
        if (obstacle == detail::AttributeObstacle::none) {
            rest = detail::copy_together(stream, batch);
        } else {
            for (const detail::IndexedCopy& each : batch.copies()) rest.push_back(&each);
        }
        for (const detail::IndexedCopy* const each : rest) {
            batch.copy_alone(stream, *each);
            waits = waits || each->options->source_access_order == SourceAccessOrder::during_api_call;
        }
    }
    if (waits) stream.synchronize();
}

}  // namespace CUBIND_NAMESPACE
