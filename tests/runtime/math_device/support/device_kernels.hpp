// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Kernels that call functions of libmathdx, with references on the host. The tests on simulated devices and those on a GPU share
// them.

#include <cubind/core.hpp>
#include <cubind/math_device.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace cubind::testing {

namespace device = math::device;

/// Compiles and links a kernel with the functions that it calls. PTX runs on devices of later architectures, too.
inline Kernel kernel_with(const std::vector<device::Function>& functions, const std::string& source, const std::string& name,
                          CodeType target = CodeType::cubin) {
    std::string text;
    for (const device::Function& function : functions) text += function.declaration();
    Program program(text + source, {.arch = functions.front().arch(), .link_time_optimization = true});
    return device::link({program.compile(CodeType::lto_ir)}, functions, {}, target).kernel(name);
}

/// Returns an array on the device with these elements.
template <class Element>
TypedBuffer<Element> uploaded(Stream& stream, const std::vector<Element>& elements) {
    TypedBuffer<Element> buffer = Device().allocate<Element>(stream, elements.size());
    copy(stream, buffer, elements);
    return buffer;
}

template <class Element>
std::vector<Element> downloaded(Stream& stream, const TypedBuffer<Element>& buffer) {
    std::vector<Element> elements(buffer.count());
    copy(stream, elements, buffer);
    stream.synchronize();
    return elements;
}

inline std::vector<double> random_numbers(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> distribution(-1, 1);
    std::vector<double> numbers(count);
    std::generate(numbers.begin(), numbers.end(), [&] { return distribution(generator); });
    return numbers;
}

/// Returns the transform of complex numbers, by its definition.
inline std::vector<std::complex<double>> dft(const std::vector<std::complex<double>>& values, int sign) {
    const std::size_t n = values.size();
    std::vector<std::complex<double>> result(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t j = 0; j < n; ++j) {
            const double angle = sign * 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
            result[k] += values[j] * std::polar(1.0, angle);
        }
    }
    return result;
}

/// Returns the norm of the difference over the norm of the reference.
template <class Found>
double relative_error(const std::vector<Found>& found, const std::vector<std::complex<double>>& reference) {
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        difference += std::norm(std::complex<double>(found[i]) - reference[i]);
        norm += std::norm(reference[i]);
    }
    return std::sqrt(difference / norm);
}

/// Compares the FFT of each block's transforms with the DFT.
template <class Real>
void expect_fft(const device::FftDescription& description, double tolerance, ProgramCache* cache = nullptr) {
    const device::Fft fft(description, cache);
    const std::size_t size = description.size, batch = std::size_t{2} * description.ffts_per_block;
    Stream stream{Device()};
    const std::string value = sizeof(Real) == 8 ? "double2" : "float2";
    const std::string source = R"(
        extern "C" __global__ void transform(VALUE* data) {
            extern __shared__ __align__(16) char shared[];
            VALUE values[SYMBOL_traits::storage_size];
            VALUE* own = data + (blockIdx.x * SYMBOL_traits::ffts_per_block + threadIdx.y) * SYMBOL_traits::size;
            for (unsigned i = 0; i < SYMBOL_traits::elements_per_thread; ++i) {
                values[i] = own[threadIdx.x + i * SYMBOL_traits::stride];
            }
            SYMBOL(values, shared);
            for (unsigned i = 0; i < SYMBOL_traits::elements_per_thread; ++i) {
                own[threadIdx.x + i * SYMBOL_traits::stride] = values[i];
            }
        })";
    const std::string prelude =
        "#define SYMBOL_traits " + fft.symbol() + "_traits\n#define SYMBOL " + fft.symbol() + "\n#define VALUE " + value + "\n";
    Kernel kernel = kernel_with({fft}, prelude + source, "transform");
    const std::vector<double> numbers = random_numbers(2 * size * batch, 7);
    std::vector<std::complex<Real>> data(size * batch);
    for (std::size_t i = 0; i < data.size(); ++i) {
        data[i] = {static_cast<Real>(numbers[2 * i]), static_cast<Real>(numbers[2 * i + 1])};
    }
    auto on_device = uploaded(stream, data);
    launch(stream, {.grid = 2, .block = fft.block(), .shared_memory_size = fft.shared_memory_size()}, kernel, on_device);
    const auto found = downloaded(stream, on_device);
    const int sign = description.direction == device::FftDirection::inverse ? 1 : -1;
    for (std::size_t each = 0; each < batch; ++each) {
        const auto part = [&](const auto& all) {
            const auto begin = all.begin() + static_cast<std::ptrdiff_t>(each * size);
            return std::vector<std::complex<double>>(begin, begin + static_cast<std::ptrdiff_t>(size));
        };
        EXPECT_LT(relative_error(part(found), dft(part(data), sign)), tolerance) << fft.description();
    }
}

/// Compares a product of small integers, which is exact, with that of the host.
template <class Real>
void expect_gemm(const device::GemmDescription& description, CodeType target = CodeType::cubin) {
    const device::Gemm gemm(description);
    const auto& [m, n, k] = std::tie(description.m, description.n, description.k);
    const std::string prelude = "using Real = " + std::string(sizeof(Real) == 8 ? "double" : "float") +
                                ";\n#define GEMM_traits " + gemm.symbol() + "_traits\n#define GEMM " + gemm.symbol() + "\n";
    const std::string source = R"(
        extern "C" __global__ void product(Real alpha, const Real* a, const Real* b, Real beta, Real* c) {
            extern __shared__ __align__(16) char shared[];
            Real* own_a = reinterpret_cast<Real*>(shared + GEMM_traits::a_offset);
            Real* own_b = reinterpret_cast<Real*>(shared + GEMM_traits::b_offset);
            Real* own_c = reinterpret_cast<Real*>(shared + GEMM_traits::c_offset);
            for (unsigned i = threadIdx.x; i < GEMM_traits::a_size; i += blockDim.x) own_a[i] = a[i];
            for (unsigned i = threadIdx.x; i < GEMM_traits::b_size; i += blockDim.x) own_b[i] = b[i];
            for (unsigned i = threadIdx.x; i < GEMM_traits::c_size; i += blockDim.x) own_c[i] = c[i];
            __syncthreads();
            GEMM(&alpha, own_a, own_b, &beta, own_c);
            __syncthreads();
            for (unsigned i = threadIdx.x; i < GEMM_traits::c_size; i += blockDim.x) c[i] = own_c[i];
        })";
    Kernel kernel = kernel_with({gemm}, prelude + source, "product", target);
    const auto filled = [](unsigned int count, int step) {
        std::vector<Real> numbers(count);
        for (unsigned int i = 0; i < count; ++i) numbers[i] = static_cast<Real>(static_cast<int>(i) * step % 11 - 5);
        return numbers;
    };
    const auto a = filled(gemm.traits().size.a, 3), b = filled(gemm.traits().size.b, 7), c = filled(gemm.traits().size.c, 5);
    Stream stream{Device()};
    const auto device_a = uploaded(stream, a), device_b = uploaded(stream, b);
    auto device_c = uploaded(stream, c);
    launch(stream, {.grid = 1, .block = gemm.block(), .shared_memory_size = gemm.shared_memory_size()}, kernel, Real(2), device_a,
           device_b, Real(-3), device_c);
    const auto found = downloaded(stream, device_c);
    const auto at = [](math::Arrangement arrangement, std::size_t distance, std::size_t row, std::size_t column) {
        return arrangement == math::Arrangement::row_major ? row * distance + column : column * distance + row;
    };
    const auto& distance = gemm.traits().leading_dimension;
    const auto& arrangement = description.arrangement;
    std::vector<Real> reference = c;
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
            Real sum = 0;
            for (std::size_t l = 0; l < k; ++l) {
                sum += a[at(arrangement.a, distance.a, i, l)] * b[at(arrangement.b, distance.b, l, j)];
            }
            Real& element = reference[at(arrangement.c, distance.c, i, j)];
            element = 2 * sum - 3 * element;
        }
    }
    EXPECT_EQ(found, reference) << gemm.description();
}

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

/// Checks moments of uniform and normal numbers, and that the numbers depend on the seed, the sequence and the offset only.
inline void expect_random(device::Generator generator, const std::string& arch) {
    const device::Random uniform(
        {.generator = generator, .distribution = device::Distribution::uniform, .arch = arch, .symbol = "uniform"});
    const device::Random normal(
        {.generator = generator, .distribution = device::Distribution::normal, .arch = arch, .symbol = "normal"});
    Kernel kernel = kernel_with({uniform, normal}, R"(
        extern "C" __global__ void fill(float* numbers, unsigned long long seed, unsigned skipped, bool is_normal) {
            const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
            float* own = numbers + thread * 16;
            if (is_normal) {
                normal_state state;
                normal_init(state, seed, thread);
                for (unsigned i = 0; i < 16; i += normal_traits::values) {
                    const auto values = normal_generate(state, 3, 2);
                    for (unsigned j = 0; j < normal_traits::values; ++j) own[i + j] = values[j];
                }
            } else {
                uniform_state state;
                uniform_init(state, seed, thread, 0);
                uniform_skip(state, skipped);
                for (unsigned i = 0; i < 16; i += uniform_traits::values) {
                    const auto values = uniform_generate(state, 0, 1);
                    for (unsigned j = 0; j < uniform_traits::values; ++j) own[i + j] = values[j];
                }
            }
        })",
                                "fill");
    SCOPED_TRACE(uniform.description());
    Stream stream{Device()};
    const auto numbers = [&](unsigned long long seed, unsigned int skipped, bool is_normal) {
        auto buffer = Device().allocate<float>(stream, std::size_t{8} * 64 * 16);
        launch(stream, {.grid = 8, .block = 64}, kernel, buffer, seed, skipped, is_normal);
        return downloaded(stream, buffer);
    };
    const auto moments = [](const std::vector<float>& values) {
        double mean = 0, variance = 0;
        for (const float value : values) mean += value;
        mean /= static_cast<double>(values.size());
        for (const float value : values) variance += (value - mean) * (value - mean);
        return std::pair(mean, variance / static_cast<double>(values.size()));
    };
    const auto flat = numbers(42, 0, false);
    const auto [mean, variance] = moments(flat);  // of 8192 numbers: the standard error of the mean is 0.0032
    EXPECT_NEAR(mean, 0.5, 0.016);
    EXPECT_NEAR(variance, 1.0 / 12, 0.005);
    EXPECT_GE(*std::min_element(flat.begin(), flat.end()), 0.0f);
    EXPECT_LE(*std::max_element(flat.begin(), flat.end()), 1.0f);
    const auto [center, spread] = moments(numbers(42, 0, true));
    EXPECT_NEAR(center, 3, 0.11);
    EXPECT_NEAR(spread, 4, 0.32);
    EXPECT_EQ(numbers(42, 0, false), flat);
    EXPECT_NE(numbers(43, 0, false), flat);
    // A step of the generator makes the numbers of a call.
    constexpr unsigned int steps = 2;
    const std::size_t skipped = std::size_t{steps} * uniform.traits().values;
    const auto later = numbers(42, steps, false);
    for (std::size_t thread = 0; thread < 512; ++thread) {
        for (std::size_t i = 0; i + skipped < 16; ++i) {
            ASSERT_EQ(later[thread * 16 + i], flat[thread * 16 + i + skipped]) << thread << ", " << i;
        }
    }
}

}  // namespace cubind::testing
