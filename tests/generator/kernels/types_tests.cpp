// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/kernel_case.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::kernels::KernelFile;

std::vector<std::string> types_of(const gen::kernels::Kernel& kernel) {
    std::vector<std::string> texts;
    for (const auto& parameter : kernel.parameters) texts.push_back(parameter.type);
    return texts;
}

const gen::kernels::Record& record(const KernelFile& file, const std::string& origin) {
    for (const auto& each : file.records) {
        if (each.origin == origin) return each;
    }
    ADD_FAILURE() << origin << " is missing";
    static const gen::kernels::Record none;
    return none;
}

using Texts = std::vector<std::string>;

TEST(KernelTypesTest, WritesPointersBeforeNames) {
    EXPECT_EQ(types_of(read_case("pointers.cu").kernels.at(0)),
              (Texts{"int**", "const char* const*", "void*", "const volatile float*", "std::add_pointer_t<int[4]>", "float*",
                     "std::add_pointer_t<int[3]>", "Unknown*", "double*"}));
    EXPECT_EQ(types_of(read_case("functions.cu").kernels.at(0)),
              (Texts{"float*", "cubind::DeviceFunction<float(float, int)>", "cubind::DeviceFunction<void()>"}));
}

TEST(KernelTypesTest, KeepsTheNamesOfStandardIntegers) {
    const auto read = read_text(
        "typedef unsigned int uint32_t; typedef uint32_t word; __global__ void run(size_t a, const uint32_t* b, word c) {}");
    EXPECT_EQ(types_of(read.kernels.at(0)), (Texts{"std::size_t", "const std::uint32_t*", "std::uint32_t"}));
}

TEST(KernelTypesTest, DropsConstOfValues) {
    EXPECT_EQ(types_of(read_case("grid_constant.cu").kernels.at(0)), (Texts{"Options", "int", "int"}));
}

TEST(KernelTypesTest, DescribesStructs) {
    const auto read = read_case("structs.cu");
    const auto& cell = record(read, "physics::Cell");
    EXPECT_EQ(cell.namespaces, Texts{"physics"});
    EXPECT_EQ(cell.size, 112);
    EXPECT_EQ(cell.alignment, 16);
    ASSERT_EQ(cell.fields.size(), 4u);
    EXPECT_EQ(cell.fields.at(0).type, "Particle");
    EXPECT_EQ(cell.fields.at(0).extents, "[2]");
    EXPECT_EQ(cell.fields.at(2).extents, "[2][3]");
    EXPECT_EQ(cell.fields.at(3).type, "physics::Cell_Bounds");
    EXPECT_EQ(cell.offsets, (std::vector<std::int64_t>{0, 48, 56, 104}));
    EXPECT_EQ(record(read, "Particle").fields.at(2).type, "Particle*");
    EXPECT_EQ(read.records.at(0).name, "Particle");  // before the record that contains it
}

TEST(KernelTypesTest, KnowsOnlyTheBytesOfOtherClasses) {
    const auto read = read_case("struct_bytes.cu");
    EXPECT_EQ(read.records.size(), 7u);
    for (const auto& each : read.records) {
        EXPECT_TRUE(each.fields.empty()) << each.name;
        EXPECT_GT(each.size, 0) << each.name;
    }
    EXPECT_EQ(record(read, "Packed").size, 5);
    EXPECT_EQ(record(read, "Packed").alignment, 1);
}

TEST(KernelTypesTest, DeclaresWhatOnlyPointersReferTo) {
    const auto read =
        read_text("struct Later; struct Own { __device__ ~Own() {} int a; }; __global__ void run(Later* a, Own* b) {}");
    EXPECT_EQ(record(read, "Later").size, 0);
    EXPECT_EQ(record(read, "Own").size, 0);
}

TEST(KernelTypesTest, SurvivesTypesThatReferToEachOther) {
    const auto read =
        read_text("struct B; struct A { B* b; A* a; }; struct B { A a[2]; B* b; }; __global__ void run(A a, B* b) {}");
    EXPECT_EQ(record(read, "A").fields.at(0).type, "B*");
    EXPECT_EQ(record(read, "B").size, 40);
}

TEST(KernelTypesTest, DescribesEnums) {
    const auto read = read_case("enums.cu");
    ASSERT_EQ(read.enums.size(), 5u);
    EXPECT_EQ(read.enums.at(2).name, "Scoped");
    EXPECT_TRUE(read.enums.at(2).is_scoped);
    EXPECT_EQ(read.enums.at(2).underlying, "long long");
    EXPECT_EQ(read.enums.at(2).values.at(1), (std::pair<std::string, std::string>("most", "1099511627776")));
    EXPECT_EQ(types_of(read.kernels.at(0)),
              (Texts{"Plain", "Small", "Scoped", "kinds::Kind", "kinds::Shape", "kinds::Shape_Side"}));
}

TEST(KernelTypesTest, DescribesVectorTypesWithoutHeaders) {
    const auto read = read_case("vectors.cu");
    EXPECT_EQ(record(read, "float4").alignment, 16);
    EXPECT_EQ(record(read, "float3").alignment, 4);
    EXPECT_EQ(record(read, "uchar2").fields.at(1).type, "unsigned char");
    EXPECT_EQ(record(read, "Box").size, 32);
}

TEST(KernelTypesTest, NamesInstancesOfClassTemplates) {
    const auto read = read_case("template_dependent.cu");
    EXPECT_EQ(record(read, "Pack<float, 3>").name, "Pack_float_3");
    EXPECT_EQ(record(read, "Traits<int>::State").name, "Traits_int_State");
}

TEST(KernelTypesTest, UsesTheTypeOfTensorMaps) {
    EXPECT_EQ(types_of(read_case("objects.cu").kernels.at(0)),
              (Texts{"unsigned long long", "unsigned long long", "cubind::driver::CUtensorMap"}));
}

TEST(KernelTypesTest, WritesThePrefixBeforeDeclaredTypes) {
    const auto read = read_case("header_types.cu", "::kernels::");
    EXPECT_EQ(types_of(read.kernels.at(0)), (Texts{"::shapes::Circle", "::shapes::Box<float>*", "::beside::Style",
                                                   "::beside::Nested", "::kernels::shapes::Box_int2"}));
    EXPECT_EQ(record(read, "shapes::Box<int2>").fields.at(0).type, "::kernels::int2");
}

}  // namespace
}  // namespace cubind::testing
