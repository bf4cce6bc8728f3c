// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// cuTENSOR itself. Each result is compared with the definition in double precision, by the relative norm of the difference.
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/cutensor/loading.hpp>
#include <cubind/error.hpp>
#include <cubind/library.hpp>
#include <cubind/math/contraction.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <thread>
#include <type_traits>

#include "host_tensor.hpp"

namespace cubind::testing {
namespace {

using math::ContractionAlgorithm;
using math::ContractionPrecision;

/// The layout of an operand: the shape, the elements after each row, and those before the first one.
struct Layout {
    Dimensions shape;
    std::int64_t padding = 0;
    std::int64_t shift = 0;
};

class ContractionGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (library_path(cutensor::library()) == nullptr) GTEST_SKIP() << "cuTENSOR was not found";
        try {
            if (Device::count() == 0) GTEST_SKIP() << "there is no GPU";
        } catch (const Error&) {
            GTEST_SKIP() << "there is no driver";
        }
        Device().set_current();
        stream_.emplace(Device());
        const unsigned int seed = std::random_device()();
        std::printf("seed %u\n", seed);
        random_.seed(seed);
    }

    template <class Element>
    HostTensor<Element> tensor(const Layout& layout) {
        return HostTensor<Element>::of(*stream_, random_, layout.shape, layout.padding, layout.shift);
    }

    /// Returns the operands of the definition.
    template <class... Tensors>
    static std::vector<Definition> definitions(const std::string& subscripts, const std::vector<bool>& conjugated,
                                               const Tensors&... tensors) {
        std::vector<Definition> all;
        std::size_t begin = 0;
        const auto add = [&](const auto& tensor) {
            const std::size_t end = subscripts.find_first_of(",-", begin);
            const bool is_conjugated = conjugated.size() > all.size() && conjugated[all.size()];
            all.push_back(
                {subscripts.substr(begin, end - begin), tensor.view().shape(), [&tensor, is_conjugated](const auto& index) {
                     return is_conjugated ? std::conj(tensor.at(index)) : tensor.at(index);
                 }});
            begin = end + 1;
        };
        (add(tensors), ...);
        return all;
    }

    /// Compares the elements of a tensor with alpha * expected + beta * addend.
    template <class Element>
    void expect_close(HostTensor<Element>& d, const std::vector<Number>& expected, double tolerance, const std::string& what) {
        d.download(*stream_);
        double difference = 0, norm = 0;
        std::size_t i = 0;
        std::vector<std::int64_t> index(d.view().rank());
        const std::function<void(std::size_t)> loop = [&](std::size_t depth) {
            if (depth == index.size()) {
                difference += std::norm(d.at(index) - expected[i]);
                norm += std::norm(expected[i++]);
                return;
            }
            for (index[depth] = 0; index[depth] < d.view().shape()[depth]; ++index[depth]) loop(depth + 1);
        };
        loop(0);
        EXPECT_EQ(i, expected.size()) << what;
        EXPECT_LE(std::sqrt(difference), tolerance * std::sqrt(norm))
            << what << ": relative error " << std::sqrt(difference / norm);
    }

    /// Contracts two random tensors and compares.
    template <class Element>
    void expect_contraction(const std::string& subscripts, const Layout& a_layout, const Layout& b_layout, const Layout& d_layout,
                            double tolerance, const math::ContractionOptions& options = {}) {
        const auto a = tensor<Element>(a_layout), b = tensor<Element>(b_layout);
        auto d = tensor<Element>(d_layout);
        math::contract(*stream_, subscripts, a.view(), b.view(), d.view(), {}, options);
        const auto inputs = definitions(subscripts, {options.conjugate_a, options.conjugate_b}, a, b);
        expect_close(d, contracted(inputs, subscripts.substr(subscripts.find('>') + 1)), tolerance,
                     subscripts + " of " + to_string(data_type<Element>));
    }

    template <class Element>
    void expect_contractions(double tolerance) {
        expect_contraction<Element>("ij,jk->ik", {{33, 40}}, {{40, 21}}, {{33, 21}}, tolerance);
        expect_contraction<Element>("ij,kj->ki", {{16, 64}}, {{24, 64}}, {{24, 16}}, tolerance);
        expect_contraction<Element>("nij,njk->nik", {{5, 16, 24}}, {{5, 24, 8}}, {{5, 16, 8}}, tolerance);
        expect_contraction<Element>("akb,kc->abc", {{12, 56, 9}}, {{56, 10}}, {{12, 9, 10}}, tolerance);
        expect_contraction<Element>("abcd,dcef->abef", {{4, 6, 8, 10}}, {{10, 8, 3, 5}}, {{4, 6, 3, 5}}, tolerance);
        expect_contraction<Element>("ijk,kj->i", {{19, 12, 14}}, {{14, 12}}, {{19}}, tolerance);
        expect_contraction<Element>("ij,jk->ik", {{32, 48}, 3}, {{48, 16}, 5}, {{32, 16}, 1}, tolerance);  // padded rows
        expect_contraction<Element>("ij,jk->ik", {{32, 48}, 0, 1}, {{48, 16}, 0, 3}, {{32, 16}, 0, 1},
                                    tolerance);  // odd addresses
    }

    std::optional<Stream> stream_;
    std::mt19937 random_;
};

// ---- types and shapes ----------------------------------------------------------------------------------------------------

TEST_F(ContractionGpuTest, ContractsHalf) {
    expect_contractions<Half>(1e-3);
}

TEST_F(ContractionGpuTest, ContractsBfloat) {
    expect_contractions<Bfloat>(8e-3);
}

TEST_F(ContractionGpuTest, ContractsFloat) {
    expect_contractions<float>(1e-6);
}

TEST_F(ContractionGpuTest, ContractsDouble) {
    expect_contractions<double>(1e-14);
}

TEST_F(ContractionGpuTest, ContractsComplexFloat) {
    expect_contractions<std::complex<float>>(1e-6);
}

TEST_F(ContractionGpuTest, ContractsComplexDouble) {
    expect_contractions<std::complex<double>>(1e-14);
}

TEST_F(ContractionGpuTest, ContractsRealWithComplex) {
    const auto a = tensor<double>({{16, 24}});
    const auto b = tensor<Number>({{24, 8}});
    auto d = tensor<Number>({{16, 8}});
    math::contract(*stream_, "ij,jk->ik", a.view(), b.view(), d.view());
    expect_close(d, contracted(definitions("ij,jk->ik", {}, a, b), "ik"), 1e-14, "float64 with complex128");
}

TEST_F(ContractionGpuTest, ContractsToAndFromOneNumber) {
    expect_contraction<float>("ij,ij->", {{30, 20}}, {{30, 20}}, {{}}, 1e-6);
    expect_contraction<double>("i,i->", {{1000}}, {{1000}}, {{}}, 1e-13);
    expect_contraction<float>("i,j->ij", {{30}}, {{20}}, {{30, 20}}, 1e-6);
}

TEST_F(ContractionGpuTest, SumsOverALetterOfOneOperand) {
    expect_contraction<float>("ij,jk->k", {{30, 20}}, {{20, 10}}, {{10}}, 1e-6);
}

TEST_F(ContractionGpuTest, ContractsTransposedViews) {
    const auto a = tensor<float>({{40, 33}}), b = tensor<float>({{21, 40}});
    auto d = tensor<float>({{21, 33}});
    math::contract(*stream_, "ij,jk->ik", a.view().transpose(), b.view().transpose(), d.view().transpose());
    expect_close(d, contracted(definitions("ji,kj->ki", {}, a, b), "ki"), 1e-6, "transposed");
}

TEST_F(ContractionGpuTest, ContractsThreeOperands) {
    const auto check = [&]<class Element>(Element, double tolerance) {
        const auto a = tensor<Element>({{16, 20}}), b = tensor<Element>({{20, 12}}), c = tensor<Element>({{12, 8}});
        auto d = tensor<Element>({{16, 8}});
        math::contract(*stream_, "ij,jk,kl->il", a.view(), b.view(), c.view(), d.view());
        expect_close(d, contracted(definitions("ij,jk,kl->il", {}, a, b, c), "il"), tolerance, "a chain");
    };
    check(float(), 1e-5);
    check(double(), 1e-13);
    check(std::complex<float>(), 1e-5);
    check(std::complex<double>(), 1e-13);
    const auto a = tensor<double>({{6, 7, 8}}), b = tensor<double>({{6, 5}}), c = tensor<double>({{7, 4}});
    auto d = tensor<double>({{5, 4, 8}});
    math::contract(*stream_, "abc,ax,by->xyc", a.view(), b.view(), c.view(), d.view());
    expect_close(d, contracted(definitions("abc,ax,by->xyc", {}, a, b, c), "xyc"), 1e-13, "a core tensor");
}

// ---- factors and options -------------------------------------------------------------------------------------------------

TEST_F(ContractionGpuTest, ScalesAndAdds) {
    const auto a = tensor<Number>({{16, 24}}), b = tensor<Number>({{24, 8}}), e = tensor<Number>({{16, 8}});
    auto d = tensor<Number>({{16, 8}});
    const auto product = contracted(definitions("ij,jk->ik", {}, a, b), "ik");
    const Number alpha(0.5, -2), beta(3, 1);
    const auto expected = [&](const HostTensor<Number>& addend) {
        std::vector<Number> sum = product;
        for (std::size_t i = 0; i < sum.size(); ++i)
            sum[i] = alpha * sum[i] + beta * addend.at({static_cast<std::int64_t>(i / 8), static_cast<std::int64_t>(i % 8)});
        return sum;
    };
    const auto in_place = expected(d);
    const math::Contraction plan(*stream_, "ij,jk->ik", a.view(), b.view(), d.view());
    plan(*stream_, a.view(), b.view(), d.view(), {.alpha = alpha, .beta = beta});
    expect_close(d, in_place, 1e-14, "in place");
    plan(*stream_, a.view(), b.view(), d.view(), {.alpha = alpha, .beta = beta, .addend = e.view()});
    expect_close(d, expected(e), 1e-14, "another addend");
}

TEST_F(ContractionGpuTest, IgnoresTheOutputIfBetaIsZero) {
    const auto a = tensor<float>({{16, 24}}), b = tensor<float>({{24, 8}});
    auto d = tensor<float>({{16, 8}});
    fill(*stream_, d.view(), std::byte{0xFF});  // NaN
    math::contract(*stream_, "ij,jk->ik", a.view(), b.view(), d.view());
    expect_close(d, contracted(definitions("ij,jk->ik", {}, a, b), "ik"), 1e-6, "over NaN");
}

TEST_F(ContractionGpuTest, Conjugates) {
    expect_contraction<Number>("ij,kj->ik", {{16, 24}}, {{8, 24}}, {{16, 8}}, 1e-14, {.conjugate_b = true});
    expect_contraction<std::complex<float>>("ij,kj->ik", {{16, 24}}, {{8, 24}}, {{16, 8}}, 1e-6, {.conjugate_a = true});
    expect_contraction<float>("ij,kj->ik", {{16, 24}}, {{8, 24}}, {{16, 8}}, 1e-6, {.conjugate_a = true, .conjugate_b = true});
}

TEST_F(ContractionGpuTest, HasPrecisions) {
    const auto check = [&]<class Element>(Element, ContractionPrecision precision, double tolerance) {
        try {
            expect_contraction<Element>("ij,jk->ik", {{64, 128}}, {{128, 32}}, {{64, 32}}, tolerance, {.precision = precision});
        } catch (const Error& error) {  // of an older library or GPU
            std::printf("precision %d: %s\n", static_cast<int>(precision), error.what());
            EXPECT_TRUE(precision == ContractionPrecision::bfloat16x9 || precision == ContractionPrecision::float16x4 ||
                        precision == ContractionPrecision::int8x8)
                << error.what();
        }
    };
    check(float(), ContractionPrecision::float32, 1e-6);
    check(float(), ContractionPrecision::tf32, 2e-3);
    check(float(), ContractionPrecision::tf32x3, 1e-5);
    check(float(), ContractionPrecision::float16, 2e-2);
    check(float(), ContractionPrecision::bfloat16, 3e-2);
    check(float(), ContractionPrecision::bfloat16x9, 1e-5);
    check(float(), ContractionPrecision::float16x4, 1e-5);
    check(double(), ContractionPrecision::float64, 1e-14);
    check(double(), ContractionPrecision::float32, 1e-5);
    check(double(), ContractionPrecision::int8x8, 1e-12);
    check(std::complex<float>(), ContractionPrecision::tf32, 2e-3);
}

TEST_F(ContractionGpuTest, RefusesAPrecisionThatTheTypeLacks) {
    const auto a = tensor<Half>({{16, 16}}), d = tensor<Half>({{16, 16}});
    try {
        math::contract(*stream_, "ij,jk->ik", a.view(), a.view(), d.view(), {}, {.precision = ContractionPrecision::float64});
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("CUTENSOR_STATUS_NOT_SUPPORTED"), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("ContractionPrecision::automatic"), std::string::npos) << error.what();
    }
}

TEST_F(ContractionGpuTest, HasAlgorithms) {
    int algorithms = 0;
    for (const auto algorithm : {ContractionAlgorithm::automatic, ContractionAlgorithm::patient, ContractionAlgorithm::gett,
                                 ContractionAlgorithm::tgett, ContractionAlgorithm::ttgt}) {
        for (const auto workspace : {math::ContractionWorkspace::least, math::ContractionWorkspace::most}) {
            try {
                expect_contraction<float>("akb,kc->abc", {{32, 48, 16}}, {{48, 24}}, {{32, 16, 24}}, 1e-6,
                                          {.algorithm = algorithm, .workspace = workspace});
                ++algorithms;
            } catch (const Error& error) {
                std::printf("algorithm %d: %s\n", static_cast<int>(algorithm), error.what());
            }
        }
    }
    EXPECT_GE(algorithms, 6) << "both choices of the library, and one of the methods at least";
    expect_contraction<float>("akb,kc->abc", {{32, 48, 16}}, {{48, 24}}, {{32, 16, 24}}, 1e-6, {.kernel_rank = 0});
    try {
        expect_contraction<float>("akb,kc->abc", {{32, 48, 16}}, {{48, 24}}, {{32, 16, 24}}, 1e-6,
                                  {.plan = {.workspace_limit = 0}});
    } catch (const Error& error) {  // if no kernel works without
        EXPECT_NE(std::string(error.what()).find("PlanOptions::workspace_limit"), std::string::npos) << error.what();
    }
}

TEST_F(ContractionGpuTest, Autotunes) {
    const auto a = tensor<float>({{64, 56, 48}}), b = tensor<float>({{56, 30}});
    auto d = tensor<float>({{48, 64, 30}}), untouched = d;
    math::Contraction plan(*stream_, "akb,kc->bac", a.view(), b.view(), d.view());
    const math::ContractionTuning tuning = plan.autotune(*stream_, a.view(), b.view(), d.view());
    std::printf("%d candidates, %g ms before, %g ms after\n", tuning.candidates, static_cast<double>(tuning.before.count()),
                static_cast<double>(tuning.after.count()));
    EXPECT_GT(tuning.candidates, 0);
    EXPECT_LE(tuning.after, tuning.before);
    d.download(*stream_);
    EXPECT_EQ(d.at({1, 2, 3}), untouched.at({1, 2, 3})) << "the output is not written";
    plan(*stream_, a.view(), b.view(), d.view());
    expect_close(d, contracted(definitions("akb,kc->bac", {}, a, b), "bac"), 1e-6, "tuned");

    const std::string file = (std::filesystem::temp_directory_path() / "cubind_contraction_plans").string();
    math::save_contraction_plans(Device(), file);
    EXPECT_GT(math::load_contraction_plans(Device(), file), 0u);
    std::filesystem::remove(file);
    EXPECT_THROW((void)math::load_contraction_plans(Device(), file), Error);
}

TEST_F(ContractionGpuTest, CompilesKernels) {
    const auto start = std::chrono::steady_clock::now();
    try {
        expect_contraction<float>("akb,kc->abc", {{32, 48, 16}}, {{48, 24}}, {{32, 16, 24}}, 1e-6, {.jit = true});
    } catch (const Error& error) {
        GTEST_SKIP() << error.what();
    }
    std::printf("%g s\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

// ---- sums of no elements -------------------------------------------------------------------------------------------------

TEST_F(ContractionGpuTest, ComputesSumsOfNoElements) {
    auto d = tensor<float>({{4, 6}, 3});
    const StridedView a(Device().allocate(*stream_, 4), data_type<float>, {4, 0}),
        b(Device().allocate(*stream_, 4), data_type<float>, {0, 6});
    math::contract(*stream_, "ij,jk->ik", a, b, d.view());
    d.download(*stream_);
    for (std::int64_t i = 0; i < 24; ++i) EXPECT_EQ(d.at({i / 6, i % 6}), Number(0));
}

// ---- streams, graphs, threads and destruction ----------------------------------------------------------------------------

TEST_F(ContractionGpuTest, IsCapturedIntoAGraph) {
    auto a = tensor<float>({{64, 48}});
    const auto b = tensor<float>({{48, 32}});
    auto d = tensor<float>({{64, 32}});
    const math::Contraction plan(*stream_, "ij,jk->ik", a.view(), b.view(), d.view());
    GraphBuilder builder{Device()};
    builder.begin_building();
    plan(builder, a.view(), b.view(), d.view());
    math::contract(builder, "ij,jk->ik", a.view(), b.view(), d.view(), {.alpha = 0.5, .beta = 1});
    builder.end_building();
    const Graph graph = builder.complete();
    for (int i = 0; i < 3; ++i) {
        a = HostTensor<float>(a.view(), random_);
        a.upload(*stream_);
        graph.launch(*stream_);
        auto expected = contracted(definitions("ij,jk->ik", {}, a, b), "ik");
        for (Number& each : expected) each *= 1.5;
        expect_close(d, expected, 1e-6, "launch " + std::to_string(i));
    }
}

TEST_F(ContractionGpuTest, IsUsedInSeveralStreamsByThreads) {
    const auto a = tensor<double>({{64, 96}}), b = tensor<double>({{96, 32}});
    const auto expected = contracted(definitions("ij,jk->ik", {}, a, b), "ik");
    const math::Contraction plan(*stream_, "ij,jk->ik", a.view(), b.view(), tensor<double>({{64, 32}}).view(),
                                 {.workspace = math::ContractionWorkspace::most});
    std::vector<HostTensor<double>> results;
    for (int i = 0; i < 4; ++i) results.push_back(tensor<double>({{64, 32}}));
    stream_->synchronize();
    std::vector<std::thread> threads;
    for (HostTensor<double>& d : results) {
        threads.emplace_back([&] {
            const Stream stream{Device()};
            for (int i = 0; i < 20; ++i) plan(stream, a.view(), b.view(), d.view());
            stream.synchronize();
        });
    }
    for (std::thread& each : threads) each.join();
    for (HostTensor<double>& d : results) expect_close(d, expected, 1e-14, "a thread");
}

TEST_F(ContractionGpuTest, IsDestroyedWhileItsWorkRuns) {
    const auto a = tensor<float>({{128, 128}}), b = tensor<float>({{128, 128}});
    auto d = tensor<float>({{128, 128}});
    for (const bool jit : {false, true}) {
        try {
            math::Contraction plan(*stream_, "ij,jk->ik", a.view(), b.view(), d.view(), {.jit = jit});
            for (int i = 0; i < 200; ++i) plan(*stream_, a.view(), b.view(), d.view());
        } catch (const Error& error) {
            EXPECT_TRUE(jit) << error.what();
        }
        expect_close(d, contracted(definitions("ij,jk->ik", {}, a, b), "ik"), 1e-6, "destroyed");
    }
}

TEST_F(ContractionGpuTest, IsUsedInTheDefaultStream) {
    const auto a = tensor<float>({{64, 48}}), b = tensor<float>({{48, 32}});
    auto d = tensor<float>({{64, 32}});
    const math::Contraction plan(*stream_, "ij,jk->ik", a.view(), b.view(), d.view());
    stream_->synchronize();
    plan(Device().default_stream(), a.view(), b.view(), d.view());
    Device().default_stream().synchronize();
    expect_close(d, contracted(definitions("ij,jk->ik", {}, a, b), "ik"), 1e-6, "in the default stream");
}

}  // namespace
}  // namespace cubind::testing
