// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times products of matrices through math::Matmul and through function pointers of cuBLASLt, with the same algorithm, memory and
/// stream. benchmarks/math_cost runs this program and compares the times; alternate.hpp has its options. With --shapes,
/// prints a table instead: the time on the device of the library's first algorithm and of the tuned one, for 20 shapes. With
/// --first-use=plain or --first-use=plan, prints the time until the first product of a process is done.

#include <cubind/core.hpp>
#include <cubind/cublaslt/loading.hpp>
#include <cubind/cublaslt/types.hpp>
#include <cubind/library.hpp>
#include <cubind/math/matmul.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "../alternate.hpp"
#include "../device_time.hpp"
#include "../plain.hpp"

namespace {

using namespace cubind;
using namespace cubind::cublaslt;

void expect(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) [[unlikely]]
        std::abort();
}

/// A product of row-major matrices of float16 or float32, in both ways.
class Product {
public:
    Product(const Stream& stream, std::int64_t m, std::int64_t n, std::int64_t k, DataType type)
        : stream_(stream), a_(matrix(m, k, type)), b_(matrix(k, n, type)), d_(matrix(m, n, type)) {}

    void plan() { plan_.emplace(stream_, a_, b_, d_); }
    void plan_plainly() {
        const auto extent = [](const StridedView& view, std::size_t dimension) {
            return static_cast<std::uint64_t>(view.shape()[dimension]);
        };
        describe(extent(d_, 0), extent(d_, 1), extent(a_, 1), a_.dtype() == data_type<float> ? CUDA_R_32F : CUDA_R_16F);
    }

    void multiply() { (*plan_)(stream_, a_, b_, d_); }
    void multiply_plainly() {
        static auto* const matmul =
            plain<cublasStatus_t(cublasLtHandle_t, cublasLtMatmulDesc_t, const void*, const void*, cublasLtMatrixLayout_t,
                                 const void*, cublasLtMatrixLayout_t, const void*, const void*, cublasLtMatrixLayout_t, void*,
                                 cublasLtMatrixLayout_t, const cublasLtMatmulAlgo_t*, void*, std::size_t, cudaStream_t)>(
                library(), "cublasLtMatmul");
        const float alpha = 1, beta = 0;
        expect(matmul(handle_, operation_, &alpha, b_.data(), b_layout_, a_.data(), a_layout_, &beta, d_.data(), d_layout_,
                      d_.data(), d_layout_, &first_.algo, reinterpret_cast<void*>(workspace_.native_handle()),
                      first_.workspaceSize, stream_.native_handle()));
    }

    /// Lets the plan use its fastest algorithm; the plain calls keep the library's first one.
    void tune() { (void)plan_->autotune(stream_, a_, b_, d_, {}, {.rounds = 15, .calls = 10}); }

    double time(int repeats) {
        return device_time(stream_, repeats, [this] { multiply(); });
    }
    double time_plainly(int repeats) {
        return device_time(stream_, repeats, [this] { multiply_plainly(); });
    }

private:
    StridedView matrix(std::int64_t rows, std::int64_t columns, DataType type) {
        Buffer buffer = stream_.device().allocate(stream_, static_cast<std::size_t>(rows * columns) * type.size());
        buffer.fill(stream_, std::uint16_t{0x3c00});  // 1 as float16, 0.0078 as float32
        return StridedView(buffer, type, {rows, columns});
    }
    // The descriptions live as long as the process. As the plan, the plain call computes the transpose: d^T = b^T a^T.
    void describe(std::uint64_t m, std::uint64_t n, std::uint64_t k, cudaDataType type) {
        const auto layout = [&](std::uint64_t rows, std::uint64_t columns) {
            cublasLtMatrixLayout_t created = nullptr;
            expect(plain<cublasStatus_t(cublasLtMatrixLayout_t*, cudaDataType, std::uint64_t, std::uint64_t, std::int64_t)>(
                library(), "cublasLtMatrixLayoutCreate")(&created, type, rows, columns, static_cast<std::int64_t>(rows)));
            return created;
        };
        expect(plain<cublasStatus_t(cublasLtHandle_t*)>(library(), "cublasLtCreate")(&handle_));
        expect(plain<cublasStatus_t(cublasLtMatmulDesc_t*, cublasComputeType_t, cudaDataType)>(
            library(), "cublasLtMatmulDescCreate")(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F));
        a_layout_ = layout(k, m);
        b_layout_ = layout(n, k);
        d_layout_ = layout(n, m);
        cublasLtMatmulPreference_t preference = nullptr;
        expect(plain<cublasStatus_t(cublasLtMatmulPreference_t*)>(library(), "cublasLtMatmulPreferenceCreate")(&preference));
        const std::uint64_t most = std::uint64_t{32} << 20;
        expect(plain<cublasStatus_t(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t, const void*, std::size_t)>(
            library(), "cublasLtMatmulPreferenceSetAttribute")(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most,
                                                               sizeof most));
        int count = 0;
        expect(plain<cublasStatus_t(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                    cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int,
                                    cublasLtMatmulHeuristicResult_t*, int*)>(library(), "cublasLtMatmulAlgoGetHeuristic")(
            handle_, operation_, b_layout_, a_layout_, d_layout_, d_layout_, preference, 1, &first_, &count));
        if (count != 1) std::abort();
        workspace_ = stream_.device().allocate(stream_, std::max<std::size_t>(first_.workspaceSize, 1));
    }

    const Stream& stream_;
    StridedView a_, b_, d_;
    std::optional<math::Matmul> plan_;
    cublasLtHandle_t handle_ = nullptr;
    cublasLtMatmulDesc_t operation_ = nullptr;
    cublasLtMatrixLayout_t a_layout_ = nullptr, b_layout_ = nullptr, d_layout_ = nullptr;
    cublasLtMatmulHeuristicResult_t first_ = {};
    Buffer workspace_;
};

struct Shape {
    std::int64_t m, n, k;
    bool is_float;
};

// Squares, layers of networks with few and many rows, thin and long ones.
constexpr Shape shapes[] = {
    {256, 256, 256, false},    {512, 512, 512, false},    {1024, 1024, 1024, false},  {2048, 2048, 2048, false},
    {4096, 4096, 4096, false}, {8192, 8192, 8192, false}, {1, 4096, 4096, false},     {8, 4096, 4096, false},
    {32, 4096, 4096, false},   {128, 11008, 4096, false}, {2048, 11008, 4096, false}, {2048, 4096, 11008, false},
    {4096, 4096, 64, false},   {64, 64, 16384, false},    {1000, 1000, 1000, false},  {333, 777, 1111, false},
    {512, 512, 512, true},     {1024, 1024, 1024, true},  {2048, 2048, 2048, true},   {4096, 4096, 512, true}};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

int print_shapes(const Stream& stream) {
    std::printf("| m | n | k | type | first, us | tuned, us | first / tuned |\n|---|---|---|---|---|---|---|\n");
    for (const auto& [m, n, k, is_float] : shapes) {
        Product product(stream, m, n, k, is_float ? data_type<float> : DataType::float16());
        product.plan();
        product.plan_plainly();
        product.tune();
        const int repeats = static_cast<int>(std::clamp(2e6 / std::max(product.time_plainly(5), 1.0), 3.0, 200.0));
        std::vector<double> first, tuned;
        for (int round = 0; round < 31; ++round) {  // alternated, in changing order
            if (round % 2 == 0) first.push_back(product.time_plainly(repeats));
            tuned.push_back(product.time(repeats));
            if (round % 2 != 0) first.push_back(product.time_plainly(repeats));
        }
        const double before = median(first), after = median(tuned);
        std::printf("| %lld | %lld | %lld | %s | %.2f | %.2f | %.3f |\n", static_cast<long long>(m), static_cast<long long>(n),
                    static_cast<long long>(k), is_float ? "float32" : "float16", before / 1e3, after / 1e3, before / after);
    }
    return 0;
}

/// Prints the time from the first call of the library to the end of the first product, in nanoseconds.
int print_first_use(const Stream& stream, bool is_plain) {
    Product product(stream, 1024, 1024, 1024, DataType::float16());
    stream.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    if (is_plain) {
        product.plan_plainly();
        product.multiply_plainly();
    } else {
        product.plan();
        product.multiply();
    }
    stream.synchronize();
    std::printf("%.0f\n", std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    return 0;
}

int run(int argc, char** argv) {
    Device().set_current();  // for the plain calls
    static const Stream stream{Device()};
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--shapes") == 0) return print_shapes(stream);
        if (std::strncmp(argv[i], "--first-use=", 12) == 0)
            return print_first_use(stream, std::strcmp(argv[i] + 12, "plain") == 0);
    }
    Alternation calls(argc, argv);
    static Product small(stream, 64, 64, 64, DataType::float16()), large(stream, 4096, 4096, 4096, DataType::float16());
    for (Product* each : {&small, &large}) {
        each->plan();
        each->plan_plainly();
    }
    const auto wait = [] { stream.synchronize(); };
    calls.add(
        "host time of a product", "plain", 64, [] { small.multiply_plainly(); }, wait);
    calls.add(
        "host time of a product", "cubind", 64, [] { small.multiply(); }, wait);
    const std::string name = "device time of a product, 4096 x 4096 x 4096 float16";
    calls.add_timed(name, "plain", [] { return large.time_plainly(10); });
    calls.add_timed(name, "cubind", [] { return large.time(10); });
    return calls.run();
}

}  // namespace

int main(int argc, char** argv) try {
    if (library_path(cublaslt::library()) == nullptr || Device::count() == 0) {
        std::fprintf(stderr, "cuBLASLt or a GPU is missing\n");
        return 77;
    }
    return run(argc, argv);
} catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 77;
}
