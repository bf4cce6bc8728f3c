// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "array/texture_checks.hpp"

#include <cubind/core/device/device_properties.hpp>
#include <cubind/driver/strings.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

bool is_integer(ArrayFormat format) noexcept {
    return format.channel <= driver::CU_AD_FORMAT_SIGNED_INT32;
}

bool is_integer_of_four_bytes(ArrayFormat format) noexcept {
    return format.channel == driver::CU_AD_FORMAT_UNSIGNED_INT32 || format.channel == driver::CU_AD_FORMAT_SIGNED_INT32;
}

bool repeats(AddressMode mode) noexcept {
    return mode == AddressMode::wrap || mode == AddressMode::mirror;
}

void check_at_most(const char* what, std::size_t value, int limit, const char* attribute) {
    if (value <= static_cast<std::size_t>(limit)) return;
    throw_misuse("a texture of linear memory with a ", what, " of ", value, ": the device allows at most ", limit, " (",
                 attribute, ")");
}

void check_multiple(const char* what, std::size_t value, int unit, const char* attribute) {
    if (value % static_cast<std::size_t>(unit) == 0) return;
    throw_misuse("a texture of linear memory with ", what, " ", value, ", which is ", value % static_cast<std::size_t>(unit),
                 " bytes past a multiple of ", unit, " (", attribute, "): use memory of Device::allocate_pitched()");
}

}  // namespace

void check_texture(const TextureOptions& options, ArrayFormat format) {
    const char* const name = driver::to_string(format.channel);
    const AddressModes& modes = options.address_mode;
    if (!options.normalized_coordinates && (repeats(modes.x) || repeats(modes.y) || repeats(modes.z))) {
        throw_misuse(
            "TextureOptions: AddressMode::wrap and AddressMode::mirror require normalized coordinates: set "
            "normalized_coordinates, and divide the coordinates by the extents");
    }
    const bool is_normalized = options.read_mode == ReadMode::normalized_float;
    if (is_normalized && is_integer_of_four_bytes(format)) {
        throw_misuse("TextureOptions: ReadMode::normalized_float requires 1 or 2 bytes per channel, and ", name,
                     " has 4: use ReadMode::element_type");
    }
    if (options.filter_mode == FilterMode::linear && is_integer(format) && !is_normalized) {
        throw_misuse("TextureOptions: FilterMode::linear requires floats, and ", name, " is read as an integer: ",
                     is_integer_of_four_bytes(format) ? "use FilterMode::point" : "set ReadMode::normalized_float");
    }
    if (options.srgb && is_integer(format) && (format.channel != driver::CU_AD_FORMAT_UNSIGNED_INT8 || !is_normalized)) {
        throw_misuse(
            "TextureOptions: srgb requires CU_AD_FORMAT_UNSIGNED_INT8 with ReadMode::normalized_float, and the format is ", name);
    }
    if (options.max_anisotropy > 16) {
        throw_misuse("TextureOptions: max_anisotropy is ", options.max_anisotropy, ", but it must be at most 16");
    }
    if (options.min_mipmap_level_clamp > options.max_mipmap_level_clamp) {
        throw_misuse("TextureOptions: min_mipmap_level_clamp is ", options.min_mipmap_level_clamp,
                     ", which is more than max_mipmap_level_clamp, ", options.max_mipmap_level_clamp);
    }
}

void check_texture_memory(const TextureMemory& memory, const TextureOptions& options, Device device) {
    const DeviceProperties limits = device.properties();
    check_multiple("address", memory.address, limits.texture_alignment(), "texture_alignment");
    if (memory.height == 0) {
        if (options.filter_mode == FilterMode::linear || options.normalized_coordinates) {
            throw_misuse(
                "a texture of one dimension of linear memory has integer coordinates and no filter: copy the elements to "
                "an Array for FilterMode::linear and normalized_coordinates");
        }
        return check_at_most("width", memory.width, limits.maximum_texture1d_linear_width(), "maximum_texture1d_linear_width");
    }
    const std::size_t row = memory.width * memory.format.element_size();
    if (memory.pitch < row) {
        throw_misuse("a texture of linear memory with rows of ", row, " bytes and a pitch of ", memory.pitch,
                     " bytes: the rows would overlap");
    }
    check_multiple("pitch", memory.pitch, limits.texture_pitch_alignment(), "texture_pitch_alignment");
    check_at_most("width", memory.width, limits.maximum_texture2d_linear_width(), "maximum_texture2d_linear_width");
    check_at_most("height", memory.height, limits.maximum_texture2d_linear_height(), "maximum_texture2d_linear_height");
    check_at_most("pitch", memory.pitch, limits.maximum_texture2d_linear_pitch(), "maximum_texture2d_linear_pitch");
}

}  // namespace CUBIND_NAMESPACE::detail
