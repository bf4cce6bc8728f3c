// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/texture/descriptors.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>
#include <iterator>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// The values of the device attributes of the same names.
constexpr CUdeviceptr texture_alignment = 512;
constexpr std::size_t pitch_alignment = 32;

std::optional<std::size_t> linear_bytes(CUdeviceptr address, CUarray_format format, unsigned channels,
                                        const ResourceObjects& objects) {
    if (address % texture_alignment != 0 || objects.memory.find(address) == nullptr) return std::nullopt;
    const auto element = element_of(format, channels);
    return element && element->side == 1 ? std::optional(element->bytes) : std::nullopt;
}

std::optional<std::size_t> array_bytes(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    return element_of(descriptor.Format, descriptor.NumChannels)->bytes;  // valid, because the array exists
}

// Returns the shape of an array. Other resources have no shape that limits a view.
std::optional<CUDA_ARRAY3D_DESCRIPTOR> shape_of(const CUDA_RESOURCE_DESC& resource, const ResourceObjects& objects) {
    if (resource.resType == CU_RESOURCE_TYPE_ARRAY) {
        const auto array = objects.arrays.find(resource.res.array.hArray);
        if (array != nullptr) return array->descriptor;
    } else if (resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
        const auto array = objects.mipmapped_arrays.find(resource.res.mipmap.hMipmappedArray);
        if (array != nullptr) return array->descriptor;
    }
    return std::nullopt;
}

// Indexed by format: none, then 1, 2 and 4 channels of each type, then compressed blocks of 4 x 4 texels.
constexpr unsigned char view_bytes[] = {0,  1, 2, 4, 1, 2, 4,  2, 4,  8,  2, 4, 8,  4,  8,  16, 4, 8,
                                        16, 2, 4, 8, 4, 8, 16, 8, 16, 16, 8, 8, 16, 16, 16, 16, 16};

}  // namespace

bool is_cubemap(const CUDA_RESOURCE_DESC& resource, const ResourceObjects& objects) {
    const auto shape = shape_of(resource, objects);
    return shape && (shape->Flags & unsigned{CUDA_ARRAY3D_CUBEMAP}) != 0;
}

std::optional<std::size_t> element_bytes(const CUDA_RESOURCE_DESC& resource, const ResourceObjects& objects) {
    if (resource.flags != 0) return std::nullopt;
    switch (resource.resType) {
        case CU_RESOURCE_TYPE_ARRAY: {
            const auto array = objects.arrays.find(resource.res.array.hArray);
            return array != nullptr ? array_bytes(array->descriptor) : std::nullopt;
        }
        case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
            const auto array = objects.mipmapped_arrays.find(resource.res.mipmap.hMipmappedArray);
            return array != nullptr ? array_bytes(array->descriptor) : std::nullopt;
        }
        case CU_RESOURCE_TYPE_LINEAR: {
            const auto& linear = resource.res.linear;
            if (linear.sizeInBytes > max_linear_bytes) return std::nullopt;
            return linear_bytes(linear.devPtr, linear.format, linear.numChannels, objects);
        }
        case CU_RESOURCE_TYPE_PITCH2D: {
            const auto& plane = resource.res.pitch2D;
            if (plane.pitchInBytes % pitch_alignment != 0) return std::nullopt;
            return linear_bytes(plane.devPtr, plane.format, plane.numChannels, objects);
        }
        default:
            return std::nullopt;
    }
}

bool is_valid(const CUDA_TEXTURE_DESC& texture) noexcept {
    constexpr unsigned known_flags = unsigned{CU_TRSF_READ_AS_INTEGER} | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                                     CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
    const bool has_valid_modes = std::all_of(std::begin(texture.addressMode), std::end(texture.addressMode),
                                             [](CUaddress_mode mode) { return mode <= CU_TR_ADDRESS_MODE_BORDER; });
    return has_valid_modes && texture.filterMode <= CU_TR_FILTER_MODE_LINEAR &&
           texture.mipmapFilterMode <= CU_TR_FILTER_MODE_LINEAR && (texture.flags & ~known_flags) == 0;
}

bool is_valid(const CUDA_RESOURCE_VIEW_DESC& view, const CUDA_RESOURCE_DESC& resource, std::size_t bytes,
              const ResourceObjects& objects) {
    if (view.format == CU_RES_VIEW_FORMAT_NONE) return true;
    if (static_cast<std::size_t>(view.format) >= std::size(view_bytes) || view_bytes[view.format] != bytes) return false;
    const auto shape = shape_of(resource, objects);
    // One element of the array holds a block of texels of a compressed view.
    const std::size_t texels = view.format >= CU_RES_VIEW_FORMAT_UNSIGNED_BC1 ? 4 : 1;
    return !shape || (view.width <= texels * shape->Width && view.height <= texels * shape->Height && view.depth <= shape->Depth);
}

}  // namespace CUBIND_NAMESPACE::sim
