// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/kernels.hpp>

#include <algorithm>
#include <array>
#include <barrier>
#include <numeric>
#include <thread>
#include <vector>

#include "embedded_ptx.hpp"

namespace cubind::testing {
namespace {

class EmbeddedKernelTest : public EmbeddedCodeTest {
protected:
    static inline constinit const EmbeddedCode code{{.name = "add.ptx", .code = embedded_ptx, .compiled = CodeType::ptx}};
    static inline constinit const EmbeddedKernel<void(int*, int)> add{code, "_Z3addPii"};
    static inline constinit const EmbeddedKernel<void(int*, float)> wrong{code, "_Z3addPii"};
    static inline constinit const EmbeddedKernel<void(int*)> missing{code, "subtract"};
    static inline constinit const EmbeddedGlobal<int[4]> table{code, "table"};
    static inline constinit const EmbeddedManaged<int> counter{code, "counter"};

    const EmbeddedCodeScope scope{code};  // other tests run on other simulated machines
};

TEST_F(EmbeddedKernelTest, LoadsAtTheFirstLaunch) {
    Stream stream(device);
    TypedBuffer<int> numbers = device.allocate<int>(stream, 4);
    fill(stream, numbers, 0);
    add(stream, {.grid = 1, .block = 4}, numbers, 5);
    add(stream, {.grid = 1, .block = 4}, numbers, 2);
    std::array<int, 4> found{};
    copy(stream, found, numbers);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{7, 7, 7, 7}));
}

TEST_F(EmbeddedKernelTest, SharesTheKernelOfAllDevices) {
    EXPECT_EQ(add.kernel(Device(0)), add.kernel(Device(1)));
    EXPECT_EQ(&add.kernel(Device(0)), &add.kernel(Device(1)));
    EXPECT_EQ(add.kernel(device).name(), "_Z3addPii");
    EXPECT_EQ(add.symbol(), "_Z3addPii");
    EXPECT_EQ(&add.code(), &code);
}

TEST_F(EmbeddedKernelTest, ComparesTheSignature) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)wrong.kernel(device); }), HasSubstr("add(int*, int)"));
    EXPECT_THAT(message_of<LoadError>([&] { (void)missing.kernel(device); }),
                AllOf(HasSubstr("subtract"), HasSubstr("_Z3addPii")));
}

TEST_F(EmbeddedKernelTest, HasAGlobalForEachDevice) {
    Stream stream(device);
    const std::array<int, 4> values = {1, 2, 3, 4};
    copy(stream, table(device), values);
    std::array<int, 4> found{};
    copy(stream, found, table(device));
    stream.synchronize();
    EXPECT_EQ(found, values);
    EXPECT_NE(table(Device(1)).address(), table(device).address());
    EXPECT_EQ(*counter(device).kernel_argument(), 3);
    EXPECT_EQ(counter(Device(1)), counter(device));
}

TEST_F(EmbeddedKernelTest, LoadsOnceForSeveralThreads) {
    constexpr std::size_t count = 8;
    std::array<const Kernel*, count> found{};
    std::barrier start(count);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) {
        threads.emplace_back([&, i] {
            start.arrive_and_wait();
            found[i] = &add.kernel(device);
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::ranges::count(found, found[0]), std::ssize(found));
}

TEST_F(EmbeddedKernelTest, IsLoadedAgainAfterItsScope) {
    (void)add.kernel(device);
    { const EmbeddedCodeScope ended(code); }
    EXPECT_EQ(add.kernel(device).name(), "_Z3addPii");
}

TEST_F(EmbeddedKernelTest, IsRetainedByAGraph) {
    GraphBuilder builder(device);
    Stream stream(device);
    TypedBuffer<int> numbers = device.allocate<int>(stream, 4);
    fill(stream, numbers, 1);
    stream.synchronize();
    builder.begin_building();
    add(builder.stream(), {.grid = 1, .block = 4}, numbers, 5);
    builder.end_building();
    Graph graph = builder.complete();
    { const EmbeddedCodeScope ended(code); }
    graph.launch(stream);
    std::array<int, 4> found{};
    copy(stream, found, numbers);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{6, 6, 6, 6}));
}

TEST_F(EmbeddedKernelTest, CallsOnlyTheLaunchAfterTheFirst) {
    Stream stream(device);
    TypedBuffer<int> numbers = device.allocate<int>(stream, 4);
    add(stream, {.grid = 1, .block = 4}, numbers, 5);
    faults::start();
    add(stream, {.grid = 1, .block = 4}, numbers, 5);
    EXPECT_EQ(faults::calls("cuLaunchKernelEx"), 1u);
    EXPECT_EQ(faults::calls("cuLibraryGetKernel"), 0u);
    EXPECT_EQ(faults::calls("cuDeviceGetAttribute"), 0u);
    stream.synchronize();
}

}  // namespace
}  // namespace cubind::testing
