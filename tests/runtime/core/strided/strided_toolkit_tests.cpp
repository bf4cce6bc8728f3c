// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that take a view by value.

#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/core/strided/strided_view.hpp>

#include <numeric>
#include <optional>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* source = R"(
#include <cubind/core/strided/strided_span.hpp>

extern "C" __global__ void transpose(cubind::StridedSpan<const int, 2> from, cubind::StridedSpan<int, 2> to) {
    const int row = threadIdx.y, column = threadIdx.x;
    if (row < from.shape[0] && column < from.shape[1]) to(column, row) = from(row, column);
}
extern "C" __global__ void sizes(cubind::StridedSpan<float, 3> view, unsigned long long* out) {
    out[0] = sizeof view;
    out[1] = view.size();
    out[2] = view.rank();
    out[3] = sizeof(cubind::StridedSpan<char, 0>);
}
template <class Element>
__global__ void negate(cubind::StridedSpan<Element, 1> view) {
    if (threadIdx.x < view.shape[0]) view[threadIdx.x] = -view[threadIdx.x];
}
)";

class StridedKernelTest : public ToolkitTest {
protected:
    static ObjectCode code() {
        static std::optional<ObjectCode> compiled;
        if (!compiled) {
            compiled = Program(source, {.arch = "sm_90", .std = "c++17"}, {strided_view_header()})
                           .compile(CodeType::ptx, {.name_expressions = {"negate<short>"}});
        }
        return *compiled;
    }
    template <class Element>
    std::vector<Element> read(const TypedBuffer<Element>& buffer) {
        std::vector<Element> values(buffer.count());
        copy(stream, values, buffer);
        stream.synchronize();
        return values;
    }

    Device device;
    Stream stream{device};
};

TEST_F(StridedKernelTest, ReadsAndWritesElementsByTheirIndices) {
    std::vector<int> values(6);
    std::iota(values.begin(), values.end(), 0);
    TypedBuffer<int> from = device.allocate<int>(stream, 6), to = device.allocate<int>(stream, 6);
    copy(stream, from, values);
    const StridedView target = StridedView(to, {3, 2}).reverse(0);
    launch(stream, {.block = {4, 4}}, code().kernel("transpose"), StridedView(from, {2, 3}).span<const int, 2>(),
           target.span<int, 2>());
    EXPECT_THAT(read(to), ElementsAre(2, 5, 1, 4, 0, 3));
}

TEST_F(StridedKernelTest, HasTheLayoutOfTheHost) {
    TypedBuffer<unsigned long long> out = device.allocate<unsigned long long>(stream, 4);
    const TypedBuffer<float> memory = device.allocate<float>(stream, 24);
    const auto span = StridedView(memory, {2, 3, 4}).span<float, 3>();
    const KernelFunction<void(StridedSpan<float, 3>, unsigned long long*)> sizes(code().kernel("sizes"), device);
    sizes(stream, {}, span, out);
    EXPECT_THAT(read(out), ElementsAre(sizeof span, 24, 3, sizeof(StridedSpan<char, 0>)));
}

TEST_F(StridedKernelTest, TakesPartsOfArrays) {
    const std::vector<short> values{1, 2, 3, 4, 5, 6};
    TypedBuffer<short> buffer = device.allocate<short>(stream, 6);
    copy(stream, buffer, values);
    const StridedView column = StridedView(buffer, {2, 3}).select(1, 1);
    launch(stream, {.block = 32}, code().kernel("negate<short>"), column.span<short, 1>());
    EXPECT_THAT(read(buffer), ElementsAre(1, -2, 3, 4, -5, 6));
}

}  // namespace
}  // namespace cubind::testing
