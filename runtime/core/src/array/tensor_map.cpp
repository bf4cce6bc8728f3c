// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/array/tensor_map.hpp>
#include <cubind/core/memory/pointer_attributes.hpp>
#include <cubind/driver/context.hpp>
#include <cubind/driver/tensor_map.hpp>

#include <algorithm>

#include "array/tensor_checks.hpp"
#include "calls/driver.hpp"
#include "device/context_guard.hpp"
#include "device/device_table.hpp"

namespace CUBIND_NAMESPACE {
namespace {

void* pointer_to(driver::CUdeviceptr address) noexcept {
    return reinterpret_cast<void*>(address);
}

// Returns the encoded map. Throws Error, which describes the layout and a tile of this number of elements if the driver refused
// them.
TensorMap map_of(const Result<driver::CUresult, driver::CUtensorMap>& encoded, const TensorLayout& layout,
                 std::uint64_t elements) {
    if (encoded.ok()) return TensorMap(encoded.value);
    const bool is_refused = encoded.status == driver::CUDA_ERROR_INVALID_VALUE;
    detail::throw_with_advice({encoded.status}, is_refused ? detail::describe(layout, elements) : "");
}

// Encodes in any context. Usually there is a current one: a query of it then takes less time than a ContextGuard, and the call
// itself takes about as long as the guard. If that context was reset, the guard replaces it.
template <class Encode>
auto encode_in_context(const Encode& encode) {
    (void)detail::DeviceTable::get();  // initializes the driver
    if (check(driver::cuCtxGetCurrent()) != nullptr) {
        const auto encoded = encode();
        if (encoded.status != driver::CUDA_ERROR_CONTEXT_IS_DESTROYED && encoded.status != driver::CUDA_ERROR_INVALID_CONTEXT)
            return encoded;
    }
    const detail::ContextGuard context;
    return encode();
}

// Copies the corners of a box. Throws std::invalid_argument unless there is one number for each dimension of pixels, within the
// range of a tensor of this rank.
void set_corner(int (&corner)[TensorExtents::max_rank], std::initializer_list<int> given, std::size_t rank, const char* name) {
    if (given.size() != rank - 2) {
        detail::throw_misuse("Im2colBox: ", name, " has ", given.size(), " numbers, but a tensor of ", rank,
                             " dimensions requires ", rank - 2);
    }
    const int limit = rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
    for (const int value : given) detail::check_range(detail::concat("Im2colBox: ", name), value, -limit, limit - 1);
    std::copy(given.begin(), given.end(), corner);
}

// Checks the channels and pixels that a box copies. Returns the number of elements.
template <class Box>
std::uint64_t checked_elements(const char* name, const TensorLayout& layout, const Box& box) {
    detail::check_range(detail::concat(name, ": channels_per_pixel"), box.channels_per_pixel, 1, 256);
    detail::check_range(detail::concat(name, ": pixels_per_column"), box.pixels_per_column, 1, 1024);
    detail::check_inner_dimension(layout, box.channels_per_pixel);
    return std::uint64_t{box.channels_per_pixel} * box.pixels_per_column;
}

}  // namespace

void detail::throw_too_many_dimensions(std::size_t count) {
    throw_misuse("a tensor has at most ", TensorExtents::max_rank, " dimensions, and ", count, " were given");
}

Device TensorLayout::device() const {
    const auto device = PointerAttributes::of(address).device;
    if (!device)
        detail::throw_misuse("no device has allocated the memory of the tensor: its address is of another kind of memory");
    return *device;
}

TensorMap TensorMap::tiled(const TensorLayout& layout, const TensorExtents& box) {
    const detail::NativeLayout native = detail::convert(layout, 1);
    if (box.rank() != native.rank) {
        detail::throw_misuse("TensorMap::tiled: the box has ", box.rank(), " dimensions, and the tensor has ", native.rank);
    }
    driver::cuuint32_t tile[TensorExtents::max_rank] = {};
    std::uint64_t elements = 1;
    for (std::size_t i = 0; i < box.rank(); ++i) {
        if (box[i] == 0 || box[i] > 256) {
            detail::throw_misuse("TensorMap::tiled: the box has ", box[i], " elements in dimension ", i,
                                 ", but it must have from 1 to 256");
        }
        tile[i] = static_cast<driver::cuuint32_t>(box[i]);
        elements *= tile[i] / native.element_strides[i];
    }
    detail::check_inner_dimension(layout, box[0]);
    const auto encoded = encode_in_context([&] {
        return driver::cuTensorMapEncodeTiled(layout.type, native.rank, pointer_to(layout.address), native.shape, native.strides,
                                              tile, native.element_strides, layout.interleave, layout.swizzle,
                                              layout.l2_promotion, layout.oob_fill);
    });
    return map_of(encoded, layout, elements);
}

TensorMap TensorMap::im2col(const TensorLayout& layout, const Im2colBox& box) {
    const detail::NativeLayout native = detail::convert(layout, 3);
    int lower[TensorExtents::max_rank] = {};
    int upper[TensorExtents::max_rank] = {};
    set_corner(lower, box.lower_corner, native.rank, "lower_corner");
    set_corner(upper, box.upper_corner, native.rank, "upper_corner");
    const std::uint64_t elements = checked_elements("Im2colBox", layout, box);
    detail::check_corners(layout, lower, upper, native.rank - 2);
    const auto encoded = encode_in_context([&] {
        return driver::cuTensorMapEncodeIm2col(layout.type, native.rank, pointer_to(layout.address), native.shape, native.strides,
                                               lower, upper, box.channels_per_pixel, box.pixels_per_column,
                                               native.element_strides, layout.interleave, layout.swizzle, layout.l2_promotion,
                                               layout.oob_fill);
    });
    return map_of(encoded, layout, elements);
}

TensorMap TensorMap::im2col_wide(const TensorLayout& layout, const Im2colWideBox& box) {
    const detail::NativeLayout native = detail::convert(layout, 3);
    detail::check_range("Im2colWideBox: lower_corner_width", box.lower_corner_width, -32768, 32767);
    detail::check_range("Im2colWideBox: upper_corner_width", box.upper_corner_width, -32768, 32767);
    const std::uint64_t elements = checked_elements("Im2colWideBox", layout, box);
    detail::check_corners(layout, &box.lower_corner_width, &box.upper_corner_width, 1);
    const auto encoded = encode_in_context([&] {
        return driver::cuTensorMapEncodeIm2colWide(
            layout.type, native.rank, pointer_to(layout.address), native.shape, native.strides, box.lower_corner_width,
            box.upper_corner_width, box.channels_per_pixel, box.pixels_per_column, native.element_strides, layout.interleave,
            box.mode, layout.swizzle, layout.l2_promotion, layout.oob_fill);
    });
    return map_of(encoded, layout, elements);
}

void TensorMap::replace_address(driver::CUdeviceptr address) {
    detail::check_address(address, 16);
    native_ = check(encode_in_context([&] { return driver::cuTensorMapReplaceAddress(native_, pointer_to(address)); }));
}

}  // namespace CUBIND_NAMESPACE
