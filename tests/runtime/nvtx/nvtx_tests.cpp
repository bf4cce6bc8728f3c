// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Annotations that recording_tool.cpp receives. The environment of the test names the tool.
#include <cubind/nvtx/nvtx_counter.hpp>
#include <cubind/nvtx/nvtx_domain.hpp>
#include <cubind/nvtx/nvtx_payload.hpp>
#include <cubind/nvtx/nvtx_range.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <type_traits>
#include <utility>

namespace cubind::testing {
namespace {

class NvtxTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        ASSERT_EQ(::setenv("NVTX_INJECTION64_PATH", RECORDING_TOOL, 1), 0);
        rlimit limit{};
        ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
        const rlim_t before = std::exchange(limit.rlim_cur, 0);
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
        EXPECT_FALSE(has_nvtx_tool()) << "no file can be opened";
        limit.rlim_cur = before;
        ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
        ASSERT_TRUE(has_nvtx_tool()) << "the tool is looked for again";
        void* const tool = ::dlopen(RECORDING_TOOL, RTLD_LAZY | RTLD_NOLOAD);
        ASSERT_NE(tool, nullptr);
        recorded_ = reinterpret_cast<const char* (*)()>(::dlsym(tool, "recorded"));
        forget_ = reinterpret_cast<void (*)()>(::dlsym(tool, "forget"));
    }
    void SetUp() override { forget_(); }

    static std::string recorded() { return recorded_(); }

    static inline void (*forget_)() = nullptr;

private:
    static inline const char* (*recorded_)() = nullptr;
};

TEST_F(NvtxTest, ShowsNestedRanges) {
    {
        const NvtxRange outer("outer");
        const NvtxRange inner("inner");
    }
    EXPECT_EQ(recorded(), "push 0: outer\npush 0: inner\npop 0\npop 0\n");
}

TEST_F(NvtxTest, ShowsAttributes) {
    NvtxDomainRef().mark("all", {.color = 0xFF00A0B0, .category = 7, .payload = 12u});
    NvtxDomainRef().mark(nullptr, {.payload = -5});
    NvtxDomainRef().mark("number", {.payload = 2.5f});
    NvtxDomainRef().mark("black", {.color = 0});
    NvtxDomainRef().mark("large", {.payload = ~0ull});
    EXPECT_EQ(recorded(),
              "mark 0: all category 7 color ff00a0b0 unsigned 12\nmark 0: (no message) signed -5\nmark 0: number double 2.5\n"
              "mark 0: black color 00000000\nmark 0: large unsigned 18446744073709551615\n");
}

TEST_F(NvtxTest, OwnsDomains) {
    {
        const NvtxDomain domain("solver");
        const std::string number = std::to_string(reinterpret_cast<std::uintptr_t>(domain.native_handle()));
        domain.name_category(3, "input");
        domain.mark("begin");
        { const NvtxRange range(domain, "read", {.category = 3}); }
        EXPECT_EQ(recorded(), "create " + number + ": solver\ncategory " + number + ": 3 is input\nmark " + number +
                                  ": begin\npush " + number + ": read category 3\npop " + number + '\n');
    }
    EXPECT_THAT(recorded(), ::testing::ContainsRegex("destroy [0-9]+\n$"));
}

TEST_F(NvtxTest, NumbersCategories) {
    const NvtxCategory input = NvtxDomainRef().category("input");
    const NvtxCategory output = NvtxDomainRef().category("output");
    NvtxDomainRef().mark("read", {.category = input});
    EXPECT_GE(input.number(), 65536u);
    EXPECT_NE(input.number(), output.number());
    const std::string first = std::to_string(input.number());
    EXPECT_EQ(recorded(), "category 0: " + first + " is input\ncategory 0: " + std::to_string(output.number()) +
                              " is output\nmark 0: read category " + first + '\n');
    EXPECT_THROW((void)NvtxDomainRef().category(nullptr), std::invalid_argument);
}

TEST_F(NvtxTest, MovesDomains) {
    NvtxDomain first("first"), second("second");
    const auto handle = second.native_handle();
    first = std::move(second);
    EXPECT_EQ(first.native_handle(), handle);
    EXPECT_EQ(second, NvtxDomainRef());  // NOLINT(bugprone-use-after-move)
    EXPECT_THAT(recorded(), ::testing::HasSubstr("destroy"));
    const NvtxDomain third(std::move(first));
    EXPECT_EQ(third.native_handle(), handle);
    EXPECT_EQ(first, NvtxDomainRef());  // NOLINT(bugprone-use-after-move)
}

TEST_F(NvtxTest, EndsARangeOfTheProcessOnAnyThread) {
    NvtxProcessRange range("request", {.payload = 1});
    NvtxProcessRange other("other");
    std::thread([moved = std::move(range)] {}).join();
    range.end();
    other = NvtxProcessRange("third");
    other.end();
    other.end();
    NvtxProcessRange().end();
    const std::string text = recorded();
    const std::size_t as = text.find("as ");
    const std::uint64_t first = std::stoull(text.substr(as + 3));
    const auto number = [&](unsigned i) { return std::to_string(first + i); };
    EXPECT_EQ(text, "start 0: request signed 1 as " + number(0) + "\nstart 0: other as " + number(1) + "\nend 0: " + number(0) +
                        "\nstart 0: third as " + number(2) + "\nend 0: " + number(1) + "\nend 0: " + number(2) + '\n');
}

TEST_F(NvtxTest, RegistersTexts) {
    const NvtxString step = NvtxDomainRef().register_string("step");
    EXPECT_NE(step.native_handle(), nullptr);
    EXPECT_EQ(step, NvtxString(step));
    NvtxDomainRef().mark(step);
    { const NvtxRange range(step, {.payload = 1}); }
    NvtxProcessRange(NvtxDomainRef(), step).end();
    EXPECT_THAT(recorded(),
                ::testing::StartsWith("string 0: step\nmark 0: step (registered)\npush 0: step (registered) signed 1\n"
                                      "pop 0\nstart 0: step (registered) as "));
}

TEST_F(NvtxTest, CountsIntegersAndDoubles) {
    const NvtxCounter queued =
        NvtxDomainRef().counter("queued", {.unit = "requests", .description = "in all queues", .minimum = 0});
    static_assert(std::is_same_v<decltype(queued), const NvtxCounter<std::int64_t>>);
    queued.sample(-12);
    const auto loss = NvtxDomainRef().counter<double>("loss", {.minimum = -0.5, .maximum = 2});
    loss.sample(0.25);
    loss.sample_unavailable();
    EXPECT_EQ(loss.id(), 7u);
    EXPECT_EQ(recorded(),
              "counter 0: queued of integers, in all queues in requests from 0\nsample 7: -12\n"
              "counter 0: loss of doubles from -0.500000 to 2.000000\nsample 7: 0.250000\nsample 7: none, because of 2\n");
}

struct Step {
    enum class Kind : std::uint16_t { forward, backward };

    std::int8_t layer;
    Kind kind;
    float loss;
    std::array<std::uint8_t, 2> shape;
    std::int64_t sizes[2];
    double rate;
    const char* name;
};

TEST_F(NvtxTest, ShowsRecords) {
    const NvtxPayloadSchema<Step> schema(NvtxDomainRef(), "step",
                                         {{"layer", &Step::layer},
                                          {"kind", &Step::kind},
                                          {"loss", &Step::loss},
                                          {"shape", &Step::shape},
                                          {"sizes", &Step::sizes},
                                          {"rate", &Step::rate},
                                          {"name", &Step::name}});
    EXPECT_EQ(schema.id(), 9u);
    EXPECT_EQ(recorded(),
              "schema 0: step of 48 bytes, layer 11 at 0, kind 14 at 2, loss 19 at 4, shape 12 at 8 x 2, sizes 17 at 16 x 2, "
              "rate 20 at "
              "32, name 75 at 40\n");
    struct Pair {
        std::int16_t first, second;
    };
    const NvtxPayloadSchema<Pair> pairs(NvtxDomainRef(), "pair", {{"first", &Pair::first}});
    forget_();
    const Pair pair{258, -1};
    NvtxDomainRef().mark("m", {.payload = pairs(pair)});
    { const NvtxRange range("r", {.payload = pairs(pair)}); }
    EXPECT_EQ(recorded(), "mark 0: m record of 9: 2 1 255 255\npush 0: r record of 9: 2 1 255 255\npop 0\n");
    EXPECT_THROW(NvtxPayloadSchema<Pair>(NvtxDomainRef(), nullptr, {{"first", &Pair::first}}), std::invalid_argument);
    EXPECT_THROW(NvtxPayloadSchema<Pair>(NvtxDomainRef(), "pair", {{nullptr, &Pair::first}}), std::invalid_argument);
    EXPECT_THROW(NvtxPayloadSchema<Pair>(NvtxDomainRef(), "pair", {}), std::invalid_argument);
}

TEST_F(NvtxTest, RefusesCountersWithoutNameOrRange) {
    EXPECT_THROW((void)NvtxDomainRef().counter(nullptr), std::invalid_argument);
    EXPECT_THROW((void)NvtxDomainRef().counter("c", {.minimum = 2, .maximum = 1}), std::invalid_argument);
    EXPECT_THROW((void)NvtxDomainRef().counter<double>("c", {.minimum = std::nan(""), .maximum = 1}), std::invalid_argument);
    EXPECT_EQ(recorded(), "");
}

TEST_F(NvtxTest, RefusesMissingNames) {
    EXPECT_THROW((void)NvtxDomainRef().register_string(nullptr), std::invalid_argument);
    EXPECT_THROW(NvtxDomain(nullptr), std::invalid_argument);
    EXPECT_THROW(NvtxDomainRef().name_category(0, "none"), std::invalid_argument);
    EXPECT_THROW(NvtxDomainRef().name_category(1, nullptr), std::invalid_argument);
    EXPECT_EQ(recorded(), "");
}

}  // namespace
}  // namespace cubind::testing
