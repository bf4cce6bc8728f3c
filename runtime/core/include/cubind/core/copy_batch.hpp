// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/copy.hpp>
#include <cubind/core/copy_options.hpp>

#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE {

namespace detail {
struct CopyPieceAccess;
}

/// One copy of a batch: a destination and a source, which are those of copy(). A view of the memory of both, which must outlive
/// the copy.
class CopyPiece {
public:
    /// Copies all of the source to the beginning of the destination, with the options of the batch.
    template <class Destination, class Source>
    requires detail::IsMemoryOperand<Destination> && detail::IsMemoryOperand<Source> CopyPiece(Destination&& destination,
                                                                                               Source&& source)
        : operands_(detail::copy_operands(std::forward<Destination>(destination), std::forward<Source>(source))) {}
    /// Copies with options in place of those of the batch.
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

/// Makes many copies with one driver call, in stream order as a whole (cuMemcpyBatchAsync). The copies have no order among
/// each other. `options` apply to the pieces without options of their own.
///
///     copy_batch(stream, {{buffer, values}, {weights, host_weights}});
///     copy_batch(stream, pieces, {.source_access_order = SourceAccessOrder::any});      // std::vector<CopyPiece>
///
/// Throws std::invalid_argument, before any copy is made, if a destination is smaller than its source, or if the destination of
/// a piece overlaps memory that a piece uses. Throws Error if the driver rejects a copy; others may have been made then. Both
/// messages name the index of the piece.
///
/// Copies piece by piece, with the same result, with drivers older than CUDA 12.8, and where copy() ignores options. The rules
/// for lifetimes are those of copy(). Pieces of 0 bytes are ignored.
CUBIND_EXPORT void copy_batch(StreamRef stream, const std::vector<CopyPiece>& pieces, const CopyOptions& options = {});

}  // namespace CUBIND_NAMESPACE
