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

/// Compiles and links kernels with the functions that they call. PTX runs on devices of later architectures, too.
inline ObjectCode code_with(const std::vector<device::Function>& functions, const std::string& source,
                            CodeType target = CodeType::cubin) {
    std::string text;
    for (const device::Function& function : functions) text += function.declaration();
    Program program(text + source, {.arch = functions.front().arch(), .link_time_optimization = true});
    return device::link({program.compile(CodeType::lto_ir)}, functions, {}, target);
}

inline Kernel kernel_with(const std::vector<device::Function>& functions, const std::string& source, const std::string& name,
                          CodeType target = CodeType::cubin) {
    return code_with(functions, source, target).kernel(name);
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

/// Transforms real values and back within a kernel, and compares the spectrum with the DFT.
template <class Real>
void expect_real_fft(device::FftDescription description, double tolerance) {
    description.type = device::FftType::real_to_complex;
    description.symbol = "forward";
    const device::Fft forward(description);
    description.type = device::FftType::complex_to_real;
    description.symbol = "inverse";
    const device::Fft inverse(description);
    const std::size_t size = description.size, half = size / 2 + 1;
    ASSERT_EQ(forward.traits().output_length, half);
    ASSERT_EQ(inverse.traits().input_length, half);
    const std::string real = sizeof(Real) == 8 ? "double" : "float";
    const ObjectCode code = code_with({forward, inverse}, "using Real = " + real + ";\nusing Complex = " + real + "2;\n" + R"(
        extern "C" __global__ void transform(const Real* signal, Complex* spectrum) {
            extern __shared__ __align__(16) char shared[];
            Complex values[forward_traits::storage_size];
            Real* reals = reinterpret_cast<Real*>(values);
            for (unsigned i = 0; i < forward_traits::input_elements_per_thread; ++i) {
                const unsigned at = threadIdx.x + i * forward_traits::stride;
                if (at < forward_traits::input_length) reals[i] = signal[at];
            }
            forward(values, shared);
            for (unsigned i = 0; i < forward_traits::output_elements_per_thread; ++i) {
                const unsigned at = threadIdx.x + i * forward_traits::stride;
                if (at < forward_traits::output_length) spectrum[at] = values[i];
            }
        }
        extern "C" __global__ void transform_back(const Complex* spectrum, Real* signal) {
            extern __shared__ __align__(16) char shared[];
            Complex values[inverse_traits::storage_size];
            for (unsigned i = 0; i < inverse_traits::input_elements_per_thread; ++i) {
                const unsigned at = threadIdx.x + i * inverse_traits::stride;
                if (at < inverse_traits::input_length) values[i] = spectrum[at];
            }
            inverse(values, shared);
            const Real* reals = reinterpret_cast<const Real*>(values);
            for (unsigned i = 0; i < inverse_traits::output_elements_per_thread; ++i) {
                const unsigned at = threadIdx.x + i * inverse_traits::stride;
                if (at < inverse_traits::output_length) signal[at] = reals[i];
            }
        })");
    const Kernel kernel = code.kernel("transform"), back = code.kernel("transform_back");
    std::vector<Real> signal(size);
    const std::vector<double> numbers = random_numbers(size, 9);
    std::transform(numbers.begin(), numbers.end(), signal.begin(), [](double number) { return static_cast<Real>(number); });
    Stream stream{Device()};
    const auto device_signal = uploaded(stream, signal);
    auto spectrum = Device().allocate<std::complex<Real>>(stream, half);
    auto restored = Device().allocate<Real>(stream, size);
    launch(stream, {.grid = 1, .block = forward.block(), .shared_memory_size = forward.shared_memory_size()}, kernel,
           device_signal, spectrum);
    launch(stream, {.grid = 1, .block = inverse.block(), .shared_memory_size = inverse.shared_memory_size()}, back, spectrum,
           restored);
    std::vector<std::complex<double>> reference = dft({signal.begin(), signal.end()}, -1);
    reference.resize(half);
    EXPECT_LT(relative_error(downloaded(stream, spectrum), reference), tolerance) << forward.description();
    std::vector<std::complex<double>> scaled(signal.begin(), signal.end());
    for (auto& each : scaled) each *= static_cast<double>(size);
    EXPECT_LT(relative_error(downloaded(stream, restored), scaled), 2 * tolerance) << inverse.description();
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

}  // namespace cubind::testing
