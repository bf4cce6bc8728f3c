// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/texture/tensor_map.hpp"

#include <cstring>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

constexpr cuuint32_t max_rank = 5;
constexpr int first_device_with_tensor_maps = 9;
constexpr int first_device_with_packed_types = 10;

// Indexed by CUtensorMapDataType, up to the types of packed elements.
struct Type {
    std::uint8_t bytes;
    std::uint8_t code;  // in the map
    bool is_floating;
    bool is_tfloat;
};
constexpr Type types[] = {
    {1, 0, false, false}, {2, 1, false, false}, {4, 2, false, false}, {4, 3, false, false}, {8, 4, false, false},
    {8, 5, false, false}, {2, 6, true, false},  {4, 7, true, false},  {8, 9, true, false},  {2, 10, true, false},
    {4, 8, true, false},  {4, 7, true, true},   {4, 8, true, true},
};

// Indexed by CUtensorMapSwizzle: the bytes that the swizzle permutes, and a field of the map.
constexpr cuuint32_t swizzled_bytes[] = {0, 32, 64, 128};
constexpr std::uint32_t swizzle_codes[] = {16, 256, 512, 1024};

bool is_in(std::uint64_t value, std::uint64_t min, std::uint64_t max) noexcept {
    return min <= value && value <= max;
}

bool is_aligned(const void* address, std::uintptr_t alignment) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

// Rejects types and swizzles that the device lacks. Those that only devices after an H200 accept are not simulated.
CUresult check_device(const TensorDescription& tensor, const TensorMapDevice& device) noexcept {
    if (device.major < first_device_with_tensor_maps) return CUDA_ERROR_INVALID_VALUE;
    if (tensor.type > CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B || tensor.swizzle > CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    if (tensor.type < CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B && tensor.swizzle <= CU_TENSOR_MAP_SWIZZLE_128B) return CUDA_SUCCESS;
    return device.major < first_device_with_packed_types ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
}

// Makes the checks that all modes share. The tensor has passed check_device().
bool is_valid(const TensorDescription& tensor, cuuint32_t min_rank) noexcept {
    if (!is_in(tensor.rank, min_rank, max_rank) || tensor.shape == nullptr || tensor.element_strides == nullptr) return false;
    if (tensor.strides == nullptr && tensor.rank > 1) return false;
    if (tensor.interleave > CU_TENSOR_MAP_INTERLEAVE_32B || tensor.l2_promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
        tensor.oob_fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA) {
        return false;
    }
    if (tensor.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE && tensor.rank < 3) return false;
    if (tensor.oob_fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !types[tensor.type].is_floating) return false;
    const unsigned alignment = tensor.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
    if (!is_aligned(tensor.address, alignment)) return false;
    for (cuuint32_t i = 0; i < tensor.rank; ++i) {
        if (!is_in(tensor.shape[i], 1, std::uint64_t{1} << 32) || !is_in(tensor.element_strides[i], 1, 8)) return false;
    }
    for (cuuint32_t i = 0; i + 1 < tensor.rank; ++i) {
        if (tensor.strides[i] % alignment != 0 || tensor.strides[i] >= std::uint64_t{1} << 40) return false;
    }
    return true;
}

// Checks the innermost dimension of a copy.
bool is_valid_innermost(const TensorDescription& tensor, cuuint32_t elements) noexcept {
    const cuuint32_t bytes = elements * types[tensor.type].bytes;
    const bool may_exceed_swizzle =
        tensor.swizzle == CU_TENSOR_MAP_SWIZZLE_NONE || tensor.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
    return bytes % 16 == 0 && (may_exceed_swizzle || bytes <= swizzled_bytes[tensor.swizzle]);
}

// Writes the 32 words of a map: 0 and 1 the address; 2 the mode, the rank, the type and the enumerators; 3 to 7 the strides; 8 to
// 12 the last element of each dimension; 13 to 15 the element strides and the box; 16 the bytes of a tile; 18 the swizzle once
// more. The others are 0.
class Encoder {
public:
    explicit Encoder(const TensorDescription& tensor, bool is_im2col, std::uint64_t tile_bytes) noexcept {
        const Type& type = types[tensor.type];
        const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(tensor.address));
        words_[0] = static_cast<std::uint32_t>(address);
        words_[1] = static_cast<std::uint32_t>(address >> 32);
        words_[2] = (is_im2col ? 1u : 0u) | (tensor.rank - 1) << 4 | std::uint32_t{type.code} << 7 | tensor.interleave << 11 |
                    tensor.swizzle << 13 | tensor.oob_fill << 15 | (type.is_tfloat ? 1u : 0u) << 16 | tensor.l2_promotion << 17;
        for (cuuint32_t i = 0; i + 1 < tensor.rank; ++i) {  // 36 bits each: 32 in a word of its own, 4 in word 7
            const std::uint64_t units = tensor.strides[i] / 16;
            words_[3 + i] = static_cast<std::uint32_t>(units);
            words_[7] |= static_cast<std::uint32_t>(units >> 32) << 4 * i;
        }
        for (cuuint32_t i = 0; i < tensor.rank; ++i) {
            words_[8 + i] = static_cast<std::uint32_t>(tensor.shape[i] - 1);
            words_[13] |= (tensor.element_strides[i] - 1) << 3 * i;
        }
        words_[16] = static_cast<std::uint32_t>(tile_bytes);
        words_[18] = swizzle_codes[tensor.swizzle];
    }

    void set_byte(unsigned index, std::uint32_t value) noexcept { words_[index / 4] |= value << 8 * (index % 4); }
    void set_word(unsigned index, std::uint32_t value) noexcept { words_[index] = value; }
    // Copies bytes, because headers of earlier releases align CUtensorMap less than the words.
    void write_to(void* map) const noexcept {
        static_assert(sizeof words_ == sizeof(CUtensorMap));
        std::memcpy(map, words_, sizeof words_);
    }

private:
    std::uint32_t words_[32] = {};
};

constexpr unsigned innermost_byte = 55;  // of a tile, and of the channels of a pixel
constexpr unsigned corners_word = 14;
constexpr unsigned pixels_word = 15;

// Checks the corners of a box of pixels. Without interleaving, the channels precede the dimensions of pixels.
bool are_valid_corners(const TensorDescription& tensor, const int* lower, const int* upper) noexcept {
    const int limit = tensor.rank == 3 ? 1 << 15 : tensor.rank == 4 ? 1 << 7 : 1 << 4;
    const cuuint64_t* const pixels = tensor.shape + (tensor.interleave == CU_TENSOR_MAP_INTERLEAVE_NONE ? 1 : 0);
    for (cuuint32_t i = 0; i < tensor.rank - 2; ++i) {
        if (lower[i] < -limit || lower[i] >= limit || upper[i] < -limit || upper[i] >= limit) return false;
        // The driver counts in 32 bits, so that 2^32 pixels count as 0.
        const auto positions = static_cast<std::uint32_t>(pixels[i]) + static_cast<std::uint32_t>(upper[i] - lower[i]);
        if (static_cast<std::int32_t>(positions) <= 0) return false;
    }
    return true;
}

// Returns the numbers of a corner in 16 bits.
std::uint32_t packed_corner(const int* corner, cuuint32_t count) noexcept {
    const unsigned bits = 16 / count;
    std::uint32_t packed = 0;
    for (cuuint32_t i = 0; i < count; ++i) packed |= (static_cast<std::uint32_t>(corner[i]) & ((1u << bits) - 1)) << bits * i;
    return packed;
}

}  // namespace

CUresult encode_tiled(CUtensorMap* map, const TensorDescription& tensor, const cuuint32_t* box, const TensorMapDevice& device) {
    if (const CUresult status = check_device(tensor, device)) return status;
    if (map == nullptr || box == nullptr || !is_valid(tensor, 1)) return CUDA_ERROR_INVALID_VALUE;
    std::uint64_t bytes = types[tensor.type].bytes;
    for (cuuint32_t i = 0; i < tensor.rank; ++i) {
        if (!is_in(box[i], 1, 256)) return CUDA_ERROR_INVALID_VALUE;
        bytes *= box[i] / tensor.element_strides[i];
    }
    if (!is_valid_innermost(tensor, box[0]) || bytes > device.max_bytes) return CUDA_ERROR_INVALID_VALUE;
    Encoder encoder(tensor, false, bytes);
    for (cuuint32_t i = 0; i < tensor.rank; ++i) encoder.set_byte(innermost_byte + i, box[i] - 1);
    encoder.write_to(map);
    return CUDA_SUCCESS;
}

CUresult encode_im2col(CUtensorMap* map, const TensorDescription& tensor, const int* lower, const int* upper,
                       const TensorColumns& columns, const TensorMapDevice& device) {
    if (const CUresult status = check_device(tensor, device)) return status;
    if (map == nullptr || lower == nullptr || upper == nullptr || !is_valid(tensor, 3)) return CUDA_ERROR_INVALID_VALUE;
    const auto [channels, pixels] = columns;
    if (!is_in(channels, 1, 256) || !is_in(pixels, 1, 1024)) return CUDA_ERROR_INVALID_VALUE;
    const std::uint64_t bytes = std::uint64_t{types[tensor.type].bytes} * channels * pixels;
    if (!is_valid_innermost(tensor, channels) || bytes > device.max_bytes || !are_valid_corners(tensor, lower, upper)) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    Encoder encoder(tensor, true, bytes);
    encoder.set_byte(innermost_byte, channels - 1);
    encoder.set_word(corners_word, packed_corner(lower, tensor.rank - 2) | packed_corner(upper, tensor.rank - 2) << 16);
    encoder.set_word(pixels_word, pixels - 1);
    encoder.write_to(map);
    return CUDA_SUCCESS;
}

// An H200 ignores the mode, and encodes the map like an im2col map whose other corners are 0.
CUresult encode_im2col_wide(CUtensorMap* map, const TensorDescription& tensor, int lower_width, int upper_width,
                            const TensorColumns& columns, CUtensorMapIm2ColWideMode mode, const TensorMapDevice& device) {
    if (mode > CU_TENSOR_MAP_IM2COL_WIDE_MODE_W128) return CUDA_ERROR_INVALID_VALUE;
    if (device.major >= first_device_with_packed_types) return CUDA_ERROR_NOT_SUPPORTED;  // these devices use the mode
    const int lower[] = {lower_width, 0, 0};
    const int upper[] = {upper_width, 0, 0};
    return encode_im2col(map, tensor, lower, upper, columns, device);
}

CUresult replace_address(CUtensorMap* map, const void* address, const TensorMapDevice& device) {
    // As on an H200, 16 bytes suffice, although an encoding with CU_TENSOR_MAP_INTERLEAVE_32B requires 32.
    const bool is_address = is_aligned(address, 16) && reinterpret_cast<std::uintptr_t>(address) < std::uintptr_t{1} << 57;
    if (device.major < first_device_with_tensor_maps || map == nullptr || !is_address) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(static_cast<void*>(map), &address, sizeof address);
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
