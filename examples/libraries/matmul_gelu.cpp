// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A layer of a neural network: y = gelu(x @ w + bias). The fastest algorithm is found by timing, stored in a file, and read
// again. matrix_product.cpp shows the functions of cuBLASLt that the class calls.

#include <cubind/core.hpp>
#include <cubind/cublaslt/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math/matmul.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t rows = 256, inputs = 128, outputs = 192;

int matmul_gelu() {
    if (library_path(cublaslt::library()) == nullptr) return example::skip("cuBLASLt, a part of the toolkit, was not found.");
    const Device device;
    const Stream stream(device);
    std::vector<float> x(rows * inputs), w(inputs * outputs), bias(outputs), y(rows * outputs);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 7) / 8 - 0.375f;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i % 5) / 8 - 0.25f;
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(i % 3) - 1;
    auto device_x = device.allocate<float>(stream, x.size()), device_w = device.allocate<float>(stream, w.size());
    auto device_bias = device.allocate<float>(stream, bias.size()), device_y = device.allocate<float>(stream, y.size());
    copy(stream, device_x, x);
    copy(stream, device_w, w);
    copy(stream, device_bias, bias);

    const StridedView a(device_x, {rows, inputs}), b(device_w, {inputs, outputs}), d(device_y, {rows, outputs});
    const math::MatmulArguments arguments{.bias = device_bias};
    math::Matmul layer(stream, a, b, d, arguments, {.epilogue = math::Epilogue::gelu});
    const auto timed = layer.autotune(stream, a, b, d, arguments);
    std::printf("%zu algorithms, the fastest takes %.1f us\n", timed.size(),
                1e3 * static_cast<double>(timed.front().time.count()));

    const auto file = std::filesystem::temp_directory_path() / "cubind_matmul_gelu.algorithm";
    const std::vector<std::byte> bytes = layer.algorithm().to_bytes();
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    std::ifstream stored(file, std::ios::binary);
    const std::vector<char> read{std::istreambuf_iterator<char>(stored), {}};
    math::Matmul same(stream, a, b, d, arguments, {.epilogue = math::Epilogue::gelu});
    same.use(math::MatmulAlgorithm::from_bytes(std::as_bytes(std::span(read))));
    same(stream, a, b, d, arguments);
    copy(stream, y, device_y);
    stream.synchronize();
    std::filesystem::remove(file);

    double largest = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        double sum = bias[i % outputs];
        for (std::size_t k = 0; k < inputs; ++k) sum += x[i / outputs * inputs + k] * w[k * outputs + i % outputs];
        const double gelu = sum * (1 + std::tanh(0.7978845608 * (sum + 0.044715 * sum * sum * sum))) / 2;
        largest = std::fmax(largest, std::fabs(gelu - y[i]));
    }
    return example::verdict(largest < 1e-2, "each element equals the one of the host");
}

}  // namespace

int main() {
    return example::run(matmul_gelu);
}
