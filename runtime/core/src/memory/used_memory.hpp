// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Memory that the pieces of a batch use, which have no order.
namespace CUBIND_NAMESPACE::detail {

/// Memory that a piece of a batch reads or writes: rows of linear memory, or a part of an array.
struct UsedMemory {
    std::size_t piece;  ///< the index in the batch
    bool is_destination;
    std::size_t begin;  ///< of linear memory the first address, of an array the first slice
    std::size_t end;    ///< the address or the slice after the last one
    std::size_t width;  ///< of a row, in bytes
    std::size_t height = 1;
    std::size_t depth = 1;
    std::size_t pitch = width;        ///< from one row of linear memory to the next
    std::size_t slice_pitch = pitch;  ///< from one slice of linear memory to the next
    driver::CUarray array = nullptr;  ///< nullptr for linear memory
    std::size_t x = 0;                ///< of the first row in the array, in bytes
    std::size_t y = 0;                ///< of the first row in the array

    /// Describes the memory for a message, such as "the source of copy 2, 16 bytes at 0x7f00". `what` names the pieces.
    [[nodiscard]] std::string describe(const char* what = "copy") const;
};

/// Returns the use of memory without gaps.
inline UsedMemory use_of(driver::CUdeviceptr address, std::size_t size, std::size_t piece, bool is_destination) noexcept {
    return {.piece = piece, .is_destination = is_destination, .begin = address, .end = address + size, .width = size};
}

/// Returns two uses of the same memory of which one writes, or nothing.
[[nodiscard]] std::optional<std::pair<UsedMemory, UsedMemory>> find_conflict(std::vector<UsedMemory> uses);

}  // namespace CUBIND_NAMESPACE::detail
