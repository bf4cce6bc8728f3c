// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Multiplies matrices with cuBLASLt, in the order of a stream, and compares each element with a sum on the host. Matrices are in
// column-major order.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cublaslt.hpp>
#include <cubind/library.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;
using namespace cubind::cublaslt;

namespace {

constexpr std::size_t m = 64, n = 48, k = 80;

// A matrix of `rows` rows without gaps between the columns.
struct Layout {
    Layout(std::size_t rows, std::size_t columns)
        : handle(check(cublasLtMatrixLayoutCreate(CUDA_R_32F, rows, columns, static_cast<long>(rows)))) {}
    ~Layout() { (void)cublasLtMatrixLayoutDestroy(handle); }
    Layout(const Layout&) = delete;
    Layout& operator=(const Layout&) = delete;
    cublasLtMatrixLayout_t handle;
};

// Submits c = a * b to the stream.
void multiply(StreamRef stream, const TypedBuffer<float>& a, const TypedBuffer<float>& b, TypedBuffer<float>& c) {
    struct Library {
        cublasLtHandle_t handle = check(cublasLtCreate());
        ~Library() { (void)cublasLtDestroy(handle); }
    } library;
    struct Operation {
        cublasLtMatmulDesc_t handle = check(cublasLtMatmulDescCreate(CUBLAS_COMPUTE_32F, CUDA_R_32F));
        ~Operation() { (void)cublasLtMatmulDescDestroy(handle); }
    } operation;
    const Layout a_layout(m, k), b_layout(k, n), c_layout(m, n);
    const float alpha = 1, beta = 0;
    const auto address = [](const TypedBuffer<float>& buffer) { return reinterpret_cast<void*>(buffer.native_handle()); };
    // Without an algorithm and a workspace, cuBLASLt chooses an algorithm that needs none.
    check(cublasLtMatmul(library.handle, operation.handle, &alpha, address(a), a_layout.handle, address(b), b_layout.handle,
                         &beta, address(c), c_layout.handle, address(c), c_layout.handle, nullptr, nullptr, 0,
                         stream.native_handle()));
}

int matrix_product() {
    if (library_path(cublaslt::library()) == nullptr)
        return example::skip("cuBLASLt, which is part of the toolkit, was not found.");
    Device device;
    device.set_current();  // cuBLASLt uses the current context
    const Stream stream(device);
    std::vector<float> a(m * k), b(k * n), product(m * n);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7) - 3;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5) - 2;

    TypedBuffer<float> device_a = device.allocate<float>(stream, a.size());
    TypedBuffer<float> device_b = device.allocate<float>(stream, b.size());
    TypedBuffer<float> device_c = device.allocate<float>(stream, product.size());
    copy(stream, device_a, a);
    copy(stream, device_b, b);
    multiply(stream, device_a, device_b, device_c);
    copy(stream, product, device_c);
    stream.synchronize();

    // All numbers are small integers, so that float represents each sum exactly.
    bool right = true;
    for (std::size_t row = 0; row < m; ++row) {
        for (std::size_t column = 0; column < n; ++column) {
            float sum = 0;
            for (std::size_t i = 0; i < k; ++i) sum += a[row + i * m] * b[i + column * k];
            right = right && product[row + column * m] == sum;
        }
    }
    std::printf("%zu x %zu matrix times %zu x %zu matrix\n", m, k, k, n);
    return example::verdict(right, "each element equals the sum on the host");
}

}  // namespace

int main() {
    return example::run(matrix_product);
}
