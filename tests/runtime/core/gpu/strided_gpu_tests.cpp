// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Strided views and programs of NVVM IR on a GPU: copies between views, kernels that take views, and kernels that call libdevice.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/core/strided/strided_view.hpp>
#include <cubind/driver/device.hpp>
#include <cubind/driver/initialize.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/nvvm.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace cubind::testing {
namespace {

constexpr const char* transpose_source = R"(
#include <cubind/core/strided/strided_span.hpp>

extern "C" __global__ void transpose(cubind::StridedSpan<const float, 2> from, cubind::StridedSpan<float, 2> to) {
    const long long column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < from.shape[0] && column < from.shape[1]) to(column, row) = from(row, column);
}
)";

// Replaces *value by its cube root.
std::string cube_root_ir() {
    const auto [major, minor, debug_major, debug_minor] = check(nvvm::nvvmIRVersion());
    return R"(target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"
declare double @__nv_cbrt(double)
define void @replace(double* %value) {
  %old = load double, double* %value
  %new = call double @__nv_cbrt(double %old)
  store double %new, double* %value
  ret void
}
@llvm.used = appending global [1 x i8*] [i8* bitcast (void (double*)* @replace to i8*)], section "llvm.metadata"
!nvvm.annotations = !{!0}
!0 = !{void (double*)* @replace, !"kernel", i32 1}
!nvvmir.version = !{!9}
)" + std::string("!9 = !{i32 ") +
           std::to_string(major) + ", i32 " + std::to_string(minor) + ", i32 " + std::to_string(debug_major) + ", i32 " +
           std::to_string(debug_minor) + "}\n";
}

class StridedGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (const auto started = driver::cuInit(0); !started.ok()) {
            GTEST_SKIP() << "there is no usable GPU: cuInit returns " << driver::to_string(started.status);
        }
    }
    static std::vector<float> numbers(std::size_t count) {
        std::vector<float> values(count);
        std::iota(values.begin(), values.end(), 0.0F);
        return values;
    }
};

TEST_F(StridedGpuTest, CopiesRowsAndPlanes) {
    Device device;
    const Stream stream(device);
    const std::vector<float> host = numbers(30 * 40 * 50);
    TypedBuffer<float> whole = device.allocate<float>(stream, host.size()), part = device.allocate<float>(stream, 10 * 20 * 30);
    copy(stream, whole, host);
    const StridedView box = StridedView(whole, {30, 40, 50}).slice(0, 5, 15).slice(1, 10, 30).slice(2, 20, 50);
    copy(stream, StridedView(part, {10, 20, 30}), box);
    std::vector<float> result(part.count());
    copy(stream, result, part);
    std::vector<float> column(40);
    copy(stream, StridedView({.data = column.data(), .dtype = data_type<float>, .shape = {40}}),
         StridedView(whole, {30, 40, 50}).select(2, 7).select(0, 3));
    stream.synchronize();
    std::size_t i = 0;
    for (std::size_t x = 5; x < 15; ++x)
        for (std::size_t y = 10; y < 30; ++y)
            for (std::size_t z = 20; z < 50; ++z) ASSERT_EQ(result[i++], host[(x * 40 + y) * 50 + z]);
    for (std::size_t y = 0; y < 40; ++y) ASSERT_EQ(column[y], host[(3 * 40 + y) * 50 + 7]);
}

TEST_F(StridedGpuTest, CopiesStridesOfPageableMemoryInTheOrderOfTheStream) {
    constexpr std::int64_t rows = 700, columns = 900;
    const auto host_view = [](std::vector<float>& values, const Dimensions& shape) {
        return StridedView({.data = values.data(), .dtype = data_type<float>, .shape = shape});
    };
    Device device;
    const Stream stream(device);
    std::vector<float> values(rows * columns), results(values.size()), reversed(values.size());
    TypedBuffer<float> buffer = device.allocate<float>(stream, values.size());
    stream.launch_host_function([&] { std::iota(values.begin(), values.end(), 0.0F); });
    copy(stream, StridedView(buffer, {columns, rows}), host_view(values, {rows, columns}).transpose());
    stream.launch_host_function([&] { std::fill(values.begin(), values.end(), -1.0F); });
    copy(stream, host_view(results, {rows, columns}).transpose(), StridedView(buffer, {columns, rows}));
    copy(stream, host_view(reversed, {rows * columns}).reverse(0), host_view(results, {rows * columns}));
    stream.synchronize();
    for (std::size_t i = 0; i < results.size(); ++i) ASSERT_EQ(results[i], static_cast<float>(i));
    for (std::size_t i = 0; i < results.size(); ++i) ASSERT_EQ(reversed[reversed.size() - 1 - i], static_cast<float>(i));
}

TEST_F(StridedGpuTest, CapturesCopiesOfPageableMemory) {
    Device device;
    const Stream stream(device);
    std::vector<float> values = numbers(6), results(6);
    TypedBuffer<float> buffer = device.allocate<float>(stream, 6);
    stream.synchronize();
    const StridedView source({.data = values.data(), .dtype = data_type<float>, .shape = {2, 3}});
    const StridedView target({.data = results.data(), .dtype = data_type<float>, .shape = {6}});
    GraphBuilder builder(device);
    builder.begin_building(CaptureMode::global);
    copy(builder, StridedView(buffer, {3, 2}), source.transpose());
    copy(builder, target.reverse(0), StridedView(buffer, {6}));
    builder.end_building();
    const Graph graph = builder.complete();
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(results, (std::vector<float>{5, 2, 4, 1, 3, 0}));
    values[5] = 9;
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(results, (std::vector<float>{9, 2, 4, 1, 3, 0}));
}

TEST_F(StridedGpuTest, AllocatesAndCopiesElementsOfAnotherType) {
    Device device;
    const Stream stream(device);
    std::vector<float> host(std::size_t{64} * 48);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<float>(i);
    const StridedView on_host({.data = host.data(), .dtype = data_type<float>, .shape = {64, 48}});
    const StridedView parts = on_host.view_as(data_type<std::uint16_t>).transpose();
    const StridedView on_device = parts.allocate_like(stream, device);
    EXPECT_EQ(on_device.strides(), parts.strides());
    copy(stream, on_device, parts);
    const StridedView dense = on_device.allocate_like(stream, device, MemoryOrder::row_major);
    copy(stream, dense, on_device);
    std::vector<std::uint16_t> result(2 * host.size());
    copy(stream, StridedView({.data = result.data(), .dtype = data_type<std::uint16_t>, .shape = {96, 64}}), dense);
    stream.synchronize();
    const auto expected = parts.span<const std::uint16_t, 2>();
    for (std::size_t i = 0; i < result.size(); ++i) ASSERT_EQ(result[i], expected(i / 64, i % 64)) << i;
}

TEST_F(StridedGpuTest, CopiesStridesOfOtherDevices) {
    if (check(driver::cuDeviceGetCount()) < 2) GTEST_SKIP() << "the test needs two devices";
    constexpr std::int64_t rows = 700, columns = 900;
    Device device(0), other(1);
    const Stream stream(device);
    std::vector<float> values = numbers(rows * columns), results(values.size());
    TypedBuffer<float> here = device.allocate<float>(stream, values.size());
    TypedBuffer<float> there = other.allocate<float>(Stream(other), values.size());
    other.synchronize();
    const StridedView source({.data = values.data(), .dtype = data_type<float>, .shape = {rows, columns}});
    const StridedView target({.data = results.data(), .dtype = data_type<float>, .shape = {rows, columns}});
    copy(stream, StridedView(there, {columns, rows}), source.transpose());  // pageable to the other device
    copy(stream, StridedView(here, {rows, columns}), StridedView(there, {columns, rows}).transpose());
    copy(stream, StridedView(there, {columns, rows}).transpose().reverse(0), StridedView(here, {rows, columns}));
    copy(stream, StridedView(here, {rows, columns}).reverse(1), StridedView(there, {columns, rows}).transpose());
    copy(stream, target, StridedView(here, {rows, columns}).reverse(1).reverse(0));  // restores the order
    stream.synchronize();
    for (std::size_t i = 0; i < results.size(); ++i) ASSERT_EQ(results[i], static_cast<float>(i));
    std::fill(results.begin(), results.end(), 0.0F);
    copy(stream, target, StridedView(there, {columns, rows}).transpose().reverse(0));  // the other device to pageable
    stream.synchronize();
    for (std::size_t i = 0; i < results.size(); ++i) ASSERT_EQ(results[i], static_cast<float>(i));
}

TEST_F(StridedGpuTest, CapturesCopiesOfOtherDevices) {
    if (Device::count() < 2) GTEST_SKIP() << "there is one device";
    const Device first(0), second(1);
    const Stream stream(first), other_stream(second);
    std::vector<int> values(6), results(6, -1);
    std::iota(values.begin(), values.end(), 0);
    TypedBuffer<int> here = first.allocate<int>(stream, 6), there = second.allocate<int>(other_stream, 6);
    TypedBuffer<int> pinned = LegacyPinnedMemoryResource().allocate<int>(stream, 6);
    stream.synchronize();
    other_stream.synchronize();
    GraphBuilder builder(first);
    builder.begin_building();
    copy(builder, here, values);
    copy(builder, StridedView(there, {3, 2}), StridedView(here, {2, 3}).transpose());    // between devices
    copy(builder, StridedView(pinned, {2, 3}), StridedView(there, {3, 2}).transpose());  // by one device
    copy(builder, results, pinned);
    builder.end_building();
    const Graph graph = builder.complete();
    EXPECT_EQ(results, std::vector<int>(6, -1));
    graph.launch(stream);
    stream.synchronize();
    EXPECT_EQ(results, values);
}

TEST_F(StridedGpuTest, PassesViewsToKernels) {
    constexpr std::int64_t rows = 777, columns = 1000;
    Device device;
    const Stream stream(device);
    const std::vector<float> host = numbers(rows * columns);
    TypedBuffer<float> from = device.allocate<float>(stream, host.size()), to = device.allocate<float>(stream, host.size());
    copy(stream, from, host);
    Program program(transpose_source, {.arch = "sm_" + device.arch(), .std = "c++17"}, {strided_view_header()});
    const StridedView target = StridedView(to, {columns, rows}).reverse(1);
    launch(stream, {.grid = {32, 25}, .block = {32, 32}}, program.compile(CodeType::cubin).kernel("transpose"),
           StridedView(from, {rows, columns}).span<const float, 2>(), target.span<float, 2>());
    std::vector<float> result(host.size());
    copy(stream, result, to);
    stream.synchronize();
    for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t row = 0; row < rows; ++row)
            ASSERT_EQ(result[column * rows + rows - 1 - row], host[row * columns + column]);
}

TEST_F(StridedGpuTest, RunsNvvmIrThatCallsLibdevice) {
    Device device;
    const Stream stream(device);
    for (const CodeType target : {CodeType::ptx, CodeType::cubin, CodeType::lto_ir}) {
        Program program(SourceKind::nvvm, cube_root_ir(), {.arch = "sm_" + device.arch(), .use_libdevice = true});
        ObjectCode code = program.compile(target);
        if (target == CodeType::lto_ir)
            code = Linker({code}, {.arch = "sm_" + device.arch(), .link_time_optimization = true}).link(CodeType::cubin);
        TypedBuffer<double> buffer = device.allocate<double>(stream, 1);
        double value = 27;
        copy(stream, buffer, value);
        launch(stream, {.grid = 1, .block = 1}, code.kernel("replace"), buffer);
        copy(stream, value, buffer);
        stream.synchronize();
        EXPECT_NEAR(value, 3, 1e-15) << to_string(target);
    }
}

}  // namespace
}  // namespace cubind::testing
