// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/data_type.hpp>
#include <cubind/cublas/extensions.hpp>
#include <cubind/cublas/level_3.hpp>
#include <cubind/cusolver/qr.hpp>

#include <cstdint>
#include <limits>

#include "errors/misuse.hpp"

/// Functions that the libraries have for each type of elements, and only partly with numbers of 64 bits.
namespace CUBIND_NAMESPACE::math::detail::solver {

template <class Element>
struct Routines;

template <>
struct Routines<float> {
    static constexpr auto& q_size = cusolver::cusolverDnSorgqr_bufferSize;
    static constexpr auto& q = cusolver::cusolverDnSorgqr;
    static constexpr auto& multiply_size = cusolver::cusolverDnSormqr_bufferSize;
    static constexpr auto& multiply = cusolver::cusolverDnSormqr;
    static constexpr auto& solve_triangle = cublas::cublasStrsm_v2;
    static constexpr auto& pack = cublas::cublasStrttp;
    static constexpr auto& unpack = cublas::cublasStpttr;
    static constexpr auto adjoint = cublas::CUBLAS_OP_T;
    static constexpr float one = 1;
};

template <>
struct Routines<double> {
    static constexpr auto& q_size = cusolver::cusolverDnDorgqr_bufferSize;
    static constexpr auto& q = cusolver::cusolverDnDorgqr;
    static constexpr auto& multiply_size = cusolver::cusolverDnDormqr_bufferSize;
    static constexpr auto& multiply = cusolver::cusolverDnDormqr;
    static constexpr auto& solve_triangle = cublas::cublasDtrsm_v2;
    static constexpr auto& pack = cublas::cublasDtrttp;
    static constexpr auto& unpack = cublas::cublasDtpttr;
    static constexpr auto adjoint = cublas::CUBLAS_OP_T;
    static constexpr double one = 1;
};

template <>
struct Routines<runtime::cuComplex> {
    static constexpr auto& q_size = cusolver::cusolverDnCungqr_bufferSize;
    static constexpr auto& q = cusolver::cusolverDnCungqr;
    static constexpr auto& multiply_size = cusolver::cusolverDnCunmqr_bufferSize;
    static constexpr auto& multiply = cusolver::cusolverDnCunmqr;
    static constexpr auto& solve_triangle = cublas::cublasCtrsm_v2;
    static constexpr auto& pack = cublas::cublasCtrttp;
    static constexpr auto& unpack = cublas::cublasCtpttr;
    static constexpr auto& add = cublas::cublasCgeam_64;
    static constexpr auto adjoint = cublas::CUBLAS_OP_C;
    static constexpr runtime::cuComplex one{1, 0};
    static constexpr runtime::cuComplex zero{0, 0};
};

template <>
struct Routines<runtime::cuDoubleComplex> {
    static constexpr auto& q_size = cusolver::cusolverDnZungqr_bufferSize;
    static constexpr auto& q = cusolver::cusolverDnZungqr;
    static constexpr auto& multiply_size = cusolver::cusolverDnZunmqr_bufferSize;
    static constexpr auto& multiply = cusolver::cusolverDnZunmqr;
    static constexpr auto& solve_triangle = cublas::cublasZtrsm_v2;
    static constexpr auto& pack = cublas::cublasZtrttp;
    static constexpr auto& unpack = cublas::cublasZtpttr;
    static constexpr auto& add = cublas::cublasZgeam_64;
    static constexpr auto adjoint = cublas::CUBLAS_OP_C;
    static constexpr runtime::cuDoubleComplex one{1, 0};
    static constexpr runtime::cuDoubleComplex zero{0, 0};
};

/// Calls `use(Routines<Element>())` for the type of elements that an ElementType has.
template <class Use>
decltype(auto) with_routines(DataType type, const Use& use) {
    const bool is_complex = type.kind == DataTypeKind::complex;
    if (type.size() == 4) return use(Routines<float>());
    if (!is_complex) return use(Routines<double>());
    if (type.size() == 8) return use(Routines<runtime::cuComplex>());
    return use(Routines<runtime::cuDoubleComplex>());
}

/// Returns an extent or a distance of columns for a function that takes 32 bits. Throws std::invalid_argument for a larger one.
inline int int_of(const char* operation, std::int64_t value) {
    constexpr std::int64_t max = std::numeric_limits<int>::max();
    if (value > max)
        cubind::detail::throw_misuse(operation, ": rows, columns and their distances must be at most ", max, ", but one is ",
                                     value);
    return static_cast<int>(value);
}

}  // namespace CUBIND_NAMESPACE::math::detail::solver
