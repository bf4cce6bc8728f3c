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

/// Returns both sides of a copy. Memory without a shape has only an address and a size.
template <class Destination, class Source>
BoxOperands operands_of_piece(Destination&& destination, Source&& source) {
    if constexpr (IsBoxCopy<Destination, Source>) {
        return box_operands(std::forward<Destination>(destination), std::forward<Source>(source));
    } else {
        const auto [to, from] = copy_operands(std::forward<Destination>(destination), std::forward<Source>(source));
        return {{.address = to.address, .buffer = to.buffer, .size = to.size},
                {.address = from.address, .buffer = from.buffer, .size = from.size}};
    }
}

}  // namespace detail

/// One copy of a batch: a destination and a source, which are operands of copy(), also in two and three dimensions. It is a view;
/// the memory of both must outlive the copy.
class CopyPiece {
public:
    /// Copies all of the source to the beginning of the destination, with the options of the batch.
    template <class Destination, class Source>
    requires detail::IsCopy<Destination, Source> CopyPiece(Destination&& destination, Source&& source)
        : operands_(detail::operands_of_piece(std::forward<Destination>(destination), std::forward<Source>(source))) {}
    /// Copies with these options instead of the options of the batch.
    template <class Destination, class Source>
    requires detail::IsCopy<Destination, Source> CopyPiece(Destination&& destination, Source&& source, const CopyOptions& options)
        : operands_(detail::operands_of_piece(std::forward<Destination>(destination), std::forward<Source>(source))),
          options_(options),
          has_options_(true) {}

private:
    friend struct detail::CopyPieceAccess;

    detail::BoxOperands operands_;
    CopyOptions options_;
    bool has_options_ = false;
};

/// Submits many copies with one driver call (cuMemcpyBatchAsync), and those in two and three dimensions with another one
/// (cuMemcpy3DBatchAsync). The batch as a whole is in stream order; its copies have no order among each other. `options` apply to
/// the pieces without options of their own.
///
///     copy_batch(stream, {{buffer, values}, {weights, host_weights}, {image.region(offset, extent), tile}});
///     copy_batch(stream, pieces, {.source_access_order = SourceAccessOrder::any});      // std::vector<CopyPiece>
///
/// Throws std::invalid_argument, before it submits any copy, if copy() would throw it for a piece, or if the destination of a
/// piece overlaps memory that a piece uses. The test is exact for rows and for parts of an array; it does not know that two views
/// of the driver, such as two levels of a mipmapped array, share memory. Throws Error if the driver rejects a copy; other copies
/// may have been submitted. All these messages name the index of the piece.
///
/// Copies piece by piece, with the same result, with drivers older than CUDA 12.8, and where copy() ignores options. Also copies
/// these in two and three dimensions by themselves: to or from compressed arrays and arrays of another device, and with a pitch
/// that is no multiple of the size of an array's elements. The rules of copy() for lifetimes apply. Pieces of 0 bytes are
/// ignored.
CUBIND_EXPORT void copy_batch(StreamRef stream, const std::vector<CopyPiece>& pieces, const CopyOptions& options = {});

}  // namespace CUBIND_NAMESPACE
