// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math/matmul_options.hpp>

#include <cstddef>
#include <iterator>

namespace CUBIND_NAMESPACE::math {

const char* to_string(Epilogue epilogue) noexcept {
    constexpr const char* names[] = {"none", "relu", "gelu", "relu_gradient", "gelu_gradient"};
    const auto index = static_cast<std::size_t>(epilogue);
    return index < std::size(names) ? names[index] : "no Epilogue";
}

const char* to_string(ComputePrecision precision) noexcept {
    constexpr const char* names[] = {"automatic", "float16",  "float32",    "float64",         "int32",
                                     "tf32",      "bfloat16", "bfloat16x9", "emulated_float64"};
    const auto index = static_cast<std::size_t>(precision);
    return index < std::size(names) ? names[index] : "no ComputePrecision";
}

}  // namespace CUBIND_NAMESPACE::math
