// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that the vendor's NVRTC compiles, with a cache.
#include <cubind/core/in_memory_program_cache.hpp>
#include <cubind/core/linker.hpp>
#include <cubind/core/program.hpp>

#include <filesystem>
#include <fstream>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* source = R"(
template <class T> __global__ void scale(T* x, T factor) { int unused; x[threadIdx.x] *= factor; }
)";

class ProgramCacheToolkitTest : public ToolkitTest {
protected:
    /// Compiles, and returns whether the result is from the cache.
    bool is_hit(Program program, CodeType target, CompileOptions options = {}) {
        options.cache = &cache;
        const auto hits = cache.statistics().hits;
        (void)program.compile(target, options);
        return cache.statistics().hits == hits + 1;
    }

    InMemoryProgramCache cache;
};

TEST_F(ProgramCacheToolkitTest, RestoresTheWholeResult) {
    const CompileOptions options{.name_expressions = {"scale<float>", "scale<int>"}, .cache = &cache};
    Program program(source);
    const ObjectCode compiled = program.compile(CodeType::ptx, options);
    const std::string log = program.log();
    EXPECT_THAT(log, HasSubstr("unused"));
    faults::start();
    Program again(source);
    const ObjectCode found = again.compile(CodeType::ptx, options);
    EXPECT_EQ(faults::calls("nvrtcCompileProgram"), 0u);
    faults::stop();
    EXPECT_EQ(cache.statistics().hits, 1u);
    EXPECT_EQ(found.shared_bytes(), compiled.shared_bytes());
    EXPECT_EQ(found.symbol_mapping(), compiled.symbol_mapping());
    EXPECT_EQ(again.log(), log);
    EXPECT_EQ(found.kernel("scale<int>").name(), "_Z5scaleIiEvPT_S0_");
}

TEST_F(ProgramCacheToolkitTest, DistinguishesInputs) {
    const CompileOptions of_float{.name_expressions = {"scale<float>"}};
    EXPECT_FALSE(is_hit(Program(source), CodeType::ptx, of_float));
    EXPECT_TRUE(is_hit(Program(source), CodeType::ptx, of_float));
    EXPECT_TRUE(is_hit(Program(source, {.arch = "sm_90"}), CodeType::ptx, of_float)) << "the device's architecture";
    EXPECT_FALSE(is_hit(Program(source), CodeType::cubin, of_float)) << "target";
    EXPECT_FALSE(is_hit(Program(source), CodeType::lto_ir, of_float)) << "target";
    EXPECT_FALSE(is_hit(Program(source), CodeType::ptx)) << "name expressions";
    EXPECT_FALSE(is_hit(Program(source, {.arch = "sm_80"}), CodeType::ptx, of_float)) << "architecture";
    EXPECT_FALSE(is_hit(Program(source, {.name = "other.cu"}), CodeType::ptx, of_float)) << "name";
    EXPECT_FALSE(is_hit(Program(source, {.lineinfo = true}), CodeType::ptx, of_float)) << "options";
    EXPECT_FALSE(is_hit(Program(std::string(source) + " "), CodeType::ptx, of_float)) << "source";
    EXPECT_FALSE(is_hit(Program(source, {}, {{"a.h", ""}}), CodeType::ptx, of_float)) << "headers";
    EXPECT_FALSE(is_hit(Program(source, {}, {{"a.h", " "}}), CodeType::ptx, of_float)) << "their text";
    EXPECT_FALSE(is_hit(Program(source, {}, {{"b.h", " "}}), CodeType::ptx, of_float)) << "their names";
}

TEST_F(ProgramCacheToolkitTest, FindsTheHeadersOfTheToolkit) {
    const char* const with_header = "#include <cuda_fp16.h>\n__global__ void f(__half* p) { *p = __float2half(1.0f); }";
    EXPECT_FALSE(is_hit(Program(with_header), CodeType::cubin));
    EXPECT_TRUE(is_hit(Program(with_header), CodeType::cubin));
}

TEST_F(ProgramCacheToolkitTest, ReadsFilesOnlyWithADigest) {
    const auto folder = std::filesystem::temp_directory_path() / ("cubind-cache-" + std::to_string(release()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "value.h") << "#define VALUE 1\n";
    const ProgramOptions beside{.name = (folder / "kernel.cu").string()};
    const ProgramOptions in_path{.include_path = {folder.string()}};
    const char* const including = "#include \"value.h\"\n__global__ void f(int* p) { *p = VALUE; }";
    EXPECT_THAT(message_of<CompileError>([&] { (void)is_hit(Program(including, beside), CodeType::ptx); }),
                HasSubstr("extra_digest"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)is_hit(Program(including, in_path), CodeType::ptx); }),
                AllOf(HasSubstr("extra_digest"), HasSubstr("include-path")));
    for (const ProgramOptions& options : {beside, in_path}) {
        EXPECT_FALSE(is_hit(Program(including, options), CodeType::ptx, {.extra_digest = "1"}));
        EXPECT_TRUE(is_hit(Program(including, options), CodeType::ptx, {.extra_digest = "1"}));
        EXPECT_FALSE(is_hit(Program(including, options), CodeType::ptx, {.extra_digest = "2"}));
    }
    std::filesystem::remove_all(folder);
}

TEST_F(ProgramCacheToolkitTest, StoresNothingForFailures) {
    for (int times = 0; times < 2; ++times) EXPECT_THROW((void)is_hit(Program("nonsense"), CodeType::ptx), CompileError);
    EXPECT_EQ(cache.size_bytes(), 0u);
}

TEST_F(ProgramCacheToolkitTest, LinksPtxOnce) {
    if (Linker::which_backend() == LinkerBackend::driver) return;  // simulated devices do not link for other devices
    const char* const ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry f() { ret; }\n";
    EXPECT_FALSE(is_hit(Program(SourceKind::ptx, ptx), CodeType::cubin));
    EXPECT_TRUE(is_hit(Program(SourceKind::ptx, ptx), CodeType::cubin));
    EXPECT_FALSE(is_hit(Program(SourceKind::ptx, ptx, {.lineinfo = true}), CodeType::cubin));
    EXPECT_FALSE(is_hit(Program(SourceKind::ptx, ptx, {.arch = "sm_80"}), CodeType::cubin));
}

TEST_F(ProgramCacheToolkitTest, ReportsEachCallThatFailsInASweep) {
    const auto compile = [this] {
        cache.clear();
        (void)is_hit(Program(source), CodeType::ptx, {.name_expressions = {"scale<float>"}});
        (void)is_hit(Program(source), CodeType::ptx, {.name_expressions = {"scale<float>"}});
    };
    sweep(compile, {"nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "cuCtxGetDevice"});
}

}  // namespace
}  // namespace cubind::testing
