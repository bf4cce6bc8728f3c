// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/in_memory_program_cache.hpp>
#include <cubind/kernels.hpp>
#include <cubind/sim/kernels.hpp>

#include <array>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

constexpr auto add = kernel_source<void(int*, int)>("add", R"(
    __global__ void add(int* numbers, int summand) { numbers[threadIdx.x] += summand; })");

constexpr std::string_view doubling[] = {"-DFACTOR=2"};
constexpr auto scale = kernel_source<void(float*)>("scale<float>", R"(
    template <class T>
    __global__ void scale(T* numbers) { numbers[threadIdx.x] *= FACTOR; })",
                                                   doubling);

constexpr auto broken = kernel_source<void()>("broken", "__global__ void broken() { undeclared(); }");

constexpr EmbeddedHeader shape_header[] = {{"shape.hpp", "struct Shape { int width, height; };\n"}};
constexpr std::string_view shape_names[] = {"&largest"};
constinit const EmbeddedCode shape_code{{.name = "shape.cu",
                                         .code = "#include \"shape.hpp\"\n"
                                                 "__constant__ Shape largest;\n"
                                                 "__global__ void area(Shape shape, int* out) {\n"
                                                 "    *out = min(shape.width, largest.width) * shape.height;\n"
                                                 "}\n",
                                         .headers = shape_header,
                                         .name_expressions = shape_names}};
struct Shape {
    int width, height;
};
constinit const EmbeddedKernel<void(Shape, int*)> area{shape_code, "_Z4area5ShapePi"};
constinit const EmbeddedGlobal<Shape> largest{shape_code, "&largest"};

class KernelSourceToolkitTest : public ToolkitTest {
protected:
    void SetUp() override { set_embedded_code_cache(cache); }
    void TearDown() override {
        for (const EmbeddedCode* code : {&add.code(), &scale.code(), &broken.code(), &shape_code}) EmbeddedCodeScope scope(*code);
        set_embedded_code_cache(nullptr);
        ToolkitTest::TearDown();
    }

    const Device device;
    Stream stream{device};
    const std::shared_ptr<InMemoryProgramCache> cache = std::make_shared<InMemoryProgramCache>();
};

TEST_F(KernelSourceToolkitTest, CompilesAtTheFirstLaunch) {
    TypedBuffer<int> numbers = device.allocate<int>(stream, 4);
    const std::array values = {1, 2, 3, 4};
    copy(stream, numbers, values);
    add(stream, {.grid = 1, .block = 4}, numbers, 10);
    std::array<int, 4> found{};
    copy(stream, found, numbers);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{11, 12, 13, 14}));
    EXPECT_EQ(add.symbol(), "_Z3addPii");
}

TEST_F(KernelSourceToolkitTest, UsesTheCache) {
    (void)add.kernel(device);
    EXPECT_EQ(cache->statistics().misses, 1u);
    { const EmbeddedCodeScope ended(add.code()); }
    (void)add.kernel(device);
    EXPECT_EQ(cache->statistics().hits, 1u);
    EXPECT_EQ(cache->count(), 1u);
}

TEST_F(KernelSourceToolkitTest, InstantiatesTemplatesAndPassesOptions) {
    TypedBuffer<float> numbers = device.allocate<float>(stream, 2);
    const std::array values = {1.5f, 2.0f};
    copy(stream, numbers, values);
    scale(stream, {.grid = 1, .block = 2}, numbers);
    std::array<float, 2> found{};
    copy(stream, found, numbers);
    stream.synchronize();
    EXPECT_EQ(found, (std::array{3.0f, 4.0f}));
}

TEST_F(KernelSourceToolkitTest, IncludesEmbeddedHeaders) {
    TypedBuffer<int> result = device.allocate<int>(stream, 1);
    const Shape limit = {3, 3};
    copy(stream, largest(device), limit);
    area(stream, {}, Shape{5, 7}, result);
    std::array<int, 1> found{};
    copy(stream, found, result);
    stream.synchronize();
    EXPECT_EQ(found[0], 21);
}

TEST_F(KernelSourceToolkitTest, ReportsTheLogOfTheCompilerEachTime) {
    for (int i = 0; i < 2; ++i) {
        try {
            broken(stream, {});
            FAIL() << "the source has an error";
        } catch (const CompileError& error) {
            EXPECT_THAT(error.log(), AllOf(HasSubstr("broken(1)"), HasSubstr("undeclared")));
        }
    }
}

TEST_F(KernelSourceToolkitTest, RunsABodyOfTheSimulation) {
    int summand = 0;
    sim::define_kernel(add, [&](const sim::Launch&, int*, int number) { summand = number; });
    add(stream, {}, nullptr, 42);
    stream.synchronize();
    EXPECT_EQ(summand, 42);
}

}  // namespace
}  // namespace cubind::testing
