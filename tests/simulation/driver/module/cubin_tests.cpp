// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

#include "cubin_writer.hpp"
#include "fat_binary.hpp"
#include "kernel_test.hpp"
#include "objects/module/cubin/cubin.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Format = CubinWriter::Format;

CubinWriter example(Format format, std::uint32_t target = 90) {
    CubinWriter writer(format, target);
    writer.add(
        {.name = "scale", .registers = 24, .shared_bytes = 512, .local_bytes = 40, .parameters = {{0, 8}, {8, 4}, {16, 24}}});
    writer.add({.name = "bounded", .registers = 8, .attributes = CubinWriter::attribute(0x05, {128, 2, 1})});
    writer.add({.name = "large", .registers = 128, .parameters = {{0, 20000}, {20000, 1}}});
    writer.add_variable("counter", std::string("\7\0\0\0\0\0\0\0", 8)).add_variable("pointer", std::string(8, '\0'));
    writer.add_variable("managed", "abcd", 4).add_zeros("table", 4000).add_constant("coefficients", "constants");
    return writer.add_address(8, "counter", 4);
}

class SimCubinTest : public SimTest, public ::testing::WithParamInterface<Format> {
protected:
    CUresult load(const std::string& code) {
        char text[1000] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {text, reinterpret_cast<void*>(sizeof text)};
        const auto loaded = cuModuleLoadDataEx(code.data(), 2, options, values);
        log = text;
        module = loaded.value;
        return loaded.status;
    }
    CUfunction function(const char* name) const { return cuModuleGetFunction(module, name).value; }
    int get(const char* name, CUfunction_attribute attribute) const {
        return cuFuncGetAttribute(attribute, function(name)).value;
    }
    std::string contents(const char* name) const {
        const auto [status, address, bytes] = cuModuleGetGlobal(module, name);
        EXPECT_EQ(status, CUDA_SUCCESS) << name;
        std::string text(bytes, '\0');
        EXPECT_EQ(cuMemcpyDtoH(text.data(), address, bytes).status, CUDA_SUCCESS);
        return text;
    }

    std::string log;
    CUmodule module = nullptr;
};

INSTANTIATE_TEST_SUITE_P(Formats, SimCubinTest, ::testing::Values(CubinWriter::cuda_12, CubinWriter::cuda_13),
                         [](const auto& format) { return format.param == CubinWriter::cuda_12 ? "Cuda12" : "Cuda13"; });

TEST_P(SimCubinTest, HasKernelsWithTheirAttributes) {
    ASSERT_EQ(load(example(GetParam()).finish()), CUDA_SUCCESS) << log;
    EXPECT_EQ(cuModuleGetFunctionCount(module).value, 3u);
    EXPECT_EQ(get("scale", CU_FUNC_ATTRIBUTE_NUM_REGS), 24);
    EXPECT_EQ(get("scale", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 512);
    EXPECT_EQ(get("scale", CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES), 40);
    EXPECT_EQ(get("scale", CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES), 9);
    EXPECT_EQ(get("scale", CU_FUNC_ATTRIBUTE_BINARY_VERSION), 90);
    EXPECT_EQ(get("scale", CU_FUNC_ATTRIBUTE_PTX_VERSION), 90);
    EXPECT_EQ(get("scale", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
    EXPECT_EQ(get("bounded", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 256);
    EXPECT_EQ(get("bounded", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES), 0);
    EXPECT_EQ(get("large", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 512) << "65536 registers suffice for 512 threads";
    EXPECT_EQ(cuModuleGetFunction(module, "counter").status, CUDA_ERROR_NOT_FOUND);
}

TEST_P(SimCubinTest, HasParametersWithTheirOffsets) {
    ASSERT_EQ(load(example(GetParam()).finish()), CUDA_SUCCESS) << log;
    const auto place = [&](const char* name, std::size_t index) {
        const auto [status, offset, size] = cuFuncGetParamInfo(function(name), index);
        EXPECT_EQ(status, index < 3 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
        return std::pair(offset, size);
    };
    EXPECT_EQ(place("scale", 0), std::pair(std::size_t{0}, std::size_t{8}));
    EXPECT_EQ(place("scale", 1), std::pair(std::size_t{8}, std::size_t{4}));
    EXPECT_EQ(place("scale", 2), std::pair(std::size_t{16}, std::size_t{24}));
    place("scale", 3);
    EXPECT_EQ(place("large", 0), std::pair(std::size_t{0}, std::size_t{20000}));
    EXPECT_EQ(place("large", 1), std::pair(std::size_t{20000}, std::size_t{1}));
}

TEST_P(SimCubinTest, HasVariablesWithTheirContents) {
    ASSERT_EQ(load(example(GetParam()).finish()), CUDA_SUCCESS) << log;
    EXPECT_EQ(contents("counter"), std::string("\7\0\0\0\0\0\0\0", 8));
    EXPECT_EQ(contents("table"), std::string(4000, '\0'));
    EXPECT_EQ(contents("coefficients"), "constants");
    EXPECT_EQ(contents("managed"), "abcd");
    const auto [status, address, bytes] = cuModuleGetGlobal(module, "counter");
    CUdeviceptr stored = 0;
    std::memcpy(&stored, contents("pointer").data(), sizeof stored);
    EXPECT_EQ(stored, address + 4);
    EXPECT_EQ(cuModuleGetGlobal(module, "scale").status, CUDA_ERROR_INVALID_VALUE);
}

TEST_P(SimCubinTest, LoadsAsALibrary) {
    const std::string code = example(GetParam()).finish();
    const CUlibrary library = cuLibraryLoadData(code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0).value;
    EXPECT_EQ(cuLibraryGetKernelCount(library).value, 3u);
    const CUkernel kernel = cuLibraryGetKernel(library, "scale").value;
    EXPECT_EQ(cuKernelGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0).value, 24);
    EXPECT_EQ(cuLibraryGetManaged(library, "managed").status, CUDA_SUCCESS);
    EXPECT_EQ(cuLibraryUnload(library).status, CUDA_SUCCESS);
}

TEST_P(SimCubinTest, RefusesToLaunchByName) {
    ASSERT_EQ(load(example(GetParam()).finish()), CUDA_SUCCESS) << log;
    EXPECT_EQ(cuLaunchKernel(function("bounded"), 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr).status,
              CUDA_ERROR_NOT_SUPPORTED);
    ASSERT_FALSE(sim::launches().empty());
    EXPECT_EQ(sim::launches().back().name, "bounded");
    EXPECT_THAT(sim::launches().back().problem,
                AllOf(HasSubstr("machine code for sm_90"), HasSubstr("code=compute_90"), HasSubstr("cubind-sim")));
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS) << "the device has no fault";
}

TEST_P(SimCubinTest, RunsABodyInsteadOfTheMachineCode) {
    ASSERT_EQ(load(CubinWriter(GetParam(), 90).add({.name = "k", .parameters = {{0, 4}}}).finish()), CUDA_SUCCESS) << log;
    int received = 0;
    sim::define_kernel("k", [&](const sim::Launch&, int value) { received = value; });
    int argument = 5;
    void* arguments[] = {&argument};
    EXPECT_EQ(cuLaunchKernel(function("k"), 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(received, 5);
}

TEST_P(SimCubinTest, LoadsOnlyOnDevicesOfItsArchitecture) {
    const auto on_device = [&](int major, int minor, const CubinWriter& writer) {
        sim::install({.major = major, .minor = minor});
        EXPECT_TRUE(cuInit(0).ok() && cuCtxCreate_v2(0, 0).ok());
        return load(writer.finish());
    };
    EXPECT_EQ(on_device(8, 6, CubinWriter(GetParam(), 80)), CUDA_SUCCESS);
    EXPECT_EQ(on_device(8, 0, CubinWriter(GetParam(), 86)), CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_EQ(on_device(9, 0, CubinWriter(GetParam(), 80)), CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_THAT(log, AllOf(HasSubstr("sm_80"), HasSubstr("9.0")));
    EXPECT_EQ(on_device(9, 0, CubinWriter(GetParam(), 90, true)), CUDA_SUCCESS);
    EXPECT_EQ(on_device(10, 3, CubinWriter(GetParam(), 100, true)), CUDA_ERROR_NO_BINARY_FOR_GPU);
    EXPECT_THAT(log, HasSubstr("sm_100a"));
    EXPECT_EQ(on_device(10, 3, CubinWriter(GetParam(), 100)), CUDA_SUCCESS);
}

TEST_P(SimCubinTest, IsReadFromAFatBinaryThatHasNoPtx) {
    using Writer = FatBinaryWriter;
    const std::string code = example(GetParam()).finish();
    FatBinaryWriter writer;
    writer.add(Writer::cubin, 80, example(GetParam(), 80).finish()).add(Writer::cubin, 90, code);
    ASSERT_EQ(load(writer.finish()), CUDA_SUCCESS) << log;
    EXPECT_EQ(get("scale", CU_FUNC_ATTRIBUTE_NUM_REGS), 24);
    const std::string ptx = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry scale() { ret; }\n";
    writer.add(Writer::ptx, 75, ptx);
    ASSERT_EQ(load(writer.finish()), CUDA_SUCCESS) << log;
    EXPECT_EQ(cuLaunchKernel(function("scale"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS) << "PTX is preferred, because it can run";
}

// Every prefix of a cubin is damaged, because its tables refer to its last bytes.
TEST_P(SimCubinTest, IsRefusedIfItIsTruncated) {
    const std::string code = example(GetParam()).finish();
    for (std::size_t size = 0; size < code.size(); ++size) {
        EXPECT_FALSE(sim::read_cubin(std::string(code, 0, size)).problem.empty()) << size;
    }
    EXPECT_EQ(sim::read_cubin(code).problem, "");
    EXPECT_EQ(sim::cubin_size(code.data()), code.size());
}

TEST_P(SimCubinTest, IsRefusedIfItIsDamaged) {
    const std::string code = example(GetParam()).finish();
    const auto changed = [&](std::size_t offset, auto value) {
        std::string copy = code;
        std::memcpy(copy.data() + offset, &value, sizeof value);
        return sim::read_cubin(copy).problem;
    };
    EXPECT_THAT(changed(EI_ABIVERSION, char{9}), HasSubstr("version of its format is 9"));
    EXPECT_THAT(changed(offsetof(Elf64_Ehdr, e_type), std::uint16_t{ET_REL}), HasSubstr("relocatable"));
    EXPECT_THAT(changed(offsetof(Elf64_Ehdr, e_shoff), ~std::uint64_t{0}), HasSubstr("table of sections"));
    EXPECT_THAT(changed(offsetof(Elf64_Ehdr, e_shnum), std::uint16_t{60000}), HasSubstr("60000 sections"));
    EXPECT_THAT(changed(offsetof(Elf64_Ehdr, e_shstrndx), std::uint16_t{60000}), HasSubstr("no names"));
}

TEST(CubinTest, LimitsTheContentsOfSectionsThatOverlap) {
    constexpr unsigned char unknown_attribute = 0x60;
    const std::string large = CubinWriter::attribute(unknown_attribute, std::vector<std::uint32_t>(10'000));
    CubinWriter writer(CubinWriter::cuda_13, 90);
    writer.add({.name = "large", .attributes = large});
    for (int i = 0; i < 1000; ++i) writer.add({.name = "kernel_" + std::to_string(i)});
    std::string code = writer.finish();
    ASSERT_EQ(sim::read_cubin(code).problem, "");
    Elf64_Ehdr header;
    std::memcpy(&header, code.data(), sizeof header);
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    std::memcpy(sections.data(), code.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
    const auto has_large = [&](const Elf64_Shdr& each) {
        return each.sh_type == SHT_PROGBITS && each.sh_size > large.size() && each.sh_size < large.size() + 100;
    };
    const auto found = std::find_if(sections.begin(), sections.end(), has_large);
    ASSERT_NE(found, sections.end());
    const Elf64_Shdr place = *found;
    for (Elf64_Shdr& section : sections) {  // the attributes of all kernels
        if (section.sh_type != SHT_PROGBITS || section.sh_size != 4) continue;
        section.sh_offset = place.sh_offset;
        section.sh_size = place.sh_size;
    }
    std::memcpy(code.data() + header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr));
    EXPECT_THAT(sim::read_cubin(code).problem, AllOf(HasSubstr("cubin"), HasSubstr("overlap")));
}

TEST(CubinTest, RefusesParametersThatOverlapOrAreTooLarge) {
    const auto problem_with = [](std::vector<CubinWriter::Parameter> parameters) {
        const CubinWriter::Kernel kernel{.name = "k", .parameters = std::move(parameters)};
        return sim::read_cubin(CubinWriter(CubinWriter::cuda_13, 90).add(kernel).finish()).problem;
    };
    EXPECT_THAT(problem_with({{0, 8}, {4, 8}}), AllOf(HasSubstr("kernel k"), HasSubstr("overlap")));
    EXPECT_THAT(problem_with({{0, 32768}}), HasSubstr("32764"));
}

TEST(CubinTest, StopsAtMemoryThatCannotBeRead) {
    std::string code = CubinWriter(CubinWriter::cuda_13, 90).add({.name = "k"}).finish();
    const std::uint64_t far = std::uint64_t{1} << 46;
    std::memcpy(code.data() + offsetof(Elf64_Ehdr, e_shoff), &far, sizeof far);
    EXPECT_EQ(sim::cubin_size(code.data()), 0u);
}

/// Calls `change(header, sections)` for a cubin.
template <class Change>
std::string changed_cubin(Change change) {
    std::string code = CubinWriter(CubinWriter::cuda_13, 90).add({.name = "k"}).finish();
    Elf64_Ehdr header;
    std::memcpy(&header, code.data(), sizeof header);
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    std::memcpy(sections.data(), code.data() + header.e_shoff, sections.size() * sizeof(Elf64_Shdr));
    change(header, sections);
    std::memcpy(code.data(), &header, sizeof header);
    std::memcpy(code.data() + header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr));
    return code;
}

TEST(CubinTest, StopsAtSectionsBeyondAllAddresses) {
    for (const auto& place : {std::pair{~std::uint64_t{9}, std::uint64_t{100}}, std::pair{std::uint64_t{64}, ~std::uint64_t{9}},
                              std::pair{std::uint64_t{1} << 63, std::uint64_t{1} << 63}}) {
        const std::string code = changed_cubin([&](Elf64_Ehdr&, std::vector<Elf64_Shdr>& sections) {
            sections.back().sh_type = SHT_PROGBITS;
            sections.back().sh_offset = place.first;
            sections.back().sh_size = place.second;
        });
        EXPECT_EQ(sim::cubin_size(code.data()), 0u) << place.first;
    }
}

// Between the header and the table of sections is memory that cannot be read, with and without a section in it.
TEST(CubinTest, StopsAtAGapInItsMemory) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t table = 4 * page;
    for (const bool has_section : {true, false}) {
        auto* const memory =
            static_cast<char*>(mmap(nullptr, 5 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        ASSERT_NE(memory, MAP_FAILED);
        std::vector<Elf64_Shdr> own_sections;
        const std::string code = changed_cubin([&](Elf64_Ehdr&, std::vector<Elf64_Shdr>& sections) {
            if (has_section) {
                sections.back().sh_type = SHT_PROGBITS;
                sections.back().sh_offset = 2 * page;
                sections.back().sh_size = 100;
            }
            own_sections = sections;
        });
        ASSERT_LT(code.size(), page);
        ASSERT_LT(own_sections.size() * sizeof(Elf64_Shdr), page);
        code.copy(memory, code.size());
        std::memcpy(memory + table, own_sections.data(), own_sections.size() * sizeof(Elf64_Shdr));
        const std::uint64_t offset = table;
        std::memcpy(memory + offsetof(Elf64_Ehdr, e_shoff), &offset, sizeof offset);
        EXPECT_NE(sim::cubin_size(memory), 0u);
        ASSERT_EQ(mprotect(memory + page, 3 * page, PROT_NONE), 0);
        EXPECT_EQ(sim::cubin_size(memory), 0u);
        munmap(memory, 5 * page);
    }
}

}  // namespace
}  // namespace cubind::testing
