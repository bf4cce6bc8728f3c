// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times calls of math::Cholesky, and the same calls of cuSOLVER through function pointers, with the same matrices:
/// the host's time of a call, and the time on the device. Prints JSON; alternate.hpp has the options.

#include <cubind/core.hpp>
#include <cubind/cusolver/loading.hpp>
#include <cubind/cusolver/types.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/math/solve.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "../alternate.hpp"
#include "../device_time.hpp"
#include "../plain.hpp"

namespace {

using namespace cubind;
using namespace cubind::cusolver;

using Params = cusolverDnParams_t;
using Long = std::int64_t;

void expect(int status) {
    if (status != 0) [[unlikely]]
        std::abort();
}

/// A system of equations, with what both sides need. The matrix is diagonally dominant.
struct System {
    explicit System(Long rows, Long columns)
        : n(rows),
          count(columns),
          a(matrix(rows, rows)),
          factor(matrix(rows, rows)),
          x(matrix(rows, columns)),
          cholesky((fill(), stream), a) {
        expect(plain<int(cusolverDnHandle_t*)>(library(), "cusolverDnCreate")(&handle));
        expect(
            plain<int(cusolverDnHandle_t, driver::CUstream)>(library(), "cusolverDnSetStream")(handle, stream.native_handle()));
        expect(plain<int(Params*)>(library(), "cusolverDnCreateParams")(&params));
        using Size = int(cusolverDnHandle_t, Params, unsigned int, Long, unsigned int, const void*, Long, unsigned int,
                         std::size_t*, std::size_t*);
        expect(plain<Size>(library(), "cusolverDnXpotrf_bufferSize")(handle, params, 0, n, 1, factor.data(), n, 1, &device_bytes,
                                                                     &host_bytes));
        work = device.allocate(stream, device_bytes + 256);
        host.resize(host_bytes);
        info = device.allocate<int>(stream, 2);
        stream.synchronize();
    }

    StridedView matrix(Long rows, Long columns) {
        return {device.allocate<double>(stream, static_cast<std::size_t>(rows * columns)), {rows, columns}, {1, rows}};
    }
    void fill() {
        std::vector<double> values(static_cast<std::size_t>(n * n), 0.001);
        for (Long i = 0; i < n; ++i) values[static_cast<std::size_t>(i * n + i)] = 2;
        copy(stream, a, StridedView({.data = values.data(), .dtype = data_type<double>, .shape = {n, n}}));
        values.resize(static_cast<std::size_t>(n * count));
        copy(stream, x, StridedView({.data = values.data(), .dtype = data_type<double>, .shape = {n, count}}));
        stream.synchronize();
    }

    void factorize() { cholesky.factorize(stream, a); }
    void factorize_plainly() {
        static auto* const copy_bytes = plain<int(driver::CUdeviceptr, driver::CUdeviceptr, std::size_t, driver::CUstream)>(
            driver::library(), "cuMemcpyDtoDAsync_v2");
        using Factor = int(cusolverDnHandle_t, Params, unsigned int, Long, unsigned int, void*, Long, unsigned int, void*,
                           std::size_t, void*, std::size_t, int*);
        static auto* const factor_matrix = plain<Factor>(library(), "cusolverDnXpotrf");
        const auto address = [](const StridedView& view) { return reinterpret_cast<driver::CUdeviceptr>(view.data()); };
        expect(copy_bytes(address(factor), address(a), a.size_bytes(), stream.native_handle()));
        expect(factor_matrix(handle, params, 0, n, 1, factor.data(), n, 1, reinterpret_cast<void*>(work.native_handle()),
                             device_bytes, host.data(), host_bytes, reinterpret_cast<int*>(info.native_handle())));
    }
    void solve() { cholesky.solve(stream, x); }
    void solve_plainly() {
        using Solve = int(cusolverDnHandle_t, Params, unsigned int, Long, Long, unsigned int, const void*, Long, unsigned int,
                          void*, Long, int*);
        static auto* const solve_system = plain<Solve>(library(), "cusolverDnXpotrs");
        expect(solve_system(handle, params, 0, n, count, 1, factor.data(), n, 1, x.data(), n,
                            reinterpret_cast<int*>(info.native_handle())));
    }

    const Long n, count;
    const Device device;
    Stream stream{device};
    StridedView a, factor, x;
    math::Cholesky cholesky;
    cusolverDnHandle_t handle = nullptr;
    Params params = nullptr;
    std::size_t device_bytes = 0, host_bytes = 0;
    Buffer work;
    std::vector<std::byte> host;
    TypedBuffer<int> info;
};

int run(int argc, char** argv) {
    Alternation calls(argc, argv);
    static System small(64, 4), large(2048, 64);
    small.factorize_plainly();
    large.factorize_plainly();
    const auto wait = [] { small.stream.synchronize(); };
    calls.add(
        "host time of Cholesky::solve, n = 64", "plain", 32, [] { small.solve_plainly(); }, wait);
    calls.add(
        "host time of Cholesky::solve, n = 64", "cubind", 32, [] { small.solve(); }, wait);
    calls.add(
        "host time of Cholesky::factorize, n = 64", "plain", 32, [] { small.factorize_plainly(); }, wait);
    calls.add(
        "host time of Cholesky::factorize, n = 64", "cubind", 32, [] { small.factorize(); }, wait);
    const std::string factorize = "device time of Cholesky::factorize, n = 2048",
                      solve = "device time of Cholesky::solve, n = 2048";
    calls.add_timed(factorize, "plain", [] { return device_time(large.stream, 5, [] { large.factorize_plainly(); }); });
    calls.add_timed(factorize, "cubind", [] { return device_time(large.stream, 5, [] { large.factorize(); }); });
    calls.add_timed(solve, "plain", [] { return device_time(large.stream, 5, [] { large.solve_plainly(); }); });
    calls.add_timed(solve, "cubind", [] { return device_time(large.stream, 5, [] { large.solve(); }); });
    return calls.run();
}

}  // namespace

int main(int argc, char** argv) try {
    if (cubind::library_path(cubind::cusolver::library()) == nullptr || cubind::Device::count() == 0) {
        std::fprintf(stderr, "cuSOLVER or a GPU is missing\n");
        return 77;
    }
    return run(argc, argv);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 77;
}
