// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/texture/texel.hpp"

#include <bit>
#include <cmath>

#include "ptx/handlers/memory/kernel_memory.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::uint32_t nan_bits = 0x7fffffff;
constexpr std::uint32_t one = 0x3f800000;

template <class Value>
CUBIND_KERNEL_MEMORY Value load(const std::byte* from) {
    struct __attribute__((packed, may_alias)) Bytes {
        Value value;
    };
    return reinterpret_cast<const Bytes*>(from)->value;
}

float half_to_float(std::uint32_t bits) {
    const std::uint32_t magnitude = (bits & 0x7fff) << 13;
    const bool is_special = magnitude >= 0x7c00u << 13;
    const std::uint32_t scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    return std::bit_cast<float>((is_special ? magnitude | 0x7f800000 : scaled) | (bits & 0x8000) << 16);
}

// Returns the bits of a channel of a texel, extended to 32 bits. A texel without memory is 0.
std::uint32_t load_channel(const Texture& texture, const std::byte* texel, unsigned channel) {
    if (texel == nullptr) return 0;
    const ChannelType type = texture.type;
    const std::byte* const from = texel + channel * texture.channel_bytes();
    switch (type) {
        case ChannelType::u8:
            return load<std::uint8_t>(from);
        case ChannelType::s8:
            return static_cast<std::uint32_t>(load<std::int8_t>(from));
        case ChannelType::u16:
            return load<std::uint16_t>(from);
        case ChannelType::s16:
            return static_cast<std::uint32_t>(load<std::int16_t>(from));
        case ChannelType::f16:
            return std::bit_cast<std::uint32_t>(half_to_float(load<std::uint16_t>(from)));
        default:
            return load<std::uint32_t>(from);
    }
}

// Unsigned integers of 8 bits are filtered with 16 bits. The least signed integer becomes the negation of the largest.
double to_value(ChannelType type, std::uint32_t bits) {
    const auto integer = static_cast<std::int32_t>(bits);
    switch (type) {
        case ChannelType::u8:
            return integer * 257;
        case ChannelType::u16:
            return integer;
        case ChannelType::s8:
            return integer < -127 ? -127 : integer;
        case ChannelType::s16:
            return integer < -32767 ? -32767 : integer;
        default:
            return static_cast<double>(std::bit_cast<float>(bits));
    }
}

// Converts a value, which is not multiplied by a weight, to the float of the texture.
float to_float(ChannelType type, double value) {
    switch (type) {
        case ChannelType::u8:
        case ChannelType::u16:
            return static_cast<float>(value) / 65535.0f;
        case ChannelType::s8:
            return static_cast<float>(value) / 127.0f;
        case ChannelType::s16:
            return static_cast<float>(value) / 32767.0f;
        default:
            return round_away(value);
    }
}

std::uint32_t missing_channel(const Texture& texture, unsigned channel) {
    if (channel != 3) return 0;
    return has_float_texels(texture) ? one : 1;
}

}  // namespace

bool has_float_texels(const Texture& texture) noexcept {
    return texture.is_normalized || texture.type == ChannelType::f16 || texture.type == ChannelType::f32;
}

float round_away(double value) noexcept {
    if (!(std::fabs(value) >= 0x1p-126)) {
        // Subnormal floats are multiples of 2^-149.
        return value == value ? static_cast<float>(std::round(value * 0x1p149) * 0x1p-149) : std::bit_cast<float>(nan_bits);
    }
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
    if ((bits >> 52 & 0x7ff) != 0x7ff) bits = (bits + (std::uint64_t{1} << 28)) >> 29 << 29;
    return static_cast<float>(std::bit_cast<double>(bits));
}

Texel read_texel(const Texture& texture, const TextureLevel& level, const TexelPlace& place) {
    Texel texel;
    for (unsigned channel = 0; channel < 4; ++channel) {
        if (channel >= texture.channels) {
            texel[channel] = missing_channel(texture, channel);
        } else if (place.is_border) {
            texel[channel] = std::bit_cast<std::uint32_t>(texture.border[channel]);
        } else {
            const std::byte* const from = address_of(level, place.x * texture.texel_bytes(), place.y, place.z);
            texel[channel] = load_channel(texture, from, channel);
            if (texture.is_normalized) {
                const float number = to_float(texture.type, to_value(texture.type, texel[channel]));
                texel[channel] = std::bit_cast<std::uint32_t>(number);
            }
        }
    }
    return texel;
}

TexelValue read_value(const Texture& texture, const TextureLevel& level, const TexelPlace& place) {
    TexelValue values{};
    for (unsigned channel = 0; channel < texture.channels; ++channel) {
        if (place.is_border) {
            values[channel] = static_cast<double>(texture.border[channel]);
        } else {
            const std::byte* const from = address_of(level, place.x * texture.texel_bytes(), place.y, place.z);
            values[channel] = to_value(texture.type, load_channel(texture, from, channel));
        }
    }
    return values;
}

Texel to_texel(const Texture& texture, const TexelValue& sum) {
    Texel texel;
    for (unsigned channel = 0; channel < 4; ++channel) {
        if (channel >= texture.channels) {
            texel[channel] = missing_channel(texture, channel);
            continue;
        }
        double value = sum[channel] / 256;
        if (texture.type == ChannelType::u8 || texture.type == ChannelType::u16) value = std::floor(value + 0.5);
        float number = 0;
        if (texture.type == ChannelType::s8 || texture.type == ChannelType::s16) {
            number = round_away(value / (texture.type == ChannelType::s8 ? 127 : 32767));
        } else {
            number = to_float(texture.type, value);
        }
        texel[channel] = std::bit_cast<std::uint32_t>(number);
    }
    return texel;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
