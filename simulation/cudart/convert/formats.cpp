// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/formats.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// Formats whose elements have 1, 2 or 4 channels.
struct ChannelRow {
    CUarray_format format;
    cudaChannelFormatKind kind;
    int bits;
};

constexpr ChannelRow channel_rows[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
    {CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
    {CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
    {CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
    {CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
    {CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
    {CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
    {CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32},
};

// Formats with a fixed number of channels.
struct KindRow {
    CUarray_format format;
    cudaChannelFormatKind kind;
    unsigned int channels;
    int bits[4];
    std::size_t bytes;  ///< of an element or a block
};

constexpr KindRow kind_rows[] = {
    {CU_AD_FORMAT_UNORM_INT8X1, cudaChannelFormatKindUnsignedNormalized8X1, 1, {8, 0, 0, 0}, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, cudaChannelFormatKindUnsignedNormalized8X2, 2, {8, 8, 0, 0}, 2},
    {CU_AD_FORMAT_UNORM_INT8X4, cudaChannelFormatKindUnsignedNormalized8X4, 4, {8, 8, 8, 8}, 4},
    {CU_AD_FORMAT_UNORM_INT16X1, cudaChannelFormatKindUnsignedNormalized16X1, 1, {16, 0, 0, 0}, 2},
    {CU_AD_FORMAT_UNORM_INT16X2, cudaChannelFormatKindUnsignedNormalized16X2, 2, {16, 16, 0, 0}, 4},
    {CU_AD_FORMAT_UNORM_INT16X4, cudaChannelFormatKindUnsignedNormalized16X4, 4, {16, 16, 16, 16}, 8},
    {CU_AD_FORMAT_SNORM_INT8X1, cudaChannelFormatKindSignedNormalized8X1, 1, {8, 0, 0, 0}, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, cudaChannelFormatKindSignedNormalized8X2, 2, {8, 8, 0, 0}, 2},
    {CU_AD_FORMAT_SNORM_INT8X4, cudaChannelFormatKindSignedNormalized8X4, 4, {8, 8, 8, 8}, 4},
    {CU_AD_FORMAT_SNORM_INT16X1, cudaChannelFormatKindSignedNormalized16X1, 1, {16, 0, 0, 0}, 2},
    {CU_AD_FORMAT_SNORM_INT16X2, cudaChannelFormatKindSignedNormalized16X2, 2, {16, 16, 0, 0}, 4},
    {CU_AD_FORMAT_SNORM_INT16X4, cudaChannelFormatKindSignedNormalized16X4, 4, {16, 16, 16, 16}, 8},
    {CU_AD_FORMAT_UNORM_INT_101010_2, cudaChannelFormatKindUnsignedNormalized1010102, 4, {10, 10, 10, 2}, 4},
    {CU_AD_FORMAT_BC1_UNORM, cudaChannelFormatKindUnsignedBlockCompressed1, 4, {8, 8, 8, 8}, 8},
    {CU_AD_FORMAT_BC1_UNORM_SRGB, cudaChannelFormatKindUnsignedBlockCompressed1SRGB, 4, {8, 8, 8, 8}, 8},
    {CU_AD_FORMAT_BC2_UNORM, cudaChannelFormatKindUnsignedBlockCompressed2, 4, {8, 8, 8, 8}, 16},
    {CU_AD_FORMAT_BC2_UNORM_SRGB, cudaChannelFormatKindUnsignedBlockCompressed2SRGB, 4, {8, 8, 8, 8}, 16},
    {CU_AD_FORMAT_BC3_UNORM, cudaChannelFormatKindUnsignedBlockCompressed3, 4, {8, 8, 8, 8}, 16},
    {CU_AD_FORMAT_BC3_UNORM_SRGB, cudaChannelFormatKindUnsignedBlockCompressed3SRGB, 4, {8, 8, 8, 8}, 16},
    {CU_AD_FORMAT_BC4_UNORM, cudaChannelFormatKindUnsignedBlockCompressed4, 1, {8, 0, 0, 0}, 8},
    {CU_AD_FORMAT_BC4_SNORM, cudaChannelFormatKindSignedBlockCompressed4, 1, {8, 0, 0, 0}, 8},
    {CU_AD_FORMAT_BC5_UNORM, cudaChannelFormatKindUnsignedBlockCompressed5, 2, {8, 8, 0, 0}, 16},
    {CU_AD_FORMAT_BC5_SNORM, cudaChannelFormatKindSignedBlockCompressed5, 2, {8, 8, 0, 0}, 16},
    {CU_AD_FORMAT_BC6H_UF16, cudaChannelFormatKindUnsignedBlockCompressed6H, 3, {16, 16, 16, 0}, 16},
    {CU_AD_FORMAT_BC6H_SF16, cudaChannelFormatKindSignedBlockCompressed6H, 3, {16, 16, 16, 0}, 16},
    {CU_AD_FORMAT_BC7_UNORM, cudaChannelFormatKindUnsignedBlockCompressed7, 4, {8, 8, 8, 8}, 16},
    {CU_AD_FORMAT_BC7_UNORM_SRGB, cudaChannelFormatKindUnsignedBlockCompressed7SRGB, 4, {8, 8, 8, 8}, 16},
};

// Planar formats, which have no elements.
constexpr KindRow planar_rows[] = {
    {CU_AD_FORMAT_NV12, cudaChannelFormatKindNV12, 3, {8, 8, 8, 0}, 0},
};

bool has_bits(const cudaChannelFormatDesc& description, const int (&bits)[4]) noexcept {
    return description.x == bits[0] && description.y == bits[1] && description.z == bits[2] && description.w == bits[3];
}

// Returns the number of channels if the first channels have `bits` bits and the others none, otherwise 0.
unsigned int channels_of(const cudaChannelFormatDesc& description, int bits) noexcept {
    if (has_bits(description, {bits, 0, 0, 0})) return 1;
    if (has_bits(description, {bits, bits, 0, 0})) return 2;
    return has_bits(description, {bits, bits, bits, bits}) ? 4 : 0;
}

}  // namespace

bool to_array_format(const cudaChannelFormatDesc& description, ArrayFormat& format) noexcept {
    for (const ChannelRow& row : channel_rows) {
        const unsigned int channels = channels_of(description, row.bits);
        if (row.kind != description.f || channels == 0) continue;
        format = {row.format, channels};
        return true;
    }
    for (const KindRow& row : kind_rows) {
        if (row.kind != description.f || !has_bits(description, row.bits)) continue;
        format = {row.format, row.channels};
        return true;
    }
    for (const KindRow& row : planar_rows) {
        if (row.kind != description.f || !has_bits(description, row.bits)) continue;
        format = {row.format, row.channels};
        return true;
    }
    return false;
}

cudaChannelFormatDesc to_channel_description(ArrayFormat format) noexcept {
    for (const ChannelRow& row : channel_rows) {
        if (row.format != format.format) continue;
        const auto bits = [&](unsigned int channel) { return channel < format.channels ? row.bits : 0; };
        return {bits(0), bits(1), bits(2), bits(3), row.kind};
    }
    for (const KindRow& row : kind_rows) {
        if (row.format == format.format) return {row.bits[0], row.bits[1], row.bits[2], row.bits[3], row.kind};
    }
    return {0, 0, 0, 0, cudaChannelFormatKindNone};
}

std::size_t element_size(ArrayFormat format) noexcept {
    for (const ChannelRow& row : channel_rows) {
        if (row.format == format.format) return format.channels * static_cast<std::size_t>(row.bits) / 8;
    }
    for (const KindRow& row : kind_rows) {
        if (row.format == format.format) return row.bytes;
    }
    return 0;
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
