// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/array/element.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

struct Row {
    CUarray_format format;
    unsigned channels;  ///< 0 if the program may choose 1, 2 or 4
    std::size_t bytes;  ///< size of one channel if `channels` is 0, otherwise size of the element
    std::size_t side = 1;
};

constexpr Row rows[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, 0, 1},
    {CU_AD_FORMAT_UNSIGNED_INT16, 0, 2},
    {CU_AD_FORMAT_UNSIGNED_INT32, 0, 4},
    {CU_AD_FORMAT_SIGNED_INT8, 0, 1},
    {CU_AD_FORMAT_SIGNED_INT16, 0, 2},
    {CU_AD_FORMAT_SIGNED_INT32, 0, 4},
    {CU_AD_FORMAT_HALF, 0, 2},
    {CU_AD_FORMAT_FLOAT, 0, 4},
    {CU_AD_FORMAT_UNORM_INT8X1, 1, 1},
    {CU_AD_FORMAT_UNORM_INT8X2, 2, 2},
    {CU_AD_FORMAT_UNORM_INT8X4, 4, 4},
    {CU_AD_FORMAT_UNORM_INT16X1, 1, 2},
    {CU_AD_FORMAT_UNORM_INT16X2, 2, 4},
    {CU_AD_FORMAT_UNORM_INT16X4, 4, 8},
    {CU_AD_FORMAT_SNORM_INT8X1, 1, 1},
    {CU_AD_FORMAT_SNORM_INT8X2, 2, 2},
    {CU_AD_FORMAT_SNORM_INT8X4, 4, 4},
    {CU_AD_FORMAT_SNORM_INT16X1, 1, 2},
    {CU_AD_FORMAT_SNORM_INT16X2, 2, 4},
    {CU_AD_FORMAT_SNORM_INT16X4, 4, 8},
    {CU_AD_FORMAT_UNORM_INT_101010_2, 4, 4},
    {CU_AD_FORMAT_BC1_UNORM, 4, 8, 4},
    {CU_AD_FORMAT_BC1_UNORM_SRGB, 4, 8, 4},
    {CU_AD_FORMAT_BC2_UNORM, 4, 16, 4},
    {CU_AD_FORMAT_BC2_UNORM_SRGB, 4, 16, 4},
    {CU_AD_FORMAT_BC3_UNORM, 4, 16, 4},
    {CU_AD_FORMAT_BC3_UNORM_SRGB, 4, 16, 4},
    {CU_AD_FORMAT_BC4_UNORM, 1, 8, 4},
    {CU_AD_FORMAT_BC4_SNORM, 1, 8, 4},
    {CU_AD_FORMAT_BC5_UNORM, 2, 16, 4},
    {CU_AD_FORMAT_BC5_SNORM, 2, 16, 4},
    {CU_AD_FORMAT_BC6H_UF16, 3, 16, 4},
    {CU_AD_FORMAT_BC6H_SF16, 3, 16, 4},
    {CU_AD_FORMAT_BC7_UNORM, 4, 16, 4},
    {CU_AD_FORMAT_BC7_UNORM_SRGB, 4, 16, 4},
};

}  // namespace

std::optional<Element> element_of(CUarray_format format, unsigned channels) noexcept {
    for (const Row& row : rows) {
        if (row.format != format) continue;
        if (row.channels != 0) return row.channels == channels ? std::optional(Element{row.bytes, row.side}) : std::nullopt;
        const bool is_count = channels == 1 || channels == 2 || channels == 4;
        return is_count ? std::optional(Element{row.bytes * channels}) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace CUBIND_NAMESPACE::sim
