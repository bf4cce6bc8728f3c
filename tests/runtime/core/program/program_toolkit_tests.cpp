// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that the vendor's NVRTC compiles.
#include <cubind/core/program/program.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* source = R"(
__device__ int counter = 7;
template <class T> __global__ void scale(T* x, T factor) { x[threadIdx.x] *= factor; }
extern "C" __global__ void count(int* out) { *out = counter; }
)";

class ProgramToolkitTest : public ToolkitTest {};

TEST_F(ProgramToolkitTest, CompilesToEveryTarget) {
    Program program{source, {.arch = "sm_80", .std = "c++17"}};
    const ObjectCode cubin = program.compile(CodeType::cubin);
    EXPECT_EQ(cubin.kind(), CodeType::cubin);
    EXPECT_TRUE(
        cubin.text().starts_with("\x7f"
                                 "ELF"));
    EXPECT_EQ(cubin.name(), "default_program");
    const ObjectCode ptx = program.compile(CodeType::ptx);
    EXPECT_THAT(ptx.text(), AllOf(HasSubstr(".version"), HasSubstr("count")));
    EXPECT_NE(ptx.text().back(), '\0');
    const ObjectCode lto_ir = program.compile(CodeType::lto_ir);
    EXPECT_EQ(lto_ir.kind(), CodeType::lto_ir);
    EXPECT_FALSE(lto_ir.bytes().empty());
    EXPECT_EQ(program.backend(), CompilerBackend::nvrtc);
    EXPECT_EQ(program.pch_status(), PchStatus::none);
}

TEST_F(ProgramToolkitTest, CompilesForTheCurrentDeviceByDefault) {
    EXPECT_THAT(Program(source).compile(CodeType::ptx).text(), HasSubstr(".target sm_90"));
}

TEST_F(ProgramToolkitTest, FindsKernelsAndVariablesByNameExpressions) {
    const ObjectCode code =
        Program(source).compile(CodeType::ptx, {.name_expressions = {"scale<float>", "scale< double >", "&counter"}});
    ASSERT_EQ(code.symbol_mapping().size(), 3u);
    EXPECT_EQ(code.kernel("scale<float>").name(), "_Z5scaleIfEvPT_S0_");
    EXPECT_EQ(code.kernel("scale< double >").name(), "_Z5scaleIdEvPT_S0_");
    EXPECT_EQ(code.kernel("count").parameters().size(), 1u);
    EXPECT_EQ(code.global("&counter").size, sizeof(int));
    EXPECT_THAT(message_of<LoadError>([&] { (void)code.kernel("scale<int>"); }),
                HasSubstr("it has scale<float>, scale< double >"));
}

TEST_F(ProgramToolkitTest, WritesWarningsToTheLog) {
    Program program("__global__ void f() { int unused; }");
    (void)program.compile(CodeType::ptx);
    EXPECT_THAT(program.log(), AllOf(HasSubstr("warning"), HasSubstr("unused")));
    EXPECT_THAT(program.log().back(), Not('\n'));
    Program quiet("__global__ void f() {}");
    (void)quiet.compile(CodeType::ptx);
    EXPECT_EQ(quiet.log(), "");
}

TEST_F(ProgramToolkitTest, ReportsTheFirstErrorAndTheLog) {
    Program program{"__global__ void f() { nonsense; }\n__global__ void g() { int x = \"\"; }",
                    {.name = "wrong.cu", .arch = "sm_80"}};
    try {
        (void)program.compile(CodeType::cubin);
        FAIL() << "no error";
    } catch (const CompileError& error) {
        EXPECT_EQ(error.function(), "nvrtcCompileProgram");
        EXPECT_EQ(error.name(), "NVRTC_ERROR_COMPILATION");
        EXPECT_THAT(error.what(), AllOf(HasSubstr("\"wrong.cu\""), HasSubstr("cubin for sm_80: wrong.cu(1): error")));
        EXPECT_THAT(error.log(), AllOf(HasSubstr("nonsense"), HasSubstr("wrong.cu(2)")));
        EXPECT_EQ(program.log(), error.log());
    }
}

TEST_F(ProgramToolkitTest, PassesOptionsWithoutAMember) {
    EXPECT_FALSE(Program(source, {.extra_options = {"--modify-stack-limit=false"}}).compile(CodeType::cubin).bytes().empty());
    EXPECT_THAT(message_of<CompileError>([] { (void)Program(source, {.extra_options = {"--nonsense"}}).compile(CodeType::ptx); }),
                HasSubstr("--nonsense"));
    EXPECT_THAT(message_of<std::invalid_argument>(
                    [] { (void)Program(SourceKind::ptx, ".version 8.0", {.extra_options = {"--modify-stack-limit=false"}}); }),
                AllOf(HasSubstr("extra_options"), HasSubstr("PTX")));
}

TEST_F(ProgramToolkitTest, NamesBadNameExpressions) {
    EXPECT_THAT(
        message_of<CompileError>([] { (void)Program(source).compile(CodeType::ptx, {.name_expressions = {"absent<float>"}}); }),
        HasSubstr("absent"));
}

TEST_F(ProgramToolkitTest, IncludesHeadersWithoutFiles) {
    Program program("#include \"answer.h\"\n#include <deep/down.h>\n__global__ void f(int* p) { *p = ANSWER + DOWN; }", {},
                    {{"answer.h", "#define ANSWER 42\n"}, {"deep/down.h", "#define DOWN 1\n"}});
    EXPECT_THAT(program.compile(CodeType::ptx).text(), HasSubstr("43"));
}

TEST_F(ProgramToolkitTest, FindsTheHeadersOfTheToolkit) {
    Program program("#include <cuda_fp16.h>\n__global__ void f(__half* p) { *p = __float2half(1.0f); }");
    EXPECT_FALSE(program.compile(CodeType::cubin).bytes().empty());
}

TEST_F(ProgramToolkitTest, PrefersTheUsersHeaders) {
    const auto folder = std::filesystem::temp_directory_path() / ("cubind-headers-" + std::to_string(release()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "cuda_fp16.h") << "#define MINE 77\n";
    Program program("#include <cuda_fp16.h>\n__global__ void f(int* p) { *p = MINE; }", {.include_path = {folder.string()}});
    EXPECT_THAT(program.compile(CodeType::ptx).text(), HasSubstr("77"));
    std::filesystem::remove_all(folder);
}

TEST_F(ProgramToolkitTest, IncludesFilesBesideTheSource) {
    const auto folder = std::filesystem::temp_directory_path() / ("cubind-source-" + std::to_string(release()));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "beside.h") << "#define VALUE 123\n";
    std::ofstream(folder / "kernel.cu") << "#include \"beside.h\"\n__global__ void f(int* p) { *p = VALUE; }";
    Program program = Program::from_file(SourceKind::cpp, (folder / "kernel.cu").string());
    EXPECT_EQ(program.options().name, (folder / "kernel.cu").string());
    EXPECT_THAT(program.compile(CodeType::ptx).text(), HasSubstr("123"));
    std::filesystem::remove_all(folder);
}

TEST_F(ProgramToolkitTest, SavesTheSourceForDebuggers) {
    const auto folder = std::filesystem::temp_directory_path() / ("cubind-saved-" + std::to_string(release()));
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "kernel.cu").string(), text = "__global__ void f(int* p) {\n    *p = 1;\n}\n";
    Program program(text, {.lineinfo = true});
    program.save_source(path);
    EXPECT_EQ(program.options().name, path);
    std::ostringstream saved;
    saved << std::ifstream(path).rdbuf();
    EXPECT_EQ(saved.str(), text);
    EXPECT_THAT(std::string(program.compile(CodeType::ptx).text()), HasSubstr("\"" + path + "\""));
    const std::string missing = (folder / "missing" / "kernel.cu").string();
    EXPECT_THAT(message_of<std::system_error>([&] { program.save_source(missing); }),
                AllOf(HasSubstr("Program::save_source"), HasSubstr(missing)));
    EXPECT_THROW(program.save_source(path + '\0' + "x"), std::invalid_argument);
    EXPECT_EQ(program.options().name, path);
    std::filesystem::remove_all(folder);
}

TEST_F(ProgramToolkitTest, NamesTheSupportedArchitectures) {
    const std::string message =
        message_of<CompileError>([] { (void)Program(source, {.arch = "sm_999"}).compile(CodeType::cubin); });
    EXPECT_THAT(message, AllOf(HasSubstr("NVRTC_ERROR_INVALID_OPTION"), HasSubstr("does not support sm_999; it supports"),
                               HasSubstr("80, ")));
    EXPECT_THAT(message, AllOf(HasSubstr(" 90"), HasSubstr("to CodeType::ptx")));
    const std::string old = message_of<CompileError>([] { (void)Program(source, {.arch = "sm_10"}).compile(CodeType::cubin); });
    EXPECT_THAT(old, AllOf(HasSubstr("does not support sm_10; it supports"), Not(HasSubstr("newer than all"))));
}

TEST_F(ProgramToolkitTest, CreatesPrecompiledHeaders) {
    if (release() < 12080) return;
    const auto folder = std::filesystem::temp_directory_path() / ("cubind-pch-" + std::to_string(release()));
    std::filesystem::create_directories(folder);
    Program program("#include <cuda_fp16.h>\n#pragma nv_hdrstop\n__global__ void f(__half* p) { *p = __float2half(1.0f); }",
                    {.create_pch = (folder / "fp16.pch").string()});
    EXPECT_FALSE(program.compile(CodeType::ptx).bytes().empty());
    EXPECT_EQ(program.pch_status(), PchStatus::created) << program.log();
    std::filesystem::remove_all(folder);
}

// A device of 9.0 does not run machine code for 8.0, so the Program does not replace it.
TEST_F(ProgramToolkitTest, CompilesMachineCodeOfASimulatedDeviceToPtx) {
    for (const char* arch : {"", "sm_90", "sm_90a"}) {
        const ObjectCode code = Program(source, {.arch = arch}).compile(CodeType::cubin, {.name_expressions = {"scale<float>"}});
        EXPECT_EQ(code.kind(), CodeType::ptx) << arch;
        EXPECT_EQ(code.kernel("scale<float>").parameters().size(), 2u) << arch;
    }
    const ObjectCode other = Program(source, {.arch = "sm_80"}).compile(CodeType::cubin);
    EXPECT_THAT(message_of<LoadError>([&] { (void)other.kernel("count"); }),
                AllOf(HasSubstr("CUDA_ERROR_NO_BINARY_FOR_GPU"), HasSubstr("architecture of the device"), HasSubstr("PTX")));
}

TEST_F(ProgramToolkitTest, ReportsEachCallThatFailsInASweep) {
    const std::vector<std::string> diagnostics = {"nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "cuCtxGetDevice"};
    for (const CodeType target : {CodeType::cubin, CodeType::ptx, CodeType::lto_ir}) {
        sweep([&] { (void)Program(source).compile(target, {.name_expressions = {"scale<float>"}}); }, diagnostics);
        sweep([&] { (void)Program(source, {.arch = "sm_80"}).compile(target); }, diagnostics);
    }
    EXPECT_EQ(layers::leaks::report(), "");
}

TEST_F(ProgramToolkitTest, ReportsErrorsIfDiagnosticsFailInASweep) {
    const auto explained = [](Program program) {
        try {
            (void)program.compile(CodeType::cubin);
        } catch (const CompileError& error) {
            if (error.function() != "nvrtcCompileProgram" || error.name() == "NVRTC_ERROR_INVALID_INPUT") throw;
        }
    };
    const std::vector<std::string> diagnostics = {"nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "nvrtcGetNumSupportedArchs",
                                                  "nvrtcGetSupportedArchs", "cuCtxGetDevice"};
    sweep([&] { explained(Program("nonsense", {.arch = "sm_90"})); }, diagnostics);
    sweep([&] { explained(Program(source, {.arch = "sm_999"})); }, diagnostics);
}

}  // namespace
}  // namespace cubind::testing
