// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy_batch.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>

#include <algorithm>

#include "calls/driver.hpp"
#include "memory/copy_attributes.hpp"
#include "memory/operand_checks.hpp"
#include "memory/refusals.hpp"
#include "memory/single_copy.hpp"
#include "stream/stream_context.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {

struct CopyPieceAccess {
    static const CopyOperands& operands(const CopyPiece& piece) noexcept { return piece.operands_; }
    static const CopyOptions& options(const CopyPiece& piece, const CopyOptions& of_batch) noexcept {
        return piece.has_options_ ? piece.options_ : of_batch;
    }
};

namespace {

/// One piece that is not empty.
struct IndexedCopy {
    const CopyOperands* operands;
    const CopyOptions* options;
    std::size_t index;
};

/// The pieces of a call of copy_batch().
class BatchOfPieces {
public:
    BatchOfPieces(const std::vector<CopyPiece>& pieces, const CopyOptions& options) : count_(pieces.size()) {
        copies_.reserve(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            const CopyOperands& operands = CopyPieceAccess::operands(pieces[i]);
            if (operands.source.size > operands.destination.size) throw_too_small(operands, name(i));
            if (operands.source.size == 0) continue;
            copies_.push_back({&operands, &CopyPieceAccess::options(pieces[i], options), i});
            (void)attributes_of(*copies_.back().options);  // throws for an access order that does not exist
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
                const MemoryView destination{each->operands->destination.address, each->operands->source.size, nullptr};
                if (is_within_allocation(destination) && is_within_allocation(each->operands->source)) continue;
                throw_not_copied(failure, stream, *each->operands, name(each->index));
            }
        }
        throw_with_advice(failure, advice_on_context(failure.status, stream));
    }

private:
    /// Memory that a piece reads or writes.
    struct Range {
        driver::CUdeviceptr begin;
        driver::CUdeviceptr end;
        std::size_t index;
        bool is_destination;
    };

    // Memory that is not registered may be pageable memory.
    static bool is_within_allocation(const MemoryView& memory) {
        try {
            const auto found = PointerAttributes::of(memory.address);
            if (found.kind == MemoryType::unregistered) return memory.address != 0;
            return is_inside(memory, found) && found.device_pointer != 0;
        } catch (const Error&) {
            return true;
        }
    }

    std::string describe(const Range& range) const {
        const std::string role = range.is_destination ? "the destination" : "the source";
        return concat(role, " of copy ", range.index, ", ", bytes_at(range.end - range.begin, range.begin));
    }

    // Throws std::invalid_argument if memory that a piece writes overlaps memory that a piece uses. The copies have no order.
    void check_order() const {
        std::vector<Range> ranges;
        ranges.reserve(2 * copies_.size());
        for (const IndexedCopy& each : copies_) {
            const std::size_t size = each.operands->source.size;
            const driver::CUdeviceptr to = each.operands->destination.address;
            const driver::CUdeviceptr from = each.operands->source.address;
            ranges.push_back({to, to + size, each.index, true});
            ranges.push_back({from, from + size, each.index, false});
        }
        std::sort(ranges.begin(), ranges.end(), [](const Range& left, const Range& right) { return left.begin < right.begin; });
        const Range* last = nullptr;              // of the ranges so far, the range with the largest end
        const Range* last_destination = nullptr;  // the same among the destinations
        for (const Range& each : ranges) {
            const Range* const other = each.is_destination ? last : last_destination;
            if (other != nullptr && other->end > each.begin) {
                throw_misuse(name(each.index), describe(each), ", overlaps ", describe(*other),
                             ": the copies of a batch have no order; use one batch after the other");
            }
            if (last == nullptr || each.end > last->end) last = &each;
            if (each.is_destination && (last_destination == nullptr || each.end > last_destination->end))
                last_destination = &each;
        }
    }

    std::size_t count_;
    std::vector<IndexedCopy> copies_;
};

// Submits the copies that one driver call can make, and returns the others.
std::vector<const IndexedCopy*> copy_together(StreamRef stream, const BatchOfPieces& pieces) {
    std::vector<const IndexedCopy*> together;
    std::vector<const IndexedCopy*> rest;
    AttributeBatch batch;
    for (const IndexedCopy& each : pieces.copies()) {
        if (are_within_reach(stream, *each.operands)) {
            batch.add(*each.operands, *each.options);
            together.push_back(&each);
        } else {
            rest.push_back(&each);
        }
    }
    if (batch.is_empty()) return rest;
    const auto submitted = batch.submit(stream);
    if (submitted.ok()) return rest;
    if (!is_missing(submitted)) pieces.throw_failed(submitted, stream, together);
    rest.insert(rest.begin(), together.begin(), together.end());
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
            detail::retain_for_capture(stream, *each->operands);
            const auto copied = detail::submit_copy(stream, *each->operands);
            if (!copied.ok()) detail::throw_not_copied(copied, stream, *each->operands, batch.name(each->index));
            waits = waits || each->options->source_access_order == SourceAccessOrder::during_api_call;
        }
    }
    if (waits) stream.synchronize();
}

}  // namespace CUBIND_NAMESPACE
