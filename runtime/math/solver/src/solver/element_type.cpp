// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver/element_type.hpp"

#include <complex>
#include <limits>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::detail::solver {

ElementType element_type_of(const char* operation, const char* name, const Operand& operand) {
    constexpr double single = std::numeric_limits<float>::epsilon();
    constexpr double twice = std::numeric_limits<double>::epsilon();
    const DataType type = operand.dtype();
    if (type == data_type<float>) return {runtime::CUDA_R_32F, runtime::CUDA_R_32F, data_type<float>, single, false};
    if (type == data_type<double>) return {runtime::CUDA_R_64F, runtime::CUDA_R_64F, data_type<double>, twice, false};
    if (type == data_type<std::complex<float>>) return {runtime::CUDA_C_32F, runtime::CUDA_R_32F, data_type<float>, single, true};
    if (type == data_type<std::complex<double>>)
        return {runtime::CUDA_C_64F, runtime::CUDA_R_64F, data_type<double>, twice, true};
    cubind::detail::throw_misuse(operation, ": ", name, " has elements of type ", to_string(type),
                                 ", but solvers compute with float32, float64, complex64 and complex128");
}

}  // namespace CUBIND_NAMESPACE::math::detail::solver
