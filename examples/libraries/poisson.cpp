// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Solves the Poisson equation on a square, whose edges are at 0, by conjugate gradients with a sparse product and vectors, and
// directly with cuDSS. The solution x(1-x)y(1-y) is known, and exact on the grid, too, because differences of second order are
// exact for it.

#include <cubind/core.hpp>
#include <cubind/cudss/loading.hpp>
#include <cubind/cusparse/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math/vector.hpp>
#include <cubind/math_sparse.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t side = 31, n = side * side;

int poisson() {
    if (library_path(cusparse::library()) == nullptr || library_path(cudss::library()) == nullptr)
        return example::skip("cuSPARSE or cuDSS was not found.");
    // A row of the matrix for each point: 4 for the point, -1 for each neighbor that is no edge.
    std::vector<double> dense(n * n), right(n), solution(n);
    for (std::size_t i = 0; i < n; ++i) {
        dense[i * n + i] = 4;
        if (i % side != 0) dense[i * n + i - 1] = dense[(i - 1) * n + i] = -1;
        if (i >= side) dense[i * n + i - side] = dense[(i - side) * n + i] = -1;
        const double h = 1.0 / (side + 1), x = static_cast<double>(i % side + 1) * h, y = static_cast<double>(i / side + 1) * h;
        solution[i] = x * (1 - x) * y * (1 - y);
        right[i] = 2 * h * h * (x * (1 - x) + y * (1 - y));
    }
    const Stream stream{Device()};
    const auto upload = [&](const std::vector<double>& host) {
        TypedBuffer<double> buffer = stream.device().allocate<double>(stream, host.size());
        copy(stream, buffer, host);
        return buffer;
    };
    const math::SparseMatrix a = math::to_sparse(stream, StridedView(upload(dense), {n, n}));
    const auto u = upload(std::vector<double>(n)), b = upload(right), r = upload(right), p = upload(right), ap = upload(right);
    const auto largest_error = [&] {
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(u.get(stream, i) / solution[i] - 1));
        return largest;
    };

    math::SparseProduct product(stream, a, p, ap);
    const auto dot = [&](const auto& x, const auto& y) { return math::dot_to_host(stream, x, y).real(); };
    for (double rr = dot(r, r); rr > 1e-26;) {
        product(stream, p, ap);
        const double step = rr / dot(p, ap);
        math::axpy(stream, step, p, u);
        math::axpy(stream, -step, ap, r);
        math::scal(stream, dot(r, r) / rr, p);
        math::axpy(stream, 1.0, r, p);
        rr = dot(r, r);
    }
    const double iterative = largest_error();
    const auto failed_pivot = math::solve(stream, a, b, u, {.system = math::SparseSystem::positive_definite});
    const double direct = largest_error();
    std::printf("%zu unknowns, largest relative errors: conjugate gradients %.1e, cuDSS %.1e\n", n, iterative, direct);
    return example::verdict(!failed_pivot && iterative < 1e-9 && direct < 1e-9, "both find the solution, up to 1e-9");
}

}  // namespace

int main() {
    return example::run(poisson);
}
