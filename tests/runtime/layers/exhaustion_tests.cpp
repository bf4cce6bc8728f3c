// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls through layers while the process has no memory left.
#include <cubind/detail/validator.hpp>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/wait.h>
#include <unistd.h>

#include "exhausted_memory.hpp"
#include "layers_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;
namespace trace = layers::trace;
namespace validate = layers::validate;
namespace leaks = layers::leaks;
namespace faults = layers::faults;

long count_of(const std::string& text, const std::string& part) {
    long count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

// A driver that allocates nothing. Creations return `next_handle`.
class LayersExhaustionTest : public StubbedTest {
protected:
    void SetUp() override {
        StubbedTest::SetUp();
        stub.passes_on = true;
        stub.answer = [this](const cubind::Call& call) {
            for (std::size_t index = 0; index < call.function.parameters.size(); ++index) {
                const reflection::Parameter& parameter = call.function.parameters[index];
                const bool is_result = parameter.type->kind == reflection::Kind::pointer &&
                                       parameter.direction == reflection::Direction::out &&
                                       parameter.shape == reflection::Shape::value && parameter.type->inner->size == 8;
                void* const target = is_result ? *static_cast<void**>(call.arguments[index]) : nullptr;
                if (target != nullptr) *static_cast<std::uintptr_t*>(target) = next_handle;
            }
        };
        path = (fs::temp_directory_path() / ("cubind_exhaustion_" + std::to_string(getpid()))).string();
    }
    void TearDown() override {
        stub_status = 0;
        StubbedTest::TearDown();
        for (const auto& each : fs::directory_iterator(fs::temp_directory_path())) {
            if (each.path().string().starts_with(path)) fs::remove(each.path());
        }
    }
    std::string text_of(const std::string& file) const {
        std::ifstream stream(file);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    std::uintptr_t next_handle = 0x1000;
    std::string path;
};

class TraceExhaustionTest : public LayersExhaustionTest, public ::testing::WithParamInterface<trace::Format> {};

TEST_P(TraceExhaustionTest, OmitsWholeLinesAndCountsThem) {
    trace::start({.format = GetParam(), .file = path});
    ::testing::internal::CaptureStderr();
    unsigned long calls = 0;
    CUresult status = CUDA_SUCCESS;
    const auto call = [&] {
        status = cuModuleGetFunction(handle<CUmodule>(0x500), "a name that is too long for a small string").status;
        ++calls;
    };
    const long omitted = exhaust(call, [&](bool) { EXPECT_EQ(status, CUDA_SUCCESS); });
    EXPECT_GT(omitted, 0);
    EXPECT_EQ(trace::dropped(), static_cast<unsigned long>(omitted));
    trace::stop();
    EXPECT_EQ(trace::dropped(), static_cast<unsigned long>(omitted));
    const std::string report = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(count_of(report, "trace: memory is exhausted"), 1) << report;
    EXPECT_EQ(count_of(report, "exhausted: " + std::to_string(omitted) + ";"), 1) << report;
    const std::string text = text_of(path);
    EXPECT_EQ(count_of(text, "cuModuleGetFunction"), static_cast<long>(calls) - omitted);
    if (GetParam() == trace::Format::chrome) {
        EXPECT_TRUE(text.starts_with("[\n") && text.ends_with("]\n")) << text;
    }
}

TEST_P(TraceExhaustionTest, OpensTheFileOfAChildInALaterCall) {
    trace::start({.format = GetParam(), .file = path});
    cuCtxSynchronize();
    for (long count = 0;; ++count) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            bool was_exhausted = false;
            {
                const LimitedMemory memory(count);
                cuCtxSynchronize();
                was_exhausted = memory.is_exhausted();
            }
            cuCtxSynchronize();
            trace::stop();
            _exit(was_exhausted ? 1 : 0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status) << " with " << count << " allocations";
        const bool was_exhausted = WEXITSTATUS(status) == 1;
        const std::string text = text_of(path + "." + std::to_string(child));
        EXPECT_EQ(count_of(text, "cuCtxSynchronize"), was_exhausted ? 1 : 2) << "with " << count << " allocations: " << text;
        if (GetParam() == trace::Format::chrome) {
            EXPECT_TRUE(text.starts_with("[\n") && text.ends_with("]\n")) << text;
        }
        if (!was_exhausted) break;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, TraceExhaustionTest,
                         ::testing::Values(trace::Format::text, trace::Format::json_lines, trace::Format::chrome));

TEST_F(LayersExhaustionTest, TraceInMemoryCountsTheCallsOfAThreadWithoutABuffer) {
    bool was_exhausted = true;
    std::atomic<bool> is_over = false;
    std::vector<std::thread> threads;  // run until the end, so that none gets another one's buffer
    for (long count = 0; was_exhausted; ++count) {
        trace::start({.memory = 1 << 16});
        cuCtxSynchronize();
        std::atomic<bool> has_called = false;
        threads.emplace_back([&, count] {
            {
                const LimitedMemory memory(count);
                EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
                was_exhausted = memory.is_exhausted();
            }
            EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
            has_called = true;
            has_called.notify_one();
            is_over.wait(false);
        });
        has_called.wait(false);
        EXPECT_EQ(trace::dropped(), was_exhausted ? 1u : 0u);
        EXPECT_THAT(traced_calls(), ::testing::SizeIs(was_exhausted ? 2 : 3));
        EXPECT_TRUE(was_exhausted || count > 1) << "a buffer and its memory are allocated";
    }
    is_over = true;
    is_over.notify_all();
    for (std::thread& each : threads) each.join();
}

TEST_F(LayersExhaustionTest, ValidateChecksInALaterCall) {
    int findings = 0;
    validate::start({.report = [&](const validate::Finding&) { ++findings; }, .unknown_handles = false});
    ::testing::internal::CaptureStderr();
    const auto call = [] { EXPECT_EQ(cuMemcpyHtoD(0x1000, nullptr, 64).status, CUDA_SUCCESS); };
    const auto check = [&](bool was_exhausted) {
        EXPECT_EQ(findings, was_exhausted ? 0 : 1);
        findings = 0;
    };
    const long unchecked = exhaust(call, check);
    EXPECT_GT(unchecked, 0);
    validate::stop();
    const std::string report = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(count_of(report, "validate: memory is exhausted"), 1) << report;
    EXPECT_EQ(count_of(report, "exhausted: " + std::to_string(unchecked) + ";"), 1) << report;
}

TEST_F(LayersExhaustionTest, ValidateAllowsAReportWithoutMemory) {
    validate::start({.action = validate::Action::fail,
                     .report = [](const validate::Finding& finding) { std::string(finding.message); },
                     .unknown_handles = false});
    CUresult status = CUDA_SUCCESS;
    const auto call = [&] { status = cuMemcpyHtoD(0x1000, nullptr, 64).status; };
    exhaust(call, [&](bool was_exhausted) {
        if (!was_exhausted) {
            EXPECT_EQ(status, CUDA_ERROR_INVALID_VALUE);
        }
    });
    bool may_call = true;
    const auto report = [&] { may_call = detail::validator()("driver", "cuLaunchKernel", "f", "a mistake in the arguments"); };
    exhaust(report, [&](bool was_exhausted) { EXPECT_FALSE(may_call) << was_exhausted; });
}

TEST_F(LayersExhaustionTest, ValidateAcceptsHandlesThatCouldNotBeRecorded) {
    std::vector<std::string> findings;
    const auto start = [&] {
        validate::start({.action = validate::Action::fail,
                         .report = [&](const validate::Finding& finding) { findings.push_back(finding.message); }});
    };
    start();
    const auto create = [&] { EXPECT_EQ(cuStreamCreate(0).status, CUDA_SUCCESS); };
    for (const bool is_reused : {false, true}) {
        const auto use = [&](bool) {
            EXPECT_EQ(cuStreamQuery(handle<CUstream>(next_handle)).status, CUDA_SUCCESS);
            EXPECT_EQ(cuStreamDestroy(handle<CUstream>(next_handle)).status, CUDA_SUCCESS);
            if (!is_reused) next_handle += 0x1000;
        };
        const long omitted = exhaust(create, use);
        if (!is_reused) {
            EXPECT_GT(omitted, 0);
        }
    }
    EXPECT_THAT(findings, IsEmpty());
    validate::stop();
    start();
    EXPECT_EQ(cuStreamQuery(handle<CUstream>(0x900000)).status, CUDA_ERROR_INVALID_VALUE) << "the next start is complete";
}

TEST_F(LayersExhaustionTest, ValidateFindsHandlesThatWereDestroyedWithoutMemory) {
    std::vector<std::string> findings;
    validate::start({.report = [&](const validate::Finding& finding) { findings.push_back(finding.message); }});
    const CUmodule module = cuModuleLoadData("image").value;
    next_handle = 0x2000;
    const CUfunction function = cuModuleGetFunction(module, "kernel with a name that is too long for a small string").value;
    next_handle = 0x3000;
    const CUstream stream = cuStreamCreate(0).value;
    {
        const LimitedMemory none(0);
        EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_SUCCESS);
        EXPECT_EQ(cuModuleUnload(module).status, CUDA_SUCCESS);
        EXPECT_FALSE(none.is_exhausted()) << "a destruction must not need memory";
    }
    EXPECT_THAT(findings, IsEmpty());
    cuStreamQuery(stream);
    cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, function);
    EXPECT_THAT(findings, ElementsAre(HasSubstr("cuStreamDestroy_v2 destroyed"), HasSubstr("cuModuleUnload destroyed")));
}

TEST_F(LayersExhaustionTest, LeaksReportsNoObjectThatWasDestroyed) {
    leaks::start();
    ::testing::internal::CaptureStderr();
    CUdeviceptr memory = 0;
    const auto create = [&] { memory = cuMemAlloc(64).value; };
    const auto destroy = [&](bool was_exhausted) {
        EXPECT_EQ(memory, next_handle);
        EXPECT_EQ(leaks::outstanding().size(), was_exhausted ? 0u : 1u);
        cuMemFree(memory);
        next_handle += 0x1000;
    };
    const long omitted = exhaust(create, destroy);
    EXPECT_GT(omitted, 0);
    memory = cuMemAlloc(64).value;
    {
        const LimitedMemory none(0);
        stub_status = 1;
        cuMemFree(memory);
        stub_status = 0;
    }
    EXPECT_EQ(leaks::outstanding().size(), 1u) << "a destruction that failed";
    {
        const LimitedMemory none(0);
        cuMemFree(memory);
        EXPECT_FALSE(none.is_exhausted()) << "a destruction must not need memory";
    }
    EXPECT_EQ(leaks::report(), "");
    leaks::stop();
    const std::string report = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(count_of(report, "objects: memory is exhausted"), 1) << report;
    EXPECT_EQ(count_of(report, "exhausted: " + std::to_string(omitted) + ";"), 1) << report;
}

TEST_F(LayersExhaustionTest, LeaksRemovesTheObjectsOfAContextWithoutMemory) {
    leaks::start();
    const CUcontext context = cuCtxCreate_v2(0, 0).value;
    // The stub returns null for the current context, so that objects end with their parents and not with a context.
    next_handle = 0x2000;
    const CUgraph graph = cuGraphCreate(0).value;
    for (int index = 0; index < 100; ++index) {
        next_handle += 0x10;
        cuGraphAddEmptyNode(graph, nullptr, 0);
    }
    {
        const LimitedMemory none(0);
        cuGraphDestroy(graph);
        cuCtxDestroy(context);
        EXPECT_FALSE(none.is_exhausted());
    }
    EXPECT_EQ(leaks::report(), "");
}

TEST_F(LayersExhaustionTest, FaultsFailCallsWithoutMemory) {
    faults::start();
    faults::fail("cuStreamSynchronize", CUDA_ERROR_LAUNCH_FAILED, 2);
    {
        const LimitedMemory none(0);
        EXPECT_EQ(cuStreamSynchronize(nullptr).status, CUDA_SUCCESS);
        EXPECT_EQ(cuStreamSynchronize(nullptr).status, CUDA_ERROR_LAUNCH_FAILED);
        EXPECT_EQ(cuStreamSynchronize(nullptr).status, CUDA_SUCCESS);
    }
    std::vector<std::string> failed;
    const auto operation = [] {
        const LimitedMemory none(0);
        cuStreamSynchronize(nullptr);
        cuOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, 1, 1);
    };
    const faults::FailEachCallOptions options{.after = [&](const faults::Fault& fault) { failed.push_back(fault.function); }};
    EXPECT_EQ(faults::fail_each_call(operation, options), 2u);
    EXPECT_THAT(failed, ElementsAre("cuStreamSynchronize", "cuOccupancyMaxActiveBlocksPerMultiprocessor"));
}

// Starts a layer with each number of allocations, until it starts, then stops it and makes a call in a child process.
void expect_start_in_a_later_call(void (*start)(), void (*stop)()) {
    const auto start_or_not = [&] {
        try {
            start();
        } catch (const std::bad_alloc&) {
        }
    };
    EXPECT_GT(exhaust(start_or_not, [](bool) { EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS); }), 0);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        _exit(static_cast<int>(cuCtxSynchronize().status));
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    stop();
}

TEST_F(LayersExhaustionTest, StartsInALaterCall) {
    expect_start_in_a_later_call([] { validate::start(); }, validate::stop);
    expect_start_in_a_later_call(leaks::start, leaks::stop);
    expect_start_in_a_later_call(faults::start, faults::stop);
    expect_start_in_a_later_call([] { trace::start({.memory = 4096}); }, trace::stop);
    expect_start_in_a_later_call([] { trace::start({.file = "/dev/null"}); }, trace::stop);
}

TEST_F(LayersExhaustionTest, DiscardsObjectsAtTheStopAfterStartsThatFailed) {
    expect_start_in_a_later_call(leaks::start, [] {});
    cuStreamCreate(0);
    EXPECT_EQ(leaks::outstanding().size(), 1u);
    leaks::stop();
    EXPECT_THAT(leaks::outstanding(), IsEmpty());
}

TEST_F(LayersExhaustionTest, RemovesLayersWithoutMemory) {
    std::map<int, int> calls;
    const auto counter = [&](int number) {
        return [&calls, number](const cubind::Call& call, const layers::Next& next) {
            ++calls[number];
            next(call);
        };
    };
    std::vector<std::unique_ptr<FunctionLayer>> all;
    for (int number = 0; number < 6; ++number) all.push_back(std::make_unique<FunctionLayer>(counter(number)));
    for (const auto& each : all) layers::push(*each);
    layers::push(*all[2]);  // moves it to the top
    cuCtxSynchronize();
    calls.clear();
    for (const std::size_t removed : {3u, 0u, 5u, 2u, 1u, 4u}) {
        {
            const LimitedMemory none(0);
            layers::remove(*all[removed]);
        }
        all[removed].reset();
        cuCtxSynchronize();
    }
    EXPECT_EQ(calls, (std::map<int, int>{{0, 1}, {1, 4}, {2, 3}, {4, 5}, {5, 2}}));
    FunctionLayer again(counter(9));
    const auto push = [&] {
        try {
            layers::push(again);
        } catch (const std::bad_alloc&) {
        }
    };
    exhaust(push, [&](bool was_exhausted) { EXPECT_EQ(layers::is_on(again), !was_exhausted); });
    layers::remove(again);
}

}  // namespace
}  // namespace cubind::testing
