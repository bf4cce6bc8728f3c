// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/strided/strided_view.hpp>
#include <cubind/kernels.hpp>

#include <array>
#include <limits>

#include "embedded_ptx.hpp"

namespace cubind::testing {
namespace {

// A kernel with the parameters that a matrix, a vector and a number become. It stores them.
constexpr const char* tile_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry add_Kt1(.param .u64 matrix, .param .u32 rows, .param .u32 columns, .param .u32 row_stride, .param .u32 column_stride,
                        .param .u64 vector, .param .u64 extent, .param .u64 stride, .param .u32 number)
{
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [vector];
    ld.param.u64 %rd2, [matrix];
    ld.param.u64 %rd3, [extent];
    ld.param.u64 %rd4, [stride];
    ld.param.u32 %r1, [rows];
    ld.param.u32 %r2, [columns];
    ld.param.u32 %r3, [row_stride];
    ld.param.u32 %r4, [column_stride];
    ld.param.u32 %r5, [number];
    st.global.u32 [%rd1], %r1;
    st.global.u32 [%rd1+4], %r2;
    st.global.u32 [%rd1+8], %r3;
    st.global.u32 [%rd1+12], %r4;
    st.global.u32 [%rd1+16], %rd3;
    st.global.u32 [%rd1+20], %rd4;
    st.global.u32 [%rd1+24], %r5;
    ld.global.u32 %r6, [%rd2];
    st.global.u32 [%rd1+28], %r6;
    ret;
}
)";

using Add = TileFunction<void(TileArray<const int, 2>, TileArray<int, 1, long long>, int)>;

class TileFunctionTest : public EmbeddedCodeTest {
protected:
    const Kernel kernel = ObjectCode::from_bytes(CodeType::ptx, tile_ptx, {.name = "add.ptx"}).kernel("add_Kt1");
};

TEST_F(TileFunctionTest, PassesAddressExtentsAndStrides) {
    Stream stream(device);
    TypedBuffer<int> matrix = device.allocate<int>(stream, 6), vector = device.allocate<int>(stream, 8);
    const std::array values = {10, 11, 12, 13, 14, 15};
    copy(stream, matrix, values);
    const Add add(kernel, device);
    const StridedView columns = StridedView(matrix, {2, 3}).transpose().slice(0, 1, 3);
    add(stream, 1, columns.span<int, 2>(), vector, 7);
    std::array<int, 8> found{};
    copy(stream, found, vector);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{2, 2, 1, 3, 8, 1, 7, 11}));
    EXPECT_EQ(add.kernel(), kernel);
}

TEST_F(TileFunctionTest, AcceptsSpansAndIsCaptured) {
    Stream stream(device);
    TypedBuffer<int> matrix = device.allocate<int>(stream, 1), vector = device.allocate<int>(stream, 8);
    const std::array value = {5};
    copy(stream, matrix, value);
    GraphBuilder builder(device);
    stream.synchronize();
    builder.begin_building();
    Add(kernel, device)(builder.stream(), 1, StridedView(matrix, {1, 1}).span<const int, 2>(), vector.span(), 7);
    builder.end_building();
    Graph graph = builder.complete();
    graph.launch(stream);
    std::array<int, 8> found{};
    copy(stream, found, vector);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{1, 1, 1, 1, 8, 1, 7, 5}));
}

TEST_F(TileFunctionTest, RetainsCapturedBuffers) {
    Stream stream(device);
    TypedBuffer<int> matrix = device.allocate<int>(stream, 1);
    std::optional<TypedBuffer<int>> vector = device.allocate<int>(stream, 8);
    const StridedSpan<int, 2> one{matrix.span().data(), {1, 1}, {1, 1}};
    int* const address = vector->span().data();
    GraphBuilder builder(device);
    stream.synchronize();
    builder.begin_building();
    Add(kernel, device)(builder.stream(), 1, one, *vector, 7);
    builder.end_building();
    Graph graph = builder.complete();
    vector.reset();
    stream.synchronize();
    graph.launch(stream);
    stream.synchronize();
    TypedBuffer<int> other = device.allocate<int>(stream, 8);
    EXPECT_NE(other.span().data(), address);
}

TEST_F(TileFunctionTest, RejectsLargeIndicesAndOtherSignatures) {
    const StridedSpan<const int, 2> large{nullptr, {1, 1ll << 31}, {1, 1}};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)TileArray<const int, 2>(large); }),
                AllOf(HasSubstr("2147483648"), HasSubstr("2147483647"), HasSubstr("int64")));
    (void)TileArray<const int, 2, long long>(large);
    const StridedSpan<const int, 2> reversed{nullptr, {1, 1}, {-(1ll << 31) - 1, 1}};
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)TileArray<const int, 2>(reversed); }), HasSubstr("-2147483649"));
    EXPECT_THAT(message_of<std::invalid_argument>(
                    [&] { (void)TileFunction<void(TileArray<int, 2>, TileArray<int, 1>, int)>(kernel, device); }),
                HasSubstr("add_Kt1"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)TileFunction<void(TileArray<int, 2>)>(kernel, device); }),
                HasSubstr("9 parameters"));
}

}  // namespace
}  // namespace cubind::testing
