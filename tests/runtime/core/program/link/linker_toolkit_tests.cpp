// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Links by the vendor's nvJitLink, or by the driver if nvJitLink is too old. The device of 9.0 is simulated, so machine code for
// sm_90 would become PTX.
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/program.hpp>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* caller = "__device__ int twice(int x);\nextern \"C\" __global__ void use(int* p) { *p = twice(*p); }";
constexpr const char* callee = "__device__ int twice(int x) { return 2 * x; }";
constexpr const char* plain = "extern \"C\" __global__ void plain(int* p) { *p = 1; }";

ObjectCode compile(const char* source, CodeType target, const char* name, const char* arch = "sm_80") {
    return Program(source, {.name = name, .arch = arch, .relocatable_device_code = true}).compile(target);
}

class LinkerToolkitTest : public ToolkitTest {
protected:
    static bool has_nvjitlink() { return Linker::which_backend() == LinkerBackend::nvjitlink; }

    static void expect_cubin(const ObjectCode& code, const char* symbol) {
        const std::string text(code.text());
        EXPECT_EQ(code.kind(), CodeType::cubin);
        EXPECT_TRUE(
            text.starts_with("\x7f"
                             "ELF"));
        EXPECT_THAT(text, HasSubstr(symbol));
    }
};

TEST_F(LinkerToolkitTest, UsesNvJitLinkUnlessItIsTooOld) {
    const Linker linker({compile(plain, CodeType::ptx, "plain")});
    EXPECT_EQ(linker.backend() == LinkerBackend::nvjitlink, release() >= 12030);
    if (release() < 12030) {
        EXPECT_THAT(linker.fallback_reason(), AllOf(HasSubstr("libnvJitLink.so.12"), HasSubstr("is older than CUDA 12.3")));
    } else {
        EXPECT_EQ(linker.fallback_reason(), "");
    }
}

TEST_F(LinkerToolkitTest, LinksPtxCubinsAndBoth) {
    if (!has_nvjitlink()) return;
    for (const CodeType first : {CodeType::ptx, CodeType::cubin}) {
        for (const CodeType second : {CodeType::ptx, CodeType::cubin}) {
            Linker linker({compile(caller, first, "caller"), compile(callee, second, "callee")},
                          {.name = "both", .arch = "sm_80"});
            const ObjectCode linked = linker.link(CodeType::cubin);
            expect_cubin(linked, "use");
            EXPECT_EQ(linked.name(), "both");
            EXPECT_EQ(linker.error_log(), "");
        }
    }
}

TEST_F(LinkerToolkitTest, LinksLtoIrToACubinAndToPtx) {
    if (!has_nvjitlink()) return;
    Linker linker({compile(caller, CodeType::lto_ir, "caller"), compile(callee, CodeType::lto_ir, "callee")}, {.arch = "sm_80"});
    expect_cubin(linker.link(), "use");
    const ObjectCode ptx = linker.link(CodeType::ptx);
    EXPECT_EQ(ptx.kernel("use").parameters().size(), 1u) << "a simulated device runs it";
}

TEST_F(LinkerToolkitTest, LinksLtoIrWithPtxToACubinOnly) {
    if (!has_nvjitlink()) return;
    Linker linker({compile(caller, CodeType::lto_ir, "caller"), compile(callee, CodeType::ptx, "callee")}, {.arch = "sm_80"});
    expect_cubin(linker.link(), "use");
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)linker.link(CodeType::ptx); }),
                AllOf(HasSubstr("needs LTO-IR"), HasSubstr("PTX \"callee\"")));
}

TEST_F(LinkerToolkitTest, NamesUndefinedSymbols) {
    if (!has_nvjitlink()) return;
    Linker linker({compile(caller, CodeType::ptx, "caller")}, {.arch = "sm_80"});
    try {
        (void)linker.link();
        FAIL() << "no error";
    } catch (const LinkError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("for sm_80"), HasSubstr("PTX \"caller\": "), HasSubstr("_Z5twicei")));
        EXPECT_THAT(error.log(), HasSubstr("_Z5twicei"));
        EXPECT_EQ(linker.error_log(), error.log());
    }
}

TEST_F(LinkerToolkitTest, NamesTheInputThatLacksASymbol) {
    if (!has_nvjitlink()) return;
    const std::string name = "a name that is too long to lie within a string object.cu";
    Linker linker({compile(caller, CodeType::cubin, name.c_str())}, {.arch = "sm_80"});
    EXPECT_THROW((void)linker.link(), LinkError);
    EXPECT_THAT(linker.error_log(), AllOf(HasSubstr("_Z5twicei"), HasSubstr("'" + name + "'")));
}

TEST_F(LinkerToolkitTest, NamesInputsThatItCannotRead) {
    if (!has_nvjitlink()) return;
    EXPECT_THAT(message_of<LinkError>([] {
                    (void)Linker({ObjectCode::from_bytes(CodeType::ptx, std::string_view("nonsense"))}, {.arch = "sm_80"}).link();
                }),
                HasSubstr("PTX \"input 1\""));
    EXPECT_THAT(message_of<LinkError>(
                    [] { (void)Linker({compile(plain, CodeType::cubin, "plain", "sm_75")}, {.arch = "sm_80"}).link(); }),
                HasSubstr("cubin \"plain\""));
}

TEST_F(LinkerToolkitTest, WritesTheInformationLog) {
    if (!has_nvjitlink()) return;
    Linker linker({compile(plain, CodeType::ptx, "plain")}, {.arch = "sm_80", .verbose = true});
    (void)linker.link();
    EXPECT_THAT(linker.info_log(), HasSubstr("plain"));
}

TEST_F(LinkerToolkitTest, CompilesPtxPrograms) {
    if (!has_nvjitlink()) return;
    const ObjectCode ptx = compile(plain, CodeType::ptx, "plain");
    Program program(SourceKind::ptx, std::string(ptx.text()), {.arch = "sm_80"});
    EXPECT_EQ(program.backend(), CompilerBackend::nvjitlink);
    expect_cubin(program.compile(CodeType::cubin), "plain");
}

TEST_F(LinkerToolkitTest, ReportsEachCallThatFailsInASweep) {
    if (!has_nvjitlink()) return;
    const std::vector<std::string> diagnostics = {"nvJitLinkGetErrorLogSize", "nvJitLinkGetErrorLog", "nvJitLinkGetInfoLogSize",
                                                  "nvJitLinkGetInfoLog", "cuCtxGetDevice"};
    const ObjectCode first = compile(caller, CodeType::lto_ir, "caller");
    const ObjectCode second = compile(callee, CodeType::lto_ir, "callee");
    sweep([&] { (void)Linker({first, second}, {.arch = "sm_80"}).link(); }, diagnostics);
    sweep([&] { (void)Linker({first, second}).link(CodeType::ptx); }, diagnostics);
    sweep([&] { (void)Linker({first, second}, {.arch = "sm_80", .verbose = true}).link(); }, diagnostics);
    const auto undefined = [&] {
        try {
            (void)Linker({first}).link();
        } catch (const LinkError& error) {
            if (error.log().find("undefined reference") == std::string::npos) throw;
        }
    };
    sweep(undefined, diagnostics);
}

int run_use(const ObjectCode& code) {
    const Device device;
    const Stream stream(device);
    TypedBuffer<int> data = device.allocate<int>(stream, 1);
    int value = 21;
    copy(stream, data, std::span(&value, 1));
    launch(stream, {.grid = 1, .block = 1}, code.kernel("use"), data);
    copy(stream, std::span(&value, 1), data);
    stream.synchronize();
    return value;
}

TEST_F(LinkerToolkitTest, LinksMachineCodeOfASimulatedDeviceToPtx) {
    const auto link = [](CodeType first, CodeType second, LinkerOptions options = {}) {
        Linker linker({compile(caller, first, "caller", "sm_90"), compile(callee, second, "callee", "sm_90")},
                      std::move(options));
        const ObjectCode linked = linker.link();
        EXPECT_EQ(linked.kind(), CodeType::ptx);
        EXPECT_EQ(run_use(linked), 42);
        return linker;
    };
    const Linker linker = link(CodeType::cubin, CodeType::cubin, {.name = "both", .arch = "sm_90"});
    EXPECT_EQ(linker.backend(), LinkerBackend::driver);
    if (has_nvjitlink()) {
        EXPECT_THAT(linker.fallback_reason(), HasSubstr("simulated"));
    }
    link(CodeType::ptx, CodeType::cubin);
    if (!has_nvjitlink()) return;
    link(CodeType::ptx, CodeType::ptx, {.ftz = true, .ptxas_options = {"-v"}});
    EXPECT_EQ(link(CodeType::lto_ir, CodeType::lto_ir).backend(), LinkerBackend::nvjitlink);
    Linker mixed({compile(caller, CodeType::lto_ir, "caller", "sm_90"), compile(callee, CodeType::ptx, "callee", "sm_90")});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)mixed.link(); }), HasSubstr("needs LTO-IR"));
}

TEST_F(LinkerToolkitTest, NamesUndefinedSymbolsOnASimulatedDevice) {
    for (const CodeType type : {CodeType::cubin, CodeType::lto_ir}) {
        if (type == CodeType::lto_ir && !has_nvjitlink()) continue;
        const ObjectCode code = compile(caller, type, "caller", "sm_90");
        Linker linker({code}, {.arch = "sm_90"});
        EXPECT_THAT(message_of<LinkError>([&] { (void)linker.link(); }),
                    AllOf(HasSubstr("_Z5twicei"), HasSubstr("'caller'"),
                          HasSubstr("Inputs: " + std::string(to_string(code.kind())) + " \"caller\"")));
        EXPECT_THAT(linker.error_log(), HasSubstr("_Z5twicei"));
    }
}

}  // namespace
}  // namespace cubind::testing
