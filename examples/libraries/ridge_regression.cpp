// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Fits a polynomial to noisy samples by ridge regression: the coefficients minimize |a x - b|^2 + lambda |x|^2. That is the least
// squares of a system with rows sqrt(lambda) on the diagonal below `a`. The host checks that the gradient is zero.

#include <cubind/core.hpp>
#include <cubind/cusolver/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math/least_squares.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

int ridge_regression() {
    if (library_path(cusolver::library()) == nullptr)
        return example::skip("cuSOLVER, which is part of the toolkit, was not found.");
    constexpr std::size_t samples = 1000, terms = 8, rows = samples + terms;
    constexpr double lambda = 0.1;
    std::mt19937 numbers(std::random_device{}());
    std::normal_distribution<double> noise(0, 0.05);
    std::vector<double> a(rows * terms), b(rows), x(terms);  // row after row
    for (std::size_t i = 0; i < samples; ++i) {
        const double t = 2.0 * static_cast<double>(i) / samples - 1;
        b[i] = std::sin(3 * t) + noise(numbers);
        for (std::size_t j = 0; j < terms; ++j) a[i * terms + j] = std::pow(t, static_cast<double>(j));
    }
    for (std::size_t j = 0; j < terms; ++j) a[(samples + j) * terms + j] = std::sqrt(lambda);

    const Device device;
    const Stream stream(device);
    TypedBuffer device_a = device.allocate<double>(stream, a.size());
    TypedBuffer device_b = device.allocate<double>(stream, b.size());
    TypedBuffer device_x = device.allocate<double>(stream, x.size());
    copy(stream, device_a, a);
    copy(stream, device_b, b);
    math::least_squares(stream, StridedView(device_a, {rows, terms}), device_b, device_x).check(stream);
    copy(stream, x, device_x);
    stream.synchronize();

    std::vector<double> gradient(terms);  // a^T (a x - b), which includes lambda x
    for (std::size_t i = 0; i < rows; ++i) {
        double residual = -b[i];
        for (std::size_t j = 0; j < terms; ++j) residual += a[i * terms + j] * x[j];
        for (std::size_t j = 0; j < terms; ++j) gradient[j] += a[i * terms + j] * residual;
    }
    double largest = 0;
    for (const double each : gradient) largest = std::max(largest, std::abs(each));
    std::printf("coefficients:");
    for (const double each : x) std::printf(" %.3f", each);
    std::printf("\nlargest element of the gradient: %.1e\n", largest);
    return example::verdict(largest < 1e-9, "the coefficients minimize the penalized squares");
}

}  // namespace

int main() {
    return example::run(ridge_regression);
}
