// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Solves a sparse system of linear equations with cuDSS: the temperatures of a rod whose ends are kept at 0, in the order of a
// stream. The matrix is symmetric and positive definite, so that its upper triangle is sufficient.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cudss.hpp>
#include <cubind/library.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "address.hpp"
#include "example.hpp"

using namespace cubind;
using namespace cubind::cudss;

namespace {

constexpr int n = 1000;

struct Library {
    explicit Library(const Stream& stream) : handle(check(cudssCreate())) {
        check(cudssSetStream(handle, stream.native_handle()));
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() { (void)cudssDestroy(handle); }
    cudssHandle_t handle;
};

struct Configuration {
    Configuration() = default;
    Configuration(const Configuration&) = delete;
    Configuration& operator=(const Configuration&) = delete;
    ~Configuration() { (void)cudssConfigDestroy(handle); }
    cudssConfig_t handle = check(cudssConfigCreate());
};

/// The factors of the matrix.
struct Factors {
    explicit Factors(const Library& owner) : library(owner.handle), handle(check(cudssDataCreate(library))) {}
    Factors(const Factors&) = delete;
    Factors& operator=(const Factors&) = delete;
    ~Factors() { (void)cudssDataDestroy(library, handle); }
    cudssHandle_t library;
    cudssData_t handle;
};

struct Matrix {
    explicit Matrix(cudssMatrix_t created) : handle(created) {}
    Matrix(const Matrix&) = delete;
    Matrix& operator=(const Matrix&) = delete;
    ~Matrix() { (void)cudssMatrixDestroy(handle); }
    cudssMatrix_t handle;
};

/// The upper triangle of the matrix with 2 in the diagonal and -1 beside it, in compressed rows.
struct HostMatrix {
    HostMatrix() {
        for (int row = 0; row < n; ++row) {
            columns.push_back(row);
            values.push_back(2);
            if (row + 1 < n) {
                columns.push_back(row + 1);
                values.push_back(-1);
            }
            offsets.push_back(static_cast<int>(columns.size()));
        }
    }
    std::vector<int> offsets = {0};
    std::vector<int> columns;
    std::vector<double> values;
};

int sparse_solver() {
    if (library_path(cudss::library()) == nullptr)
        return example::skip("cuDSS 1.0 was not found. It is in the Python package nvidia-cudss-cu13.");
    Device device;
    device.set_current();  // cuDSS uses the current context
    const Stream stream(device);
    const HostMatrix host;
    const std::vector<double> host_heat(n, 1.0);
    TypedBuffer<int> offsets = device.allocate<int>(stream, host.offsets.size());
    TypedBuffer<int> columns = device.allocate<int>(stream, host.columns.size());
    TypedBuffer<double> values = device.allocate<double>(stream, host.values.size());
    TypedBuffer<double> heat = device.allocate<double>(stream, n);
    TypedBuffer<double> temperatures = device.allocate<double>(stream, n);
    copy(stream, offsets, host.offsets);
    copy(stream, columns, host.columns);
    copy(stream, values, host.values);
    copy(stream, heat, host_heat);

    const Library library(stream);
    const Configuration configuration;
    const Factors factors(library);
    // The rows follow each other in memory, so that the array with the end of each row is not needed.
    const Matrix matrix(check(cudssMatrixCreateCsr(n, n, static_cast<std::int64_t>(host.values.size()), example::address(offsets),
                                                   nullptr, example::address(columns), example::address(values), CUDA_R_32I,
                                                   CUDA_R_32I, CUDA_R_64F, CUDSS_MTYPE_SPD, CUDSS_MVIEW_UPPER, CUDSS_BASE_ZERO)));
    const Matrix right_side(check(cudssMatrixCreateDn(n, 1, n, example::address(heat), CUDA_R_64F, CUDSS_LAYOUT_COL_MAJOR)));
    const Matrix solution(
        check(cudssMatrixCreateDn(n, 1, n, example::address(temperatures), CUDA_R_64F, CUDSS_LAYOUT_COL_MAJOR)));
    for (const cudssPhase_t phase : {CUDSS_PHASE_ANALYSIS, CUDSS_PHASE_FACTORIZATION, CUDSS_PHASE_SOLVE}) {
        check(cudssExecute(library.handle, static_cast<int>(phase), configuration.handle, factors.handle, matrix.handle,
                           solution.handle, right_side.handle));
    }
    std::vector<double> found(n);
    copy(stream, found, temperatures);
    stream.synchronize();

    double largest = 0;
    for (int i = 0; i < n; ++i) {
        const double expected = 0.5 * (i + 1.0) * (n - i);  // the exact solution
        largest = std::fmax(largest, std::fabs(found[static_cast<std::size_t>(i)] / expected - 1));
    }
    std::printf("cuDSS %d solved %d equations; the largest relative error is %.1e.\n", version(cudss::library()), n, largest);
    return example::verdict(largest < 1e-9, "each temperature equals the exact solution, up to 1e-9");
}

}  // namespace

int main() {
    return example::run(sparse_solver);
}
