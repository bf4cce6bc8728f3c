// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "copy/operand.hpp"
#include "stream/stream_check.hpp"

namespace cubind::sim {

/// A box of bytes: rows of `width` bytes, `height` of them in a slice, `depth` slices.
struct Extent {
    std::size_t width = 0;
    std::size_t height = 1;
    std::size_t depth = 1;

    bool is_empty() const noexcept { return width == 0 || height == 0 || depth == 0; }
};

/// Where a box lies: its first byte, and the distances of rows and of slices.
struct Place {
    Side side = Side::any;
    std::uintptr_t address = 0;
    std::size_t pitch = 0;
    std::size_t slice = 0;
    bool is_read_at_once = false;  ///< what is there may change as soon as the call is over
    std::shared_ptr<Allocation> storage = nullptr;  ///< of an array that the box is known to lie in; otherwise null

    /// Bytes from the first to the last of the box; false where no number holds that.
    bool span(const Extent& extent, std::size_t& bytes) const noexcept;
};

/// Whether a call returns when its work is done, or when a stream has it.
enum class When { now, in_stream };

/// Finds the memory of a box, as find_operand does.
CUresult find_place(const Place& place, const Extent& extent, const Use& use, Operand& operand);

/// Elements lie at multiples of their size.
CUresult check_alignment(const Place& to, const Extent& extent, std::size_t size);

/// The work of a copy, and of a fill, which keeps the memory that it needs. Device null: whichever can reach the memory.
CUresult make_copy(const Place& to, const Place& from, const Extent& extent, WorkQueue::Work& work);
CUresult make_fill(const Place& to, const Extent& extent, unsigned value, std::size_t size, const Device* device, WorkQueue::Work& work);

/// Whether transfer() would find fault with it.
CUresult check_transfer(const Place& to, const Place& from, const Extent& extent, const Device& device);

/// Copies a box. Memory that is not the driver's is read before the call returns, and written before it returns.
CUresult transfer(const Place& to, const Place& from, const Extent& extent, CUstream stream, When when);

/// The same for copies that name both contexts: no device has to reach the other's memory, but no capture takes it.
CUresult transfer_between_contexts(const Place& to, const Place& from, const Extent& extent, CUstream stream, When when);

/// Fills a box with elements of `size` bytes: 1, 2 or 4. The extent's width is in bytes.
CUresult fill(const Place& to, const Extent& extent, unsigned value, std::size_t size, CUstream stream, When when);

}  // namespace cubind::sim
