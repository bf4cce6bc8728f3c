// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>

#include <thread>
#include <vector>

#include "contraction_test.hpp"
#include "library_file.hpp"

namespace cubind::testing {
namespace {

using math::ContractionAlgorithm;
using math::ContractionPrecision;
using math::ContractionWorkspace;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(ContractionTest, DescribesTwoOperands) {
    const StridedView a = tensor({2, 3}), b = tensor({3, 4}), d = tensor({2, 4});
    const math::Contraction product(stream_, "ij,jk->ik", a, b, d);
    EXPECT_EQ(
        latest("contraction"),
        "contraction a=[ij 0 (2 3) (3 1) 128] b=[jk 0 (3 4) (4 1) 128] c=[ik 0 (2 4) (4 1) 128] d=[ik 0 (2 4) (4 1) 128] in 32F");
    EXPECT_EQ(latest("estimate"), "estimate 2");
    EXPECT_EQ(latest("plan"), "plan algorithm=-1 jit=0 limit=4096");
    EXPECT_EQ(product.workspace_size(), 2048u);
    EXPECT_THAT(stand_in().lines("contract "), SizeIs(0)) << "no work is submitted";

    product(stream_, a, b, d);
    EXPECT_THAT(latest("contract "), AllOf(HasSubstr("contract plan=1 alpha=(1,0) beta=(0,0) a=" + address(a) + " b=" +
                                                     address(b) + " c=" + address(d) + " d=" + address(d) + " workspace=0x"),
                                           HasSubstr(" size=2048 stream=0x")));
    product(stream_, a, b, d, {.alpha = 2, .beta = 0.5, .addend = tensor({2, 4})});
    EXPECT_THAT(latest("contract "), AllOf(HasSubstr("alpha=(2,0) beta=(0.5,0)"), Not(HasSubstr("c=" + address(d)))));
    EXPECT_THAT(stand_in().lines("create"), SizeIs(1));
}

TEST_F(ContractionTest, DescribesThreeOperands) {
    const StridedView a = tensor<double>({2, 3}), b = tensor<double>({3, 4}), c = tensor<double>({4, 5}),
                      d = tensor<double>({5, 2});
    math::contract(stream_, "ij,jk,kl->li", a, b, c, d, {.beta = 3});
    EXPECT_EQ(latest("trinary"),
              "trinary a=[ij 1 (2 3) (3 1) 128] b=[jk 1 (3 4) (4 1) 128] c=[kl 1 (4 5) (5 1) 128] "
              "d=[li 1 (5 2) (2 1) 128] e=[li 1 (5 2) (2 1) 128] in 64F");
    EXPECT_THAT(latest("contract "), HasSubstr("alpha=(1,0) beta=(3,0) a=" + address(a) + " b=" + address(b) +
                                               " c=" + address(c) + " d=" + address(d) + " e=" + address(d)));
}

TEST_F(ContractionTest, TakesStridesAndAlignments) {
    const StridedView a = tensor({6, 8}), b = tensor({8, 6}), d = tensor({6, 6});
    math::contract(stream_, "ij,jk->ik", a.transpose().slice(0, 0, 8, 2).slice(1, 1, 5),
                   b.slice(0, 4, 8).transpose().slice(0, 0, 4).transpose(), d.slice(0, 1, 5).slice(1, 0, 4));
    EXPECT_THAT(latest("contraction"), AllOf(HasSubstr("a=[ij 0 (4 4) (2 8) 32]"), HasSubstr("b=[jk 0 (4 4) (6 1) 32]"),
                                             HasSubstr("d=[ik 0 (4 4) (6 1) 8]")));
    math::contract(stream_, "ij,jk->ik", a, b, d, {}, {.max_alignment = 16});
    EXPECT_THAT(latest("contraction"), HasSubstr("a=[ij 0 (6 8) (8 1) 16]"));
    math::contract(stream_, "ij,jk->ik", a, b, d, {}, {.max_alignment = 1});
    EXPECT_THAT(latest("contraction"), HasSubstr("a=[ij 0 (6 8) (8 1) 4]")) << "an element is aligned";
    // One element needs no stride.
    math::contract(stream_, "ij,jk->ik", tensor({1}).broadcast_to({1, 1}), tensor({1, 6}), tensor({1, 6}));
    EXPECT_THAT(latest("contraction"), HasSubstr("a=[ij 0 (1 1) (1 1) 128]"));
}

TEST_F(ContractionTest, TakesBuffersAndScalars) {
    const TypedBuffer<float> x = Device(0).allocate<float>(stream_, 5), y = Device(0).allocate<float>(stream_, 5);
    const TypedBuffer<float> sum = Device(0).allocate<float>(stream_, 1);
    math::contract(stream_, "i,i", x, y, sum);
    EXPECT_THAT(latest("contraction"), AllOf(HasSubstr("a=[i 0 (5) (1) 128]"), HasSubstr("d=[ 0 () () 128]")));
    math::contract(stream_, "i,->i", x, sum, y);
    EXPECT_THAT(latest("contraction"), AllOf(HasSubstr("b=[ 0 () () 128]"), HasSubstr("d=[i 0 (5) (1) 128]")));
}

TEST_F(ContractionTest, ConvertsTypesAndFactors) {
    const auto computed = [&](const auto& a, const auto& b, const auto& d, const math::ContractionOptions& options = {}) {
        math::contract(stream_, "ij,jk->ik", a, b, d, {.alpha = std::complex(2.0, -1.0)}, options);
        return latest("contraction");
    };
    using Complex = std::complex<float>;
    using Double = std::complex<double>;
    const StridedView c64 = tensor<Complex>({2, 2}), c64_d = tensor<Complex>({2, 2});
    EXPECT_THAT(computed(c64, c64, c64_d), AllOf(HasSubstr("a=[ij 4 "), HasSubstr("in 32F")));
    EXPECT_THAT(latest("contract "), HasSubstr("alpha=(2,-1)"));
    const StridedView c128 = tensor<Double>({2, 2}), c128_d = tensor<Double>({2, 2});
    EXPECT_THAT(computed(c128, c128, c128_d), AllOf(HasSubstr("a=[ij 5 "), HasSubstr("in 64F")));
    EXPECT_THAT(computed(tensor<double>({2, 2}), c128, c128_d), AllOf(HasSubstr("a=[ij 1 "), HasSubstr("b=[jk 5 ")));

    const StridedView conjugated = tensor<Double>({2, 2});
    computed(c128, conjugated, c128_d, {.conjugate_b = true});
    EXPECT_THAT(latest("contraction"), AllOf(HasSubstr("128 conj] c="), Not(HasSubstr("conj] b"))));
    computed(tensor<double>({2, 2}), c128, c128_d, {.conjugate_a = true});
    EXPECT_THAT(latest("contraction"), Not(HasSubstr("conj"))) << "a real number is its conjugate";

    const auto real = [&](const StridedView& a, const StridedView& d, ContractionPrecision precision) {
        math::contract(stream_, "ij,jk->ik", a, a, d, {}, {.precision = precision});
        const std::string line = latest("contraction");
        return line.substr(line.rfind(' ') + 1);
    };
    const StridedView half = tensor<HalfBits>({2, 2}), half_d = tensor<HalfBits>({2, 2});
    EXPECT_EQ(real(half, half_d, ContractionPrecision::automatic), "32F");
    EXPECT_THAT(latest("contraction"), HasSubstr("a=[ij 2 "));
    const StridedView f32 = tensor({2, 2}), f32_d = tensor({2, 2});
    EXPECT_EQ(real(f32, f32_d, ContractionPrecision::float16), "16F");
    EXPECT_EQ(real(f32, f32_d, ContractionPrecision::bfloat16), "16BF");
    EXPECT_EQ(real(f32, f32_d, ContractionPrecision::tf32), "TF32");
    EXPECT_EQ(real(f32, f32_d, ContractionPrecision::tf32x3), "3XTF32");
    EXPECT_EQ(real(f32, f32_d, ContractionPrecision::float32), "32F");
    EXPECT_EQ(real(f32, f32_d, ContractionPrecision::float64), "64F");
    EXPECT_EQ(real(f32, f32_d, ContractionPrecision::bfloat16x9), "9X16BF");
    EXPECT_EQ(real(f32, f32_d, ContractionPrecision::int8x8), "8XINT8");
    const StridedView f64 = tensor<double>({2, 2}), f64_d = tensor<double>({2, 2});
    EXPECT_EQ(real(f64, f64_d, ContractionPrecision::automatic), "64F");
}

TEST_F(ContractionTest, PassesOptions) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    const auto plan = [&](const math::ContractionOptions& options) {
        const math::Contraction made(stream_, "ij,jk->ik", a, a, d, options);
        return latest("plan");
    };
    EXPECT_EQ(plan({.algorithm = ContractionAlgorithm::patient}), "plan algorithm=-6 jit=0 limit=4096");
    EXPECT_EQ(plan({.algorithm = ContractionAlgorithm::gett}), "plan algorithm=-4 jit=0 limit=4096");
    EXPECT_EQ(plan({.algorithm = ContractionAlgorithm::tgett, .kernel_rank = 2}), "plan algorithm=-3 jit=0 1=0 4=2 limit=4096");
    EXPECT_EQ(plan({.algorithm = ContractionAlgorithm::ttgt, .jit = true}), "plan algorithm=-2 jit=1 limit=4096");
    EXPECT_EQ(plan({.plan = {.workspace_limit = 100}}), "plan algorithm=-1 jit=0 limit=100");
    EXPECT_EQ(plan({.workspace = ContractionWorkspace::least, .plan = {.workspace_limit = 9999}}),
              "plan algorithm=-1 jit=0 limit=4096");
    EXPECT_EQ(latest("estimate"), "estimate 1");
    plan({.workspace = ContractionWorkspace::most});
    EXPECT_EQ(latest("estimate"), "estimate 3");
}

TEST_F(ContractionTest, DoesNothingForAnEmptyOutput) {
    stand_in().missing = {"cutensorCreate"};
    const StridedView a = tensor({0, 3}), b = tensor({3, 4}), d = tensor({0, 4});
    const math::Contraction product(stream_, "ij,jk->ik", a, b, d);
    product(stream_, a, b, d);
    EXPECT_EQ(product.workspace_size(), 0u);
    EXPECT_THAT(stand_in().calls, SizeIs(0));
}

TEST_F(ContractionTest, ComputesSumsOfNoElements) {
    const StridedView a = tensor({2, 0}), b = tensor({0, 4}), whole = tensor({2, 8}), d = whole.slice(1, 0, 4);
    fill(stream_, whole, 1.0f);
    math::Contraction product(stream_, "ij,jk->ik", a, b, d);
    product(stream_, a, b, d, {.beta = 1});
    product(stream_, a, b, d, {.beta = 1, .addend = d});
    std::vector<float> values(16);
    copy(stream_, StridedView::view_of(values.data(), {2, 8}), whole);
    stream_.synchronize();
    EXPECT_EQ(values, std::vector<float>(16, 1.0f));
    product(stream_, a, b, d);
    EXPECT_EQ(product.autotune(stream_, a, b, d).candidates, 0);
    copy(stream_, StridedView::view_of(values.data(), {2, 8}), whole);
    stream_.synchronize();
    EXPECT_THAT(values, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1));
    EXPECT_THAT(refusal("ij,jk->ik", a, b, d, math::ContractionFactors{.beta = 2}),
                AllOf(HasSubstr("beta = 2"), HasSubstr("(2, 0)")));
    EXPECT_THAT(refusal("ij,jk->ik", a, b, d, math::ContractionFactors{.beta = 1, .addend = tensor({2, 4})}),
                HasSubstr("addend"));
    EXPECT_THAT(stand_in().calls, SizeIs(0));
}

TEST_F(ContractionTest, RefusesOperandsThatDoNotMatch) {
    const StridedView a = tensor({2, 3}), b = tensor({3, 4}), d = tensor({2, 4});
    EXPECT_THAT(refusal("ij,jk->ik", a, tensor({5, 4}), d),
                AllOf(HasSubstr("j is dimension 1 of a with 3 elements and dimension 0 of b with 5"), HasSubstr("float32 (2, 3)"),
                      HasSubstr("float32 (5, 4)")));
    EXPECT_THAT(refusal("ij,jk->ik", a, b, tensor({2, 5})),
                HasSubstr("k is dimension 1 of b with 4 elements and dimension 1 of d with 5"));
    EXPECT_THAT(refusal("ijk,jk->i", a, b, d),
                AllOf(HasSubstr("a is float32 (2, 3)"), HasSubstr("2 dimensions"), HasSubstr("\"ijk\" have 3")));
    EXPECT_THAT(refusal("ij,jk->", a, b, d), HasSubstr("d is float32 (2, 4)"));
    EXPECT_THAT(refusal("ij,jk->ik", a, b, a, d), AllOf(HasSubstr("of 2 operands"), HasSubstr("3 are given")));
    EXPECT_THAT(refusal("ij->ij", a, b, d), AllOf(HasSubstr("of 1 operands"), HasSubstr("2 are given")));
    EXPECT_THAT(refusal("ij,jk->ik", a, tensor<double>({3, 4}), d),
                AllOf(HasSubstr("different types"), HasSubstr("b is float64")));
    EXPECT_THAT(refusal("ij,jk->ik", tensor<double>({2, 3}), tensor<double>({3, 4}), tensor<std::complex<double>>({2, 4})),
                HasSubstr("different types"));
    EXPECT_THAT(refusal("ij,jk->ik", tensor<int>({2, 3}), b, d),
                AllOf(HasSubstr("a has elements of type int32"), HasSubstr("float16")));
    EXPECT_THAT(refusal("ij,jk->ik", a, b, d, math::ContractionFactors{.alpha = std::complex(1.0, 2.0)}),
                AllOf(HasSubstr("alpha has the imaginary part"), HasSubstr("2")));
    EXPECT_THAT(refusal("ij,jk->ik", a, b, d, math::ContractionFactors(), math::ContractionOptions{.max_alignment = 48}),
                AllOf(HasSubstr("max_alignment is 48"), HasSubstr("power of two")));
}

TEST_F(ContractionTest, RefusesStridesThatCutensorLacks) {
    const StridedView a = tensor({2, 3}), b = tensor({3, 4}), d = tensor({2, 4});
    EXPECT_THAT(refusal("ij,jk->ik", tensor({3}).broadcast_to({2, 3}), b, d),
                AllOf(HasSubstr("the stride of i is 0"), HasSubstr("leave the dimension out")));
    EXPECT_THAT(refusal("ij,jk->ik", a.reverse(1), b, d), AllOf(HasSubstr("the stride of j is -1"), HasSubstr("reverse")));
    const StridedView shifted({.data = static_cast<std::byte*>(a.data()) + 2,
                               .dtype = data_type<float>,
                               .shape = {1, 3},
                               .memory_type = MemoryType::device});
    EXPECT_THAT(refusal("ij,jk->ik", shifted, b, tensor({1, 4})), HasSubstr("2 bytes above a multiple of 4"));
}

TEST_F(ContractionTest, RefusesMemoryThatItMustNotUse) {
    const StridedView a = tensor({2, 2}), b = tensor({2, 2}), d = tensor({2, 2});
    EXPECT_THAT(refusal("ij,jk->ik", a, b, a), AllOf(HasSubstr("d and a overlap")));
    EXPECT_THAT(refusal("ij,jk->ik", a, b, d.as_readonly()), HasSubstr("d is written, but the view is read-only"));
    EXPECT_THAT(refusal("ij,jk->ik", a, b, d, math::ContractionFactors{.beta = 1, .addend = d.transpose()}),
                HasSubstr("addend has the strides (1, 2)"));
    std::vector<float> host(4);
    EXPECT_THAT(refusal("ij,jk->ik", StridedView::view_of(host.data(), {2, 2}), b, d), HasSubstr("pageable memory"));
    Stream other{Device(1)};
    const StridedView of_other(Device(1).allocate<float>(other, 4), {2, 2});
    EXPECT_THAT(refusal("ij,jk->ik", a, of_other, d), HasSubstr("b is in memory of device 1"));
    const math::Contraction product(stream_, "ij,jk->ik", a, b, d);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { product(other, a, b, d); }), HasSubstr("the stream is of device 1"));
    product(stream_, a, a, d, {.beta = 1, .addend = d});  // one input twice, and in place
}

TEST_F(ContractionTest, RefusesOperandsOfAnotherLayoutThanThePlans) {
    const StridedView a = tensor({2, 2}), b = tensor({2, 2}), d = tensor({2, 2});
    const math::Contraction product(stream_, "ij,jk->ik", a, b, d);
    const auto refused = [&](const auto&... operands) {
        return message_of<std::invalid_argument>([&] { product(stream_, operands...); });
    };
    EXPECT_THAT(refused(a, tensor({2, 3}), d), HasSubstr("b has the shape (2, 3), but (2, 2)"));
    EXPECT_THAT(refused(tensor<double>({2, 2}), b, d), HasSubstr("a has elements of type float64"));
    EXPECT_THAT(refused(a, b, d.transpose()), HasSubstr("d has the strides (1, 2)"));
    EXPECT_THAT(refused(a, b, a, d), AllOf(HasSubstr("with 2 operands"), HasSubstr("3 are given")));
    const StridedView row = tensor({1, 12}).slice(1, 2, 6);
    EXPECT_THAT(refused(row.reshape({2, 2}), b, d),
                AllOf(HasSubstr("8 bytes above a multiple of 128"), HasSubstr("max_alignment = 8")));
    const math::Contraction relaxed(stream_, "ij,jk->ik", a, b, d, {.max_alignment = 8});
    relaxed(stream_, row.reshape({2, 2}), b, d);
    math::Contraction moved = math::Contraction(stream_, "ij,jk->ik", a, b, d);
    math::Contraction& empty = moved;
    const math::Contraction taken = std::move(moved);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { empty(stream_, a, b, d); }), HasSubstr("Contraction"));
}

TEST_F(ContractionTest, ExplainsFailures) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    const auto failure = [&](cutensor::cutensorStatus_t status) {
        return message_of<Error>([&] {
            math::Contraction product(stream_, "ij,jk->ik", a, a, d);
            stand_in().next_status = static_cast<int>(status);
            product(stream_, a, a, d);
        });
    };
    EXPECT_THAT(failure(cutensor::CUTENSOR_STATUS_EXECUTION_FAILED),
                AllOf(HasSubstr("cutensorContract"), HasSubstr("CUTENSOR_STATUS_EXECUTION_FAILED"), HasSubstr("\"ij,jk->ik\""),
                      HasSubstr("b is float32 (2, 2) with strides (2, 1)")));
    EXPECT_THAT(failure(cutensor::CUTENSOR_STATUS_NOT_SUPPORTED), HasSubstr("ContractionPrecision::automatic"));
    EXPECT_THAT(failure(cutensor::CUTENSOR_STATUS_INSUFFICIENT_WORKSPACE), HasSubstr("workspace_limit"));
    EXPECT_THAT(failure(cutensor::CUTENSOR_STATUS_ARCH_MISMATCH), HasSubstr("newer"));
    EXPECT_THAT(failure(cutensor::CUTENSOR_STATUS_INSUFFICIENT_DRIVER), HasSubstr("newer driver"));
    EXPECT_THROW(stand_in().next_status = static_cast<int>(cutensor::CUTENSOR_STATUS_ALLOC_FAILED);
                 math::contract(stream_, "ij,jk->ik", a, a, d), OutOfMemory);
    FailedCalls::get().forget();
}

TEST_F(ContractionTest, NamesTheMissingLibraryAndItsPackage) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    EXPECT_THAT(message_with_file(cutensor::library(), cutensor::all_entry_points(), "CUBIND_CUTENSOR_LIBRARY",
                                  "/nonexistent/libcutensor.so.2", [&] { math::contract(stream_, "ij,jk->ik", a, a, d); }),
                AllOf(HasSubstr("/nonexistent/libcutensor.so.2"), HasSubstr("Install the Python package cutensor-cu13")));
}

TEST_F(ContractionTest, ExplainsMissingFunctions) {
    const StridedView a = tensor({2, 2}), b = tensor({2, 2}), d = tensor({2, 2});
    stand_in().missing = {"cutensorCreateContractionTrinary", "CUTENSOR_COMPUTE_DESC_4X16F"};
    EXPECT_THAT(message_of<Error>([&] { math::contract(stream_, "ij,jk,kl->il", a, b, b, d); }),
                AllOf(HasSubstr("cutensorCreateContractionTrinary"), HasSubstr("2.2")));
    EXPECT_THAT(message_of<Error>(
                    [&] { math::contract(stream_, "ij,jk->ik", a, b, d, {}, {.precision = ContractionPrecision::float16x4}); }),
                AllOf(HasSubstr("CUTENSOR_COMPUTE_DESC_4X16F"), HasSubstr("2.5")));
}

TEST_F(ContractionTest, UsesItsWorkspaceInTheOrderOfStreams) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    const auto workspace = [&] {
        const std::string line = latest("contract ");
        return line.substr(line.find("workspace="), line.find(" stream=") - line.find("workspace="));
    };
    stand_in().delays[1] = std::chrono::milliseconds(50);
    std::optional<math::Contraction> product(std::in_place, stream_, "ij,jk->ik", a, a, d);
    (*product)(stream_, a, a, d);
    const std::string first = workspace();
    Stream other{Device(0)};
    (*product)(other, a, a, d);
    EXPECT_EQ(workspace(), first);
    EXPECT_FALSE(stream_.is_done());
    other.synchronize();
    EXPECT_TRUE(stream_.is_done()) << "the other stream has waited";
    (*product)(stream_, a, a, d);
    product.reset();  // its work runs
    EXPECT_FALSE(stream_.is_done());
    stream_.synchronize();
}

TEST_F(ContractionTest, IsCapturedWithAWorkspaceOfTheGraph) {
    auto a = std::make_unique<StridedView>(tensor({2, 2}));
    const std::weak_ptr<const void> memory = a->owner();
    const StridedView d = tensor({2, 2});
    const math::Contraction product(stream_, "ij,jk->ik", *a, *a, d);
    product(stream_, *a, *a, d);
    const std::string before = latest("contract ");
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    product(builder, *a, *a, d);
    builder.end_building();
    Graph graph = builder.complete();
    const auto workspace = [](const std::string& line) {
        return line.substr(line.find("workspace="), line.find(" size=") - line.find("workspace="));
    };
    EXPECT_NE(workspace(latest("contract ")), workspace(before));
    a.reset();
    EXPECT_FALSE(memory.expired()) << "the graph retains operands";
    graph.launch(stream_);
    stream_.synchronize();
}

TEST_F(ContractionTest, IsUsedByThreads) {
    const StridedView a = tensor({2, 2}), d = tensor({2, 2});
    const math::Contraction product(stream_, "ij,jk->ik", a, a, d);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            Stream stream{Device(0)};
            for (int k = 0; k < 25; ++k) product(stream, a, a, d);
            math::contract(stream, "ij,jk->ik", a, a, d);
            stream.synchronize();
        });
    }
    for (std::thread& each : threads) each.join();
    EXPECT_THAT(stand_in().lines("contract "), SizeIs(104));
    EXPECT_THAT(stand_in().lines("create"), SizeIs(1));
}

TEST_F(ContractionTest, HasAHandleForEachDeviceAndContext) {
    const auto run = [](Device device) {
        Stream stream(device);
        const StridedView a(device.allocate<float>(stream, 4), {2, 2}), d(device.allocate<float>(stream, 4), {2, 2});
        math::contract(stream, "ij,jk->ik", a, a, d);
        stream.synchronize();
    };
    run(Device(0));
    run(Device(1));
    run(Device(0));
    EXPECT_EQ(stand_in().handles, 2);
    EXPECT_EQ(stand_in().lines("create").size(), 2u);
}

TEST_F(ContractionTest, MakesANewHandleAfterAReset) {
    const Device device(1);
    const auto run = [&] {
        Stream stream(device);
        const StridedView a(device.allocate<float>(stream, 4), {2, 2}), d(device.allocate<float>(stream, 4), {2, 2});
        math::Contraction product(stream, "ij,jk->ik", a, a, d);
        product(stream, a, a, d);
        stream.synchronize();
        return product;
    };
    {
        const math::Contraction before = run();
        device.reset();
        (void)run();
    }  // the plan of a context that has ended
    EXPECT_EQ(stand_in().lines("create").size(), 2u);
    EXPECT_EQ(stand_in().handles, 2) << "the library must not be called with a handle whose context has ended";
    (void)FailedCalls::get().take();
}

}  // namespace
}  // namespace cubind::testing
