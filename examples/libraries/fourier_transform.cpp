// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Transforms a signal with cuFFT, in the order of a stream, and compares each frequency with a sum on the host.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cufft.hpp>
#include <cubind/library.hpp>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <numbers>
#include <vector>

#include "example.hpp"

using namespace cubind;
using namespace cubind::cufft;

namespace {

constexpr int n = 256;

// Returns one frequency of the signal: the sum of signal[i] * exp(-2 pi i frequency / n).
std::complex<double> transform(const std::vector<cufftDoubleComplex>& signal, int frequency) {
    std::complex<double> sum = 0;
    for (int i = 0; i < n; ++i) {
        const auto& [x, y] = signal[static_cast<std::size_t>(i)];
        sum += std::complex(x, y) * std::polar(1.0, -2 * std::numbers::pi * (i * frequency % n) / n);
    }
    return sum;
}

int fourier_transform() {
    if (library_path(cufft::library()) == nullptr) return example::skip("cuFFT, which is part of the toolkit, was not found.");
    Device device;
    device.set_current();  // cuFFT creates plans in the current context
    const Stream stream(device);
    std::vector<cufftDoubleComplex> signal(n);
    for (std::size_t i = 0; i < n; ++i)
        signal[i] = {std::sin(0.1 * static_cast<double>(i * i)), std::cos(static_cast<double>(i))};

    struct Plan {
        cufftHandle handle = check(cufftPlan1d(n, CUFFT_Z2Z, 1));
        ~Plan() { (void)cufftDestroy(handle); }
    } plan;
    check(cufftSetStream(plan.handle, stream.native_handle()));

    TypedBuffer<cufftDoubleComplex> data = device.allocate<cufftDoubleComplex>(stream, n);
    copy(stream, data, signal);
    auto* const address = reinterpret_cast<cufftDoubleComplex*>(data.native_handle());
    check(cufftExecZ2Z(plan.handle, address, address, CUFFT_FORWARD));
    std::vector<cufftDoubleComplex> spectrum(n);
    copy(stream, spectrum, data);
    stream.synchronize();

    double largest = 0;
    for (int frequency = 0; frequency < n; ++frequency) {
        const auto& [x, y] = spectrum[static_cast<std::size_t>(frequency)];
        largest = std::fmax(largest, std::abs(transform(signal, frequency) - std::complex(x, y)));
    }
    std::printf("The largest difference of %d frequencies is %.1e.\n", n, largest);
    return example::verdict(largest < 1e-11, "the transform agrees with the sums on the host, up to 1e-11");
}

}  // namespace

int main() {
    return example::run(fourier_transform);
}
