// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "copy/operand.hpp"
#include "machine/stream_check.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The extent of a box: rows of `width` bytes, `height` rows in a slice, `depth` slices.
struct BoxExtent {
    std::size_t width = 0;
    std::size_t height = 1;
    std::size_t depth = 1;

    bool is_empty() const noexcept { return width == 0 || height == 0 || depth == 0; }
};

/// The position of a box in memory: the address of its first byte, and the distances between rows and between slices in
/// bytes.
struct Place {
    Side side = Side::any;
    std::uintptr_t address = 0;
    std::size_t pitch = 0;
    std::size_t slice = 0;
    /// Whether the call must read the box before it returns, because the caller may change it afterwards.
    bool is_read_immediately = false;
    std::shared_ptr<Allocation> storage = nullptr;  ///< memory of an array that contains the box; otherwise null

    /// Calculates the bytes from the first to the last byte of the box. Returns false on overflow.
    bool span(const BoxExtent& extent, std::size_t& bytes) const noexcept;
};

/// The time at which a call returns.
enum class TransferMode {
    sync,   ///< when its work is done
    async,  ///< when its work is submitted
};

/// Finds the memory of a box, as find_operand() does.
CUresult find_place(const Place& place, const BoxExtent& extent, const Access& access, Operand& operand);

/// Checks that all elements lie at multiples of their size.
CUresult check_alignment(const Place& to, const BoxExtent& extent, std::size_t size);

/// Creates the work of a copy. The work retains the memory that it needs.
CUresult make_copy(const Place& to, const Place& from, const BoxExtent& extent, WorkQueue::Work& work);
/// Creates the work of a fill. The work retains the memory that it needs. If `device` is null, any device that can access
/// the memory performs it.
CUresult make_fill(const Place& to, const BoxExtent& extent, unsigned value, std::size_t size, const Device* device,
                   WorkQueue::Work& work);

/// Makes all checks that transfer() makes.
CUresult check_transfer(const Place& to, const Place& from, const BoxExtent& extent, const Device& device);

/// Copies a box. Pageable host memory is read, or written, before the call returns.
CUresult transfer(const Place& to, const Place& from, const BoxExtent& extent, CUstream stream, TransferMode mode);

/// Copies a box between two contexts that the caller named. Neither device needs access to the other's memory, and the
/// copy cannot be captured.
CUresult transfer_between_contexts(const Place& to, const Place& from, const BoxExtent& extent, CUstream stream,
                                   TransferMode mode);

/// Fills a box with elements of `size` bytes, which is 1, 2 or 4. The extent's width is in bytes.
CUresult fill(const Place& to, const BoxExtent& extent, unsigned value, std::size_t size, CUstream stream, TransferMode mode);

}  // namespace CUBIND_NAMESPACE::sim
