// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Computes the power spectra of signals in one kernel: libmathdx's FFT, linked with the kernel, and the squares of its result.

#include <cubind/core.hpp>
#include <cubind/math_device.hpp>
#include <cubind/mathdx/loading.hpp>

#include <cmath>
#include <complex>
#include <cstdio>
#include <numbers>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr const char* source = R"(
    extern "C" __global__ void spectrum(const float2* signals, float* power) {
        extern __shared__ __align__(16) char shared[];
        using fft = fft_128_traits;
        float2 v[fft::storage_size];
        const unsigned first = blockIdx.x * fft::size + threadIdx.x;
        for (int i = 0; i < fft::elements_per_thread; ++i) v[i] = signals[first + i * fft::stride];
        fft_128(v, shared);
        for (int i = 0; i < fft::elements_per_thread; ++i) power[first + i * fft::stride] = v[i].x * v[i].x + v[i].y * v[i].y;
    })";

int kernel_spectrum() {
    constexpr unsigned int n = 128, signals = 3;
    FileProgramCache cache;  // without it, each run compiles the FFT
    const math::device::Fft fft({.size = n}, &cache);
    Program program(fft.declaration() + source, {.arch = fft.arch(), .link_time_optimization = true});
    Kernel spectrum = fft.link(program.compile(CodeType::lto_ir)).kernel("spectrum");

    std::vector<std::complex<float>> input(n * signals);
    for (unsigned int i = 0; i < input.size(); ++i) input[i] = {std::sin(0.1f * static_cast<float>(i * i % 97)), 0.25f};
    Stream stream{Device()};
    auto data = Device().allocate<std::complex<float>>(stream, input.size());
    auto power = Device().allocate<float>(stream, input.size());
    copy(stream, data, input);
    const LaunchConfig config{.grid = signals, .block = fft.block(), .shared_memory_size = fft.shared_memory_size()};
    launch(stream, config, spectrum, data, power);
    std::vector<float> found(input.size());
    copy(stream, found, power);
    stream.synchronize();

    double error = 0, largest = 0;
    for (unsigned int i = 0; i < input.size(); ++i) {
        std::complex<double> sum = 0;
        for (unsigned int j = 0; j < n; ++j)
            sum += std::complex<double>(input[i / n * n + j]) * std::polar(1.0, -2 * std::numbers::pi * (i % n * j % n) / n);
        error = std::fmax(error, std::abs(std::norm(sum) - found[i]));
        largest = std::fmax(largest, std::norm(sum));
    }
    std::printf("%u spectra of %u values; the largest error is %.1e of the largest value.\n", signals, n, error / largest);
    return example::verdict(error < 1e-5 * largest, "the spectra are those of sums on the host, up to 1e-5");
}

}  // namespace

int main() {
    return example::run_with(mathdx::library(), "nvidia-libmathdx-cu13", kernel_spectrum);
}
