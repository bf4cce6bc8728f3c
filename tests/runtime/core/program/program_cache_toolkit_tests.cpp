// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that the vendor's NVRTC compiles, with a cache.
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/program.hpp>

#include <filesystem>
#include <fstream>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* cached_source = R"(
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
    Program program(cached_source);
    const ObjectCode compiled = program.compile(CodeType::ptx, options);
    const std::string log = program.log();
    EXPECT_THAT(log, HasSubstr("unused"));
    faults::start();
    Program again(cached_source);
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
    EXPECT_FALSE(is_hit(Program(cached_source), CodeType::ptx, of_float));
    EXPECT_TRUE(is_hit(Program(cached_source), CodeType::ptx, of_float));
    EXPECT_TRUE(is_hit(Program(cached_source, {.arch = "sm_90"}), CodeType::ptx, of_float)) << "the device's architecture";
    EXPECT_TRUE(is_hit(Program(cached_source), CodeType::cubin, of_float)) << "on a simulated device, it is PTX";
    EXPECT_FALSE(is_hit(Program(cached_source, {.arch = "sm_80"}), CodeType::cubin, of_float)) << "target";
    EXPECT_FALSE(is_hit(Program(cached_source), CodeType::lto_ir, of_float)) << "target";
    EXPECT_FALSE(is_hit(Program(cached_source), CodeType::ptx)) << "name expressions";
    EXPECT_FALSE(is_hit(Program(cached_source, {.arch = "sm_80"}), CodeType::ptx, of_float)) << "architecture and target";
    EXPECT_FALSE(is_hit(Program(cached_source, {.name = "other.cu"}), CodeType::ptx, of_float)) << "name";
    EXPECT_FALSE(is_hit(Program(cached_source, {.lineinfo = true}), CodeType::ptx, of_float)) << "options";
    EXPECT_FALSE(is_hit(Program(std::string(cached_source) + " "), CodeType::ptx, of_float)) << "source";
    EXPECT_FALSE(is_hit(Program(cached_source, {}, {{"a.h", ""}}), CodeType::ptx, of_float)) << "number of headers";
    EXPECT_FALSE(is_hit(Program(cached_source, {}, {{"a.h", " "}}), CodeType::ptx, of_float)) << "text of a header";
    EXPECT_FALSE(is_hit(Program(cached_source, {}, {{"b.h", " "}}), CodeType::ptx, of_float)) << "name of a header";
}

TEST_F(ProgramCacheToolkitTest, FindsTheHeadersOfTheToolkit) {
    const char* const with_header = "#include <cuda_fp16.h>\n__global__ void f(__half* p) { *p = __float2half(1.0f); }";
    EXPECT_FALSE(is_hit(Program(with_header), CodeType::cubin));
    EXPECT_TRUE(is_hit(Program(with_header), CodeType::cubin));
}

TEST_F(ProgramCacheToolkitTest, DistinguishesTheContentOfIncludedFiles) {
    const auto folder = std::filesystem::temp_directory_path() / ("cubind-cache-" + std::to_string(release()));
    std::filesystem::create_directories(folder / "path");
    const ProgramOptions beside{.name = (folder / "kernel.cu").string()};
    const ProgramOptions in_path{.include_path = {(folder / "path").string()}};
    const std::string absolute = (folder / "value.h").string();
    const char* const kernel = "\n#ifndef VALUE\n#define VALUE 0\n#endif\n__global__ void f(int* p) { *p = VALUE; }";
    const std::pair<ProgramOptions, std::string> cases[] = {{beside, "#include \"value.h\""},
                                                            {in_path, "#include <../value.h>"},
                                                            {{}, "#include \"" + absolute + "\""},
                                                            {{.pre_include = {absolute}}, ""}};
    for (const auto& [options, directive] : cases) {
        for (const char* const value : {"7", "9"}) {
            std::ofstream(absolute) << "#define VALUE " << value << "\n";
            for (const bool is_second : {false, true}) {
                Program program(directive + kernel, options);
                const auto hits = cache.statistics().hits;
                const ObjectCode code = program.compile(CodeType::ptx, {.cache = &cache});
                EXPECT_EQ(cache.statistics().hits - hits, is_second ? 1u : 0u) << directive;
                EXPECT_THAT(std::string(code.text()), HasSubstr(std::string(", ") + value + ";")) << directive;
            }
        }
        std::filesystem::remove(absolute);
    }
    const std::string maybe = "#if __has_include(\"value.h\")\n#define VALUE 1\n#endif";
    EXPECT_FALSE(is_hit(Program(maybe + kernel, beside), CodeType::ptx));
    EXPECT_TRUE(is_hit(Program(maybe + kernel, beside), CodeType::ptx));
    std::ofstream(absolute).close();
    EXPECT_FALSE(is_hit(Program(maybe + kernel, beside), CodeType::ptx));
    std::filesystem::remove_all(folder);
}

TEST_F(ProgramCacheToolkitTest, DoesNotUseTheCacheForInputsThatAreNotInTheKey) {
    const auto compile = [&](const std::string& code, const ProgramOptions& options, const std::string& digest = {}) {
        Program program(code, options);
        (void)program.compile(CodeType::cubin, {.cache = &cache, .extra_digest = digest});
        return program.uncached_reason();
    };
    const auto file = std::filesystem::temp_directory_path() / ("cubind-options-" + std::to_string(release()));
    std::ofstream(file) << "-v\n";
    const ProgramOptions with_file{.ptxas_options = {"--options-file=" + file.string()}};
    const char* const kernel = "__global__ void f(int* p) { *p = sizeof(__TIME__); }";
    EXPECT_THAT(compile(kernel, {}), HasSubstr("__TIME__"));
    EXPECT_THAT(compile("__global__ void f() {}", with_file), HasSubstr("ptxas_options"));
    EXPECT_THAT(compile("__global__ void f() {}", {.extra_options = {"--modify-stack-limit=false"}}), HasSubstr("extra_options"));
    EXPECT_EQ(cache.size_bytes(), 0u);
    EXPECT_EQ(cache.statistics().misses, 0u);
    EXPECT_EQ(compile(kernel, {}, "built today"), "");
    EXPECT_EQ(compile("__global__ void f() {}", with_file, "no option"), "");
    EXPECT_EQ(cache.statistics().misses, 2u);
    std::filesystem::remove(file);
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
    EXPECT_FALSE(is_hit(Program(SourceKind::ptx, ptx, {.arch = "sm_75"}), CodeType::cubin));
    EXPECT_FALSE(is_hit(Program(SourceKind::ptx, ptx, {.arch = "sm_80"}), CodeType::cubin));
}

TEST_F(ProgramCacheToolkitTest, ReportsEachCallThatFailsInASweep) {
    const auto compile = [this] {
        cache.clear();
        (void)is_hit(Program(cached_source), CodeType::ptx, {.name_expressions = {"scale<float>"}});
        (void)is_hit(Program(cached_source), CodeType::ptx, {.name_expressions = {"scale<float>"}});
    };
    sweep(compile, {"nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "cuCtxGetDevice"});
}

}  // namespace
}  // namespace cubind::testing
