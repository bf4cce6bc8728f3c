// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/copy_options.hpp>

#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE {

namespace detail {
struct CopyPieceAccess;
}

/// One copy of a batch: a destination and a source, which are operands of copy(). It is a view; the memory of both must outlive
/// the copy.
class CopyPiece {
public:
    /// Copies all of the source to the beginning of the destination, with the options of the batch.
    template <class Destination, class Source>
    requires detail::IsMemoryOperand<Destination> && detail::IsMemoryOperand<Source> CopyPiece(Destination&& destination,
                                                                                               Source&& source)
        : operands_(detail::copy_operands(std::forward<Destination>(destination), std::forward<Source>(source))) {}
    /// Copies with these options instead of the options of the batch.
    template <class Destination, class Source>
    requires detail::IsMemoryOperand<Destination> && detail::IsMemoryOperand<Source> CopyPiece(Destination&& destination,
                                                                                               Source&& source,
                                                                                               const CopyOptions& options)
        : operands_(detail::copy_operands(std::forward<Destination>(destination), std::forward<Source>(source))),
          options_(options),
          has_options_(true) {}

private:
    friend struct detail::CopyPieceAccess;

    detail::CopyOperands operands_;
    CopyOptions options_;
    bool has_options_ = false;
};

/// Submits many copies with one driver call (cuMemcpyBatchAsync). The batch as a whole is in stream order; its copies have no
/// order among each other. `options` apply to the pieces without options of their own.
///
///     copy_batch(stream, {{buffer, values}, {weights, host_weights}});
///     copy_batch(stream, pieces, {.source_access_order = SourceAccessOrder::any});      // std::vector<CopyPiece>
///
/// Throws std::invalid_argument, before it submits any copy, if a destination is smaller than its source, or if the destination
/// of a piece overlaps memory that a piece uses. Throws Error if the driver rejects a copy; other copies may have been submitted.
/// Both messages name the index of the piece.
///
/// Copies piece by piece, with the same result, with drivers older than CUDA 12.8, and where copy() ignores options. The rules
/// of copy() for lifetimes apply. Pieces of 0 bytes are ignored.
CUBIND_EXPORT void copy_batch(StreamRef stream, const std::vector<CopyPiece>& pieces, const CopyOptions& options = {});

}  // namespace CUBIND_NAMESPACE
