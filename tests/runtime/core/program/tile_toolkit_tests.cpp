// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Tile kernels that NVRTC compiles to Tile IR, and tileiras to machine code. CUBIND_TILEIRAS_PROGRAM names tileiras.
#include <cubind/core/program/program.hpp>

#include <cstdlib>
#include <stdexcept>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

const std::string tile_source = R"(
#include <cuda_tile.h>
template <class T, int width>
__tile_global__ void add(const T* x, const T* y, T* sum, int n) {
    namespace ct = cuda::tiles;
    const auto i = ct::iota<ct::tile<int, ct::shape<width>>>() + int(ct::bid().x) * width;
    const auto inside = i < n;
    ct::store_masked(sum + i, ct::load_masked(x + i, inside, T(0)) + ct::load_masked(y + i, inside, T(0)), inside);
}
__global__ void set(float* x) { *x = 1; }
)";

class TileToolkitTest : public ToolkitTest {
protected:
    static std::string text_of(const ObjectCode& code) {
        return {reinterpret_cast<const char*>(code.bytes().data()), code.bytes().size()};
    }

    const bool is_new = release() >= 13030;
    Program program{tile_source, {.name = "add.cu", .arch = "sm_90", .enable_tile = true}};
    const CompileOptions named{.name_expressions = {"add<float, 256>"}, .constants = {"sizeof(int) + 1"}};
};

TEST_F(TileToolkitTest, CompilesTileKernelsToTileIrAndOthersToPtx) {
    if (!is_new) {
        EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)program.compile(CodeType::tile_ir, named); }),
                    HasSubstr("13.3"));
        return;
    }
    const ObjectCode tile = program.compile(CodeType::tile_ir, named);
    EXPECT_EQ(tile.kind(), CodeType::tile_ir);
    EXPECT_TRUE(text_of(tile).starts_with("\x7FTileIR"));
    EXPECT_THAT(tile.symbol_mapping(), ::testing::ElementsAre(::testing::Pair("add<float, 256>", HasSubstr("3addIf"))));
    EXPECT_EQ(tile.constant<std::size_t>("sizeof(int) + 1"), 5u);
    EXPECT_THAT(text_of(program.compile(CodeType::ptx)), HasSubstr(".entry _Z3setPf("));
}

TEST_F(TileToolkitTest, CompilesTileKernelsToMachineCode) {
    if (std::getenv("CUBIND_TILEIRAS_PROGRAM") == nullptr) return;  // only the newest release has a tileiras here
    const ObjectCode code = program.compile(CodeType::cubin, named);
    EXPECT_EQ(code.kind(), CodeType::cubin);
    EXPECT_TRUE(
        text_of(code).starts_with("\x7F"
                                  "ELF"));
    EXPECT_THAT(text_of(code), HasSubstr(code.symbol_mapping().front().second));
    const std::string tile = text_of(program.compile(CodeType::tile_ir, named));
    EXPECT_EQ(text_of(Program(SourceKind::tile_ir, tile, {.arch = "sm_90"}).compile(CodeType::cubin)), text_of(code));
    Program damaged(SourceKind::tile_ir, tile.substr(0, tile.size() / 2), {.arch = "sm_90"});
    EXPECT_THAT(message_of<CompileError>([&] { (void)damaged.compile(CodeType::cubin); }), HasSubstr("error"));
    Program old(tile_source, {.arch = "sm_75", .enable_tile = true});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)old.compile(CodeType::cubin, named); }), HasSubstr("sm_80"));
}

}  // namespace
}  // namespace cubind::testing
