// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_device/precision.hpp>

#include <iterator>

namespace CUBIND_NAMESPACE::math {

const char* to_string(Precision precision) noexcept {
    constexpr const char* names[] = {"f8_e5m2", "f8_e4m3", "bf16", "f16", "tf32", "f32", "f64", "i8",
                                     "i16",     "i32",     "i64",  "u8",  "u16",  "u32", "u64"};
    const auto index = static_cast<std::size_t>(precision);
    return index < std::size(names) ? names[index] : "unknown precision";
}

std::size_t size_of(Precision precision) noexcept {
    constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
    const auto index = static_cast<std::size_t>(precision);
    return index < std::size(sizes) ? sizes[index] : 0;
}

}  // namespace CUBIND_NAMESPACE::math
