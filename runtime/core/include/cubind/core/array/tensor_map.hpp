// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class Device;

namespace detail {

[[noreturn]] CUBIND_EXPORT void throw_too_many_dimensions(std::size_t count);

}  // namespace detail

/// One number for each of up to five dimensions of a tensor. The innermost dimension, whose elements are adjacent, comes first.
/// `{256, 64}` is a matrix of 64 rows of 256 elements.
class TensorExtents {
public:
    /// The highest number of dimensions.
    CUBIND_HIDDEN static constexpr std::size_t max_rank = 5;

    /// Creates an object without dimensions.
    constexpr TensorExtents() noexcept = default;
    /// Sets the number of each dimension. Throws std::invalid_argument for more than five.
    constexpr TensorExtents(std::initializer_list<std::uint64_t> values) {
        if (values.size() > max_rank) detail::throw_too_many_dimensions(values.size());
        for (const std::uint64_t value : values) values_[rank_++] = value;
    }

    /// Returns the number of dimensions.
    [[nodiscard]] constexpr std::size_t rank() const noexcept { return rank_; }
    /// Returns the number that is stored for a dimension, which must exist.
    [[nodiscard]] constexpr std::uint64_t operator[](std::size_t dimension) const noexcept { return values_[dimension]; }
    /// Appends a dimension. Throws std::invalid_argument if there are five.
    constexpr void push_back(std::uint64_t value) {
        if (rank_ == max_rank) detail::throw_too_many_dimensions(rank_ + 1);
        values_[rank_++] = value;
    }

private:
    std::uint64_t values_[max_rank] = {};
    std::size_t rank_ = 0;
};

/// A tensor in device memory, and how its tiles are arranged in shared memory.
///
///     {.address = matrix.native_handle(), .type = tensor_data_type<float>, .shape = {256, 64}}
struct TensorLayout {
    /// The address of the first element: a multiple of 16, or of 32 with CU_TENSOR_MAP_INTERLEAVE_32B and for packed types whose
    /// names end in ALIGN16B.
    driver::CUdeviceptr address = 0;
    /// The type of the elements.
    driver::CUtensorMapDataType type = driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    /// The elements of each dimension, from 1 to 2^32. The innermost dimension comes first.
    TensorExtents shape = {};
    /// The bytes from one element to the next of each dimension but the innermost: multiples of 16 below 2^40, and multiples of
    /// 32 where the address must be a multiple of 32. If empty, the dimensions follow each other without gaps.
    TensorExtents strides = {};
    /// The distance of the elements that are copied in each dimension, from 1 to 8. If empty, 1 in each dimension.
    TensorExtents element_strides = {};
    /// How channels are interleaved. Requires at least three dimensions, except for CU_TENSOR_MAP_INTERLEAVE_NONE.
    driver::CUtensorMapInterleave interleave = driver::CU_TENSOR_MAP_INTERLEAVE_NONE;
    /// How shared memory is permuted to avoid conflicts of banks.
    driver::CUtensorMapSwizzle swizzle = driver::CU_TENSOR_MAP_SWIZZLE_NONE;
    /// The size in which the L2 cache reads memory.
    driver::CUtensorMapL2promotion l2_promotion = driver::CU_TENSOR_MAP_L2_PROMOTION_NONE;
    /// The value of elements outside of the tensor: zero, or NaN, which requires a floating-point type.
    driver::CUtensorMapFloatOOBfill oob_fill = driver::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;

    /// Returns the device of the memory at the address (cuPointerGetAttributes). Throws std::invalid_argument if no device has
    /// allocated it. A TensorMap cannot tell: kernels receive all its bytes, and their meaning is known to the device only.
    [[nodiscard]] CUBIND_EXPORT Device device() const;
};

/// The box of pixels of an im2col copy.
struct Im2colBox {
    /// The position of the lower corner, relative to a pixel, in each dimension but the channels and the images: rank - 2
    /// numbers, from -32768 to 32767, with four dimensions from -128 to 127, and with five from -16 to 15.
    std::initializer_list<int> lower_corner = {};
    /// The position of the upper corner, relative to a pixel: rank - 2 numbers in the same range. In each dimension, extent +
    /// upper corner - lower corner is at least 1.
    std::initializer_list<int> upper_corner = {};
    /// The channels of each pixel that are copied; from 1 to 256, and a multiple of 16 bytes.
    unsigned int channels_per_pixel = 1;
    /// The pixels that are copied; from 1 to 1024.
    unsigned int pixels_per_column = 1;
};

/// The box of pixels of an im2col copy along the width.
struct Im2colWideBox {
    /// The position of the lower corner in the width, relative to a pixel; from -32768 to 32767. Devices of compute capability
    /// 9.0 have the smaller ranges of Im2colBox.
    int lower_corner_width = 0;
    /// The position of the upper corner in the width, relative to a pixel; from -32768 to 32767. Width + upper corner - lower
    /// corner is at least 1.
    int upper_corner_width = 0;
    /// The channels of each pixel that are copied; from 1 to 256, and a multiple of 16 bytes.
    unsigned int channels_per_pixel = 1;
    /// The pixels that are copied; from 1 to 1024.
    unsigned int pixels_per_column = 1;
    /// The mode of the copy.
    driver::CUtensorMapIm2ColWideMode mode = driver::CU_TENSOR_MAP_IM2COL_WIDE_MODE_W;
};

/// A tensor map: the description of a tensor by which kernels copy tiles between device memory and shared memory (TMA). A value
/// of 128 bytes; copies are independent. It does not retain the memory, which must exist while kernels use the map. Any thread
/// may use it.
///
///     TensorMap map = TensorMap::tiled({.address = matrix.native_handle(), .type = tensor_data_type<float>, .shape = {256, 64}},
///                                      {32, 8});                       // tiles of 8 rows of 32 elements
///     launch(stream, config, kernel, map);                             // void kernel(const __grid_constant__ CUtensorMap map)
///
/// The functions throw std::invalid_argument, which names the value and the limit, before they call the driver, and Error if the
/// driver rejects the call. Kernels can use tensor maps on devices with DeviceProperties::tensor_map_access_supported().
class CUBIND_EXPORT TensorMap {
public:
    /// Creates a map from which tiles are copied (cuTensorMapEncodeTiled). `box` has the elements of a tile in each dimension,
    /// from 1 to 256. The size of the innermost dimension of a tile is a multiple of 16 bytes and, without interleaving, at most
    /// the size that the swizzle permutes. The size of a tile has a limit that depends on the device; the Error states the size
    /// of the tile that the driver rejected.
    [[nodiscard]] static TensorMap tiled(const TensorLayout& layout, const TensorExtents& box);

    /// Creates a map from which columns of pixels are copied (cuTensorMapEncodeIm2col). The tensor has three to five dimensions:
    /// channels, one to three dimensions of pixels, and images.
    [[nodiscard]] static TensorMap im2col(const TensorLayout& layout, const Im2colBox& box);

    /// Creates a map from which columns of pixels are copied along the width (cuTensorMapEncodeIm2colWide). Throws Error, which
    /// names the release, with drivers before CUDA 12.8.
    [[nodiscard]] static TensorMap im2col_wide(const TensorLayout& layout, const Im2colWideBox& box);

    /// Creates a map from its native form.
    explicit TensorMap(const driver::CUtensorMap& native) noexcept : native_(native) {}

    /// Sets the address of the tensor to a multiple of 16 (cuTensorMapReplaceAddress). If this throws, the map is unchanged.
    void replace_address(driver::CUdeviceptr address);

    /// Returns the native form.
    [[nodiscard]] const driver::CUtensorMap& native() const noexcept { return native_; }
    /// Returns the native form, so that a KernelFunction with a parameter of type driver::CUtensorMap accepts the object.
    operator const driver::CUtensorMap&() const noexcept { return native_; }

private:
    driver::CUtensorMap native_;
};

namespace detail {

template <class Element>
constexpr driver::CUtensorMapDataType type_in_tensor() {
    if constexpr (std::is_same_v<Element, float>) {
        return driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    } else if constexpr (std::is_same_v<Element, double>) {
        return driver::CU_TENSOR_MAP_DATA_TYPE_FLOAT64;
    } else {
        constexpr bool is_supported = std::is_integral_v<Element> && !std::is_same_v<Element, bool> &&
                                      (std::is_unsigned_v<Element> || sizeof(Element) >= 4);
        static_assert(is_supported,
                      "no tensor has elements of this type: use float, double, unsigned integers, or signed integers of 4 or 8 "
                      "bytes, or name the CU_TENSOR_MAP_DATA_TYPE_");
        if constexpr (sizeof(Element) == 8) {
            return std::is_signed_v<Element> ? driver::CU_TENSOR_MAP_DATA_TYPE_INT64 : driver::CU_TENSOR_MAP_DATA_TYPE_UINT64;
        } else if constexpr (sizeof(Element) == 4) {
            return std::is_signed_v<Element> ? driver::CU_TENSOR_MAP_DATA_TYPE_INT32 : driver::CU_TENSOR_MAP_DATA_TYPE_UINT32;
        } else {
            return sizeof(Element) == 2 ? driver::CU_TENSOR_MAP_DATA_TYPE_UINT16 : driver::CU_TENSOR_MAP_DATA_TYPE_UINT8;
        }
    }
}

}  // namespace detail

/// The enumerator for elements of a C++ type: float, double, unsigned integers, and signed integers of 4 and 8 bytes.
template <class Element>
CUBIND_HIDDEN inline constexpr driver::CUtensorMapDataType tensor_data_type = detail::type_in_tensor<Element>();

}  // namespace CUBIND_NAMESPACE
