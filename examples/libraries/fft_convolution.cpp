// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Convolves a signal with a filter by Fourier transforms. The inverse transform multiplies the spectra when it loads them, and
// scales the result when it stores it, so that no kernel besides those of cuFFT runs.

#include <cubind/core.hpp>
#include <cubind/cufft/loading.hpp>
#include <cubind/math/fft.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr const char* source = R"(
    __device__ float2 multiply(const float2* spectrum, unsigned long long i, const float2* filter) {
        const float2 a = spectrum[i], b = filter[i];
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
    })";

int fft_convolution() {
    if (library_path(cufft::library()) == nullptr) return example::skip("cuFFT (nvidia-cufft) was not found.");
    constexpr std::size_t n = 4096, width = 65;
    std::vector<float> signal(n), filter(n);
    for (std::size_t i = 0; i < n; ++i) signal[i] = i / 256 % 2 == 0 ? 1.0f : -1.0f;
    for (std::size_t i = 0; i < width; ++i) filter[i] = 1.0f / width;

    const Device device;
    const Stream stream(device);
    auto data = device.allocate<float>(stream, n), kernel = device.allocate<float>(stream, n);
    const auto spectrum = device.allocate<std::complex<float>>(stream, n / 2 + 1);
    const auto response = device.allocate<std::complex<float>>(stream, n / 2 + 1);
    copy(stream, data, signal);
    copy(stream, kernel, filter);
    math::Fft forward(stream, data, spectrum);
    forward(stream, kernel, response);
    forward(stream, data, spectrum);
    math::Fft convolve(stream, spectrum, data, {.scale = 1.0 / n, .load = {source, "multiply", response}});
    convolve(stream, spectrum, data);
    std::vector<float> smooth(n);
    copy(stream, smooth, data);
    stream.synchronize();

    double largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < width; ++j) sum += static_cast<double>(filter[j] * signal[(i + n - j) % n]);
        largest = std::fmax(largest, std::fabs(sum - static_cast<double>(smooth[i])));
    }
    std::printf("The largest difference of %zu smoothed values is %.1e.\n", n, largest);
    return example::verdict(largest < 1e-5, "the signal is that of sums on the host, up to 1e-5");
}

}  // namespace

int main() {
    return example::run(fft_convolution);
}
