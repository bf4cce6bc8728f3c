// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Calls of plans, wrong operands, captures, and each call of the libraries failing once.
#include <cubind/cufft/loading.hpp>
#include <cubind/cufft/types.hpp>

#include <algorithm>
#include <atomic>
#include <complex>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fft_test.hpp"
#include "library_file.hpp"

namespace cubind::testing {
namespace {

using Complex = std::complex<float>;

/// Returns the text of "cufftSetStream 0x..." and the like.
template <class... Values>
std::string call(const char* function, const Values&... values) {
    std::ostringstream text;
    text << function;
    ((text << ' ' << values), ...);
    return text.str();
}

class FftCallTest : public FftTest {
protected:
    void* address(const TypedBuffer<Complex>& buffer) { return reinterpret_cast<void*>(buffer.native_handle()); }
    std::string exec(const TypedBuffer<Complex>& from, const TypedBuffer<Complex>& to, int direction) {
        return call("cufftXtExec", 7, address(from), address(to), direction);
    }
    TypedBuffer<Complex> allocate(std::size_t count = 64) { return Device().allocate<Complex>(stream_, count); }
};

TEST_F(FftCallTest, SetsStreamAndWorkAreaOnce) {
    const auto input = allocate(), output = allocate();
    math::Fft transform(stream_, input, output);
    EXPECT_EQ(transform.native_handle(), 7);
    EXPECT_EQ(transform.workspace_size(), 0u);
    static_cast<void>(stand_in().taken_calls());
    transform(stream_, input, output);
    EXPECT_THAT(stand_in().taken_calls(),
                ElementsAre(call("cufftSetStream", stream_.native_handle()),
                            call("cufftSetWorkArea", static_cast<void*>(nullptr)), exec(input, output, -1)));
    transform(stream_, output, input, math::FftDirection::inverse);
    EXPECT_THAT(stand_in().taken_calls(), ElementsAre(exec(output, input, 1)));
    transform(stream_, input, input);
    EXPECT_THAT(stand_in().taken_calls(), ElementsAre(exec(input, input, -1)));
}

TEST_F(FftCallTest, PassesMemoryOfTheWorkspace) {
    stand_in().workspace_size = 1000;
    const auto input = allocate(), output = allocate();
    math::Fft transform(stream_, input, output);
    EXPECT_EQ(transform.workspace_size(), 1000u);
    static_cast<void>(stand_in().taken_calls());
    transform(stream_, input, output);
    const auto calls = stand_in().taken_calls();
    ASSERT_EQ(calls.size(), 3u);
    EXPECT_THAT(calls[1], AllOf(HasSubstr("cufftSetWorkArea 0x"), ::testing::Not(HasSubstr(" 0 "))));
    Stream other{Device()};
    transform(other, input, output);
    EXPECT_THAT(stand_in().taken_calls(), ElementsAre(call("cufftSetStream", other.native_handle()), exec(input, output, -1)));
    EXPECT_THAT(refused(view_at(0x10000, c64, {8}), view_at(0x20000, c64, {8}), {.plan = {.workspace_limit = 999}}),
                AllOf(HasSubstr("1000"), HasSubstr("999"), HasSubstr("(8, 0, 0)")));
}

TEST_F(FftCallTest, TransformsByFreeFunctions) {
    const auto input = allocate(), output = allocate();
    math::fft(stream_, input, output);
    EXPECT_EQ(stand_in().taken_calls().back(), exec(input, output, -1));
    math::inverse_fft(stream_, input, output);
    EXPECT_EQ(stand_in().taken_calls().back(), exec(input, output, 1));
    const auto signal = Device().allocate<float>(stream_, 126);
    math::fft(stream_, signal, output);
    math::inverse_fft(stream_, output, signal);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { math::fft(stream_, output, signal); }), HasSubstr("is inverse"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { math::inverse_fft(stream_, signal, output); }), HasSubstr("is forward"));
    stream_.synchronize();
    EXPECT_EQ(stand_in().handles, 0) << "plans are destroyed after their work";
}

TEST_F(FftCallTest, DoesNothingWithoutElements) {
    math::Fft transform(stream_, view_at(0, c64, {0, 8}), view_at(0, c64, {0, 8}), {.axes = {1}});
    transform(stream_, view_at(0, c64, {0, 8}), view_at(0, c64, {0, 8}));
    math::fft(stream_, view_at(0, f32, {3, 0}), view_at(0, c64, {3, 0}), {.axes = {1}});
    EXPECT_THAT(stand_in().calls, IsEmpty());
    EXPECT_EQ(transform.native_handle(), -1);
    EXPECT_EQ(transform.workspace_size(), 0u);
}

TEST_F(FftCallTest, TransformsRealRowsInPlace) {
    // Rows of 10 numbers with room for 6 complex ones.
    const auto real = view_at(0x10000, f32, {3, 10}, {12, 1});
    const auto complex = view_at(0x10000, c64, {3, 6});
    math::Fft forward(stream_, real, complex);
    forward(stream_, real, complex);
    math::Fft inverse(stream_, complex, real);
    inverse(stream_, complex, real);
    // Without that room, and with another address.
    EXPECT_THAT(refused(view_at(0x10000, f32, {3, 10}), complex), AllOf(HasSubstr("overlap"), HasSubstr("(10, 1)")));
    EXPECT_THAT(refused(view_at(0x10030, f32, {3, 10}, {12, 1}), complex), HasSubstr("overlap"));
    EXPECT_THAT(refused(view_at(0x10000, f32, {3, 10}, {10, 1}), view_at(0x10000, c64, {3, 6}, {5, 1})), HasSubstr("too small"));
    EXPECT_THAT(refused(view_at(0x10000, c64, {4, 8}), view_at(0x10000, c64, {4, 8}, {9, 1})), HasSubstr("overlap"));
    EXPECT_THAT(refused(view_at(0x10000, c64, {8}), view_at(0x10008, c64, {8})), HasSubstr("overlap"));
}

TEST_F(FftCallTest, RefusesOperandsOfAnotherLayout) {
    auto input = allocate(), output = allocate(), longer = allocate(128);
    math::Fft transform(stream_, input, output);
    const auto refused_call = [&](const math::Operand& from, const math::Output& to) {
        return message_of<std::invalid_argument>([&] { transform(stream_, from, to); });
    };
    EXPECT_THAT(refused_call(longer, output), AllOf(HasSubstr("input"), HasSubstr("(128)"), HasSubstr("(64)")));
    EXPECT_THAT(refused_call(input, longer), AllOf(HasSubstr("output"), HasSubstr("(128)")));
    EXPECT_THAT(refused_call(StridedView(longer, {64}, {2}), output), AllOf(HasSubstr("(2)"), HasSubstr("(1)")));
    EXPECT_THAT(refused_call(view_at(0x10000, c128, {64}), output), AllOf(HasSubstr("complex128"), HasSubstr("complex64")));
    EXPECT_THAT(refused_call(input, StridedView(output, {64}).as_readonly()), HasSubstr("read-only"));
    EXPECT_THAT(refused_call(std::span<Complex>(static_cast<Complex*>(nullptr), 64), output), HasSubstr("null"));
    std::vector<Complex> host(64);
    EXPECT_THAT(refused_call(StridedView({.data = host.data(), .dtype = c64, .shape = {64}}), output), HasSubstr("pageable"));
    Stream other{Device(1)};
    const auto elsewhere = Device(1).allocate<Complex>(other, 64);
    EXPECT_THAT(refused_call(elsewhere, output), AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { transform(other, input, output); }),
                AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
}

TEST_F(FftCallTest, RefusesAReadOnlyInputThatCufftOverwrites) {
    const auto spectrum = allocate(33);
    const auto signal = Device().allocate<float>(stream_, 64);
    const std::span<const Complex> constant(static_cast<const Complex*>(address(spectrum)), 33);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { math::inverse_fft(stream_, constant, signal); }),
                AllOf(HasSubstr("read-only"), HasSubstr("overwrite")));
    math::fft(stream_, std::span<const float>(reinterpret_cast<const float*>(signal.native_handle()), 64), spectrum);
}

TEST_F(FftCallTest, MovesAndRefusesMovedFromPlans) {
    const auto input = allocate(), output = allocate();
    math::Fft first(stream_, input, output);
    math::Fft& empty = first;
    math::Fft second = std::move(first);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { empty(stream_, input, output); }), HasSubstr("Fft"));
    second(stream_, input, output);
    first = std::move(second);
    first(stream_, input, output);
    EXPECT_EQ(stand_in().handles, 1);
}

TEST_F(FftCallTest, ServesTwoThreadsAndTwoStreams) {
    stand_in().workspace_size = 100;
    const auto input = allocate(), output = allocate(), other_output = allocate();
    math::Fft transform(stream_, input, output);
    std::thread thread([&] {
        Stream stream{Device()};
        for (int i = 0; i < 50; ++i) transform(stream, input, other_output);
        stream.synchronize();
    });
    for (int i = 0; i < 50; ++i) transform(stream_, input, output);
    thread.join();
    stream_.synchronize();
    const auto calls = stand_in().taken_calls();
    EXPECT_EQ(std::count_if(calls.begin(), calls.end(), [](const auto& each) { return each.starts_with("cufftXtExec"); }), 100);
}

TEST_F(FftCallTest, IsDestroyedAfterItsWork) {
    const auto input = allocate(), output = allocate();
    std::atomic<bool> may_run = false;
    {
        math::Fft transform(stream_, input, output);
        stream_.launch_host_function([&] { may_run.wait(false); });
        transform(stream_, input, output);
        Stream other{Device()};
        transform(other, input, output);
        EXPECT_FALSE(other.is_done()) << "the work of the plan has the order of its calls";
    }
    const bool is_done = Stream(Device()).is_done();
    EXPECT_TRUE(is_done);
    EXPECT_EQ(stand_in().handles, 1);
    may_run = true;
    may_run.notify_all();
    stream_.synchronize();
    destroy_deferred_objects();
    EXPECT_EQ(stand_in().handles, 0);
}

TEST_F(FftCallTest, IsRetainedByGraphs) {
    stand_in().workspace_size = 512;
    std::optional<Graph> graph;
    {
        const auto input = allocate(), output = allocate();
        std::optional<math::Fft> transform(std::in_place, stream_, input, output);
        GraphBuilder builder = GraphBuilder(Device());
        builder.begin_building();
        (*transform)(builder, input, output);
        builder.end_building();
        graph = builder.complete();
        transform.reset();
    }
    destroy_deferred_objects();
    EXPECT_EQ(stand_in().handles, 1);
    graph->launch(stream_);
    stream_.synchronize();
    graph.reset();
    destroy_deferred_objects();
    EXPECT_EQ(stand_in().handles, 0);
}

TEST_F(FftCallTest, DoesNotJoinACaptureOfItsLatestStream) {
    stand_in().workspace_size = 512;
    const auto input = allocate(), output = allocate();
    std::optional<math::Fft> transform(std::in_place, stream_, input, output);
    (*transform)(stream_, input, output);
    GraphBuilder builder{StreamRef(stream_)};
    builder.begin_building();
    Stream other{Device()};
    (*transform)(other, input, output);
    EXPECT_FALSE(other.is_capturing());
    (*transform)(stream_, input, output);  // is captured
    transform.reset();
    builder.end_building();
    const Graph graph = builder.complete();
    other.synchronize();
}

TEST_F(FftCallTest, ReportsFailuresOfCufft) {
    const auto failing = [&](const char* function, cufft::cufftResult status) {
        stand_in().failing = function;
        stand_in().next_status = static_cast<int>(status);
    };
    const auto input = allocate(), output = allocate();
    failing("cufftXtMakePlanMany", cufft::CUFFT_ALLOC_FAILED);
    EXPECT_THAT(message_of<OutOfMemory>([&] { math::fft(stream_, input, output); }),
                AllOf(HasSubstr("CUFFT_ALLOC_FAILED"), HasSubstr("(64, 0, 0)"), HasSubstr("Free memory")));
    failing("cufftXtMakePlanMany", cufft::CUFFT_INVALID_SIZE);
    EXPECT_THAT(message_of<Error>([&] { math::fft(stream_, input, output); }),
                AllOf(HasSubstr("CUFFT_INVALID_SIZE"), HasSubstr("change its extents")));
    failing("cufftXtExec", cufft::CUFFT_EXEC_FAILED);
    EXPECT_THAT(message_of<Error>([&] { math::fft(stream_, input, output); }),
                AllOf(HasSubstr("CUFFT_EXEC_FAILED"), HasSubstr("complex64 (64)")));
    failing("cufftDestroy", cufft::CUFFT_INVALID_PLAN);
    math::fft(stream_, input, output);
    stream_.synchronize();
    EXPECT_THAT(taken_cleanup_messages(), ElementsAre(AllOf(HasSubstr("plan of cuFFT"), HasSubstr("CUFFT_INVALID_PLAN"))));
}

TEST_F(FftCallTest, SurvivesEachFailureOfALibrary) {
    stand_in().workspace_size = 512;
    const auto counted = [&](const std::function<void()>& operation) {
        return sweep(
            [&] {
                stand_in() = {};  // a release that fails before it reaches the stand-in leaves its count
                stand_in().workspace_size = 512;
                operation();
            },
            {"cuStreamIsCapturing", "cuStreamGetCaptureInfo", "cuEventQuery"});
    };
    EXPECT_GT(counted([&] {
                  const auto input = allocate(), output = allocate();
                  math::Fft transform(stream_, input, output);
                  transform(stream_, input, output);
                  Stream other{Device()};
                  transform(other, input, output);
                  other.synchronize();
                  stream_.synchronize();
              }),
              15u);
    EXPECT_GT(counted([&] {
                  const auto input = allocate(), output = allocate();
                  math::Fft transform(stream_, input, output);
                  GraphBuilder builder = GraphBuilder(Device());
                  builder.begin_building();
                  transform(builder, input, output);
                  builder.end_building();
                  const Graph graph = builder.complete();
              }),
              15u);
    stand_in() = {};
}

/// The library itself, which an environment variable names.
class FftLibraryTest : public CoreTest {
protected:
    static std::string message_with(const char* file) {
        const Stream stream{Device()};
        const auto view = view_at(0x10000, c64, {8});
        return message_with_file(cufft::library(), cufft::all_entry_points(), "CUBIND_CUFFT_LIBRARY", file,
                                 [&] { math::fft(stream, view, view); });
    }
};

TEST_F(FftLibraryTest, NamesTheMissingLibraryAndItsPackage) {
    EXPECT_THAT(message_with("/nonexistent/libcufft.so.12"),
                AllOf(HasSubstr("/nonexistent/libcufft.so.12"), HasSubstr("Install the Python package nvidia-cufft")));
}

TEST_F(FftLibraryTest, RefusesAnotherMajorVersion) {
    EXPECT_THAT(message_with(CUBIND_TEST_CUFFT_11), AllOf(HasSubstr("11"), HasSubstr("13"), HasSubstr("libcufft.so.11")));
}

}  // namespace
}  // namespace cubind::testing
