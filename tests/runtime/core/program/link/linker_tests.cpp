// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// The driver's linker, which is used because nvJitLink is missing.
#include <cubind/core/program/linker.hpp>
#include <cubind/core/program/program.hpp>

#include <cstdlib>

#include "code_test.hpp"

namespace cubind::testing {
namespace {

class LinkerTest : public CodeTest {
protected:
    LinkerTest() { setenv("CUBIND_NVJITLINK_LIBRARY", "/nowhere/libnvJitLink.so", 1); }

    static ObjectCode other(CodeType kind) { return ObjectCode::from_bytes(kind, std::string_view("code"), {.name = "other"}); }
};

TEST_F(LinkerTest, FallsBackToTheDriverAndReportsTheReason) {
    const Linker linker({code()});
    EXPECT_EQ(linker.backend(), LinkerBackend::driver);
    EXPECT_STREQ(to_string(linker.backend()), "driver");
    EXPECT_THAT(linker.fallback_reason(), AllOf(HasSubstr("CUBIND_NVJITLINK_LIBRARY"), HasSubstr("/nowhere/libnvJitLink.so")));
    EXPECT_EQ(Linker::which_backend(), LinkerBackend::driver);
}

TEST_F(LinkerTest, LinksForTheCurrentDevice) {
    Linker linker({code()}, {.name = "linked"});
    const ObjectCode linked = linker.link();
    EXPECT_EQ(linked.kind(), CodeType::ptx) << "the device is simulated";
    EXPECT_NE(linked.text().back(), '\0');
    EXPECT_EQ(linked.name(), "linked");
    EXPECT_EQ(linked.kernel("saxpy").parameters().size(), 4u);
    EXPECT_EQ(linker.error_log(), "");
    EXPECT_EQ(linker.link().kernel("saxpy").name(), "saxpy") << "a second link";
    EXPECT_EQ(ContextRef::current(), ContextRef());
}

TEST_F(LinkerTest, ReportsTheTime) {
    Linker linker({code()}, {.time = true});
    (void)linker.link();
    EXPECT_THAT(linker.info_log(), HasSubstr("linked in 0.0"));
}

TEST_F(LinkerTest, ReportsTheLogAndTheInputs) {
    Linker linker({ObjectCode::from_bytes(CodeType::ptx, std::string_view(".version 8.0\n.target sm_90\n.nonsense\n"),
                                          {.name = "broken"})});
    try {
        (void)linker.link();
        FAIL() << "no error";
    } catch (const LinkError& error) {
        EXPECT_EQ(error.function(), "cuLinkAddData_v2");
        EXPECT_THAT(error.what(), AllOf(HasSubstr("for sm_90"), HasSubstr("PTX \"broken\": "), HasSubstr("line 3")));
        EXPECT_THAT(error.log(), HasSubstr("line 3"));
        EXPECT_EQ(linker.error_log(), error.log());
    }
}

TEST_F(LinkerTest, CountsInputsWithoutAName) {
    Linker linker({other(CodeType::object), ObjectCode::from_bytes(CodeType::library, std::string_view("x"))});
    EXPECT_THAT(message_of<LinkError>([&] { (void)linker.link(); }), HasSubstr("object file \"other\", library \"input 2\""));
}

TEST_F(LinkerTest, PassesEveryKindToTheDriver) {
    for (const CodeType kind : {CodeType::cubin, CodeType::object, CodeType::library}) {
        EXPECT_THAT(message_of<LinkError>([&] { (void)Linker({other(kind)}).link(); }), HasSubstr("CUDA_ERROR_NOT_SUPPORTED"));
    }
    EXPECT_THAT(message_of<LinkError>([] { (void)Linker({other(CodeType::fatbin)}).link(); }),
                HasSubstr("CUDA_ERROR_INVALID_IMAGE"));
}

TEST_F(LinkerTest, RefusesLtoIr) {
    const std::string message = message_of<LinkError>([] { (void)Linker({other(CodeType::lto_ir)}).link(); });
    EXPECT_THAT(message, AllOf(HasSubstr("LTO-IR"), HasSubstr("\"other\""), HasSubstr("nvJitLink is not used: ")));
    EXPECT_THAT(message, HasSubstr("/nowhere/libnvJitLink.so"));
}

TEST_F(LinkerTest, RefusesMisuse) {
    const auto message = [](const std::function<void()>& operation) { return message_of<std::invalid_argument>(operation); };
    EXPECT_THAT(message([] { Linker({}); }), HasSubstr("at least one ObjectCode"));
    EXPECT_THAT(message([] { Linker({code()}, {.arch = "x"}); }), HasSubstr("arch"));
    EXPECT_THAT(message([] { (void)Linker({code()}).link(CodeType::ptx); }), HasSubstr("needs nvJitLink"));
    EXPECT_THAT(message([] { (void)Linker({code()}).link(CodeType::fatbin); }), HasSubstr("fat binary"));
    EXPECT_THAT(message([] { (void)Linker({code()}, {.link_time_optimization = true, .ptx = true}).link(); }),
                HasSubstr("LinkerOptions::ptx"));
    EXPECT_THAT(message([] { (void)Linker({code()}, {.no_cache = true}).link(); }), HasSubstr("no_cache"));
    ObjectCode moved = code();
    const ObjectCode other_code = std::move(moved);
    EXPECT_THAT(message([&] { Linker({moved}); }), HasSubstr("ObjectCode was moved from"));  // NOLINT
}

TEST_F(LinkerTest, NeedsAnArchitectureWithoutADevice) {
    sim::install({.devices = 0});
    EXPECT_THAT(
        message_of<Error>([] { (void)Linker({code()}).link(); }),
        AllOf(HasSubstr("CUDA_ERROR_NO_DEVICE"), HasSubstr("LinkerOptions::arch is empty"), HasSubstr("e.g. to \"sm_90\"")));
}

TEST_F(LinkerTest, LinksPtxPrograms) {
    Program program(SourceKind::ptx, code_ptx, {.name = "by hand"});
    EXPECT_EQ(program.backend(), CompilerBackend::driver);
    const ObjectCode compiled = program.compile(CodeType::cubin);
    EXPECT_EQ(compiled.name(), "by hand");
    EXPECT_EQ(compiled.kernel("saxpy").name(), "saxpy");
    Program broken(SourceKind::ptx, ".version 8.0\n.target sm_90\n.nonsense\n");
    EXPECT_THAT(message_of<LinkError>([&] { (void)broken.compile(CodeType::cubin); }), HasSubstr("line 3"));
    EXPECT_THAT(broken.log(), HasSubstr("line 3"));
}

TEST_F(LinkerTest, ReportsEachCallThatFailsInASweep) {
    sweep([] { (void)Linker({code()}).link(); }, current_device);
    sweep([] { (void)Program(SourceKind::ptx, code_ptx).compile(CodeType::cubin); }, current_device);
}

}  // namespace
}  // namespace cubind::testing
