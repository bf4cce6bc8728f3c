// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "array/tensor_checks.hpp"

#include <cubind/driver/strings.hpp>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

bool is_packed(driver::CUtensorMapDataType type) noexcept {
    return type >= driver::CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B;
}

bool is_packed_at_16_bytes(driver::CUtensorMapDataType type) noexcept {
    return type == driver::CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B || type == driver::CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B;
}

bool is_floating(driver::CUtensorMapDataType type) noexcept {
    return type >= driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && type <= driver::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
}

std::size_t alignment_of(const TensorLayout& layout) noexcept {
    return layout.interleave == driver::CU_TENSOR_MAP_INTERLEAVE_32B || is_packed_at_16_bytes(layout.type) ? 32 : 16;
}

// Returns the bytes that the swizzle permutes, or 0 for none.
std::size_t span_of(driver::CUtensorMapSwizzle swizzle) noexcept {
    switch (swizzle) {
        case driver::CU_TENSOR_MAP_SWIZZLE_NONE:
            return 0;
        case driver::CU_TENSOR_MAP_SWIZZLE_32B:
            return 32;
        case driver::CU_TENSOR_MAP_SWIZZLE_64B:
            return 64;
        default:
            return 128;
    }
}

// Returns the elements of a dimension as drivers count them: in 32 bits, in which 2^32 is 0.
long long pixels_of(std::uint64_t extent) noexcept {
    return static_cast<long long>(extent & 0xffffffff);
}

// Returns the bytes of elements in global memory, which has no gaps between them. The elements of packed types have 4 or 6 bits.
std::uint64_t bytes_of(driver::CUtensorMapDataType type, std::uint64_t elements) noexcept {
    if (type == driver::CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B) return elements / 4 * 3;
    return is_packed(type) ? elements / 2 : elements * element_size(type);
}

void check_count(const char* name, const TensorExtents& values, std::size_t expected) {
    if (values.rank() == 0 || values.rank() == expected) return;
    throw_misuse("TensorLayout: there are ", values.rank(), " ", name, ", but this tensor requires ", expected);
}

void check_strides(const TensorLayout& layout) {
    const std::size_t unit = alignment_of(layout);
    for (std::size_t i = 0; i < layout.strides.rank(); ++i) {
        const std::uint64_t stride = layout.strides[i];
        if (stride % unit != 0 || stride >= std::uint64_t{1} << 40) {
            throw_misuse("TensorLayout: stride ", i, " is ", stride, " bytes, but it must be a multiple of ", unit,
                         " below 2^40");
        }
    }
}

void check_combinations(const TensorLayout& layout) {
    const bool is_interleaved = layout.interleave != driver::CU_TENSOR_MAP_INTERLEAVE_NONE;
    if (is_interleaved && layout.shape.rank() < 3) {
        throw_misuse("TensorLayout: ", driver::to_string(layout.interleave), " requires at least 3 dimensions, and there are ",
                     layout.shape.rank());
    }
    if (layout.oob_fill != driver::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_floating(layout.type)) {
        throw_misuse("TensorLayout: ", driver::to_string(layout.oob_fill), " requires a floating-point type, and the type is ",
                     driver::to_string(layout.type));
    }
}

// Sets the strides of dimensions that follow each other without gaps.
void set_packed_strides(NativeLayout& native, const TensorLayout& layout) {
    std::uint64_t stride = bytes_of(layout.type, layout.shape[0]);
    const std::size_t unit = alignment_of(layout);
    for (std::size_t i = 1; i < layout.shape.rank(); ++i) {
        // A few packed elements, and elements of an unknown type, have 0 bytes.
        if (stride == 0 || stride % unit != 0 || stride >= std::uint64_t{1} << 40) {
            throw_misuse("TensorLayout: without gaps, ", stride, " bytes lie between the elements of dimension ", i,
                         ", but strides must be multiples of ", unit, " from ", unit,
                         " and below 2^40: pad the dimension and set the strides");
        }
        native.strides[i - 1] = stride;
        stride *= layout.shape[i];  // may overflow; the next line then sets a value that the check refuses
        if (layout.shape[i] > (std::uint64_t{1} << 40) / native.strides[i - 1]) stride = std::uint64_t{1} << 40;
    }
}

}  // namespace

std::size_t element_size(driver::CUtensorMapDataType type) noexcept {
    switch (type) {
        case driver::CU_TENSOR_MAP_DATA_TYPE_UINT8:
            return 1;
        case driver::CU_TENSOR_MAP_DATA_TYPE_UINT16:
        case driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
        case driver::CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
            return 2;
        case driver::CU_TENSOR_MAP_DATA_TYPE_UINT32:
        case driver::CU_TENSOR_MAP_DATA_TYPE_INT32:
        case driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
        case driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ:
        case driver::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
        case driver::CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ:
            return 4;
        case driver::CU_TENSOR_MAP_DATA_TYPE_UINT64:
        case driver::CU_TENSOR_MAP_DATA_TYPE_INT64:
        case driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
            return 8;
        default:
            return 0;
    }
}

void check_range(const std::string& what, long long value, long long min, long long max) {
    if (value < min || value > max) throw_misuse(what, " is ", value, ", but it must be from ", min, " to ", max);
}

void check_address(driver::CUdeviceptr address, std::size_t alignment) {
    if (address == 0) throw_misuse("TensorMap: the address is 0");
    if (address % alignment == 0) return;
    throw_misuse("TensorMap: the address is ", address % alignment, " bytes past a multiple of ", alignment,
                 ": pass an address with this alignment");
}

void check_inner_dimension(const TensorLayout& layout, std::uint64_t elements) {
    if (is_packed(layout.type)) return;
    const std::uint64_t bytes = bytes_of(layout.type, elements);
    if (bytes % 16 != 0) {
        throw_misuse("TensorMap: the innermost dimension of a tile has ", elements, " elements in ", bytes,
                     " bytes, but it must be a multiple of 16 bytes");
    }
    const std::size_t span = span_of(layout.swizzle);
    if (layout.interleave == driver::CU_TENSOR_MAP_INTERLEAVE_NONE && span != 0 && bytes > span) {
        throw_misuse("TensorMap: the innermost dimension of a tile has ", bytes, " bytes, but with ",
                     driver::to_string(layout.swizzle), " it must be at most ", span);
    }
}

void check_corners(const TensorLayout& layout, const int* lower, const int* upper, std::size_t count) {
    const std::size_t first = layout.interleave == driver::CU_TENSOR_MAP_INTERLEAVE_NONE ? 1 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t extent = layout.shape[first + i];
        if (pixels_of(extent) + upper[i] - lower[i] >= 1) continue;
        throw_misuse("TensorMap: the lower corner ", lower[i], " and the upper corner ", upper[i], " leave none of the ", extent,
                     " pixels of dimension ", first + i, ": the upper corner must be at least ",
                     lower[i] - pixels_of(extent) + 1);
    }
}

NativeLayout convert(const TensorLayout& layout, std::size_t min_rank) {
    const std::size_t rank = layout.shape.rank();
    check_range("TensorLayout: the number of dimensions", static_cast<long long>(rank), static_cast<long long>(min_rank),
                TensorExtents::max_rank);
    check_address(layout.address, alignment_of(layout));
    for (std::size_t i = 0; i < rank; ++i) {
        const std::uint64_t extent = layout.shape[i];
        if (extent == 0 || extent > std::uint64_t{1} << 32) {
            throw_misuse("TensorLayout: dimension ", i, " has ", extent, " elements, but it must have from 1 to 2^32");
        }
    }
    check_count("strides", layout.strides, rank - 1);
    check_count("element strides", layout.element_strides, rank);
    check_strides(layout);
    check_combinations(layout);
    NativeLayout native{};
    native.rank = static_cast<driver::cuuint32_t>(rank);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::uint64_t step = layout.element_strides.rank() == 0 ? 1 : layout.element_strides[i];
        if (step == 0 || step > 8) throw_misuse("TensorLayout: element stride ", i, " is ", step, ", but it must be from 1 to 8");
        native.shape[i] = layout.shape[i];
        native.element_strides[i] = static_cast<driver::cuuint32_t>(step);
    }
    if (layout.strides.rank() == 0) {
        set_packed_strides(native, layout);
    } else {
        for (std::size_t i = 0; i + 1 < rank; ++i) native.strides[i] = layout.strides[i];
    }
    return native;
}

std::string describe(const TensorLayout& layout, std::uint64_t elements) {
    std::string text = concat("The tensor has the shape ", layout.shape[0]);
    for (std::size_t i = 1; i < layout.shape.rank(); ++i) text.append(concat(" x ", layout.shape[i]));
    text.append(concat(" of ", driver::to_string(layout.type), ", ", driver::to_string(layout.interleave), ", ",
                       driver::to_string(layout.swizzle), ", ", driver::to_string(layout.oob_fill), ". "));
    if (is_packed(layout.type)) return text.append("Devices before compute capability 10.0 have no packed types.");
    return text.append(
        concat("A tile has ", bytes_of(layout.type, elements),
               " bytes. Their limit depends on the device: compare them with max_shared_memory_per_block_optin()."));
}

}  // namespace CUBIND_NAMESPACE::detail
