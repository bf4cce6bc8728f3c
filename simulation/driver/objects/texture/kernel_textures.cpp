// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/texture/kernel_textures.hpp"

#include <cubind/driver/constants.hpp>

#include <algorithm>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

using ptx::ChannelType;
using ptx::Geometry;

struct Format {
    CUarray_format format;
    ChannelType type;
    bool is_normalized = false;
};

constexpr Format formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, ChannelType::u8},
    {CU_AD_FORMAT_UNSIGNED_INT16, ChannelType::u16},
    {CU_AD_FORMAT_UNSIGNED_INT32, ChannelType::u32},
    {CU_AD_FORMAT_SIGNED_INT8, ChannelType::s8},
    {CU_AD_FORMAT_SIGNED_INT16, ChannelType::s16},
    {CU_AD_FORMAT_SIGNED_INT32, ChannelType::s32},
    {CU_AD_FORMAT_HALF, ChannelType::f16},
    {CU_AD_FORMAT_FLOAT, ChannelType::f32},
    {CU_AD_FORMAT_UNORM_INT8X1, ChannelType::u8, true},
    {CU_AD_FORMAT_UNORM_INT8X2, ChannelType::u8, true},
    {CU_AD_FORMAT_UNORM_INT8X4, ChannelType::u8, true},
    {CU_AD_FORMAT_UNORM_INT16X1, ChannelType::u16, true},
    {CU_AD_FORMAT_UNORM_INT16X2, ChannelType::u16, true},
    {CU_AD_FORMAT_UNORM_INT16X4, ChannelType::u16, true},
    {CU_AD_FORMAT_SNORM_INT8X1, ChannelType::s8, true},
    {CU_AD_FORMAT_SNORM_INT8X2, ChannelType::s8, true},
    {CU_AD_FORMAT_SNORM_INT8X4, ChannelType::s8, true},
    {CU_AD_FORMAT_SNORM_INT16X1, ChannelType::s16, true},
    {CU_AD_FORMAT_SNORM_INT16X2, ChannelType::s16, true},
    {CU_AD_FORMAT_SNORM_INT16X4, ChannelType::s16, true},
};

void set_format(ptx::Texture& texture, CUarray_format format, unsigned channels) {
    const auto* const found = std::ranges::find(formats, format, &Format::format);
    if (found == std::end(formats)) {
        texture.problem = "has a compressed or packed format";
        return;
    }
    texture.type = found->type;
    texture.is_normalized = found->is_normalized;
    texture.channels = static_cast<std::uint8_t>(channels);
}

Geometry geometry_of(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept {
    const auto has = [&](int flag) { return (descriptor.Flags & static_cast<unsigned>(flag)) != 0; };
    const bool is_layered = has(CUDA_ARRAY3D_LAYERED);
    if (has(CUDA_ARRAY3D_CUBEMAP)) return is_layered ? Geometry::layered_cube : Geometry::cube;
    if (is_layered) return descriptor.Height == 0 ? Geometry::layered_line : Geometry::layered_plane;
    if (descriptor.Depth != 0) return Geometry::volume;
    return descriptor.Height == 0 ? Geometry::line : Geometry::plane;
}

void add_level(ptx::Texture& texture, const Array& array) {
    ptx::TextureLevel level;
    const CUDA_ARRAY3D_DESCRIPTOR& descriptor = array.descriptor;
    level.width = static_cast<std::uint32_t>(descriptor.Width);
    level.height = static_cast<std::uint32_t>(std::max<std::size_t>(descriptor.Height, 1));
    const auto slices = static_cast<std::uint32_t>(array.shape.slices);
    (texture.geometry == Geometry::volume ? level.depth : level.layers) = slices;
    level.pitch = array.shape.row;
    level.slice = array.shape.row * array.shape.rows;
    if (array.storage != nullptr) {
        level.data = reinterpret_cast<std::byte*>(array.storage->base);
    } else {
        level.tiles = array.tiles();
        texture.has_memory = is_sparse(descriptor) || !level.tiles->table->is_empty();
    }
    texture.levels.push_back(std::move(level));
}

void set_array(ptx::Texture& texture, const std::shared_ptr<Array>& array) {
    texture.geometry = geometry_of(array->descriptor);
    set_format(texture, array->descriptor.Format, array->descriptor.NumChannels);
    add_level(texture, *array);
    texture.owner = array;
}

// Returns whether the memory is within one allocation.
bool set_memory(ptx::Texture& texture, const MemoryMap& memory, CUdeviceptr address, std::size_t bytes) {
    auto found = memory.find(address);
    if (found == nullptr || !found->contains(address, bytes)) return false;
    texture.levels[0].data = reinterpret_cast<std::byte*>(address);
    texture.owner = std::move(found);
    return true;
}

// Returns null if the memory of the resource does not exist any more.
std::unique_ptr<ptx::Texture> make_texture(const CUDA_RESOURCE_DESC& resource, const ResourceObjects& objects) {
    auto texture = std::make_unique<ptx::Texture>();
    switch (resource.resType) {
        case CU_RESOURCE_TYPE_ARRAY: {
            const auto array = objects.arrays.find(resource.res.array.hArray);
            if (array == nullptr) return nullptr;
            set_array(*texture, array);
            return texture;
        }
        case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: {
            const auto array = objects.mipmapped_arrays.find(resource.res.mipmap.hMipmappedArray);
            if (array == nullptr) return nullptr;
            texture->geometry = geometry_of(array->descriptor);
            set_format(*texture, array->descriptor.Format, array->descriptor.NumChannels);
            for (const auto& level : array->levels) add_level(*texture, *level);
            texture->owner = array;
            return texture;
        }
        case CU_RESOURCE_TYPE_LINEAR: {
            const auto& linear = resource.res.linear;
            set_format(*texture, linear.format, linear.numChannels);
            texture->geometry = Geometry::linear;
            ptx::TextureLevel& level = texture->levels.emplace_back();
            constexpr std::size_t max_elements = std::size_t{1} << 31;
            level.width = static_cast<std::uint32_t>(std::min(linear.sizeInBytes / texture->texel_bytes(), max_elements));
            if (!set_memory(*texture, objects.memory, linear.devPtr, linear.sizeInBytes)) return nullptr;
            return texture;
        }
        case CU_RESOURCE_TYPE_PITCH2D: {
            const auto& plane = resource.res.pitch2D;
            set_format(*texture, plane.format, plane.numChannels);
            texture->geometry = Geometry::plane;
            ptx::TextureLevel& level = texture->levels.emplace_back();
            level.width = static_cast<std::uint32_t>(plane.width);
            level.height = static_cast<std::uint32_t>(plane.height);
            level.pitch = plane.pitchInBytes;
            constexpr std::size_t max_extent = ~std::uint32_t{0};
            const bool is_countable = plane.width <= max_extent && plane.height <= max_extent;
            const std::size_t row = is_countable ? plane.width * texture->texel_bytes() : 0;
            std::size_t bytes = 0;
            if (row == 0 || plane.height == 0 || row > plane.pitchInBytes ||
                __builtin_mul_overflow(plane.height - 1, plane.pitchInBytes, &bytes) ||
                __builtin_add_overflow(bytes, row, &bytes)) {
                texture->problem = "has rows that are empty or larger than the pitch, or more bytes than addresses";
                return texture;
            }
            return set_memory(*texture, objects.memory, plane.devPtr, bytes) ? std::move(texture) : nullptr;
        }
        default:
            return nullptr;
    }
}

ptx::AddressMode address_mode(CUaddress_mode mode) noexcept {
    switch (mode) {
        case CU_TR_ADDRESS_MODE_WRAP:
            return ptx::AddressMode::wrap;
        case CU_TR_ADDRESS_MODE_MIRROR:
            return ptx::AddressMode::mirror;
        case CU_TR_ADDRESS_MODE_BORDER:
            return ptx::AddressMode::border;
        default:
            return ptx::AddressMode::clamp;
    }
}

void set_sampler(ptx::Texture& texture, const CUDA_TEXTURE_DESC& sampler) {
    const auto has = [&](int flag) { return (sampler.flags & static_cast<unsigned>(flag)) != 0; };
    for (std::size_t i = 0; i < 3; ++i) texture.address[i] = address_mode(sampler.addressMode[i]);
    texture.is_linear = sampler.filterMode == CU_TR_FILTER_MODE_LINEAR;
    texture.is_linear_of_levels = sampler.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR;
    texture.has_normalized_coordinates = has(CU_TRSF_NORMALIZED_COORDINATES);
    const bool is_small = texture.channel_bytes() < 4 && texture.type != ChannelType::f16;
    if (is_small && !has(CU_TRSF_READ_AS_INTEGER)) texture.is_normalized = true;
    texture.level_bias = sampler.mipmapLevelBias;
    texture.min_level = sampler.minMipmapLevelClamp;
    texture.max_level = sampler.maxMipmapLevelClamp;
    std::copy_n(sampler.borderColor, 4, texture.border.begin());
    const bool is_cube = texture.geometry == Geometry::cube || texture.geometry == Geometry::layered_cube;
    if (has(CU_TRSF_SRGB)) texture.problem = "converts colors from sRGB";
    if (is_cube && texture.is_linear && has(CU_TRSF_SEAMLESS_CUBEMAP)) texture.problem = "filters across the faces of a cube";
}

template <class Make>
const ptx::Texture* find_or_make(std::map<std::uint64_t, std::unique_ptr<const ptx::Texture>>& all, std::uint64_t handle,
                                 Make make) {
    const auto found = all.find(handle);
    if (found != all.end()) return found->second.get();
    std::unique_ptr<const ptx::Texture> texture = make();
    return all.emplace(handle, std::move(texture)).first->second.get();
}

}  // namespace

const ptx::Texture* KernelTextures::find_texture(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    return find_or_make(textures_, handle, [&]() -> std::unique_ptr<ptx::Texture> {
        const auto object = objects_.textures.find(handle);
        if (object == nullptr) return nullptr;
        auto texture = make_texture(object->resource, objects_.resources);
        if (texture == nullptr) return nullptr;
        if (texture->problem.empty()) set_sampler(*texture, object->texture);
        if (object->view.format != CU_RES_VIEW_FORMAT_NONE) texture->problem = "has a view of its resource";
        return texture;
    });
}

const ptx::Texture* KernelTextures::find_surface(std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    return find_or_make(surfaces_, handle, [&]() -> std::unique_ptr<ptx::Texture> {
        const auto object = objects_.surfaces.find(handle);
        return object != nullptr ? make_texture(object->resource, objects_.resources) : nullptr;
    });
}

}  // namespace CUBIND_NAMESPACE::sim
