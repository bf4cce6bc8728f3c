// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Calls of plans: operands, workspaces, streams, threads, captures and failures.
#include <cubind/cublaslt/loading.hpp>
#include <cubind/math/matmul.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "library_file.hpp"
#include "matmul_test.hpp"

namespace cubind::testing {
namespace {

using namespace cublaslt;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(MatmulTest, PlansOnceAndMultipliesOften) {
    const StridedView bias = matrix({48}), second = matrix({48}), other = matrix({64, 80});
    math::Matmul product(stream_, a_, b_, d_, {.bias = bias}, {.epilogue = math::Epilogue::gelu});
    product(stream_, a_, b_, d_, {.bias = bias});
    product(stream_, other, b_, d_, {.alpha = 3, .bias = second});
    EXPECT_EQ(stand_in().searches, 1);
    EXPECT_EQ(latest().b_data, other.data());
    EXPECT_EQ(latest().alpha, 3);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_BIAS_POINTER), reinterpret_cast<std::intptr_t>(second.data()));
    math::Matmul& empty = product;
    math::Matmul moved = std::move(product);
    moved(stream_, a_, b_, d_, {.bias = bias});
    EXPECT_EQ(stand_in().products.size(), 3u);
    EXPECT_THAT(message([&] { empty(stream_, a_, b_, d_, {.bias = bias}); }), HasSubstr("moved"));
    EXPECT_EQ(stand_in().handles, 1);
}

TEST_F(MatmulTest, ReusesItsWorkspaceInStreamOrder) {
    math::Matmul product(stream_, a_, b_, d_);
    product(stream_, a_, b_, d_);
    void* const first = latest().workspace;
    EXPECT_NE(first, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 256, 0u);
    EXPECT_EQ(latest().workspace_size, 1024u);
    Stream other{Device(0)};
    product(other, a_, b_, d_);
    EXPECT_EQ(latest().workspace, first);
    EXPECT_EQ(latest().stream, other.native_handle());
}

TEST_F(MatmulTest, RefusesOperandsUnlikeThoseOfItsCreation) {
    const StridedView bias = matrix({48});
    math::Matmul product(stream_, a_, b_, d_, {.bias = bias});
    const auto refused = [&](const math::Operand& a, const math::MatmulArguments& arguments) {
        return message([&] { product(stream_, a, b_, d_, arguments); });
    };
    EXPECT_THAT(refused(matrix({63, 80}), {.bias = bias}), AllOf(HasSubstr("(63, 80)"), HasSubstr("(64, 80)")));
    EXPECT_THAT(refused(columns(64, 80), {.bias = bias}), AllOf(HasSubstr("(1, 64)"), HasSubstr("(80, 1)")));
    EXPECT_THAT(refused(matrix({64, 80}, data_type<int>), {.bias = bias}), AllOf(HasSubstr("int32"), HasSubstr("float32")));
    EXPECT_THAT(refused(a_, {}), AllOf(HasSubstr("bias"), HasSubstr("missing")));
    EXPECT_THAT(refused(a_, {.bias = bias, .aux_input = d_}), AllOf(HasSubstr("aux_input"), HasSubstr("creation")));
    EXPECT_THAT(refused(matrix({65 * 80}).slice(0, 1, 64 * 80 + 1).reshape({64, 80}), {.bias = bias}),
                AllOf(HasSubstr("4 bytes"), HasSubstr("16"), HasSubstr("max_alignment = 4")));
    EXPECT_THAT(refused(a_, {.beta = 1, .c = matrix({64, 40}), .bias = bias}),
                AllOf(HasSubstr("(64, 40)"), HasSubstr("(64, 48)")));
    EXPECT_TRUE(stand_in().products.empty());
    product(stream_, a_, b_, d_, {.beta = 1, .c = matrix({64, 48}), .bias = bias});
    EXPECT_EQ(latest().beta, 1);
    EXPECT_THAT(message([&] { product(Stream(Device(1)), a_, b_, d_, {.bias = bias}); }),
                AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
}

TEST_F(MatmulTest, TakesBuffersOfTwoThreads) {
    math::Matmul product(stream_, a_, b_, d_);
    const StridedView results[] = {matrix({64, 48}), matrix({64, 48})};
    std::vector<std::thread> threads;
    for (const StridedView& d : results) {
        threads.emplace_back([&, d] {
            const Stream stream{Device(0)};
            for (int i = 0; i < 50; ++i) product(stream, a_, b_, d);
        });
    }
    for (std::thread& each : threads) each.join();
    EXPECT_EQ(stand_in().products.size(), 100u);
    for (const LtProduct& each : stand_in().products) EXPECT_EQ(each.workspace_size, 1024u);
}

TEST_F(MatmulTest, IsCapturedWithMemoryOfTheGraph) {
    std::optional<Graph> graph;
    void* workspace = nullptr;
    {
        math::Matmul product(stream_, a_, b_, d_);
        product(stream_, a_, b_, d_);
        workspace = latest().workspace;
        GraphBuilder builder(Device(0));
        builder.begin_building();
        product(builder, a_, b_, d_);
        EXPECT_NE(latest().workspace, workspace);
        math::matmul(builder, a_, b_, d_);
        EXPECT_THAT(message([&] { (void)product.autotune(builder, a_, b_, d_); }), HasSubstr("captured"));
        graph = builder.end_building().complete();
    }
    graph->launch(stream_);
    stream_.synchronize();
}

TEST_F(MatmulTest, StatesFailuresOfTheLibrary) {
    math::Matmul product(stream_, a_, b_, d_);
    stand_in().status = CUBLAS_STATUS_INVALID_VALUE;
    EXPECT_THAT(message_of<Error>([&] { product(stream_, a_, b_, d_); }),
                AllOf(HasSubstr("cublasLtMatmul"), HasSubstr("CUBLAS_STATUS_INVALID_VALUE"), HasSubstr("a is float32 (64, 80)")));
    stand_in().status = CUBLAS_STATUS_ALLOC_FAILED;
    EXPECT_THROW(product(stream_, a_, b_, d_), OutOfMemory);
    FailedCalls::get().forget();
}

TEST_F(MatmulTest, LeaksNothingWhereACallFails) {
    const StridedView bias = matrix({48});
    const Stream& stream = stream_;  // its handles are kept
    EXPECT_GT(sweep([&] {
                  math::Matmul product(stream, a_, b_, d_, {.bias = bias});
                  product(stream, a_, b_, d_, {.bias = bias});
                  (void)product.heuristics();
                  product.use(product.algorithm());
                  (void)product.autotune(stream, a_, b_, d_, {.beta = 1, .bias = bias}, {.rounds = 1, .calls = 1});
                  product(stream, a_, b_, d_, {.bias = bias});
              }),
              30u);
}

TEST_F(MatmulTest, LeaksNothingWhereACaptureFails) {
    sweep(
        [&] {
            math::Matmul product(stream_, a_, b_, d_);
            GraphBuilder builder(Device(0));
            builder.begin_building();
            product(builder, a_, b_, d_);
            (void)builder.end_building().complete();
        },
        {"cuStreamIsCapturing", "cuStreamGetCaptureInfo"});
}

using MatmulLibraryTest = CoreTest;

TEST_F(MatmulLibraryTest, NamesTheMissingLibraryAndItsPackage) {
    const Stream stream{Device(0)};
    const auto buffer = Device(0).allocate<float>(stream, 48);
    const StridedView all(buffer, {48});
    const auto part = [&](std::int64_t index) { return all.slice(0, 16 * index, 16 * index + 16).reshape({4, 4}); };
    EXPECT_THAT(message_with_file(cublaslt::library(), cublaslt::all_entry_points(), "CUBIND_CUBLASLT_LIBRARY",
                                  "/nonexistent/libcublasLt.so.13", [&] { math::matmul(stream, part(0), part(1), part(2)); }),
                AllOf(HasSubstr("/nonexistent/libcublasLt.so.13"), HasSubstr("Install the Python package nvidia-cublas")));
}

}  // namespace
}  // namespace cubind::testing
