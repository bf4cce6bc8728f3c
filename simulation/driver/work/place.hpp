// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/array/array.hpp"
#include "work/operand.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The extent of a box: rows of `width` bytes, `height` rows in a slice, `depth` slices.
struct BoxExtent {
    std::size_t width = 0;
    std::size_t height = 1;
    std::size_t depth = 1;

    bool is_empty() const noexcept { return width == 0 || height == 0 || depth == 0; }
};

/// The distances between rows and between slices, in bytes.
struct Stride {
    std::size_t pitch = 0;
    std::size_t slice = 0;
};

/// The position of a box in memory: the address of its first byte, and the distances between rows and between slices in
/// bytes.
struct Place {
    Side side = Side::any;
    std::uintptr_t address = 0;  ///< for a box in an array: position in the memory of the array, in bytes
    std::size_t pitch = 0;
    std::size_t slice = 0;
    /// Whether the call must read the box before it returns, because the caller may change it afterwards.
    bool is_read_immediately = false;
    driver::CUarray array = nullptr;        ///< array that contains the box; otherwise null
    std::weak_ptr<const Array> owner = {};  ///< the array until the program destroys it

    Stride stride() const noexcept { return {pitch, slice}; }
    /// Calculates the bytes from the first to the last byte of the box. Returns false on overflow.
    bool span(const BoxExtent& extent, std::size_t& bytes) const noexcept;
};

// The ends of a copy of one dimension.

inline Place device_place(driver::CUdeviceptr address) {
    return {.side = Side::device, .address = address};
}

inline Place any_place(driver::CUdeviceptr address) {
    return {.side = Side::any, .address = address};
}

inline Place host_place(const void* address) {
    return {.side = Side::host, .address = reinterpret_cast<std::uintptr_t>(address)};
}

/// Finds a box within an array. `x` counts bytes. Returns CUDA_ERROR_INVALID_VALUE if the array is null or does not contain the
/// whole box.
driver::CUresult place_in_array(const std::shared_ptr<Array>& array, std::size_t x, std::size_t y, std::size_t z,
                                const BoxExtent& extent, Place& place);

/// Finds the memory of a box, as find_operand() does. Returns CUDA_ERROR_INVALID_VALUE if the array of the box was destroyed.
driver::CUresult find_place(const MemoryMap& memory, const Place& place, const BoxExtent& extent, const Access& access,
                            Operand& operand);

/// Calls `row(to_offset, from_offset)` for each row, with its offsets in bytes from the beginnings of both boxes.
template <class Row>
void for_each_row(const Stride& to, const Stride& from, const BoxExtent& extent, Row row) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        for (std::size_t y = 0; y < extent.height; ++y) row(z * to.slice + y * to.pitch, z * from.slice + y * from.pitch);
    }
}

/// Checks that all elements lie at multiples of their size.
driver::CUresult check_alignment(const Place& to, const BoxExtent& extent, std::size_t size);

}  // namespace CUBIND_NAMESPACE::sim
