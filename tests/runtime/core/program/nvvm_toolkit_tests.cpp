// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs of NVVM IR that the vendor's libNVVM compiles.
#include <cubind/check.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/nvvm/query.hpp>
#include <cubind/nvvm/status.hpp>

#include <stdexcept>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

/// Returns a module of NVVM IR with this text between the layout of data and the version.
std::string module_of(const std::string& text) {
    const auto [major, minor, debug_major, debug_minor] = check(nvvm::nvvmIRVersion());
    return "target triple = \"nvptx64-nvidia-cuda\"\n"
           "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-f64:64:64-"
           "v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64\"\n" +
           text + "!nvvmir.version = !{!9}\n!9 = !{i32 " + std::to_string(major) + ", i32 " + std::to_string(minor) + ", i32 " +
           std::to_string(debug_major) + ", i32 " + std::to_string(debug_minor) + "}\n";
}

/// Returns a kernel that replaces *value by function(*value).
std::string kernel_calling(const std::string& function) {
    return module_of("declare double @" + function + R"((double)
define void @replace(double* %value) {
  %old = load double, double* %value
  %new = call double @)" +
                     function + R"((double %old)
  store double %new, double* %value
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (double*)* @replace, !"kernel", i32 1}
)");
}

std::string doubling_function() {
    return module_of("define double @twice(double %x) {\n  %sum = fadd double %x, %x\n  ret double %sum\n}\n");
}

double result_of(const ObjectCode& code, double value) {
    const Device device;
    const Stream stream(device);
    TypedBuffer<double> buffer = device.allocate<double>(stream, 1);
    copy(stream, buffer, value);
    launch(stream, {.grid = 1, .block = 1}, code.kernel("replace"), buffer);
    copy(stream, value, buffer);
    stream.synchronize();
    return value;
}

class NvvmToolkitTest : public ToolkitTest {
protected:
    static std::string message(const std::function<void()>& call) { return message_of<std::invalid_argument>(call); }
};

TEST_F(NvvmToolkitTest, CompilesToEveryTarget) {
    Program program(SourceKind::nvvm, kernel_calling("twice"),
                    {.name = "double.ll", .arch = "sm_80", .extra_sources = {{"twice.ll", doubling_function()}}});
    EXPECT_EQ(program.backend(), CompilerBackend::nvvm);
    EXPECT_STREQ(to_string(program.backend()), "libNVVM");
    const ObjectCode ptx = program.compile(CodeType::ptx);
    EXPECT_EQ(ptx.name(), "double.ll");
    EXPECT_THAT(ptx.text(), AllOf(HasSubstr(".target sm_80"), HasSubstr(".entry replace")));
    EXPECT_NE(ptx.text().back(), '\0');
    EXPECT_EQ(result_of(ptx, 21), 42);
    EXPECT_FALSE(program.compile(CodeType::lto_ir).bytes().empty());
    if (Linker::which_backend() == LinkerBackend::driver) return;  // simulated devices do not link for other devices
    EXPECT_THAT(program.compile(CodeType::cubin).text(), ::testing::StartsWith("\x7f"
                                                                               "ELF"));
}

TEST_F(NvvmToolkitTest, LinksLibdevice) {
    Program program(SourceKind::nvvm, kernel_calling("__nv_cbrt"), {.use_libdevice = true});
    EXPECT_NEAR(result_of(program.compile(CodeType::ptx), 27), 3, 1e-15);
    EXPECT_NEAR(result_of(program.compile(CodeType::cubin), 64), 4, 1e-15) << "a simulated device runs PTX instead";
}

TEST_F(NvvmToolkitTest, PassesTheOptionForNumba) {
    InMemoryProgramCache cache;
    const auto compile = [&](bool numba_debug) {
        Program program(SourceKind::nvvm, doubling_function(), {.arch = "sm_80", .debug = true, .numba_debug = numba_debug});
        return program.compile(CodeType::ptx, {.cache = &cache});
    };
    EXPECT_THAT(compile(false).text(), HasSubstr("twice"));
    if (release() >= 13010) {
        EXPECT_THAT(compile(true).text(), HasSubstr("twice"));
        EXPECT_EQ(cache.statistics().hits, 0u) << "the option is part of the key";
    } else {
        EXPECT_THAT(message_of<CompileError>([&] { (void)compile(true); }), HasSubstr("-numba-debug is an unsupported option"));
    }
}

TEST_F(NvvmToolkitTest, ReportsInvalidIrWithTheLog) {
    Program program(SourceKind::nvvm, module_of("define void @f() {\n  ret i32 0\n}\n"), {.name = "wrong.ll", .arch = "sm_80"});
    const std::string text = message_of<CompileError>([&] { (void)program.compile(CodeType::ptx); });
    EXPECT_THAT(text, AllOf(HasSubstr("\"wrong.ll\" was not compiled to"), HasSubstr("sm_80")));
    EXPECT_THAT(program.log(), Not(IsEmpty()));
    Program garbage(SourceKind::nvvm, std::string("BC\0\0 no bitcode", 15));
    EXPECT_THROW((void)garbage.compile(CodeType::ptx), CompileError);
    Program unsupported(SourceKind::nvvm, kernel_calling("twice"), {.arch = "compute_10"});
    EXPECT_THROW((void)unsupported.compile(CodeType::ptx), CompileError);
}

TEST_F(NvvmToolkitTest, RejectsWhatDoesNotApply) {
    EXPECT_THAT(message([] { (void)Program("int x;", {.use_libdevice = true}); }),
                AllOf(HasSubstr("use_libdevice"), HasSubstr("C++")));
    EXPECT_THAT(message([] {
                    (void)Program(SourceKind::ptx, ".version", {.extra_sources = {{"a", "b"}}});
                }),
                AllOf(HasSubstr("extra_sources"), HasSubstr("PTX")));
    EXPECT_THAT(message([] { (void)Program(SourceKind::nvvm, "; IR", {.use_fast_math = true}); }), HasSubstr("use_fast_math"));
    EXPECT_THAT(message([] { (void)Program(SourceKind::nvvm, "; IR", {}, {{"a.h", ""}}); }), HasSubstr("a.h"));
    EXPECT_THAT(message([] { (void)Program(SourceKind::nvvm, "", {}); }), HasSubstr("empty"));
    Program program(SourceKind::nvvm, kernel_calling("twice"), {.arch = "sm_80"});
    EXPECT_THAT(message([&] { (void)program.compile(CodeType::fatbin); }), HasSubstr("NVVM IR is compiled to"));
    EXPECT_THAT(message([&] { (void)program.compile(CodeType::ptx, {.name_expressions = {"replace"}}); }), HasSubstr("NVVM IR"));
}

TEST_F(NvvmToolkitTest, UsesACacheWhoseKeyHasAllModules) {
    InMemoryProgramCache cache;
    const auto compile = [&](const std::string& function, CodeType target) {
        Program program(SourceKind::nvvm, kernel_calling("twice"), {.arch = "sm_80", .extra_sources = {{"twice.ll", function}}});
        ObjectCode code = program.compile(target, {.cache = &cache});
        EXPECT_EQ(program.uncached_reason(), "");
        return code;
    };
    const auto misses = [&] { return cache.statistics().misses; };
    (void)compile(doubling_function(), CodeType::ptx);
    EXPECT_EQ(misses(), 1u);
    (void)compile(doubling_function(), CodeType::ptx);
    EXPECT_EQ(misses(), 1u);
    (void)compile(doubling_function() + "; other\n", CodeType::ptx);
    EXPECT_EQ(misses(), 2u);
    (void)compile(doubling_function(), CodeType::lto_ir);
    EXPECT_EQ(misses(), 3u);
    if (Linker::which_backend() == LinkerBackend::driver) return;  // its build is unknown
    (void)compile(doubling_function(), CodeType::cubin);
    EXPECT_EQ(misses(), 4u) << "the PTX is from the cache";
}

TEST_F(NvvmToolkitTest, ReportsEachCallThatFailsInASweep) {
    const std::vector<std::string> diagnostics = {"nvvmGetProgramLogSize", "nvvmGetProgramLog", "cuCtxGetDevice"};
    const ProgramOptions options{.arch = "sm_80", .extra_sources = {{"twice.ll", doubling_function()}}, .use_libdevice = true};
    const std::string source = kernel_calling("twice");
    for (const CodeType target : {CodeType::ptx, CodeType::lto_ir})
        sweep([&] { (void)Program(SourceKind::nvvm, source, options).compile(target); }, diagnostics);
    EXPECT_EQ(layers::leaks::report(), "");
}

}  // namespace
}  // namespace cubind::testing
