// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <type_traits>

namespace CUBIND_NAMESPACE {

namespace detail {

/// The type of one channel of an element: the type itself for a number, the type of the member x for a vector type such as
/// float4, and the type of the elements for a std::array.
template <class Element>
struct ChannelOf {
    using Type = Element;
};
template <class Element>
requires std::is_class_v<Element> && requires(Element& element) {
    element.x;
}
struct ChannelOf<Element> {
    using Type = decltype(Element::x);
};
template <class Element>
requires std::is_class_v<Element> && requires {
    typename Element::value_type;
}
struct ChannelOf<Element> {
    using Type = typename Element::value_type;
};

template <class Channel>
CUBIND_HIDDEN inline constexpr bool is_channel =
    (std::is_integral_v<Channel> && sizeof(Channel) <= 4 && !std::is_same_v<Channel, bool>) || std::is_same_v<Channel, float>;

/// Returns the format of a channel of type float, or of an integer of 1, 2 or 4 bytes.
template <class Channel>
constexpr driver::CUarray_format format_of_channel() {
    if constexpr (std::is_same_v<Channel, float>) {
        return driver::CU_AD_FORMAT_FLOAT;
    } else if constexpr (std::is_signed_v<Channel>) {
        return sizeof(Channel) == 1   ? driver::CU_AD_FORMAT_SIGNED_INT8
               : sizeof(Channel) == 2 ? driver::CU_AD_FORMAT_SIGNED_INT16
                                      : driver::CU_AD_FORMAT_SIGNED_INT32;
    } else {
        return sizeof(Channel) == 1   ? driver::CU_AD_FORMAT_UNSIGNED_INT8
               : sizeof(Channel) == 2 ? driver::CU_AD_FORMAT_UNSIGNED_INT16
                                      : driver::CU_AD_FORMAT_UNSIGNED_INT32;
    }
}

}  // namespace detail

/// The format of the elements of an array or a texture: the type of a channel, and 1, 2 or 4 channels. A value; any thread may
/// use it.
///
///     ArrayFormat::of<float>()             // also int, unsigned char, short...
///     ArrayFormat::of<float4>()            // a vector type of CUDA, or a std::array<float, 4>
///     ArrayFormat::half(2)
///     ArrayFormat{driver::CU_AD_FORMAT_BC1_UNORM, 4}
struct CUBIND_EXPORT ArrayFormat {
    /// The type of a channel, or a format that determines the whole element, such as CU_AD_FORMAT_BC1_UNORM.
    driver::CUarray_format channel = driver::CU_AD_FORMAT_FLOAT;
    /// The number of channels.
    unsigned int channels = 1;

    /// Returns the format of a C++ type: float or an integer of 1, 2 or 4 bytes, a vector type of 1, 2 or 4 of them with members
    /// x, y, z, w, or a std::array.
    template <class Element>
    [[nodiscard]] static constexpr ArrayFormat of() {
        using Channel = std::remove_cv_t<typename detail::ChannelOf<std::remove_cv_t<Element>>::Type>;
        constexpr std::size_t channels = sizeof(Element) / sizeof(Channel);
        static_assert(
            detail::is_channel<Channel>,
            "a channel is a float or an integer of 1, 2 or 4 bytes: use ArrayFormat::half(), or name the CU_AD_FORMAT_");
        static_assert(sizeof(Element) % sizeof(Channel) == 0 && (channels == 1 || channels == 2 || channels == 4),
                      "an element has 1, 2 or 4 channels: add a fourth channel to a type with three");
        return {detail::format_of_channel<Channel>(), static_cast<unsigned int>(channels)};
    }

    /// Returns the format of 1, 2 or 4 channels of half precision.
    [[nodiscard]] static constexpr ArrayFormat half(unsigned int channels = 1) noexcept {
        return {driver::CU_AD_FORMAT_HALF, channels};
    }

    /// Returns the size of an element in bytes, or of a block of 4 x 4 elements for a compressed format. Returns 0 for formats
    /// whose channels lie in several planes, and for formats that these bindings do not know.
    [[nodiscard]] std::size_t element_size() const noexcept;

    /// Returns whether both are the same format.
    [[nodiscard]] friend bool operator==(const ArrayFormat&, const ArrayFormat&) noexcept = default;
};

}  // namespace CUBIND_NAMESPACE
