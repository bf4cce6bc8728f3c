// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "layers_test.hpp"

namespace cubind::testing {
namespace {

namespace trace = layers::trace;

// Starts a child process that runs `work`, and that an alarm ends if it hangs. Returns the process ID of the child.
pid_t start_child(const std::function<void()>& work) {
    const pid_t child = fork();
    if (child != 0) return child;
    alarm(60);
    work();
    _exit(::testing::Test::HasFailure() ? 1 : 0);
}

// Runs `work` in a child process, waits for its end, and returns its process ID.
pid_t run_child(const std::function<void()>& work) {
    const pid_t child = start_child(work);
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "of the child";
    return child;
}

class TraceProcessTest : public StubbedTest {
protected:
    void SetUp() override {
        StubbedTest::SetUp();
        std::filesystem::create_directory(folder);
    }
    void TearDown() override {
        StubbedTest::TearDown();
        std::filesystem::remove_all(folder);
    }
    static std::string content(const std::string& file) {
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        return text.str();
    }
    static std::string extended(const std::string& name, pid_t process) { return name + "." + std::to_string(process); }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& each : std::filesystem::directory_iterator(folder)) names.push_back(each.path());
        std::sort(names.begin(), names.end());
        return names;
    }
    // Matches a complete chrome trace of calls of cuInit with these flags.
    static auto is_trace_of(const std::vector<int>& flags) {
        std::string form = "\\[\n";
        for (const int each : flags) form += "[^\n]*\"Flags\":" + std::to_string(each) + "\\}[^\n]*,\n";
        return ::testing::MatchesRegex(form + "[^\n]*process_name[^\n]*\n\\]\n");
    }

    const std::string folder = ::testing::TempDir() + "trace_process_" + std::to_string(getpid());
    const std::string path = folder + "/trace";
};

TEST_F(TraceProcessTest, ReplacesPercentPByTheProcessId) {
    trace::start({.file = path + "_%p_100%%_%x%"});
    cuInit(1);
    trace::stop();
    EXPECT_THAT(files(), ElementsAre(path + "_" + std::to_string(getpid()) + "_100%_%x%"));
}

TEST_F(TraceProcessTest, WritesTheCallsOfAChildToAnotherFile) {
    trace::start({.format = trace::Format::chrome, .file = path});
    cuInit(1);
    pid_t grandchild = 0;
    ::testing::internal::CaptureStderr();
    const pid_t child = run_child([&] {
        cuInit(2);
        grandchild = run_child([] {
            cuInit(3);
            trace::stop();
        });
        std::ofstream(folder + "/grandchild") << grandchild;
        cuInit(4);
        trace::stop();
    });
    const std::string message = ::testing::internal::GetCapturedStderr();
    cuInit(5);
    trace::stop();
    grandchild = std::stoi(content(folder + "/grandchild"));
    EXPECT_THAT(content(path), is_trace_of({1, 5}));
    EXPECT_THAT(content(extended(path, child)), is_trace_of({2, 4}));
    EXPECT_THAT(content(extended(path, grandchild)), is_trace_of({3}));
    EXPECT_THAT(message, AllOf(HasSubstr("cubind: trace: "), HasSubstr(extended(path, child)), HasSubstr("%p")));
}

TEST_F(TraceProcessTest, WritesToTheFolderThatWasCurrentAtTheStart) {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::create_directory(folder + "/other");
    std::filesystem::current_path(folder);
    trace::start({.format = trace::Format::chrome, .file = "trace"});
    std::filesystem::current_path(folder + "/other");
    ::testing::internal::CaptureStderr();
    const pid_t child = run_child([] {
        cuInit(1);
        trace::stop();
    });
    ::testing::internal::GetCapturedStderr();
    trace::stop();
    std::filesystem::current_path(before);
    EXPECT_THAT(content(extended(path, child)), is_trace_of({1}));
}

TEST_F(TraceProcessTest, WritesAFileForEachProcessIfTheNameHasPercentP) {
    trace::start({.format = trace::Format::chrome, .file = path + "_%p"});
    cuInit(1);
    ::testing::internal::CaptureStderr();
    const pid_t child = run_child([] {
        cuInit(2);
        trace::stop();
    });
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    trace::stop();
    EXPECT_THAT(content(path + "_" + std::to_string(getpid())), is_trace_of({1}));
    EXPECT_THAT(content(path + "_" + std::to_string(child)), is_trace_of({2}));
}

TEST_F(TraceProcessTest, CreatesNoFileInAChildWithoutCalls) {
    trace::start({.format = trace::Format::chrome, .file = path});
    run_child([] { trace::stop(); });
    trace::stop();
    EXPECT_THAT(files(), ElementsAre(path));
    EXPECT_THAT(content(path), is_trace_of({}));
}

TEST_F(TraceProcessTest, PreservesTheFileThatAnotherProcessWrites) {
    trace::start({.format = trace::Format::chrome, .file = path});
    cuInit(1);
    const pid_t other = run_child([&] {
        trace::start({.format = trace::Format::chrome, .file = path});
        cuInit(2);
        trace::stop();
    });
    cuInit(3);
    trace::stop();
    EXPECT_THAT(content(path), is_trace_of({1, 3}));
    EXPECT_THAT(content(extended(path, other)), is_trace_of({2}));
    run_child([&] {
        trace::start({.format = trace::Format::chrome, .file = path});
        cuInit(4);
        trace::stop();
    });
    EXPECT_THAT(content(path), is_trace_of({4})) << "a later process overwrites it";
}

TEST_F(TraceProcessTest, SharesAPipeWithAChild) {
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
    trace::start({.format = trace::Format::chrome, .file = path});
    run_child([] {
        cuInit(1);
        trace::stop();
    });
    cuInit(2);
    trace::stop();
    char text[4096] = {};
    EXPECT_GT(read(reader, text, sizeof text - 1), 0);
    EXPECT_THAT(std::string(text), is_trace_of({1, 2}));
    EXPECT_THAT(files(), ElementsAre(path));
    close(reader);
}

// Forks while other threads may hold locks of the layers.
TEST_F(TraceProcessTest, EndsInChildrenOfThreads) {
    trace::start({.file = "/dev/null"});
    layers::validate::start({.report = [](const auto&) {}});
    layers::faults::start();
    layers::leaks::start();
    std::atomic<bool> done{false};
    std::vector<std::thread> threads;
    for (int index = 0; index < 4; ++index) {
        threads.emplace_back([&done, index] {
            while (!done.load()) {
                cuStreamDestroy_v2(cuStreamCreate(0).value);
                cuMemFree(cuMemAlloc(64).value);
                if (index == 0) trace::start({.file = "/dev/null"});
                if (index == 1) layers::faults::fail("cuInit", CUDA_ERROR_UNKNOWN);
            }
        });
    }
    for (int times = 0; times < 100; ++times) {
        run_child([] {
            cuInit(1);
            cuStreamSynchronize(handle<CUstream>(0x4440));
            layers::leaks::report();
            stop_all_layers();
        });
    }
    done.store(true);
    for (auto& each : threads) each.join();
}

TEST_F(TraceProcessTest, ReportsAFullFileAndWritesWholeLines) {
    rlimit previous{};
    getrlimit(RLIMIT_FSIZE, &previous);
    trace::start({.file = path});
    cuInit(1);
    constexpr std::size_t limit = 1000;
    const rlimit limited{.rlim_cur = limit, .rlim_max = previous.rlim_max};
    ::testing::internal::CaptureStderr();
    setrlimit(RLIMIT_FSIZE, &limited);
    for (unsigned call = 2; call <= 100; ++call) cuInit(call);
    const unsigned long lost = trace::dropped();
    trace::stop();
    setrlimit(RLIMIT_FSIZE, &previous);
    const std::string message = ::testing::internal::GetCapturedStderr();
    const std::string text = content(path);
    EXPECT_LE(text.size(), limit);
    EXPECT_THAT(text, ::testing::EndsWith("-> CUDA_SUCCESS\n"));
    EXPECT_EQ(static_cast<unsigned long>(std::count(text.begin(), text.end(), '\n')) + lost, 100u);
    EXPECT_GT(lost, 50u);
    EXPECT_THAT(message, AllOf(HasSubstr("cannot write " + path), HasSubstr(std::to_string(lost) + " calls")));
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 2) << "at the first missing call and at the end";
    EXPECT_EQ(trace::dropped(), lost) << "until the next start";
    trace::start({.file = path});
    EXPECT_EQ(trace::dropped(), 0u);
}

TEST_F(TraceProcessTest, ReportsAPipeWithoutReader) {
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    alarm(30);  // a call that waits for a reader ends the test
    try {
        trace::start({.file = path});
        ADD_FAILURE() << "started without a reader";
    } catch (const std::runtime_error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("cannot open " + path), HasSubstr("start the reader first")));
    }
    alarm(0);
}

TEST_F(TraceProcessTest, ContinuesAfterTheReaderOfAPipeHasEnded) {
    ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
    const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
    trace::start({.file = path});
    cuInit(1);
    close(reader);
    ::testing::internal::CaptureStderr();
    cuInit(2);
    EXPECT_EQ(trace::dropped(), 1u);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("cannot write " + path));
    trace::stop();
    sigset_t pending;
    sigpending(&pending);
    EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST_F(TraceProcessTest, ContinuesAfterTheReaderOfTheErrorStreamHasEnded) {
    run_child([] {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        trace::start();
        layers::validate::start();
        cuMemcpy2D_v2(nullptr);
        EXPECT_EQ(trace::dropped(), 1u);
        EXPECT_EQ(layers::validate::findings(), 1u);
    });
}

}  // namespace
}  // namespace cubind::testing
