// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <unistd.h>

#include "layers_test.hpp"

namespace cubind::testing {
namespace {

namespace trace = layers::trace;

class TraceFileTest : public StubbedTest {
protected:
    void TearDown() override {
        StubbedTest::TearDown();
        std::remove(path.c_str());
        std::remove(other.c_str());
    }
    static std::string content(const std::string& file) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    }
    static auto lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

    const std::string path = ::testing::TempDir() + "trace_" + std::to_string(getpid());
    const std::string other = path + "_other";
};

TEST_F(TraceFileTest, ReplacesTheFileAndWritesImmediately) {
    std::ofstream(path) << "previous content\n";
    trace::start({.file = path});
    cuInit(1);
    EXPECT_THAT(content(path), HasSubstr("cuInit(Flags=1)"));
    EXPECT_EQ(lines(content(path)), 1);
    cuInit(2);
    EXPECT_EQ(lines(content(path)), 2);
    trace::stop();
    cuInit(3);
    EXPECT_EQ(lines(content(path)), 2);
    trace::stop();
}

TEST_F(TraceFileTest, ContinuesTheCurrentTraceIfTheFileCannotBeOpened) {
    trace::start({.file = path});
    cuInit(1);
    try {
        trace::start({.format = trace::Format::json_lines, .file = "/no/such/folder/file"});
        FAIL();
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), HasSubstr("/no/such/folder/file"));
    }
    cuInit(2);
    EXPECT_EQ(lines(content(path)), 2);
    EXPECT_THAT(content(path), HasSubstr("cuInit(Flags=2) -> "));
    trace::stop();
    EXPECT_THROW(trace::start({.file = "/no/such/folder/file"}), std::runtime_error);
    cuInit(3);
    EXPECT_EQ(lines(content(path)), 2);
}

TEST_F(TraceFileTest, EndsThePreviousTrace) {
    trace::start({.file = path});
    cuInit(1);
    trace::start({.format = trace::Format::chrome, .file = other});
    cuInit(2);
    EXPECT_EQ(lines(content(path)), 1);
    EXPECT_THAT(content(other), ::testing::StartsWith("[\n{"));
    trace::start({.memory = 1 << 12});
    EXPECT_THAT(content(other), ::testing::EndsWith("}\n]\n")) << "the trace is complete";
    cuInit(3);
    EXPECT_EQ(lines(content(path)) + lines(content(other)), 1 + 4);
    EXPECT_THAT(traced_calls(), ElementsAre("cuInit(Flags=3) -> CUDA_SUCCESS"));
}

TEST_F(TraceFileTest, ReusesTheSameFile) {
    trace::start({.format = trace::Format::chrome, .file = path});
    cuInit(1);
    trace::start({.format = trace::Format::chrome, .file = path});
    cuInit(2);
    trace::stop();
    EXPECT_THAT(content(path), ::testing::StartsWith("[\n{\"ph\":\"X\""));
    EXPECT_EQ(lines(content(path)), 4);
}

TEST_F(TraceFileTest, WritesWholeLinesOfManyThreads) {
    trace::start({.file = path});
    in_threads(4, [](int) {
        for (unsigned call = 0; call < 200; ++call) cuInit(call);
    });
    trace::stop();
    std::istringstream text(content(path));
    std::size_t count = 0;
    for (std::string line; std::getline(text, line); ++count) {
        EXPECT_THAT(
            line, ::testing::MatchesRegex(R"(\[[0-9]+\] +[0-9.]+ s +[0-9.]+ us  driver cuInit\(Flags=[0-9]+\) -> CUDA_SUCCESS)"));
    }
    EXPECT_EQ(count, 800u);
}

TEST_F(TraceFileTest, WritesOnlyOneFormatToAFile) {
    std::atomic<bool> done{false};
    std::thread calls([&] {
        while (!done.load()) cuInit(0);
    });
    for (int times = 0; times < 100; ++times) {
        trace::start({.file = path});
        trace::start({.format = trace::Format::json_lines, .file = other});
        trace::stop();
        EXPECT_THAT(content(path), ::testing::Not(HasSubstr("{"))) << "JSON in a text";
        EXPECT_THAT(content(other), ::testing::Not(HasSubstr("->"))) << "text in JSON";
    }
    done.store(true);
    calls.join();
}

}  // namespace
}  // namespace cubind::testing
