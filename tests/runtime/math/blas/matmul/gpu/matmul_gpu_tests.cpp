// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// cuBLASLt itself: products of each type and layout, compared with sums of double precision by relative norm.
#include <cubind/math/matmul.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "matmul_gpu.hpp"

namespace cubind::testing {
namespace {

using math::ComputePrecision;
using math::Epilogue;

constexpr std::int64_t m = 64, n = 48, k = 80;

std::size_t size(std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns);
}

struct TypeCase {
    DataType input, output;
    double tolerance;
    ComputePrecision precision = ComputePrecision::automatic;
};

const DataType f16 = DataType::float16(), bf16 = DataType::bfloat16(), f32 = data_type<float>, f64 = data_type<double>;
const DataType c64 = data_type<std::complex<float>>, c128 = data_type<std::complex<double>>;
const DataType i8 = data_type<std::int8_t>, i32 = data_type<std::int32_t>;

const TypeCase type_cases[] = {{f64, f64, 1e-14},
                               {f32, f32, 1e-6},
                               {f32, f32, 2e-3, ComputePrecision::tf32},
                               {f16, f16, 1e-3},
                               {f16, f32, 1e-5},
                               {f16, f16, 2e-2, ComputePrecision::float16},
                               {bf16, bf16, 8e-3},
                               {bf16, f32, 1e-5},
                               {c64, c64, 1e-6},
                               {c128, c128, 1e-14},
                               {f32, f32, 1e-2, ComputePrecision::bfloat16}};

TEST_F(MatmulGpuTest, MultipliesEachTypeInEachLayout) {
    for (const TypeCase& each : type_cases) {
        const Numbers a = random_(size(m, k), each.input), b = random_(size(k, n), each.input),
                      c = random_(size(m, n), each.output);
        Numbers expected = product_of(a, b, m, n, k);
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 1.5 * expected[i] - 0.5 * c[i];
        const math::MatmulOptions options{.compute = each.precision};
        for (int layouts = 0; layouts < 8; ++layouts) {
            const auto storage = [&](int bit) { return Storage{(layouts >> bit & 1) != 0, layouts % 3 == 1 ? 16 : 0}; };
            SCOPED_TRACE(to_string(each.input) + " to " + to_string(each.output) + ", " + to_string(each.precision) +
                         ", layouts " + std::to_string(layouts));
            const StridedView device_a = matrix(a, each.input, m, k, storage(0)),
                              device_b = matrix(b, each.input, k, n, storage(1));
            const StridedView d = zeros(each.output, m, n, storage(2)), device_c = matrix(c, each.output, m, n, storage(2));
            math::matmul(stream(), device_a, device_b, d, {.alpha = 1.5, .beta = -0.5, .c = device_c}, options);
            EXPECT_LE(relative_error(values(d), expected), each.tolerance);
            math::matmul(stream(), device_a, device_b, device_c, {.alpha = 1.5, .beta = -0.5}, options);  // in place
            EXPECT_LE(relative_error(values(device_c), expected), each.tolerance);
        }
    }
}

TEST_F(MatmulGpuTest, MultipliesIntegersExactly) {
    const Numbers a = random_(size(m, k), i8), b = random_(size(k, n), i8);
    for (const bool is_column_major : {false, true}) {
        const StridedView d = zeros(i32, m, n, {is_column_major});
        math::matmul(stream(), matrix(a, i8, m, k), matrix(b, i8, k, n, {true}), d);
        EXPECT_EQ(values(d), product_of(a, b, m, n, k)) << is_column_major;
    }
}

TEST_F(MatmulGpuTest, TakesComplexFactors) {
    const std::complex<double> alpha(0.5, -2);
    const Numbers a = random_(size(m, k), c128), b = random_(size(k, n), c128);
    Numbers expected = product_of(a, b, m, n, k);
    for (std::complex<double>& each : expected) each *= alpha;
    const StridedView d = zeros(c128, m, n);
    math::matmul(stream(), matrix(a, c128, m, k), matrix(b, c128, k, n), d, {.alpha = alpha});
    EXPECT_LE(relative_error(values(d), expected), 1e-14);
}

TEST_F(MatmulGpuTest, MultipliesBatches) {
    constexpr std::int64_t batch = 3;
    const Numbers a = random_(size(batch * m, k), f32), b = random_(size(k, n), f32), bias = random_(size(1, n), f32);
    const Numbers expected = product_of(a, b, batch * m, n, k);
    const StridedView device_a = uploaded(stream(), a, f32, {batch, m, k}, {m * k + 32, k, 1}), device_b = matrix(b, f32, k, n);
    const StridedView d = uploaded(stream(), Numbers(expected.size()), f32, {batch, m, n}, {m * n, 1, m});
    math::matmul(stream(), device_a, device_b, d);
    EXPECT_LE(relative_error(values(d), expected), 1e-6);
    const StridedView rows = uploaded(stream(), Numbers(expected.size()), f32, {batch, m, n}, {m * n, n, 1});
    math::matmul(stream(), device_a, device_b.unsqueeze(0).broadcast_to({batch, k, n}), rows, {.bias = vector(bias, f32)});
    Numbers added = expected;
    for (std::size_t i = 0; i < added.size(); ++i) added[i] += bias[i % n];
    EXPECT_LE(relative_error(values(rows), added), 1e-6);
}

TEST_F(MatmulGpuTest, MultipliesVectors) {
    const Numbers a = random_(size(m, k), f32), x = random_(size(k, 1), f32);
    const StridedView device_a = matrix(a, f32, m, k), d = zeros(f32, m, 1), row = zeros(f32, 1, m);
    math::matmul(stream(), device_a, matrix(x, f32, k, 1), d);
    EXPECT_LE(relative_error(values(d), product_of(a, x, m, 1, k)), 1e-6);
    math::matmul(stream(), matrix(x, f32, 1, k), device_a.transpose(), row);
    EXPECT_LE(relative_error(values(row), product_of(a, x, m, 1, k)), 1e-6);
}

TEST_F(MatmulGpuTest, AppliesEpilogues) {
    for (const auto& [type, tolerance] : {std::pair(f16, 3e-3), std::pair(bf16, 1e-2), std::pair(f32, 2e-6)}) {
        for (const bool is_column_major : {false, true}) {
            const Numbers a = random_(size(m, k), type), b = random_(size(k, n), type);
            const Numbers bias = random_(static_cast<std::size_t>(is_column_major ? m : n), type);
            const StridedView device_a = matrix(a, type, m, k), device_b = matrix(b, type, k, n),
                              d = zeros(type, m, n, {is_column_major});
            const StridedView added = is_column_major ? vector(bias, type).unsqueeze(1) : vector(bias, type);
            for (const Epilogue epilogue : {Epilogue::none, Epilogue::relu, Epilogue::gelu}) {
                SCOPED_TRACE(to_string(type) + ", " + to_string(epilogue) + (is_column_major ? ", column-major" : ", row-major"));
                Numbers plain = product_of(a, b, m, n, k), biased = plain;
                for (std::size_t i = 0; i < plain.size(); ++i) {
                    const auto apply = [&](double x) {
                        return epilogue == Epilogue::relu ? relu(x) : epilogue == Epilogue::gelu ? gelu(x) : x;
                    };
                    plain[i] = apply(plain[i].real());
                    biased[i] = apply(biased[i].real() + bias[is_column_major ? i / n : i % n].real());
                }
                const math::MatmulOptions options{.epilogue = epilogue};
                const double limit =
                    epilogue == Epilogue::gelu ? std::max(tolerance, 2e-3) : tolerance;  // of an approximate tanh
                math::matmul(stream(), device_a, device_b, d, options);
                EXPECT_LE(relative_error(values(d), plain), limit);
                math::matmul(stream(), device_a, device_b, d, {.bias = added}, options);
                EXPECT_LE(relative_error(values(d), biased), limit);
            }
        }
    }
}

// A layer d = f(a @ b + bias) and its gradients, with n a multiple of 128 for relu's mask.
TEST_F(MatmulGpuTest, ComputesGradients) {
    constexpr std::int64_t wide = 128;
    for (const bool is_relu : {true, false}) {
        SCOPED_TRACE(is_relu ? "relu" : "gelu");
        const Numbers a = random_(size(m, k), f16), b = random_(size(k, wide), f16), bias = random_(size(1, wide), f16);
        const StridedView device_a = matrix(a, f16, m, k), device_b = matrix(b, f16, k, wide), d = zeros(f16, m, wide);
        const StridedView aux = is_relu ? uploaded(stream(), Numbers(size(m, wide / 32)), f32, {m, wide / 32}, {wide / 32, 1})
                                              .view_as(data_type<std::uint8_t>, 1)
                                        : zeros(f16, m, wide);
        math::matmul(stream(), device_a, device_b, d, {.bias = vector(bias, f16), .aux_output = aux},
                     {.epilogue = is_relu ? Epilogue::relu : Epilogue::gelu});
        Numbers before = product_of(a, b, m, wide, k), after = before;
        for (std::size_t i = 0; i < before.size(); ++i) {
            before[i] += bias[i % wide];
            after[i] = is_relu ? relu(before[i].real()) : gelu(before[i].real());
        }
        EXPECT_LE(relative_error(values(d), after), 3e-3);
        if (!is_relu) {
            EXPECT_LE(relative_error(values(aux), before), 3e-3);
        }

        // The next layer's weights w (wide, k) take the gradient g (m, k) back: f'(before) * (g @ w^T).
        const Numbers g = random_(size(m, k), f16), w_transposed = random_(size(k, wide), f16);
        const StridedView back = zeros(f16, m, wide), sums = zeros(f16, 1, wide);
        math::matmul(stream(), matrix(g, f16, m, k), matrix(w_transposed, f16, k, wide), back,
                     {.aux_input = aux, .bias_gradient = sums},
                     {.epilogue = is_relu ? Epilogue::relu_gradient : Epilogue::gelu_gradient});
        Numbers gradient = product_of(g, w_transposed, m, wide, k), summed(wide);
        for (std::size_t i = 0; i < gradient.size(); ++i) {
            const double x = before[i].real();
            gradient[i] *= is_relu ? (x > 0 ? 1.0 : 0.0) : gelu_slope(x);
            summed[i % wide] += gradient[i];
        }
        // relu's sign may differ where the sum is nearly 0.
        EXPECT_LE(relative_error(values(back), gradient), 2e-2);
        EXPECT_LE(relative_error(values(sums), summed), 2e-2);
    }
}

TEST_F(MatmulGpuTest, SumsRowsAndColumns) {
    const Numbers a = random_(size(m, k), f16), b = random_(size(k, n), f16);
    Numbers row_sums(m), column_sums(n);
    for (std::size_t i = 0; i < a.size(); ++i) row_sums[i / k] += a[i];
    for (std::size_t i = 0; i < b.size(); ++i) column_sums[i % n] += b[i];
    int supported[2] = {};
    for (int layouts = 0; layouts < 8; ++layouts) {
        const auto storage = [&](int bit) { return Storage{(layouts >> bit & 1) != 0}; };
        const StridedView device_a = matrix(a, f16, m, k, storage(0)), device_b = matrix(b, f16, k, n, storage(1));
        const StridedView d = zeros(f16, m, n, storage(2)), rows = vector(Numbers(m), f16), columns = vector(Numbers(n), f16);
        if (is_supported([&] { math::matmul(stream(), device_a, device_b, d, {.a_row_sums = rows}); })) {
            ++supported[0];
            EXPECT_LE(relative_error(values(rows), row_sums), 5e-3) << layouts;
            EXPECT_LE(relative_error(values(d), product_of(a, b, m, n, k)), 1e-3) << layouts;
        }
        if (is_supported([&] { math::matmul(stream(), device_a, device_b, d, {.b_column_sums = columns}); })) {
            ++supported[1];
            EXPECT_LE(relative_error(values(columns), column_sums), 5e-3) << layouts;
        }
    }
    std::cout << "of 8 layouts, cuBLASLt has " << supported[0] << " with a_row_sums, " << supported[1] << " with b_column_sums\n";
    EXPECT_GT(supported[0], 0);
    EXPECT_GT(supported[1], 0);
}

TEST_F(MatmulGpuTest, TunesStoresAndUsesAlgorithms) {
    constexpr std::int64_t large = 512;
    const Numbers a = random_(size(large, large), f16), b = random_(size(large, large), f16);
    const StridedView device_a = matrix(a, f16, large, large), device_b = matrix(b, f16, large, large),
                      d = zeros(f16, large, large);
    math::Matmul product(stream(), device_a, device_b, d);
    const auto timed = product.autotune(stream(), device_a, device_b, d);
    ASSERT_FALSE(timed.empty());
    const Numbers tuned = values(d);
    std::cout << timed.size() << " algorithms, " << timed.front().time.count() << " to " << timed.back().time.count() << " ms\n";
    math::Matmul other(stream(), device_a, device_b, d);
    other.use(math::MatmulAlgorithm::from_bytes(product.algorithm().to_bytes()));
    EXPECT_EQ(other.algorithm(), timed.front().algorithm);
    const StridedView again = zeros(f16, large, large);
    for (const math::MatmulAlgorithm& each : other.heuristics()) {
        other.use(each);
        other(stream(), device_a, device_b, again);
        EXPECT_LE(relative_error(values(again), tuned), 2e-3);
    }
    const Numbers before = values(d);
    (void)product.autotune(stream(), device_a, device_b, d, {.beta = 1});
    EXPECT_EQ(values(d), before);  // a copy was used
    EXPECT_THROW(math::Matmul(stream(), device_a, device_b, d, {.epilogue = Epilogue::relu}).use(product.algorithm()),
                 std::invalid_argument);
}

TEST_F(MatmulGpuTest, RunsInGraphsOnTwoStreamsAndInTwoThreads) {
    const Numbers a = random_(size(m, k), f32), b = random_(size(k, n), f32), expected = product_of(a, b, m, n, k);
    const StridedView device_a = matrix(a, f32, m, k), device_b = matrix(b, f32, k, n), d = zeros(f32, m, n),
                      second = zeros(f32, m, n);
    std::optional<math::Matmul> product(std::in_place, stream(), device_a, device_b, d);
    GraphBuilder builder(Device(0));
    builder.begin_building();
    (*product)(builder, device_a, device_b, d, {.beta = 1});
    Graph graph = builder.end_building().complete();
    graph.launch(stream());
    graph.launch(stream());
    Numbers twice = expected;
    for (std::complex<double>& each : twice) each *= 2;
    EXPECT_LE(relative_error(values(d), twice), 1e-6);

    const auto repeat = [&](const StridedView& result) {
        const Stream own{Device(0)};
        for (int i = 0; i < 200; ++i) (*product)(own, device_a, device_b, result);
        own.synchronize();
    };
    std::thread other([&] { repeat(second); });
    repeat(d);
    other.join();
    EXPECT_LE(relative_error(values(d), expected), 1e-6);
    EXPECT_LE(relative_error(values(second), expected), 1e-6);

    (*product)(stream(), device_a, device_b, d, {.alpha = 3});
    product.reset();  // the work may run
    Numbers thrice = expected;
    for (std::complex<double>& each : thrice) each *= 3;
    EXPECT_LE(relative_error(values(d), thrice), 1e-6);
}

TEST_F(MatmulGpuTest, StatesWhatTheLibraryDoesNotHave) {
    const StridedView a = zeros(i8, m, k, {true}), b = zeros(i8, k, n), d = zeros(f64, m, n);
    try {
        math::matmul(stream(), a, b, d);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::exception& error) {
        std::cout << error.what() << '\n';
        EXPECT_NE(std::string(error.what()).find("float64 (64, 48)"), std::string::npos);
    }
}

}  // namespace
}  // namespace cubind::testing
