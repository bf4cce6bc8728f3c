// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "array/array_description.hpp"

#include <cubind/driver/constants.hpp>
#include <cubind/driver/strings.hpp>

#include <algorithm>
#include <bit>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

bool is_between(driver::CUarray_format format, driver::CUarray_format first, driver::CUarray_format last) noexcept {
    return format >= first && format <= last;
}

// Returns the bytes of a channel of a format whose number of channels is free, otherwise 0.
std::size_t bytes_of_channel(driver::CUarray_format format) noexcept {
    switch (format) {
        case driver::CU_AD_FORMAT_UNSIGNED_INT8:
        case driver::CU_AD_FORMAT_SIGNED_INT8:
            return 1;
        case driver::CU_AD_FORMAT_UNSIGNED_INT16:
        case driver::CU_AD_FORMAT_SIGNED_INT16:
        case driver::CU_AD_FORMAT_HALF:
            return 2;
        case driver::CU_AD_FORMAT_UNSIGNED_INT32:
        case driver::CU_AD_FORMAT_SIGNED_INT32:
        case driver::CU_AD_FORMAT_FLOAT:
            return 4;
        default:
            return 0;
    }
}

// Returns the bytes of a block of a compressed format, otherwise 0.
std::size_t bytes_of_block(driver::CUarray_format format) noexcept {
    if (!is_between(format, driver::CU_AD_FORMAT_BC1_UNORM, driver::CU_AD_FORMAT_BC7_UNORM_SRGB)) return 0;
    switch (format) {
        case driver::CU_AD_FORMAT_BC1_UNORM:
        case driver::CU_AD_FORMAT_BC1_UNORM_SRGB:
        case driver::CU_AD_FORMAT_BC4_UNORM:
        case driver::CU_AD_FORMAT_BC4_SNORM:
            return 8;
        default:
            return 16;
    }
}

bool has(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor, int flag) noexcept {
    return (descriptor.Flags & static_cast<unsigned int>(flag)) != 0;
}

std::size_t blocks(std::size_t elements, std::size_t side) noexcept {
    return (elements + side - 1) / side;
}

}  // namespace

ArrayUnit unit_of(ArrayFormat format) noexcept {
    if (const std::size_t channel = bytes_of_channel(format.channel); channel != 0) return {channel * format.channels};
    if (const std::size_t block = bytes_of_block(format.channel); block != 0) return {block, 4};
    // The normalized formats of 8 and of 16 bits, each with 1, 2 and 4 channels.
    if (is_between(format.channel, driver::CU_AD_FORMAT_UNORM_INT8X1, driver::CU_AD_FORMAT_SNORM_INT16X4)) {
        const unsigned int index = format.channel - driver::CU_AD_FORMAT_UNORM_INT8X1;
        const std::size_t bytes = index / 3 % 2 == 0 ? 1 : 2;
        return {bytes << index % 3};
    }
    if (format.channel == driver::CU_AD_FORMAT_UNORM_INT_101010_2) return {4};
    return {};
}

driver::CUDA_ARRAY3D_DESCRIPTOR descriptor_of(const ArrayOptions& options) noexcept {
    driver::CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    descriptor.Width = options.width;
    descriptor.Height = options.height;
    descriptor.Depth = options.depth;
    if (options.cubemap) {
        descriptor.Depth = faces_of_cubemap * std::max<std::size_t>(options.layers, 1);
    } else if (options.layers != 0) {
        descriptor.Depth = options.layers;
    }
    descriptor.Format = options.format.channel;
    descriptor.NumChannels = options.format.channels;
    const auto add = [&](bool is_set, int flag) {
        if (is_set) descriptor.Flags |= static_cast<unsigned int>(flag);
    };
    add(options.layers != 0, driver::CUDA_ARRAY3D_LAYERED);
    add(options.cubemap, driver::CUDA_ARRAY3D_CUBEMAP);
    add(options.surface_load_store, driver::CUDA_ARRAY3D_SURFACE_LDST);
    add(options.texture_gather, driver::CUDA_ARRAY3D_TEXTURE_GATHER);
    add(options.sparse, driver::CUDA_ARRAY3D_SPARSE);
    add(options.deferred_mapping, driver::CUDA_ARRAY3D_DEFERRED_MAPPING);
    return descriptor;
}

ArrayOptions options_of(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept {
    const bool is_layered = has(descriptor, driver::CUDA_ARRAY3D_LAYERED);
    const bool is_cubemap = has(descriptor, driver::CUDA_ARRAY3D_CUBEMAP);
    return {.format = {descriptor.Format, descriptor.NumChannels},
            .width = descriptor.Width,
            .height = descriptor.Height,
            .depth = is_layered || is_cubemap ? 0 : descriptor.Depth,
            .layers = !is_layered ? 0 : descriptor.Depth / (is_cubemap ? faces_of_cubemap : 1),
            .cubemap = is_cubemap,
            .surface_load_store = has(descriptor, driver::CUDA_ARRAY3D_SURFACE_LDST),
            .texture_gather = has(descriptor, driver::CUDA_ARRAY3D_TEXTURE_GATHER),
            .sparse = has(descriptor, driver::CUDA_ARRAY3D_SPARSE),
            .deferred_mapping = has(descriptor, driver::CUDA_ARRAY3D_DEFERRED_MAPPING)};
}

Extent3D extent_of(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept {
    return {descriptor.Width, std::max<std::size_t>(descriptor.Height, 1), std::max<std::size_t>(descriptor.Depth, 1)};
}

unsigned int max_level_count(const ArrayOptions& options) noexcept {
    return static_cast<unsigned int>(std::bit_width(std::max({options.width, options.height, options.depth})));
}

std::string describe(const ArrayOptions& options) {
    std::string text = concat(options.cubemap ? "a cubemap of " : "an array of ", options.width);
    if (options.height != 0) text.append(concat(" x ", options.height));
    if (options.depth != 0) text.append(concat(" x ", options.depth));
    text.append(concat(" elements (", driver::to_string(options.format.channel), ", ", options.format.channels, " channels)"));
    if (options.layers != 0) text.append(concat(" in ", options.layers, " layers"));
    return text;
}

}  // namespace detail

// ---- properties ----------------------------------------------------------------------------------------------------------

std::size_t ArrayFormat::element_size() const noexcept {
    return detail::unit_of(*this).bytes;
}

std::size_t ArrayRef::size_bytes() const {
    const ArrayOptions all = options();
    const detail::ArrayUnit unit = detail::unit_of(all.format);
    const Extent3D elements = extent();
    return unit.bytes * detail::blocks(elements.width, unit.side) * detail::blocks(elements.height, unit.side) * elements.depth;
}

}  // namespace CUBIND_NAMESPACE
