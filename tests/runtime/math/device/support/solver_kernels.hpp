// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kernels that factor matrices and solve linear systems with functions of libmathdx, checked by residuals on the host.

#include "device_kernels.hpp"

namespace cubind::testing {

/// Factors a positive definite matrix, then solves with the triangle.
inline void expect_cholesky_and_triangular_solve(const std::string& arch) {
    constexpr std::size_t n = 12, columns = 3;
    const device::Solver cholesky({.function = device::SolverFunction::cholesky, .m = n, .arch = arch});
    const device::Solver solve({.function = device::SolverFunction::triangular_solve,
                                .m = n,
                                .right_hand_sides = columns,
                                .block_size = cholesky.block().x,
                                .arch = arch});
    Kernel kernel = kernel_with({cholesky, solve}, R"(
        extern "C" __global__ void factor_and_solve(float* a, float* b, int* info) {
            extern __shared__ __align__(16) char shared[];
            using traits = triangular_solve_12x3_traits;
            float* own_a = reinterpret_cast<float*>(shared);
            float* own_b = reinterpret_cast<float*>(shared + traits::b_offset);
            for (unsigned i = threadIdx.x; i < traits::a_size; i += blockDim.x) own_a[i] = a[i];
            for (unsigned i = threadIdx.x; i < traits::b_size; i += blockDim.x) own_b[i] = b[i];
            __syncthreads();
            cholesky_12(own_a, info);
            __syncthreads();
            triangular_solve_12x3(own_a, own_b);
            __syncthreads();
            for (unsigned i = threadIdx.x; i < traits::a_size; i += blockDim.x) a[i] = own_a[i];
            for (unsigned i = threadIdx.x; i < traits::b_size; i += blockDim.x) b[i] = own_b[i];
        })",
                                "factor_and_solve");
    // A = L L^T with the known L, and B = L X with the known X; columns are adjacent.
    const std::vector<double> numbers = random_numbers(n * n, 3), x = random_numbers(n * columns, 4);
    std::vector<double> l(n * n);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = j; i < n; ++i) l[j * n + i] = i == j ? 2 + std::abs(numbers[j * n + i]) : numbers[j * n + i];
    }
    std::vector<float> a(n * n), b(n * columns);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            double sum = 0;
            for (std::size_t p = 0; p < n; ++p) sum += l[p * n + i] * l[p * n + j];
            a[j * n + i] = static_cast<float>(sum);
        }
        for (std::size_t j = 0; j < columns; ++j) {
            double sum = 0;
            for (std::size_t p = 0; p < n; ++p) sum += l[p * n + i] * x[j * n + p];
            b[j * n + i] = static_cast<float>(sum);
        }
    }
    const auto run = [&](const std::vector<float>& matrix) {
        Stream stream{Device()};
        auto device_a = uploaded(stream, matrix);
        auto device_b = uploaded(stream, b);
        auto info = uploaded(stream, std::vector<int>{-1});
        launch(stream, {.grid = 1, .block = solve.block(), .shared_memory_size = solve.shared_memory_size()}, kernel, device_a,
               device_b, info);
        return std::tuple(downloaded(stream, device_a), downloaded(stream, device_b), downloaded(stream, info).front());
    };
    const auto [factor, solution, info] = run(a);
    EXPECT_EQ(info, 0);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = j; i < n; ++i) EXPECT_NEAR(factor[j * n + i], l[j * n + i], 1e-4) << i << ", " << j;
    }
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(solution[i], x[i], 1e-4) << i;
    // The leading minor of order 5 is not positive.
    a[4 * n + 4] = -1;
    EXPECT_EQ(std::get<2>(run(a)), 5);
}

/// A matrix with adjacent rows or columns, as libmathdx reads it.
template <class Element>
struct HostMatrix {
    std::size_t rows, columns;
    math::Arrangement arrangement;
    std::vector<Element> elements = std::vector<Element>(rows * columns);

    [[nodiscard]] Element& operator()(std::size_t i, std::size_t j) {
        return elements[arrangement == math::Arrangement::row_major ? i * columns + j : j * rows + i];
    }
    [[nodiscard]] std::complex<double> at(std::size_t i, std::size_t j) const {
        return std::complex<double>(const_cast<HostMatrix&>(*this)(i, j));
    }
};

/// Returns a random matrix. The diagonal of a square one dominates, so that it needs no pivots.
template <class Element>
HostMatrix<Element> random_matrix(std::size_t rows, std::size_t columns, math::Arrangement arrangement, unsigned seed) {
    HostMatrix<Element> matrix{rows, columns, arrangement};
    const std::vector<double> numbers = random_numbers(2 * rows * columns, seed);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            const std::size_t at = 2 * (i * columns + j);
            const std::complex<double> value(numbers[at] + (i == j && rows == columns ? static_cast<double>(rows) : 0),
                                             numbers[at + 1]);
            if constexpr (std::is_floating_point_v<Element>) {
                matrix(i, j) = static_cast<Element>(value.real());
            } else {
                matrix(i, j) = Element(value);
            }
        }
    }
    return matrix;
}

/// Makes the matrix Hermitian and positive definite.
template <class Element>
void make_positive_definite(HostMatrix<Element>& matrix) {
    for (std::size_t i = 0; i < matrix.rows; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            if constexpr (std::is_floating_point_v<Element>) {
                matrix(j, i) = matrix(i, j);
            } else {
                matrix(j, i) = std::conj(matrix(i, j));
                if (i == j) matrix(i, j) = matrix(i, j).real();
            }
        }
    }
}

/// Returns the norm of op(A) X - B over that of B, or of A* (A X - B) if A has more rows than columns. X is in the first rows of
/// `solution`.
template <class Element>
double residual(const HostMatrix<Element>& a, const HostMatrix<Element>& solution, const HostMatrix<Element>& b,
                device::Transpose transpose) {
    const auto op = [&](std::size_t i, std::size_t j) {
        if (transpose == device::Transpose::none) return a.at(i, j);
        return transpose == device::Transpose::transposed ? a.at(j, i) : std::conj(a.at(j, i));
    };
    double error = 0, norm = 0;
    for (std::size_t c = 0; c < b.columns; ++c) {
        std::vector<std::complex<double>> rest(a.rows);
        for (std::size_t i = 0; i < a.rows; ++i) {
            rest[i] = -b.at(i, c);
            norm += std::norm(rest[i]);
            for (std::size_t j = 0; j < a.columns; ++j) rest[i] += op(i, j) * solution.at(j, c);
        }
        for (std::size_t j = 0; j < a.columns; ++j) {
            std::complex<double> projected = rest[j];
            if (a.rows != a.columns) {
                projected = 0;
                for (std::size_t i = 0; i < a.rows; ++i) projected += std::conj(a.at(i, j)) * rest[i];
            }
            error += std::norm(projected);
        }
    }
    return std::sqrt(error / norm);
}

/// What a kernel does with the matrices in shared memory. `steps` calls functions by the names first and second, with own_a,
/// own_b, tau, pivots and info.
struct SolverSteps {
    std::vector<device::SolverFunction> functions;
    const char* steps;
    bool is_positive_definite = false;
    std::size_t more_rows = 0;  ///< than columns
};

/// Solves op(A) X = B on the device and checks the residual.
template <class Element>
void expect_solution(const SolverSteps& steps, const device::SolverDescription& options, double tolerance) {
    constexpr std::size_t n = 12, columns = 3;
    const std::size_t m = n + steps.more_rows;
    std::vector<device::Function> functions;
    std::size_t shared_memory_size = 0;
    unsigned int threads = 0, b_offset = 0;
    std::string text;
    for (const device::SolverFunction function : steps.functions) {
        device::SolverDescription description = options;
        const bool has_b = function != steps.functions.front() || steps.functions.size() == 1;
        description.function = function;
        description.m = m;
        description.n = m == n ? 0 : n;
        description.right_hand_sides = has_b ? columns : 1;
        description.block_size = threads;
        description.transpose = has_b ? options.transpose : device::Transpose::none;
        description.symbol = functions.empty() ? "first" : "second";
        const device::Solver solver(description);
        functions.push_back(solver);
        threads = solver.block().x;
        shared_memory_size = std::max(shared_memory_size, solver.shared_memory_size());
        if (has_b) b_offset = solver.traits().b_offset;
        text = solver.description();
    }
    SCOPED_TRACE(text);
    const std::string element = std::string(std::is_same_v<Element, float>                 ? "float"
                                            : std::is_same_v<Element, double>              ? "double"
                                            : std::is_same_v<Element, std::complex<float>> ? "float2"
                                                                                           : "double2");
    const std::string source = "using T = " + element + ";\n" + R"(
        extern "C" __global__ void solve(T* a, T* b, T* tau, int* pivots, int* info, unsigned a_size, unsigned b_size, unsigned b_offset) {
            extern __shared__ __align__(16) char shared[];
            T* own_a = reinterpret_cast<T*>(shared);
            T* own_b = reinterpret_cast<T*>(shared + b_offset);
            for (unsigned i = threadIdx.x; i < a_size; i += blockDim.x) own_a[i] = a[i];
            for (unsigned i = threadIdx.x; i < b_size; i += blockDim.x) own_b[i] = b[i];
            __syncthreads();
            )" + std::string(steps.steps) +
                               R"(
            __syncthreads();
            for (unsigned i = threadIdx.x; i < a_size; i += blockDim.x) a[i] = own_a[i];
            for (unsigned i = threadIdx.x; i < b_size; i += blockDim.x) b[i] = own_b[i];
        })";
    const Kernel kernel = kernel_with(functions, source, "solve");
    auto a = random_matrix<Element>(m, n, options.arrangement, 5);
    if (steps.is_positive_definite) make_positive_definite(a);
    const auto b = random_matrix<Element>(m, columns, options.arrangement, 6);
    Stream stream{Device()};
    auto device_a = uploaded(stream, a.elements), device_b = uploaded(stream, b.elements),
         tau = uploaded(stream, std::vector<Element>(n));
    auto pivots = uploaded(stream, std::vector<int>(m)), info = uploaded(stream, std::vector<int>{0});
    launch(stream, {.grid = 1, .block = threads, .shared_memory_size = shared_memory_size}, kernel, device_a, device_b, tau,
           pivots, info, static_cast<unsigned>(a.elements.size()), static_cast<unsigned>(b.elements.size()), b_offset);
    HostMatrix<Element> solution = b;
    solution.elements = downloaded(stream, device_b);
    EXPECT_EQ(downloaded(stream, info).front(), 0);
    EXPECT_LT(residual(a, solution, b, options.transpose), tolerance);
}

/// Factors A = Q R, and checks R* R = A* A.
template <class Element>
void expect_qr(const device::SolverDescription& options, double tolerance) {
    constexpr std::size_t m = 16, n = 8;
    device::SolverDescription description = options;
    description.function = device::SolverFunction::qr;
    description.m = m;
    description.n = n;
    description.symbol = "first";
    const device::Solver solver(description);
    SCOPED_TRACE(solver.description());
    const std::string element = sizeof(Element) == 8 ? "double" : "float";
    const Kernel kernel = kernel_with({solver}, "using T = " + element + ";\n" + R"(
        extern "C" __global__ void factor(T* a, T* tau) {
            extern __shared__ __align__(16) char shared[];
            T* own_a = reinterpret_cast<T*>(shared);
            for (unsigned i = threadIdx.x; i < first_traits::a_size; i += blockDim.x) own_a[i] = a[i];
            __syncthreads();
            first(own_a, tau);
            __syncthreads();
            for (unsigned i = threadIdx.x; i < first_traits::a_size; i += blockDim.x) a[i] = own_a[i];
        })",
                                      "factor");
    const auto a = random_matrix<Element>(m, n, options.arrangement, 8);
    Stream stream{Device()};
    auto device_a = uploaded(stream, a.elements), tau = uploaded(stream, std::vector<Element>(n));
    launch(stream, {.grid = 1, .block = solver.block(), .shared_memory_size = solver.shared_memory_size()}, kernel, device_a,
           tau);
    HostMatrix<Element> factors = a;
    factors.elements = downloaded(stream, device_a);
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            std::complex<double> expected = 0, found = 0;
            for (std::size_t p = 0; p < m; ++p) expected += std::conj(a.at(p, i)) * a.at(p, j);
            for (std::size_t p = 0; p <= std::min(i, j); ++p) found += std::conj(factors.at(p, i)) * factors.at(p, j);
            error += std::norm(found - expected);
            norm += std::norm(expected);
        }
    }
    EXPECT_LT(std::sqrt(error / norm), tolerance);
}

/// Checks every function but cholesky and triangular_solve, which expect_cholesky_and_triangular_solve() checks.
template <class Element>
void expect_all_solutions(device::SolverDescription options, double tolerance) {
    using device::SolverFunction;
    options.domain = std::is_floating_point_v<Element> ? math::Domain::real : math::Domain::complex;
    options.precision =
        sizeof(Element) == (std::is_floating_point_v<Element> ? 4 : 8) ? math::Precision::f32 : math::Precision::f64;
    const auto expect = [&](const SolverSteps& steps) { expect_solution<Element>(steps, options, tolerance); };
    const device::Transpose transpose = options.transpose;
    options.transpose = device::Transpose::none;
    expect({{SolverFunction::cholesky, SolverFunction::cholesky_solve},
            "first(own_a, info); __syncthreads(); second(own_a, own_b);",
            true});
    expect({{SolverFunction::cholesky_factor_and_solve}, "first(own_a, own_b, info);", true});
    expect({{SolverFunction::least_squares}, "first(own_a, tau, own_b);", false, 4});
    options.transpose = transpose;
    expect({{SolverFunction::lu, SolverFunction::lu_solve}, "first(own_a, info); __syncthreads(); second(own_a, own_b);"});
    expect({{SolverFunction::lu_factor_and_solve}, "first(own_a, own_b, info);"});
    expect({{SolverFunction::pivoted_lu, SolverFunction::pivoted_lu_solve},
            "first(own_a, pivots, info); __syncthreads(); second(own_a, pivots, own_b);"});
    expect({{SolverFunction::pivoted_lu_factor_and_solve}, "first(own_a, pivots, own_b, info);"});
}

}  // namespace cubind::testing
