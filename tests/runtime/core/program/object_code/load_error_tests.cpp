// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/detail/ptx_isa.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <vector>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

class ObjectCodeLoadTest : public CodeTest {};

std::string load_message(CodeType kind, std::string_view bytes) {
    return message_of<LoadError>([&] { (void)ObjectCode::from_bytes(kind, bytes, {.name = "given"}).kernel("saxpy"); });
}

/// Returns the header of a cubin without sections.
std::string empty_cubin() {
    std::string cubin(64, '\0');
    cubin.replace(0, 7,
                  "\x7f"
                  "ELF\x02\x01\x01");
    cubin[18] = static_cast<char>(190);
    return cubin;
}

template <class Number>
void put(std::string& image, std::size_t offset, Number number) {
    std::memcpy(image.data() + offset, &number, sizeof number);
}

TEST_F(ObjectCodeLoadTest, ListsTheKernelsForAnUnknownOne) {
    const std::string message = message_of<LoadError>([] { (void)code().kernel("saxpi"); });
    EXPECT_THAT(message, AllOf(HasSubstr("CUDA_ERROR_NOT_FOUND"), HasSubstr("\"saxpi\""), HasSubstr("PTX \"tests\"")));
    EXPECT_THAT(message, AllOf(HasSubstr("scale<float>, "), HasSubstr("saxpy"), HasSubstr("tiled"), HasSubstr("clustered")));
    EXPECT_THAT(message, Not(HasSubstr("_Z5scaleIfEvPT_"))) << "a mapped kernel is listed by its expression";
}

TEST_F(ObjectCodeLoadTest, ListsThirtyOfManyKernels) {
    std::string many = ".version 8.0\n.target sm_90\n.address_size 64\n";
    for (int i = 0; i < 100; ++i) many.append(".visible .entry k").append(std::to_string(i)).append("() { ret; }\n");
    const std::string message = message_of<LoadError>([&] { (void)ObjectCode::from_bytes(CodeType::ptx, many).kernel("none"); });
    EXPECT_THAT(message, AllOf(HasSubstr("k29 and 70 more"), Not(HasSubstr("k30"))));
}

TEST_F(ObjectCodeLoadTest, StatesThatAnOldDriverCannotListKernels) {
    sim::install({.release = "12.2"});
    const std::string message =
        message_of<LoadError>([] { (void)ObjectCode::from_bytes(CodeType::ptx, code_ptx).kernel("saxpi"); });
    EXPECT_THAT(message, HasSubstr("drivers before CUDA 12.4 cannot list"));
    EXPECT_THAT(message_of<LoadError>([] { (void)code().kernel("saxpi"); }), HasSubstr("it has scale<float>"))
        << "the symbol mapping is known";
}

TEST_F(ObjectCodeLoadTest, ReportsUnknownVariables) {
    EXPECT_THAT(message_of<LoadError>([] { (void)code().global("count"); }),
                AllOf(HasSubstr("\"count\""), HasSubstr("__device__")));
    EXPECT_THAT(message_of<LoadError>([] { (void)code().managed("count"); }),
                AllOf(HasSubstr("\"count\""), HasSubstr("__managed__")));
}

TEST_F(ObjectCodeLoadTest, StatesWhyCodeHasNoKernels) {
    sim::install({.release = "12.4"});
    const Device device;
    const auto ptx = [](const std::string& version) {
        return ObjectCode::from_bytes(CodeType::ptx,
                                      ".version " + version + "\n.target sm_90\n.address_size 64\n.global .u32 x;\n");
    };
    EXPECT_THAT(message_of<LoadError>([&] { (void)ptx("8.7").kernels(); }),
                AllOf(HasSubstr("it is PTX 8.7"), HasSubstr("accepts PTX up to 8.4")));
    EXPECT_TRUE(ptx("8.4").kernels().empty());
}

TEST_F(ObjectCodeLoadTest, NamesTheReleaseThatNewPtxRequires) {
    sim::install({.release = "12.4"});
    const std::string message =
        load_message(CodeType::ptx, ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry saxpy() { ret; }\n");
    EXPECT_THAT(message,
                AllOf(HasSubstr("CUDA_ERROR_UNSUPPORTED_PTX_VERSION"), HasSubstr("it is PTX 8.7"), HasSubstr("of CUDA 12.4")));
    EXPECT_THAT(message,
                AllOf(HasSubstr("up to 8.4"), HasSubstr("a driver of CUDA 12.8 or newer"), HasSubstr("CUBIND_SIM_RELEASE")));
    EXPECT_THAT(message, ::testing::Not(HasSubstr("CodeType::cubin")))
        << "a Program compiles to PTX for a simulated device anyway";
}

TEST_F(ObjectCodeLoadTest, ReportsPtxNewerThanAnyRelease) {
    const std::string message =
        load_message(CodeType::ptx, ".version 99.0\n.target sm_90\n.address_size 64\n.visible .entry saxpy() { ret; }\n");
    const std::string newest = detail::release_text(std::end(detail::ptx_isa_of_releases)[-1].release);
    EXPECT_THAT(message, AllOf(HasSubstr("it is PTX 99.0"), HasSubstr("newer than CUDA " + newest)));
}

TEST_F(ObjectCodeLoadTest, ContainsTheLogOfTheDriver) {
    const std::string message =
        load_message(CodeType::ptx, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry saxpy( { ret; }\n");
    EXPECT_THAT(message, AllOf(HasSubstr("CUDA_ERROR_INVALID_PTX"), HasSubstr("\"given\""), HasSubstr("line 4")));
}

TEST_F(ObjectCodeLoadTest, RejectsCodeForAnotherDevice) {
    sim::install({.major = 8, .minor = 0});
    EXPECT_THAT(message_of<LoadError>([] { (void)code().global("counter"); }), HasSubstr("CUDA_ERROR_INVALID_PTX"));
}

TEST_F(ObjectCodeLoadTest, RejectsKindsThatMustBeLinkedFirst) {
    for (const CodeType kind : {CodeType::lto_ir, CodeType::object, CodeType::library}) {
        const ObjectCode one = ObjectCode::from_bytes(kind, std::string_view("anything"));
        const std::string message = message_of<std::invalid_argument>([&] { (void)one.kernel("saxpy"); });
        EXPECT_THAT(message, AllOf(HasSubstr(to_string(kind)), HasSubstr("link it first")));
    }
}

TEST_F(ObjectCodeLoadTest, RejectsCodeWithoutBytes) {
    EXPECT_THAT(message_of<std::invalid_argument>([] { (void)ObjectCode::from_bytes(CodeType::cubin, std::string_view()); }),
                HasSubstr("0 bytes"));
    EXPECT_THROW((void)ObjectCode::from_bytes(CodeType::ptx, Bytes()), std::invalid_argument);
    EXPECT_THROW((void)ObjectCode::from_bytes(CodeType::ptx, std::span<const std::byte>()), std::invalid_argument);
}

TEST_F(ObjectCodeLoadTest, LetsTheDriverDetectTheForm) {
    EXPECT_EQ(ObjectCode::from_bytes(CodeType::cubin, std::string_view(code_ptx)).kernel("saxpy").name(), "saxpy");
    EXPECT_THAT(load_message(CodeType::cubin, "?"), AllOf(HasSubstr("CUDA_ERROR_INVALID_IMAGE"), HasSubstr("of another kind")));
}

TEST_F(ObjectCodeLoadTest, RejectsInvalidImagesBeforeTheDriver) {
    faults::start();
    EXPECT_THAT(load_message(CodeType::cubin,
                             "\x7f"
                             "ELF"),
                AllOf(HasSubstr("truncated"), HasSubstr("4 bytes"), HasSubstr("require 64")));
    std::string of_32_bits = empty_cubin();
    of_32_bits[4] = 1;
    EXPECT_THAT(load_message(CodeType::cubin, of_32_bits), HasSubstr("cubins are 64-bit"));
    EXPECT_THAT(load_message(CodeType::fatbin, "\x50\xED\x55\xBA"), HasSubstr("require 16"));
    EXPECT_THAT(load_message(CodeType::fatbin, "\xB1\x43\x62\x46 and so on"), HasSubstr("contains an address"));
    EXPECT_EQ(faults::calls("cuLibraryLoadData"), 0u);
}

TEST_F(ObjectCodeLoadTest, RejectsTruncatedImagesBeforeTheDriver) {
    faults::start();
    std::string cubin = empty_cubin();
    put(cubin, 40, std::uint64_t{64});  // sections
    put(cubin, 58, std::uint16_t{64});
    put(cubin, 60, std::uint16_t{2});
    EXPECT_THAT(load_message(CodeType::cubin, cubin), AllOf(HasSubstr("64 bytes"), HasSubstr("require 192")));
    cubin.resize(192, '\0');
    put(cubin, 64 + 4, std::uint32_t{1});
    put(cubin, 64 + 24, std::uint64_t{150});
    put(cubin, 64 + 32, std::uint64_t{100});
    EXPECT_THAT(load_message(CodeType::cubin, cubin), HasSubstr("require 250"));
    put(cubin, 64 + 32, UINT64_MAX);
    EXPECT_THAT(load_message(CodeType::cubin, cubin), HasSubstr("truncated"));
    put(cubin, 64 + 4, std::uint32_t{8});  // a section without bytes in the file
    EXPECT_EQ(faults::calls("cuLibraryLoadData"), 0u);
    EXPECT_THAT(load_message(CodeType::cubin, cubin), HasSubstr("CUDA_ERROR_INVALID_IMAGE")) << "the error of a simulated device";
    EXPECT_EQ(faults::calls("cuLibraryLoadData"), 1u);

    std::string fatbin(16, '\0');
    put(fatbin, 0, std::uint32_t{0xBA55ED50});
    put(fatbin, 6, std::uint16_t{16});
    put(fatbin, 8, std::uint64_t{1000});
    EXPECT_THAT(load_message(CodeType::fatbin, fatbin), HasSubstr("require 1016"));
    put(fatbin, 4, std::uint16_t{1});
    put(fatbin, 8, std::uint64_t{0});
    EXPECT_THAT(load_message(CodeType::fatbin, fatbin), HasSubstr("CUDA_ERROR_NO_BINARY_FOR_GPU"));
}

TEST_F(ObjectCodeLoadTest, RejectsUseAfterAMove) {
    ObjectCode one = code();
    const ObjectCode other = std::move(one);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)one.kernel("saxpy"); }),
                HasSubstr("ObjectCode was moved from"));  // NOLINT
    EXPECT_THROW((void)one.kind(), std::invalid_argument);
    EXPECT_THROW((void)one.bytes(), std::invalid_argument);
    EXPECT_THROW(one.save("nowhere"), std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing
