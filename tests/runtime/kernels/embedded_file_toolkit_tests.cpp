// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/typed_buffer.hpp>

#include <array>
#include <bit>
#include <cstdint>

#include "embedded_cubin.cu.hpp"
#include "embedded_lto.cu.hpp"
#include "embedded_ptx.cu.hpp"
#include "half.cu.hpp"
#include "toolkit_test.hpp"
#ifdef CUBIND_HAS_TILES
#include "tiles.cu.hpp"
#endif

namespace cubind::testing {
namespace {

class EmbeddedFileToolkitTest : public ToolkitTest {
protected:
    /// Runs both kernels of the file and returns the result.
    std::array<int, 2> run(const auto& multiply, const auto& negate, const auto& summand) {
        const std::array<int, 1> one = {1};
        copy(stream, summand(device), one);
        TypedBuffer<int> numbers = device.allocate<int>(stream, 2);
        std::array<int, 2> values = {10, 20};
        copy(stream, numbers, values);
        multiply(stream, {.grid = 1, .block = 2}, numbers);
        negate(stream, {.grid = 1, .block = 2}, numbers);
        copy(stream, values, numbers);
        stream.synchronize();
        return values;
    }

    const Device device;
    Stream stream{device};
};

TEST_F(EmbeddedFileToolkitTest, RunsPtx) {
    EXPECT_EQ(run(ptx::multiply_and_add<3>, ptx::inner::negate, ptx::summand), (std::array{-31, -61}));
    EXPECT_EQ(ptx::inner::negate.code().object_code(device).kind(), CodeType::ptx);
    EXPECT_THAT(std::string(ptx::inner::negate.code().content().code), HasSubstr(".target sm_80"));
}

TEST_F(EmbeddedFileToolkitTest, ReadsTheHeadersOfNvrtc) {
    set_embedded_code_cache(nullptr);
    TypedBuffer<kernels::half> numbers = device.allocate<kernels::half>(stream, 1);
    std::array values = {std::bit_cast<kernels::half>(std::uint16_t{0x3C00})};  // 1
    copy(stream, numbers, values);
    kernels::twice(stream, {}, numbers, kernels::complex_float{});
    copy(stream, values, numbers);
    stream.synchronize();
    EXPECT_EQ(std::bit_cast<std::uint16_t>(values[0]), 0x4000);  // 2
}

TEST_F(EmbeddedFileToolkitTest, LinksLtoIr) {
    EXPECT_EQ(run(lto::multiply_and_add<3>, lto::inner::negate, lto::summand), (std::array{-31, -61}));
}

TEST_F(EmbeddedFileToolkitTest, EmbedsMachineCode) {
    const EmbeddedCodeContent& content = cubin::inner::negate.code().content();
    EXPECT_EQ(content.compiled, CodeType::cubin);
    EXPECT_TRUE(
        content.code.starts_with("\x7f"
                                 "ELF"));
    EXPECT_EQ(cubin::inner::negate.code().object_code(device).kind(), CodeType::cubin);
    EXPECT_THAT(message_of<LoadError>([&] { (void)cubin::inner::negate.kernel(device); }), HasSubstr("machine code"));
}

#ifdef CUBIND_HAS_TILES
TEST_F(EmbeddedFileToolkitTest, CompilesTileKernels) {
    set_embedded_code_cache(nullptr);
    EXPECT_EQ((kernels::add<float, 256>.code().object_code(device).kind()), CodeType::tile_ir);
    EXPECT_THAT(message_of<LoadError>([&] { kernels::add<float, 256>(stream, {.grid = 4}, nullptr, nullptr, nullptr, 1000); }),
                AllOf(HasSubstr("tiles.cu"), HasSubstr("needs a GPU")));
}
#endif

}  // namespace
}  // namespace cubind::testing
