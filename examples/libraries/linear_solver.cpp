// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Solves a system of linear equations with cuSOLVER, in the order of a stream: a Cholesky decomposition of the matrix, which is
// symmetric and positive definite, and a solution for one right-hand side. The host checks the solution against the known one.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cusolver.hpp>
#include <cubind/library.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "address.hpp"
#include "example.hpp"

using namespace cubind;
using namespace cubind::cusolver;

namespace {

constexpr int n = 500;
constexpr std::size_t size = n;

// The matrix of the second difference, which is 2 on the diagonal and -1 beside it, plus 0.01 on the diagonal.
double element(std::size_t row, std::size_t column) {
    if (row == column) return 2.01;
    return row + 1 == column || column + 1 == row ? -1 : 0;
}

std::vector<double> make_matrix() {
    std::vector<double> matrix(size * size);  // column after column; as the matrix is symmetric, row after row is the same
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column) matrix[row * size + column] = element(row, column);
    return matrix;
}

std::vector<double> multiply(const std::vector<double>& matrix, const std::vector<double>& x) {
    std::vector<double> product(size);
    for (std::size_t row = 0; row < size; ++row)
        for (std::size_t column = 0; column < size; ++column) product[row] += matrix[row * size + column] * x[column];
    return product;
}

// Submits the solution of matrix * x = b to the stream. Replaces the matrix by its decomposition, and b by x. Writes 0 to `info`
// if both steps succeed.
void solve(const Device& device, const Stream& stream, TypedBuffer<double>& matrix, TypedBuffer<double>& b,
           TypedBuffer<int>& info) {
    struct Library {
        cusolverDnHandle_t handle = check(cusolverDnCreate());
        ~Library() { (void)cusolverDnDestroy(handle); }
    } library;
    check(cusolverDnSetStream(library.handle, stream.native_handle()));
    const int count = check(cusolverDnDpotrf_bufferSize(library.handle, CUBLAS_FILL_MODE_LOWER, n, example::address(matrix), n));
    const auto workspace = device.allocate<double>(stream, static_cast<std::size_t>(std::max(count, 1)));
    check(cusolverDnDpotrf(library.handle, CUBLAS_FILL_MODE_LOWER, n, example::address(matrix), n, example::address(workspace),
                           count, example::address(info)));
    check(cusolverDnDpotrs(library.handle, CUBLAS_FILL_MODE_LOWER, n, 1, example::address(matrix), n, example::address(b), n,
                           example::address(info) + 1));
}

int linear_solver() {
    if (library_path(cusolver::library()) == nullptr)
        return example::skip("cuSOLVER, which is part of the toolkit, was not found.");
    Device device;
    device.set_current();  // cuSOLVER uses the current context
    const Stream stream(device);
    const std::vector<double> matrix = make_matrix();
    std::vector<double> expected(size), x(size);
    for (std::size_t i = 0; i < size; ++i) expected[i] = std::sin(0.1 * static_cast<double>(i));
    const std::vector<double> b = multiply(matrix, expected);

    TypedBuffer<double> device_matrix = device.allocate<double>(stream, matrix.size());
    TypedBuffer<double> device_x = device.allocate<double>(stream, size);
    TypedBuffer<int> device_info = device.allocate<int>(stream, 2);
    copy(stream, device_matrix, matrix);
    copy(stream, device_x, b);
    solve(device, stream, device_matrix, device_x, device_info);
    std::vector<int> info(2, -1);
    copy(stream, x, device_x);
    copy(stream, info, device_info);
    stream.synchronize();

    double difference = 0;
    for (std::size_t i = 0; i < size; ++i) difference = std::max(difference, std::abs(x[i] - expected[i]));
    std::printf("%d equations, largest difference of an element: %.1e\n", n, difference);
    return example::verdict(info == std::vector<int>{0, 0} && difference < 1e-10, "the solution is the known one");
}

}  // namespace

int main() {
    return example::run(linear_solver);
}
