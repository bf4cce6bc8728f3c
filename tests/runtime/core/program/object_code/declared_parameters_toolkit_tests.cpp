// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/program.hpp>

#include "program/object_code/declared_parameters.hpp"
#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

using detail::declared_parameter_counts;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr const char* declared_source = R"(
struct Reals { float values[6]; };
struct Block { char bytes[4000]; };
extern "C" __global__ void none() {}
extern "C" __global__ void one(int a) { if (a != 0) __trap(); }
extern "C" __global__ void unused(float a, double* b, char c, Reals d) {}
extern "C" __global__ void four(float a, const float* x, float* y, size_t n) { if (n != 0) y[0] = a * x[0]; }
extern "C" __global__ void large(Reals a, char b, Block c, int d) { if (b != 0) __trap(); }
extern "C" __global__ void __launch_bounds__(64) bounded(int a, int b) { if (a == b) __trap(); }
template <class Type> __global__ void scale(Type* x, Type by) { *x *= by; }
)";

/// The numbers of parameters in the PTX and the cubins that the compilers of each release write.
class DeclaredParametersTest : public ToolkitTest {
protected:
    static detail::ParameterCounts counts_in(const ObjectCode& code) { return declared_parameter_counts(code.bytes()); }

    static ObjectCode compile(const std::string& arch, CodeType kind, const std::string& text = declared_source) {
        return Program(text, {.arch = arch}).compile(kind, {.name_expressions = {"scale<float>"}});
    }

    static auto has_all() {
        return UnorderedElementsAre(Pair("none", 0u), Pair("one", 1u), Pair("unused", 4u), Pair("four", 4u), Pair("large", 4u),
                                    Pair("bounded", 2u), Pair("_Z5scaleIfEvPT_S0_", 2u));
    }
};

TEST_F(DeclaredParametersTest, AreReadFromPtx) {
    EXPECT_THAT(counts_in(compile("compute_75", CodeType::ptx)), has_all());
}

TEST_F(DeclaredParametersTest, AreReadFromCubins) {
    for (const char* arch : {"sm_75", "sm_80", "sm_90"})
        EXPECT_THAT(counts_in(compile(arch, CodeType::cubin)), has_all()) << arch;
    if (release() < 12080) return;
    for (const char* arch : {"sm_100", "sm_120"}) EXPECT_THAT(counts_in(compile(arch, CodeType::cubin)), has_all()) << arch;
}

TEST_F(DeclaredParametersTest, AreReadFromCubinsWithMoreThan16KBytesOfParameters) {
    if (release() < 12010) return;
    const std::string text =
        "struct Block { char bytes[20000]; };\n"
        "template <class Type> __global__ void scale(Type a, Block b, int c) { if (c != 0) __trap(); }";
    EXPECT_THAT(counts_in(compile("sm_90", CodeType::cubin, text)), UnorderedElementsAre(Pair("_Z5scaleIfEvT_5Blocki", 3u)));
}

TEST_F(DeclaredParametersTest, AreNotReadBeyondTheEndOfADamagedCubin) {
    const ObjectCode cubin = compile("sm_90", CodeType::cubin);
    for (std::size_t size = 0; size < cubin.bytes().size(); size += 7) {
        const std::vector<std::byte> part(cubin.bytes().begin(), cubin.bytes().begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_LE(declared_parameter_counts(part).size(), 7u);  // sanitizers detect reads beyond the end
    }
    std::vector<std::byte> changed(cubin.bytes().begin(), cubin.bytes().end());
    for (std::size_t at = 6; at < changed.size(); at += 3) {
        const std::byte before = std::exchange(changed[at], std::byte{0xFF});
        EXPECT_LE(declared_parameter_counts(changed).size(), 8u);
        changed[at] = before;
    }
}

}  // namespace
}  // namespace cubind::testing
