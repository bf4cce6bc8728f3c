// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Constant expressions of device code that the vendor's NVRTC evaluates.
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/core/program/program.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* constants = R"(
#define T float
enum class Color : short { red = -3, green };
enum Plain { some = 7 };
struct Header { char kind; double scale; unsigned short length; };
struct alignas(16) Packet { Header header; struct { int id; } parts[4]; };
template <class X> struct Tile { static constexpr int width = 128 / sizeof(X); X first; double second; };
template <int n> struct Factorial { static constexpr long long value = n * Factorial<n - 1>::value; };
template <> struct Factorial<0> { static constexpr long long value = 1; };
__device__ constexpr int twice(int x) { return 2 * x; }
__host__ __device__ constexpr double half(double x) { return x / 2; }
__device__ constexpr double pi = 3.141592653589793;
__constant__ constexpr float table[3] = {1, 2, 0.1f};
__device__ int variable = 3;
__global__ void scale(T* x) { x[threadIdx.x] *= table[2] * variable; }
)";

class EvaluationToolkitTest : public ToolkitTest {
protected:
    static CompileError failure(const std::function<void()>& operation) {
        try {
            operation();
        } catch (const CompileError& error) {
            return error;
        }
        throw std::logic_error("the expression was evaluated");
    }
};

TEST_F(EvaluationToolkitTest, EvaluatesSizesAndOffsets) {
    struct Header {
        char kind;
        double scale;
        unsigned short length;
    };
    Program program(constants);
    const auto [size, scale, length, part, second] = program.evaluate_all<std::size_t, int, unsigned, short, std::uint8_t>(
        {"sizeof(Header)", "offsetof(Header, scale)", "offsetof(Header, length)", "offsetof(Packet, parts[2].id)",
         "offsetof(Tile<float>, second)"});
    EXPECT_EQ(size, sizeof(Header));
    EXPECT_EQ(scale, 8);
    EXPECT_EQ(length, 16u);
    EXPECT_EQ(part, 32);
    EXPECT_EQ(second, 8);
    EXPECT_EQ(program.evaluate<int>("alignof(Packet)"), 16);
}

TEST_F(EvaluationToolkitTest, EvaluatesValuesOfEveryKind) {
    enum class HostColor : short { red = -3, green };
    Program program(constants);
    const auto values = program.evaluate_all<bool, HostColor, int, char, double, float, float, double, std::uint64_t,
                                             std::int64_t, int, long long, int, bool, char16_t>(
        {"sizeof(int) == 4", "Color::green", "Color::red", "'a'", "pi", "table[2]", "-0.0f", "half(0.2)", "~0ull",
         "-0x7fffffffffffffff - 1", "twice(21)", "Factorial<15>::value", "Tile<short>::width", "__is_enum(Plain)", "u'x'"});
    EXPECT_EQ(values, std::make_tuple(true, HostColor::green, -3, 'a', 3.141592653589793, 0.1f, 0.0f, 0.1, ~0ull,
                                      std::numeric_limits<std::int64_t>::min(), 42, 1307674368000ll, 64, true, u'x'));
    EXPECT_EQ(std::bit_cast<std::uint32_t>(std::get<6>(values)), 0x80000000u);
    EXPECT_EQ(program.evaluate<double>("4.9e-324"), std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(program.evaluate<int>("some // a comment"), 7);
    EXPECT_EQ(program.evaluate<int>("static_cast<int>(\n3.75)"), 3);
}

TEST_F(EvaluationToolkitTest, UsesTheOptionsOfTheProgram) {
    const std::string text = "#include \"limits.h\"\n#ifdef __CUDA_ARCH__\nconstexpr int architecture = __CUDA_ARCH__;\n#endif\n";
    Program program(text, {.arch = "sm_80", .std = "c++20", .define_macro = {{"BLOCK", "256"}}},
                    {{"limits.h", "#define LIMIT (BLOCK / 2)\n"}});
    const auto [limit, architecture, standard] = program.evaluate_all<int, int, long>({"LIMIT", "architecture", "__cplusplus"});
    EXPECT_EQ(limit, 128);
    EXPECT_EQ(architecture, 800);
    EXPECT_EQ(standard, 202002);
    for (const char* std : {"c++11", "c++14", "c++17"}) {
        EXPECT_EQ(Program(constants, {.std = std}).evaluate<int>("sizeof(Header)"), 24) << std;
    }
}

TEST_F(EvaluationToolkitTest, EvaluatesWithOptionsThatChangeTheGeneratedCode) {
    for (const ProgramOptions& options :
         {ProgramOptions{.relocatable_device_code = true}, ProgramOptions{.link_time_optimization = true, .gen_opt_lto = true},
          ProgramOptions{.debug = true}, ProgramOptions{.lineinfo = true, .device_as_default_execution_space = true}}) {
        EXPECT_EQ(Program(constants, options).evaluate<double>("pi"), 3.141592653589793) << to_string(options);
    }
    if (release() >= 12040) {
        EXPECT_EQ(Program(constants, {.fdevice_syntax_only = true}).evaluate<int>("twice(2)"), 4);
    }
}

TEST_F(EvaluationToolkitTest, CallsOnlyTheCompiler) {
    layers::faults::fail_each_call([] { EXPECT_EQ(Program(constants).evaluate<int>("twice(3)"), 6); },
                                   {.after = [](const layers::faults::Fault& fault) {
                                       FailedCalls::get().forget();
                                       (void)std::exchange(cleanup_messages(), {});
                                       EXPECT_TRUE(fault.function.starts_with("nvrtc")) << fault.function;
                                   }});
}

TEST_F(EvaluationToolkitTest, RefusesExpressionsThatAreNotConstant) {
    Program program(constants, {.name = "table.cu"});
    const CompileError variable = failure([&] { (void)program.evaluate<int>("variable + 1"); });
    EXPECT_THAT(variable.log(), AllOf(HasSubstr("variable + 1"), HasSubstr("constant value")));
    EXPECT_THAT(variable.what(), AllOf(HasSubstr("\"table.cu\""), HasSubstr("expression \"variable + 1\"")));
    EXPECT_EQ(program.log(), variable.log());
    const CompileError unknown = failure([&] { (void)program.evaluate_all<int, int>({"1", "nonsense(\"a\")"}); });
    EXPECT_THAT(unknown.log(), AllOf(HasSubstr("identifier \"nonsense\""), HasSubstr("expression \"nonsense(\"a\")\"(1)")));
    EXPECT_EQ(unknown.function(), "nvrtcCompileProgram");
    EXPECT_THAT(failure([&] { (void)program.evaluate<int>("1 +"); }).log(), HasSubstr("error"));
    EXPECT_THAT(failure([&] { (void)program.evaluate<int>("int"); }).log(), HasSubstr("error"));
    EXPECT_THAT(failure([&] { (void)program.evaluate<int>("Tile<float>()"); }).log(), HasSubstr("no arithmetic"));
    EXPECT_THAT(failure([&] { (void)program.evaluate<int>("\"text\""); }).log(), HasSubstr("no arithmetic"));
    EXPECT_THROW((void)Program("nonsense;").evaluate<int>("1"), CompileError);
}

TEST_F(EvaluationToolkitTest, RefusesValuesThatTheTypeCannotRepresent) {
    Program program("__global__ void f() { int unused; }", {.name = "narrow.cu"});
    const CompileError error = failure([&] { (void)program.evaluate<int>("3.5"); });
    EXPECT_EQ(error.function(), "Program::evaluate");
    EXPECT_EQ(error.name(), "NVRTC_ERROR_COMPILATION");
    EXPECT_THAT(error.what(), AllOf(HasSubstr("\"narrow.cu\""), HasSubstr("3.5 of type double"), HasSubstr("4 bytes")));
    EXPECT_THAT(error.log(), HasSubstr("unused"));
    EXPECT_THAT(failure([&] { (void)program.evaluate<unsigned char>("300"); }).what(), HasSubstr("300"));
    EXPECT_THROW((void)program.evaluate<unsigned>("-1"), CompileError);
    EXPECT_THROW((void)program.evaluate<bool>("2"), CompileError);
    EXPECT_THROW((void)program.evaluate<float>("0.1"), CompileError);
    EXPECT_EQ(program.evaluate<float>("0.1f"), 0.1f);
    EXPECT_THAT(program.log(), HasSubstr("unused"));
}

TEST_F(EvaluationToolkitTest, RefusesMistakesBeforeItCompiles) {
    Program program(constants);
    EXPECT_THROW((void)program.evaluate<int>(""), std::invalid_argument);
    EXPECT_THROW((void)program.evaluate<int>(std::string("1\0", 2)), std::invalid_argument);
    EXPECT_THROW((void)program.evaluate<int>("1", {.name_expressions = {""}}), std::invalid_argument);
    EXPECT_THROW((void)Program(constants, {.std = "c++03"}).evaluate<int>("1"), std::invalid_argument);
    EXPECT_THROW((void)Program(SourceKind::ptx, ".version 8.0").evaluate<int>("1"), std::invalid_argument);
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)Program(SourceKind::nvvm, "; IR").evaluate<int>("1"); }),
                HasSubstr("NVVM IR"));
}

TEST_F(EvaluationToolkitTest, EncodesExtremeNumbersExactly) {
    Program program(constants, {.use_fast_math = true});
    using Float = std::numeric_limits<float>;
    using Double = std::numeric_limits<double>;
    const auto floats = program.evaluate_all<float, float, float, float, float, float>(
        {"1.1754944e-38f", "1.17549421e-38f", "1.4e-45f", "-3.4028235e38f", "float(1 / 0.0)", "1.0f / 3"});
    EXPECT_EQ(floats, std::make_tuple(Float::min(), std::bit_cast<float>(0x7FFFFFu), Float::denorm_min(), Float::lowest(),
                                      Float::infinity(), 1.0f / 3));
    const auto doubles = program.evaluate_all<double, double, double, double, double>(
        {"2.2250738585072014e-308", "1e-310", "-1.7976931348623157e308", "-1 / 0.0", "1e17 + 8"});
    EXPECT_EQ(doubles, std::make_tuple(Double::min(), 1e-310, Double::lowest(), -Double::infinity(), 1e17 + 8));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(program.evaluate<double>("-0.0")), 1ull << 63);
    EXPECT_TRUE(std::isnan(program.evaluate<float>("float(0.0 / 0.0)")));
}

// ---- constants of compiled code --------------------------------------------------------------------------------------------

const CompileOptions requested{.name_expressions = {"clear<int>"},
                               .constants = {"sizeof(Header)", "pi", "Color::red", "twice(21) // doubled"}};
const std::string with_kernels = std::string(constants) + R"(
    __device__ float offsets[4] = {1, 2, 3, 4};
    template <class X> __global__ void clear(X* x) { __shared__ X rows[4]; rows[threadIdx.x] = x[0]; x[1] = rows[2]; }
)";

TEST_F(EvaluationToolkitTest, ReturnsConstantsOfEachKindOfCode) {
    enum class HostColor : short { red = -3 };
    for (const CodeType target : {CodeType::ptx, CodeType::cubin, CodeType::lto_ir}) {
        Program program(with_kernels, {.arch = "sm_80"});
        const ObjectCode code = program.compile(target, requested);
        EXPECT_EQ(code.kind(), target);
        EXPECT_EQ(code.constant<std::size_t>("sizeof(Header)"), 24u) << to_string(target);
        EXPECT_EQ(code.constant<double>("pi"), 3.141592653589793);
        EXPECT_EQ(code.constant<HostColor>("Color::red"), HostColor::red);
        EXPECT_EQ(code.constant<unsigned char>("twice(21) // doubled"), 42);
        EXPECT_EQ(code.constants().size(), 4u);
        EXPECT_THAT(code.symbol_mapping(), ElementsAre(::testing::Pair("clear<int>", "_Z5clearIiEvPT_")));
    }
}

TEST_F(EvaluationToolkitTest, ReturnsTheCodeThatAProgramWithoutConstantsHas) {
    for (const ProgramOptions& options :
         {ProgramOptions{.arch = "sm_80"}, ProgramOptions{.arch = "sm_80", .debug = true},
          ProgramOptions{.arch = "sm_80", .lineinfo = true}, ProgramOptions{.arch = "sm_80", .relocatable_device_code = true}}) {
        for (const CodeType target : {CodeType::ptx, CodeType::cubin, CodeType::lto_ir}) {
            CompileOptions without = requested;
            without.constants.clear();
            const Bytes plain = Program(with_kernels, options).compile(target, without).shared_bytes();
            EXPECT_EQ(Program(with_kernels, options).compile(target, requested).shared_bytes(), plain)
                << to_string(target) << " with " << to_string(options);
        }
    }
}

TEST_F(EvaluationToolkitTest, RunsTheKernelsOfCodeWithConstants) {
    const Device device;
    const Stream stream(device);
    TypedBuffer<int> numbers = device.allocate<int>(stream, 2);
    const std::vector<int> values = {7, 0};
    copy(stream, numbers, values);
    const ObjectCode code = Program(with_kernels).compile(CodeType::cubin, requested);
    launch(stream, {.grid = 1, .block = 4}, code.kernel("clear<int>"), numbers);
    std::vector<int> result(2);
    copy(stream, result, numbers);
    stream.synchronize();
    EXPECT_THAT(result, ElementsAre(7, 7));
    EXPECT_EQ(code.constant<int>("sizeof(Header)"), 24);
}

TEST_F(EvaluationToolkitTest, RestoresConstantsFromACache) {
    InMemoryProgramCache cache;
    CompileOptions options = requested;
    options.cache = &cache;
    for (const CodeType target : {CodeType::ptx, CodeType::cubin, CodeType::lto_ir}) {
        const auto hits = cache.statistics().hits;
        const ObjectCode compiled = Program(with_kernels, {.arch = "sm_80"}).compile(target, options);
        faults::start();
        const ObjectCode found = Program(with_kernels, {.arch = "sm_80"}).compile(target, options);
        EXPECT_EQ(faults::calls("nvrtcCompileProgram"), 0u);
        faults::stop();
        EXPECT_EQ(cache.statistics().hits, hits + 1);
        EXPECT_EQ(found.constants(), compiled.constants());
        EXPECT_EQ(found.symbol_mapping(), compiled.symbol_mapping());
        EXPECT_EQ(found.constant<double>("pi"), 3.141592653589793);
    }
    options.constants = {"sizeof(Packet)"};
    EXPECT_EQ(Program(with_kernels, {.arch = "sm_80"}).compile(CodeType::ptx, options).constant<int>("sizeof(Packet)"), 48);
}

TEST_F(EvaluationToolkitTest, NamesConstantsThatAreWrong) {
    const auto failing = [](const std::string& expression) {
        return failure([&] {
            (void)Program(constants, {.name = "wrong.cu", .arch = "sm_80"})
                .compile(CodeType::cubin, {.constants = {"1", expression}});
        });
    };
    for (const char* const expression : {"variable + 1", "Tile<float>()", "\"text\"", "nonsense", "1 +", "Header"}) {
        const CompileError error = failing(expression);
        EXPECT_EQ(error.function(), "nvrtcCompileProgram");
        std::string named = "expression \"";
        named.append(expression).append("\"(");
        EXPECT_THAT(std::string(error.what()), AllOf(HasSubstr("\"wrong.cu\""), HasSubstr(named)));
    }
    EXPECT_THAT(failing("Tile<float>()").what(), HasSubstr("no arithmetic"));
    EXPECT_THROW((void)failing("1"), std::logic_error);
}

TEST_F(EvaluationToolkitTest, RefusesConstantsOfOtherNamesAndTypes) {
    const ObjectCode code = Program(constants, {.name = "table.cu", .arch = "sm_80"})
                                .compile(CodeType::ptx, {.constants = {"half(7)", "sizeof(Header)"}});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)code.constant<int>("sizeof( Header )"); }),
                AllOf(HasSubstr("\"sizeof( Header )\""), HasSubstr("\"half(7)\", \"sizeof(Header)\""), HasSubstr("table.cu")));
    const CompileError error = failure([&] { (void)code.constant<int>("half(7)"); });
    EXPECT_EQ(error.function(), "ObjectCode::constant");
    EXPECT_THAT(error.what(), AllOf(HasSubstr("3.5 of type double"), HasSubstr("half(7)"), HasSubstr("\"table.cu\"")));
    EXPECT_THROW((void)Program(constants).evaluate<int>("1", {.constants = {"2"}}), std::invalid_argument);
    EXPECT_THROW((void)Program(constants).compile(CodeType::ptx, {.constants = {""}}), std::invalid_argument);
    EXPECT_THROW((void)Program(constants, {.std = "c++03"}).compile(CodeType::ptx, {.constants = {"1"}}), std::invalid_argument);
    EXPECT_THROW((void)Program(SourceKind::ptx, ".version 8.0").compile(CodeType::cubin, {.constants = {"1"}}),
                 std::invalid_argument);
}

TEST_F(EvaluationToolkitTest, StoresResultsInACache) {
    InMemoryProgramCache cache;
    Program program(constants);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(program.evaluate<int>("twice(5)", {.cache = &cache}), 10);
    EXPECT_EQ(program.uncached_reason(), "");
    EXPECT_EQ(cache.statistics().hits, 1u);
    EXPECT_EQ(program.evaluate<int>("twice(6)", {.cache = &cache}), 12);
    EXPECT_EQ(cache.statistics().misses, 2u);
}

TEST_F(EvaluationToolkitTest, ReportsEachCallThatFailsInASweep) {
    sweep([] { (void)Program(constants).evaluate<int>("1"); }, {"nvrtcGetProgramLogSize", "nvrtcGetProgramLog"});
    EXPECT_EQ(layers::leaks::report(), "");
}

}  // namespace
}  // namespace cubind::testing
