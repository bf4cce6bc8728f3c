// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/stream/stream.hpp>

#include <array>
#include <vector>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

class GlobalTest : public CodeTest {
protected:
    Device device{1};
    Stream stream{device};
    ObjectCode tests = code();
};

TEST_F(GlobalTest, HasTheTypeAndTheSizeOfTheVariable) {
    const Global<int> counter = tests.global<int>("counter", device);
    EXPECT_EQ(counter.address(), tests.global("counter", device).address);
    EXPECT_EQ(counter.count(), 1u);
    EXPECT_EQ(counter.size_bytes(), 4u);
    EXPECT_EQ(counter.kernel_argument(), counter.span().data());
    const Global<float[16]> table = tests.global<float[16]>("coefficients", device);
    EXPECT_EQ(table.count(), 16u);
    EXPECT_EQ(table.size_bytes(), 64u);
    EXPECT_EQ(table.span().size(), 16u);
    EXPECT_EQ(tests.global<float[]>("coefficients", device).count(), 16u);
    EXPECT_EQ(tests.global<float[4][4]>("coefficients", device).count(), 4u);
    EXPECT_EQ(tests.global<int>("counter").address(), tests.global("counter").address);
    EXPECT_EQ(tests.managed<int>("shared_counter").address(), tests.managed("shared_counter").address);
    EXPECT_EQ(counter, tests.global<int>("counter", device));
    EXPECT_FALSE(counter == tests.global<int>("counter", Device(0)));
}

TEST_F(GlobalTest, RejectsTypesOfAnotherSize) {
    const auto message = [&](auto use) { return message_of<std::invalid_argument>(use); };
    EXPECT_THAT(message([&] { (void)tests.global<double>("counter", device); }),
                AllOf(HasSubstr("\"counter\""), HasSubstr("has 4 bytes"), HasSubstr("has 8")));
    EXPECT_THAT(message([&] { (void)tests.global<float[15]>("coefficients", device); }),
                AllOf(HasSubstr("64 bytes"), HasSubstr("60")));
    struct Triple {
        float values[3];
    };
    EXPECT_THAT(message([&] { (void)tests.global<Triple[]>("coefficients", device); }),
                AllOf(HasSubstr("64 bytes"), HasSubstr("12")));
    EXPECT_THROW((void)tests.managed<char>("shared_counter"), std::invalid_argument);
    EXPECT_THROW((void)tests.global<int>("missing", device), LoadError);
}

TEST_F(GlobalTest, IsCopiedFromAndToSingleValues) {
    int value = 0;
    copy(stream, value, tests.global<int>("counter", device));
    stream.synchronize();
    EXPECT_EQ(value, 7);
    const int next = 8;
    copy(stream, tests.global<int>("counter", device), next);
    copy(stream, value, tests.global<int>("counter", device));
    stream.synchronize();
    EXPECT_EQ(value, 8);
    Global<int> counter = tests.global<int>("counter", device);
    copy(stream, value, counter);
    copy(stream, counter, value);
    stream.synchronize();
}

TEST_F(GlobalTest, IsCopiedFromAndToRanges) {
    const std::array<float, 16> numbers{1, 2, 3, 4};
    std::vector<float> results(16);
    copy(stream, tests.global<float[16]>("coefficients", device), numbers);
    copy(stream, results, tests.global<float[]>("coefficients", device));
    stream.synchronize();
    EXPECT_THAT(results, ::testing::ElementsAreArray(numbers));
    copy(stream, std::span(results).first(1), tests.global<float[16]>("coefficients", device).span().subspan(3, 1));
    stream.synchronize();
    EXPECT_EQ(results[0], 4);
    std::vector<float> few(15);
    EXPECT_THROW(copy(stream, few, tests.global<float[16]>("coefficients", device)), std::invalid_argument);
}

TEST_F(GlobalTest, IsFilled) {
    fill(stream, tests.global<float[16]>("coefficients", device), 1.5f);
    fill(stream, tests.global<int>("counter", device), std::byte{1});
    std::vector<float> results(16);
    int value = 0;
    copy(stream, results, tests.global<float[16]>("coefficients", device));
    copy(stream, value, tests.global<int>("counter", device));
    stream.synchronize();
    EXPECT_THAT(results, ::testing::Each(1.5f));
    EXPECT_EQ(value, 0x01010101);
}

}  // namespace
}  // namespace cubind::testing
