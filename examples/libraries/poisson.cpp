// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Solves the Poisson equation on a square, whose edges are at 0, by conjugate gradients with a sparse product, and directly with
// cuDSS. The solution x(1-x)y(1-y) is known, and exact on the grid, too, because differences of second order are exact for it.

#include <cubind/core.hpp>
#include <cubind/cudss/loading.hpp>
#include <cubind/cusparse/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math_sparse.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr int side = 63, n = side * side;

constexpr const char* source = R"(
    extern "C" __global__ void dot(int n, const double* a, const double* b, double* result) {  // one warp
        double sum = 0;
        for (int i = threadIdx.x; i < n; i += 32) sum += a[i] * b[i];
        for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
        if (threadIdx.x == 0) *result = sum;
    }
    extern "C" __global__ void add(int n, double* out, const double* a, double sign, const double* top, const double* bottom,
                                   const double* b) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) out[i] = a[i] + (*bottom == 0 ? 0 : sign * *top / *bottom) * b[i];
    })";

// A row of the matrix for each point: 4 for the point, -1 for each neighbor that is no edge.
struct Grid {
    Grid() {
        for (int i = 0; i < n; ++i) {
            const double h = 1.0 / (side + 1), x = (i % side + 1) * h, y = (i / side + 1) * h;
            for (const int j : {i - side, i % side == 0 ? -1 : i - 1, i, i % side == side - 1 ? -1 : i + 1, i + side}) {
                if (j < 0 || j >= n) continue;
                columns.push_back(j);
                values.push_back(j == i ? 4 : -1);
            }
            offsets.push_back(static_cast<int>(columns.size()));
            solution.push_back(x * (1 - x) * y * (1 - y));
            right.push_back(2 * h * h * (x * (1 - x) + y * (1 - y)));
        }
    }
    std::vector<int> offsets{0}, columns;
    std::vector<double> values, right, solution;
};

int poisson() {
    if (library_path(cusparse::library()) == nullptr) return example::skip("cuSPARSE, which is in the toolkit, was not found.");
    const Grid grid;
    Device device;
    Stream stream(device);
    const auto upload = [&]<class Element>(const std::vector<Element>& host) {
        TypedBuffer<Element> buffer = device.allocate<Element>(stream, host.size());
        copy(stream, buffer, host);
        return buffer;
    };
    const auto a = math::SparseMatrix::csr({n, n}, upload(grid.offsets), upload(grid.columns), upload(grid.values));
    const std::vector<double> zeros(n);
    const auto u = upload(zeros), b = upload(grid.right), r = upload(grid.right), p = upload(grid.right), ap = upload(zeros);
    auto rr = upload(std::vector<double>(1)), new_rr = upload(std::vector<double>(1)), pap = upload(std::vector<double>(1));
    const auto largest_error = [&] {
        std::vector<double> found(n);
        copy(stream, found, u);
        stream.synchronize();
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(found[i] / grid.solution[i] - 1));
        return largest;
    };

    const ObjectCode code = Program(source).compile(CodeType::ptx);
    const Kernel dot = code.kernel("dot"), add = code.kernel("add");
    math::SparseProduct product(stream, a, p, ap);
    const LaunchConfig warp{.grid = 1, .block = 32}, all{.grid = blocks_for(n, 256), .block = 256};
    launch(stream, warp, dot, n, r, r, rr);
    for (int i = 0; i < 200; ++i) {
        product(stream, p, ap);
        launch(stream, warp, dot, n, p, ap, pap);
        launch(stream, all, add, n, u, u, 1.0, rr, pap, p);
        launch(stream, all, add, n, r, r, -1.0, rr, pap, ap);
        launch(stream, warp, dot, n, r, r, new_rr);
        launch(stream, all, add, n, p, r, 1.0, new_rr, rr, p);
        copy(stream, rr, new_rr);
    }
    const double iterative = largest_error();
    std::printf("%d unknowns. Conjugate gradients: the largest relative error is %.1e.\n", n, iterative);
    if (library_path(cudss::library()) == nullptr)
        return example::verdict(iterative < 1e-9, "conjugate gradients find the solution, up to 1e-9; there is no cuDSS");
    const auto failed_pivot = math::solve(stream, a, b, u, {.system = math::SparseSystem::positive_definite});
    const double direct = largest_error();
    std::printf("cuDSS: the largest relative error is %.1e.\n", direct);
    return example::verdict(!failed_pivot && iterative < 1e-9 && direct < 1e-9, "both find the solution, up to 1e-9");
}

}  // namespace

int main() {
    return example::run(poisson);
}
