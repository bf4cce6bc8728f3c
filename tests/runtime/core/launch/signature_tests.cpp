// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/object_code.hpp>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "code_test.hpp"
#include "cubin_writer.hpp"
#include "launch/disassembly.hpp"
#include "launch/signature.hpp"
#include "platform/process.hpp"

namespace cubind::testing {
namespace {

using detail::Signature;
using detail::signature_of;

std::vector<std::size_t> sizes_of(const Signature& signature) {
    std::vector<std::size_t> sizes;
    for (const auto& each : signature.parameters) sizes.push_back(each.size);
    return sizes;
}

// ---- what code tells ------------------------------------------------------------------------------------------------------

TEST(SignatureTest, ReadsMangledNames) {
    const Signature saxpy = signature_of("_Z5saxpyfPKfPfm", "");
    EXPECT_EQ(saxpy.to_string(), "saxpy(float, float const*, float*, unsigned long)");
    EXPECT_THAT(sizes_of(saxpy), ElementsAre(4, 8, 8, 8));
    const Signature scale = signature_of("_ZN3app5scaleIdLi4EEEvPT_PKS1_S1_m", "");
    EXPECT_EQ(scale.to_string(), "app::scale<double, 4>(double*, double const*, double, unsigned long)");
    const Signature go = signature_of("_ZN3app2goE5Point4ModePS0_PvPKcbPPfPta", "");
    EXPECT_THAT(sizes_of(go), ElementsAre(0, 0, 8, 8, 8, 1, 8, 8, 1));
    EXPECT_EQ(go.parameters[7].text, "unsigned short*");
    EXPECT_THAT(sizes_of(signature_of("_ZN3app2fnEPFvifERKNS_1VE", "")), ElementsAre(0, 8));
    EXPECT_EQ(signature_of("_ZN3app4noneEv", "").to_string(), "app::none()");
    EXPECT_TRUE(signature_of("_ZN3app4noneEv", "").is_known);
}

TEST(SignatureTest, ReadsPtx) {
    const char* const ptx = R"(
.visible .entry saxpy_all(.param .u32 wrong) { ret; }
.visible .entry saxpy // .entry saxpy(.param .u8 comment)
(
    .param .f32 saxpy_param_0, /* , */
    .param .u64 .ptr .global .align 4 saxpy_param_1,
    .param .align 8 .b8 saxpy_param_2[24],
    .param .b16 saxpy_param_3
)
.maxntid 256 { .reg .f32 %f<4>; ret; }
.entry none { ret; }
)";
    EXPECT_EQ(signature_of("saxpy", ptx).to_string(), "saxpy(.f32, .u64, .b8[24], .b16)");
    EXPECT_THAT(sizes_of(signature_of("saxpy", ptx)), ElementsAre(4, 8, 24, 2));
    EXPECT_EQ(signature_of("none", ptx).to_string(), "none()");
    EXPECT_FALSE(signature_of("sax", ptx).is_known);
    EXPECT_FALSE(signature_of("", ptx).is_known);
}

TEST(SignatureTest, TakesNoNonsense) {
    for (const char* const symbol : {"", "_Z", "_Z5saxpy", "_ZN3app", "_Zzzzz", "_Z9999999999f", "_ZTI5Point", "main"}) {
        EXPECT_FALSE(signature_of(symbol, "").is_known) << symbol;
    }
    for (const char* const ptx : {".entry", ".entry k", ".entry k(", ".entry k(.param", ".entry k(.param .f", ".entry k(,,)",
                                  "/*", "//", ".entry k(.param .b8 a[99999999999999999999999])", ".entry k(.param .u7 a)"}) {
        (void)signature_of("k", ptx).to_string();
    }
}

// ---- launches -------------------------------------------------------------------------------------------------------------

constexpr const char* typed_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .const .align 4 .b8 table[64] = {1, 2, 3};
.global .align 4 .u32 local = 7;
.global .align 1 .b8 $str[4] = {97, 98, 99, 0};
.visible .global .align 8 .f64 total;
.visible .global .attribute(.managed) .align 4 .u32 counter[2];
.visible .entry _Z5saxpyfPKfPfm(.param .f32 a, .param .u64 x, .param .u64 y, .param .u64 n) { ret; }
.visible .entry _Z4liarfd(.param .u64 x, .param .u32 n) { ret; }
.visible .entry _Z5shortf(.param .u32 bits, .param .u64 more) { ret; }
.visible .entry plain(.param .f32 a, .param .u64 x, .param .align 4 .b8 pair[8], .param .u32 n) { ret; }
)";

struct Pair {
    float x, y;
};

class ArgumentTypeTest : public CoreTest {
protected:
    explicit ArgumentTypeTest(const sim::Options& options = {.devices = 1}) : CoreTest(options) {}

    template <class... Arguments>
    std::string mistake(const Kernel& kernel, const Arguments&... arguments) {
        return message_of<std::invalid_argument>([&] { launch(stream, {}, kernel, arguments...); });
    }

    const Device device{0};
    const Stream stream{device};
    const ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, typed_ptx);
    const Kernel saxpy = code.kernel("_Z5saxpyfPKfPfm");
    const Kernel plain = code.kernel("plain");
    TypedBuffer<float> floats = device.allocate<float>(stream, 4);
    TypedBuffer<double> doubles = device.allocate<double>(stream, 4);
};

TEST_F(ArgumentTypeTest, RefusesArgumentsOfOtherTypesAndNamesTheSignature) {
    const std::size_t n = 4;
    launch(stream, {}, saxpy, 2.0f, floats, floats, n);
    EXPECT_THAT(mistake(saxpy, 2, floats, floats, n),
                AllOf(HasSubstr("argument 1 is an integer of 4 bytes, but parameter 1 is float"),
                      HasSubstr("its signature is saxpy(float, float const*, float*, unsigned long)")));
    EXPECT_THAT(mistake(saxpy, 2.0f, doubles, floats, n),
                HasSubstr("argument 2 is a pointer to double, but parameter 2 is float const*"));
    const std::span<int> integers(reinterpret_cast<int*>(floats.native_handle()), 4);
    EXPECT_THAT(mistake(saxpy, 2.0f, floats, integers, n), HasSubstr("argument 3 is a pointer to integers of 4 bytes"));
    EXPECT_THAT(mistake(saxpy, 2.0f, floats, floats, 4.0), HasSubstr("argument 4 is a double, but parameter 4 is unsigned long"));
    EXPECT_THAT(mistake(saxpy, 2.0, floats, floats, n),
                AllOf(HasSubstr("8 bytes, but parameter 1 has 4"), HasSubstr("saxpy(float")));
    EXPECT_THAT(mistake(saxpy, 2.0f, floats, floats), AllOf(HasSubstr("4 parameters"), HasSubstr("saxpy(float")));
    EXPECT_THAT(mistake(plain, 2, floats, Pair{}, 1),
                HasSubstr("parameter 1 is .f32 (its signature is plain(.f32, .u64, .b8[8], .u32))"));
    EXPECT_THAT(mistake(plain, 2.0f, 1.0, Pair{}, 1), HasSubstr("argument 2 is a double, but parameter 2 is .u64"));
}

TEST_F(ArgumentTypeTest, AcceptsWhatCanBeMeant) {
    enum class Count : unsigned { four = 4 };
    launch(stream, {}, saxpy, 2.0f, floats.bytes(), floats.native_handle(), 4ll);
    launch(stream, {}, saxpy, 2.0f, static_cast<void*>(nullptr), nullptr, 4ul);
    launch(stream, {}, saxpy, 2.0f, std::as_bytes(floats.span()), reinterpret_cast<Pair*>(floats.native_handle()), 4ul);
    launch(stream, {}, plain, 2.0f, doubles, Pair{}, Count::four);
    launch(stream, {}, plain, 2.0f, doubles, 1.0, -1);
    stream.synchronize();
}

TEST_F(ArgumentTypeTest, ComparesSizesOnlyIfTheNameIsWrong) {
    launch(stream, {}, code.kernel("_Z4liarfd"), floats, 1);
    launch(stream, {}, code.kernel("_Z5shortf"), 1.0f, floats);
    EXPECT_THAT(mistake(code.kernel("_Z4liarfd"), floats), HasSubstr("sizes of its parameters: 8, 4 bytes"));
    stream.synchronize();
}

TEST_F(ArgumentTypeTest, ComparesAgainForEachListOfTypes) {
    for (int i = 0; i < 2; ++i) {
        launch(stream, {}, saxpy, 2.0f, floats, floats, 4ul);
        launch(stream, {}, saxpy, 2.0f, floats, nullptr, 4ul);
        EXPECT_NE(mistake(saxpy, 2, floats, floats, 4ul), "");
    }
    stream.synchronize();
}

TEST_F(ArgumentTypeTest, ChecksFunctionsNodesAndValidatedLaunches) {
    using Wrong = KernelFunction<void(float, const double*, float*, std::size_t)>;
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)Wrong(saxpy, device); }),
                AllOf(HasSubstr("type 2 is a pointer to double"), HasSubstr("saxpy(float, float const*")));
    (void)KernelFunction<void(float, const float*, float*, std::size_t)>(saxpy, device);
    GraphDefinition definition(device);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { definition.launch({}, saxpy, 2.0f, doubles, floats, 4ul); }),
                HasSubstr("argument 2 is a pointer to double"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch_validated(stream, {}, saxpy, 2.0f, doubles, floats, 4ul); }),
                HasSubstr("argument 2 is a pointer to double"));
}

class OldArgumentTypeTest : public ArgumentTypeTest {
protected:
    OldArgumentTypeTest() : ArgumentTypeTest({.devices = 1, .release = "13.0"}) {}
};

TEST_F(OldArgumentTypeTest, FindsArgumentsThatAreMissingAtTheEnd) {
    EXPECT_THAT(mistake(saxpy, 2.0f, floats, floats), AllOf(HasSubstr("4 parameters"), HasSubstr("3 arguments were given")));
    EXPECT_THAT(mistake(plain, 2.0f, floats), HasSubstr("2 arguments were given"));
    EXPECT_NE(mistake(saxpy, 2, floats, floats, 4ul), "");
    launch(stream, {}, saxpy, 2.0f, floats, floats, 4ul);
    stream.synchronize();
}

// ---- kernels and code -----------------------------------------------------------------------------------------------------

TEST_F(ArgumentTypeTest, DescribesKernels) {
    EXPECT_EQ(saxpy.signature(), "saxpy(float, float const*, float*, unsigned long)");
    EXPECT_EQ(plain.signature(), "plain(.f32, .u64, .b8[8], .u32)");
    EXPECT_EQ(plain.ptx(), typed_ptx);
    const Kernel foreign = Kernel::view_of(plain.native_handle());
    EXPECT_EQ(foreign.signature(), "plain(4 bytes, 8 bytes, 8 bytes, 4 bytes)");
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)foreign.ptx(); }),
                AllOf(HasSubstr("plain"), HasSubstr("CodeType::ptx")));
    EXPECT_EQ(Kernel::view_of(saxpy.native_handle()).signature(), saxpy.signature());
}

TEST_F(OldArgumentTypeTest, DescribesKernelsOfUnknownParameters) {
    EXPECT_EQ(Kernel::view_of(plain.native_handle()).signature(), "plain(...)");
}

TEST_F(ArgumentTypeTest, ListsKernelsAndVariables) {
    const std::vector<Kernel> kernels = code.kernels();
    EXPECT_EQ(kernels.size(), 4u);
    EXPECT_NE(std::ranges::find(kernels, saxpy), kernels.end());
    EXPECT_EQ(std::ranges::find(kernels, plain)->signature(), plain.signature());
    EXPECT_THAT(code.globals(), ElementsAre("table", "local", "total", "counter"));
    for (const std::string& name : code.globals()) {
        EXPECT_GT(name == "counter" ? code.managed(name).size : code.global(name, device).size, 0u);
    }
    const auto unlinked = ObjectCode::from_bytes(CodeType::ptx, ".extern .global .align 4 .u32 elsewhere;\n.global .u32 here;");
    EXPECT_THAT(unlinked.globals(), ElementsAre("here"));
    const auto fatbin = ObjectCode::from_bytes(CodeType::fatbin, "\x50\xED\x55\xBA");
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)fatbin.globals(); }), HasSubstr("fat binary"));
    EXPECT_GE(sweep([&] { EXPECT_EQ(ObjectCode::from_bytes(CodeType::ptx, typed_ptx).kernels().size(), 4u); }), 3u);
}

// ---- machine code ---------------------------------------------------------------------------------------------------------

/// A program in place of nvdisasm, which fails unless it receives an ELF file.
class DisassemblyTest : public ::testing::Test {
protected:
    void use_program(const std::string& text) {
        path = ::testing::TempDir() + "nvdisasm-" + std::to_string(detail::process_id());
        std::ofstream(path) << "#!/bin/sh\n" << text;
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        ::setenv("CUBIND_NVDISASM_PROGRAM", path.c_str(), 1);
    }
    ~DisassemblyTest() override {
        ::unsetenv("CUBIND_NVDISASM_PROGRAM");
        std::error_code ignored;
        if (!path.empty()) std::filesystem::remove(path, ignored);
    }
    std::string message(const ObjectCode& code) const {
        return message_of<LoadError>([&] { (void)code.disassemble(); });
    }

    std::string path;
    const ObjectCode cubin = ObjectCode::from_bytes(CodeType::cubin,
                                                    "\x7F"
                                                    "ELF\x02\x01 code");
};

TEST_F(DisassemblyTest, ReturnsTheOutputOfTheProgram) {
    use_program(
        "[ \"$(tail -c 4 \"$1\")\" = code ] || exit 3\n"
        "printf '//---- .text.one ----\\n\\t.section\\t.text.one,\"ax\"\\nEXIT ;\\n//---- .text.one_more ----\\n"
        "\\t.section\\t.text.one_more,\"ax\"\\nNOP ;\\n'");
    const std::string text = cubin.disassemble();
    EXPECT_THAT(text, AllOf(HasSubstr("EXIT"), HasSubstr("NOP")));
    EXPECT_THAT(detail::kernel_in(text, "one"), AllOf(HasSubstr("EXIT"), Not(HasSubstr("NOP"))));
    EXPECT_THAT(detail::kernel_in(text, "one_more"), AllOf(HasSubstr("NOP"), Not(HasSubstr("EXIT"))));
    EXPECT_EQ(detail::kernel_in(text, "on"), "");
}

TEST_F(DisassemblyTest, ReportsAProgramThatFailsOrIsMissing) {
    use_program("echo 'unknown architecture' >&2; exit 7");
    EXPECT_THAT(message(cubin), AllOf(HasSubstr(path), HasSubstr("unknown architecture")));
    ::setenv("CUBIND_NVDISASM_PROGRAM", "/no/such/nvdisasm", 1);
    EXPECT_THAT(message(cubin), AllOf(HasSubstr("NVIDIA's nvdisasm"), HasSubstr("/no/such/nvdisasm")));
}

TEST_F(ArgumentTypeTest, HasNoMachineCodeOfPtx) {
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)code.disassemble(); }), HasSubstr("CodeType::cubin"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)plain.sass(); }), HasSubstr("Kernel::sass()"));
}

TEST_F(ArgumentTypeTest, ListsTheVariablesOfACubin) {
    CubinWriter writer(CubinWriter::cuda_13, 90);
    writer.add({.name = "scale", .parameters = {{0, 8}}}).add_variable("counter", std::string(8, '\0'));
    const std::string cubin = writer.add_zeros("table", 4000).add_constant("coefficients", "constants").finish();
    EXPECT_THAT(ObjectCode::from_bytes(CodeType::cubin, cubin).globals(),
                ::testing::UnorderedElementsAre("counter", "table", "coefficients"));
    const auto truncated = ObjectCode::from_bytes(CodeType::cubin, std::string_view(cubin).substr(0, cubin.size() - 1));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)truncated.globals(); }),
                HasSubstr("the cubin is damaged: a section extends beyond its end"));
}

TEST_F(ArgumentTypeTest, SurvivesDamagedCubins) {
    std::string cubin(
        "\x7F"
        "ELF\x02\x01",
        6);
    cubin.resize(256);
    for (std::size_t i = 6; i < cubin.size(); ++i) cubin[i] = static_cast<char>(i * 37);
    for (const std::size_t size : {6u, 60u, 64u, 128u, 256u}) {
        const auto code = ObjectCode::from_bytes(CodeType::cubin, std::string_view(cubin).substr(0, size));
        try {
            (void)code.globals();
        } catch (const std::invalid_argument& error) {
            EXPECT_THAT(error.what(), HasSubstr("damaged"));
        }
    }
}

}  // namespace
}  // namespace cubind::testing
