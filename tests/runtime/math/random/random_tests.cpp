// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// What cuRAND receives, wrong options and outputs, captures, and each call of the libraries failing once.
#include <cubind/core.hpp>
#include <cubind/curand/loading.hpp>
#include <cubind/curand/types.hpp>
#include <cubind/math/random.hpp>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "curand_stand_in.hpp"
#include "library_file.hpp"
#include "math_test.hpp"

namespace cubind::testing {
namespace {

using math::RandomGenerator;
using math::RandomOrdering;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uintptr_t address = 0x10000;

template <class... Values>
std::string call(const char* function, const Values&... values) {
    std::ostringstream text;
    text << function;
    ((text << ' ' << values), ...);
    return text.str();
}

StridedView output_of(DataType type, const Dimensions& shape, const Dimensions& strides = {}) {
    return StridedView({.data = reinterpret_cast<void*>(address),
                        .dtype = type,
                        .shape = shape,
                        .strides = strides,
                        .memory_type = MemoryType::device});
}

class RandomTest : public CoreTest {
protected:
    ~RandomTest() override { EXPECT_EQ(stand_in().handles, 0); }
    void TearDown() override {
        stream_.close();
        CoreTest::TearDown();
    }
    static CurandStandIn& stand_in() { return curand_stand_in(); }
    std::string refused(const math::RandomOptions& options) {
        return message_of<std::invalid_argument>([&] { const math::Random random(stream_, options); });
    }
    template <class Call>
    std::string refused_call(Call one, const math::RandomOptions& options = {}) {
        math::Random random(stream_, options);
        return message_of<std::invalid_argument>([&] { one(random); });
    }
    static void* pointer() { return reinterpret_cast<void*>(address); }

private:
    ScopedCurandStandIn stand_in_;

protected:
    Stream stream_{Device()};
};

TEST_F(RandomTest, CreatesEachGenerator) {
    const auto created = [&](const math::RandomOptions& options) {
        stand_in().calls.clear();
        const math::Random random(stream_, options);
        EXPECT_EQ(random.generator(), options.generator);
        EXPECT_EQ(stand_in().latest(), "curandGenerateSeeds");
        stand_in().calls.pop_back();
        EXPECT_EQ(stand_in().latest(), call("curandSetStream", stream_.native_handle()));
        stand_in().calls.pop_back();
        return stand_in().calls;
    };
    EXPECT_THAT(created({}), ElementsAre("curandCreateGenerator 101"));
    EXPECT_THAT(created({.generator = RandomGenerator::mrg32k3a, .seed = 42, .offset = 7, .ordering = RandomOrdering::legacy}),
                ElementsAre("curandCreateGenerator 121", "curandSetPseudoRandomGeneratorSeed 42",
                            "curandSetGeneratorOrdering 103", "curandSetGeneratorOffset 7"));
    EXPECT_THAT(created({.generator = RandomGenerator::mtgp32, .ordering = RandomOrdering::best}),
                ElementsAre("curandCreateGenerator 141", "curandSetGeneratorOrdering 100"));
    EXPECT_THAT(created({.generator = RandomGenerator::mt19937, .ordering = RandomOrdering::standard}),
                ElementsAre("curandCreateGenerator 142", "curandSetGeneratorOrdering 101"));
    EXPECT_THAT(
        created({.generator = RandomGenerator::philox4x32_10, .seed = 0, .ordering = RandomOrdering::dynamic}),
        ElementsAre("curandCreateGenerator 161", "curandSetPseudoRandomGeneratorSeed 0", "curandSetGeneratorOrdering 104"));
    EXPECT_THAT(created({.generator = RandomGenerator::xorwow, .ordering = RandomOrdering::seeded}),
                ElementsAre("curandCreateGenerator 101", "curandSetGeneratorOrdering 102"));
    EXPECT_THAT(
        created({.generator = RandomGenerator::sobol32, .offset = 5, .dimensions = 3}),
        ElementsAre("curandCreateGenerator 201", "curandSetGeneratorOffset 5", "curandSetQuasiRandomGeneratorDimensions 3"));
    EXPECT_THAT(created({.generator = RandomGenerator::scrambled_sobol32}),
                ElementsAre("curandCreateGenerator 202", "curandSetQuasiRandomGeneratorDimensions 1"));
    EXPECT_THAT(created({.generator = RandomGenerator::sobol64})[0], "curandCreateGenerator 203");
    EXPECT_THAT(created({.generator = RandomGenerator::scrambled_sobol64})[0], "curandCreateGenerator 204");
}

TEST_F(RandomTest, FillsOutputsOfEachType) {
    math::Random random(stream_);
    random.uniform(stream_, output_of(data_type<float>, {3, 5}));
    EXPECT_EQ(stand_in().latest(), call("curandGenerateUniform", pointer(), 15));
    random.uniform(stream_, output_of(data_type<double>, {8}));
    EXPECT_EQ(stand_in().latest(), call("curandGenerateUniformDouble", pointer(), 8));
    random.normal(stream_, output_of(data_type<float>, {8}), 1.5, 0.5);
    EXPECT_EQ(stand_in().latest(), call("curandGenerateNormal", pointer(), 8, 1.5, 0.5));
    random.normal(stream_, output_of(data_type<double>, {2, 4}));
    EXPECT_EQ(stand_in().latest(), call("curandGenerateNormalDouble", pointer(), 8, 0, 1));
    random.lognormal(stream_, output_of(data_type<float>, {8}), -1, 2);
    EXPECT_EQ(stand_in().latest(), call("curandGenerateLogNormal", pointer(), 8, -1, 2));
    random.lognormal(stream_, output_of(data_type<double>, {8}));
    EXPECT_EQ(stand_in().latest(), call("curandGenerateLogNormalDouble", pointer(), 8, 0, 1));
    random.poisson(stream_, output_of(data_type<std::uint32_t>, {7}), 12.5);
    EXPECT_EQ(stand_in().latest(), call("curandGeneratePoisson", pointer(), 7, 12.5));
    random.bits(stream_, output_of(data_type<std::uint32_t>, {7}));
    EXPECT_EQ(stand_in().latest(), call("curandGenerate", pointer(), 7));
    random.bits(stream_, output_of(data_type<std::uint64_t>, {7}));
    EXPECT_EQ(stand_in().latest(), call("curandGenerate", pointer(), 14));
    math::Random sobol(stream_, {.generator = RandomGenerator::sobol64});
    sobol.bits(stream_, output_of(data_type<std::uint64_t>, {7}));
    EXPECT_EQ(stand_in().latest(), call("curandGenerateLongLong", pointer(), 7));
    stand_in().calls.clear();
    random.set_seed(11);
    EXPECT_THAT(stand_in().calls, ElementsAre("curandSetPseudoRandomGeneratorSeed 11", "curandSetGeneratorOffset 0"));
    random.set_offset(1000);
    EXPECT_EQ(stand_in().latest(), "curandSetGeneratorOffset 1000");
    math::Random mersenne(stream_, {.generator = RandomGenerator::mt19937});
    stand_in().calls.clear();
    mersenne.set_seed(11);
    EXPECT_THAT(stand_in().calls, Contains("curandSetPseudoRandomGeneratorSeed 11")) << "of a new generator";
}

TEST_F(RandomTest, GeneratesOddCountsOfNormalNumbers) {
    math::Random random(stream_);
    const auto output = Device().allocate<float>(stream_, 7);
    stand_in().calls.clear();
    random.normal(stream_, output);
    ASSERT_EQ(stand_in().calls.size(), 2u);
    EXPECT_EQ(stand_in().calls[0], call("curandGenerateNormal", reinterpret_cast<void*>(output.native_handle()), 6, 0, 1));
    EXPECT_THAT(stand_in().calls[1], HasSubstr(" 2 0 1"));
    const auto one = Device().allocate<double>(stream_, 1);
    stand_in().calls.clear();
    random.lognormal(stream_, one);
    ASSERT_EQ(stand_in().calls.size(), 1u);
    EXPECT_THAT(stand_in().calls[0], HasSubstr(" 2 0 1"));
    math::Random sobol(stream_, {.generator = RandomGenerator::sobol32});
    sobol.normal(stream_, output);
    EXPECT_THAT(stand_in().latest(), HasSubstr(" 7 0 1"));
}

TEST_F(RandomTest, DoesNothingWithoutElements) {
    math::Random random(stream_);
    stand_in().calls.clear();
    random.uniform(stream_, output_of(data_type<float>, {0, 3}));
    random.normal(stream_, output_of(data_type<double>, {3, 0}));
    EXPECT_THAT(stand_in().calls, ::testing::IsEmpty());
}

TEST_F(RandomTest, RefusesOptionsThatAGeneratorDoesNotHave) {
    EXPECT_THAT(refused({.generator = RandomGenerator::sobol32, .seed = 1}), AllOf(HasSubstr("seed"), HasSubstr("sobol32")));
    EXPECT_THAT(refused({.generator = RandomGenerator::sobol64, .ordering = RandomOrdering::best}), HasSubstr("ordering"));
    EXPECT_THAT(refused({.generator = RandomGenerator::mt19937, .offset = 1}), AllOf(HasSubstr("offset"), HasSubstr("mt19937")));
    EXPECT_THAT(refused({.generator = RandomGenerator::xorwow, .dimensions = 2}), HasSubstr("dimensions"));
    EXPECT_THAT(refused({.generator = RandomGenerator::sobol32, .dimensions = 0}), AllOf(HasSubstr("0"), HasSubstr("20000")));
    EXPECT_THAT(refused({.generator = RandomGenerator::sobol32, .dimensions = 20001}), HasSubstr("20001"));
    EXPECT_THAT(refused_call([](auto& random) { random.set_offset(1); }, {.generator = RandomGenerator::mtgp32}),
                HasSubstr("mtgp32"));
    EXPECT_THAT(refused_call([](auto& random) { random.set_seed(1); }, {.generator = RandomGenerator::sobol64}),
                HasSubstr("sobol64"));
    GraphBuilder builder = GraphBuilder(Device());
    builder.begin_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { const math::Random random(builder); }), HasSubstr("outside of captures"));
    builder.end_building();
}

TEST_F(RandomTest, RefusesOutputsThatItCannotFill) {
    const auto of = [&](const StridedView& output, const math::RandomOptions& options = {}) {
        return refused_call([&](auto& random) { random.uniform(stream_, output); }, options);
    };
    EXPECT_THAT(of(output_of(data_type<int>, {8})), AllOf(HasSubstr("int32"), HasSubstr("float32 or float64")));
    EXPECT_THAT(of(output_of(data_type<float>, {8}, {2})), AllOf(HasSubstr("(2)"), HasSubstr("without gaps")));
    EXPECT_THAT(of(output_of(data_type<float>, {2, 3}, {1, 2})), HasSubstr("row-major"));
    EXPECT_THAT(of(output_of(data_type<float>, {8}).as_readonly()), HasSubstr("read-only"));
    EXPECT_THAT(of(output_of(data_type<float>, {8}), {.generator = RandomGenerator::sobol32, .dimensions = 3}),
                AllOf(HasSubstr("8"), HasSubstr("3 dimensions")));
    const auto refused_bits = [&](DataType type, RandomGenerator generator) {
        return refused_call([&](auto& random) { random.bits(stream_, output_of(type, {8})); }, {.generator = generator});
    };
    EXPECT_THAT(refused_bits(data_type<float>, RandomGenerator::xorwow), HasSubstr("uint32 or uint64"));
    EXPECT_THAT(refused_bits(data_type<std::uint64_t>, RandomGenerator::sobol32), HasSubstr("uint32"));
    EXPECT_THAT(refused_bits(data_type<std::uint32_t>, RandomGenerator::sobol64), HasSubstr("uint64"));
    const auto refused_poisson = [&](double mean) {
        return refused_call([&](auto& random) { random.poisson(stream_, output_of(data_type<std::uint32_t>, {8}), mean); });
    };
    EXPECT_THAT(refused_poisson(0), HasSubstr("more than 0"));
    EXPECT_THAT(refused_poisson(400001), AllOf(HasSubstr("400001"), HasSubstr("400000")));
    Stream other{Device(1)};
    EXPECT_THAT(refused_call([&](auto& random) { random.uniform(other, output_of(data_type<float>, {8})); }),
                AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
}

TEST_F(RandomTest, MovesAndServesTwoThreads) {
    math::Random first(stream_);
    math::Random& empty = first;
    math::Random random = std::move(first);
    const auto output = output_of(data_type<float>, {8});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { empty.uniform(stream_, output); }), HasSubstr("Random"));
    stand_in().calls.clear();
    std::thread thread([&] {
        Stream stream{Device()};
        for (int i = 0; i < 50; ++i) random.uniform(stream, output);
        stream.synchronize();
    });
    for (int i = 0; i < 50; ++i) random.uniform(stream_, output);
    thread.join();
    const auto& calls = stand_in().calls;
    EXPECT_EQ(std::count_if(calls.begin(), calls.end(), [](const auto& each) { return each.starts_with("curandGenerateU"); }),
              100);
}

TEST_F(RandomTest, IsRetainedByGraphs) {
    std::optional<Graph> graph;
    {
        const auto output = Device().allocate<float>(stream_, 7);
        std::optional<math::Random> random(std::in_place, stream_);
        GraphBuilder builder = GraphBuilder(Device());
        builder.begin_building();
        random->normal(builder, output);
        builder.end_building();
        graph = builder.complete();
        random.reset();
    }
    destroy_deferred_objects();
    EXPECT_EQ(stand_in().handles, 1);
    graph->launch(stream_);
    stream_.synchronize();
    graph.reset();
    destroy_deferred_objects();
    EXPECT_EQ(stand_in().handles, 0);
}

TEST_F(RandomTest, DoesNotJoinACaptureOfItsLatestStream) {
    std::optional<math::Random> random(std::in_place, stream_);
    GraphBuilder builder{StreamRef(stream_)};
    builder.begin_building();
    Stream other{Device()};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { random->uniform(other, output_of(data_type<float>, {8})); }),
                HasSubstr("end the capture"));
    EXPECT_FALSE(other.is_capturing());
    random.reset();
    builder.end_building();
    const Graph graph = builder.complete();
}

TEST_F(RandomTest, DoesNotSeedAGeneratorAgainInACapture) {
    math::Random random(stream_, {.generator = RandomGenerator::mt19937});
    {
        GraphBuilder builder{Device()};
        builder.begin_building();
        random.uniform(builder, output_of(data_type<float>, {8}));
        random.set_seed(1);  // on the stream of the latest call that was not captured
        EXPECT_EQ(stand_in().latest(), "curandGenerateSeeds");
        EXPECT_THAT(stand_in().calls, Contains(call("curandSetStream", stream_.native_handle())));
        builder.end_building();
    }
    GraphBuilder builder{StreamRef(stream_)};
    builder.begin_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { random.set_seed(2); }),
                AllOf(HasSubstr("Random::set_seed"), HasSubstr("captured")));
    builder.end_building();
    stand_in().calls.clear();
    random.set_seed(2);
    EXPECT_THAT(stand_in().calls, Contains("curandGenerateSeeds"));
}

TEST_F(RandomTest, ReportsFailuresOfCurand) {
    stand_in().failing = "curandCreateGenerator";
    stand_in().next_status = curand::CURAND_STATUS_ALLOCATION_FAILED;
    EXPECT_THAT(message_of<OutOfMemory>([&] { const math::Random random(stream_); }),
                AllOf(HasSubstr("CURAND_STATUS_ALLOCATION_FAILED"), HasSubstr("xorwow")));
    math::Random random(stream_);
    stand_in().failing = "curandGenerateUniform";
    stand_in().next_status = curand::CURAND_STATUS_LAUNCH_FAILURE;
    EXPECT_THAT(message_of<Error>([&] { random.uniform(stream_, output_of(data_type<float>, {8})); }),
                AllOf(HasSubstr("CURAND_STATUS_LAUNCH_FAILURE"), HasSubstr("float32 (8)")));
}

TEST_F(RandomTest, SurvivesEachFailureOfALibrary) {
    const auto counted = [&](const std::function<void()>& operation) {
        return sweep(
            [&] {
                stand_in() = {};  // a release that fails before it reaches the stand-in leaves its count
                operation();
            },
            {"cuStreamIsCapturing", "cuEventQuery"});
    };
    EXPECT_GT(counted([&] {
                  const auto output = Device().allocate<float>(stream_, 7);
                  const auto words = Device().allocate<std::uint32_t>(stream_, 8);
                  math::Random random(stream_, {.seed = 1, .offset = 1, .ordering = RandomOrdering::best});
                  random.normal(stream_, output);
                  random.lognormal(stream_, output);
                  random.uniform(stream_, output);
                  random.bits(stream_, words);
                  random.poisson(stream_, words, 3);
                  random.set_seed(2);
                  random.set_offset(2);
                  Stream other{Device()};
                  random.uniform(other, output);
                  other.synchronize();
                  stream_.synchronize();
              }),
              20u);
    EXPECT_GT(counted([&] {
                  const auto output = Device().allocate<double>(stream_, 6);
                  const auto words = Device().allocate<std::uint64_t>(stream_, 6);
                  math::Random random(stream_, {.generator = RandomGenerator::sobol64, .dimensions = 2});
                  random.normal(stream_, output);
                  random.lognormal(stream_, output);
                  random.uniform(stream_, output);
                  random.bits(stream_, words);
                  stream_.synchronize();
              }),
              10u);
    stand_in() = {};
}

using RandomLibraryTest = CoreTest;

TEST_F(RandomLibraryTest, NamesTheMissingLibraryAndItsPackage) {
    const Stream stream{Device()};
    EXPECT_THAT(message_with_file(curand::library(), curand::all_entry_points(), "CUBIND_CURAND_LIBRARY",
                                  "/nonexistent/libcurand.so.10", [&] { const math::Random random(stream); }),
                AllOf(HasSubstr("/nonexistent/libcurand.so.10"), HasSubstr("Install the Python package nvidia-curand")));
}

}  // namespace
}  // namespace cubind::testing
