// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "nvshmem_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* empty_kernel = ".version 7.0\n.target sm_60\n.address_size 64\n.visible .entry empty()\n{\n    ret;\n}\n";

class DeviceCodeTest : public NvshmemTest {
protected:
    static ObjectCode code() { return ObjectCode::from_bytes(CodeType::ptx, empty_kernel); }
};

TEST_F(DeviceCodeTest, ConnectsAndDisconnects) {
    nvshmem::Session session = begin();
    Stream stream(Device(2));
    {
        nvshmem::LinkedCode linked(session, code());
        EXPECT_EQ(stand_in().codes, 1);
        launch(stream, {.grid = 1, .block = 1}, linked.kernel("empty"));
        stream.synchronize();
        EXPECT_THAT(message_of<std::invalid_argument>([&] { session.close(); }), HasSubstr("1 linked codes"));
        nvshmem::LinkedCode moved = std::move(linked);
        EXPECT_THROW(static_cast<void>(linked.kernel("empty")), std::invalid_argument);  // NOLINT(bugprone-use-after-move)
        linked = std::move(moved);
        EXPECT_EQ(stand_in().codes, 1);
    }
    EXPECT_EQ(stand_in().codes, 0);
    nvshmem::LinkedCode last(session, code());
    session = nvshmem::Session();
    last.close();  // ends the session, too
    last.close();
    EXPECT_THAT(std::vector<std::string>(stand_in().log.end() - 2, stand_in().log.end()),
                ElementsAre("nvshmemx_culibrary_finalize", "nvshmemx_hostlib_finalize"));
}

TEST_F(DeviceCodeTest, ReportsCodeThatNvshmemRefuses) {
    const nvshmem::Session session = begin();
    stand_in().status = nvshmem::NVSHMEMX_ERROR_INTERNAL;
    EXPECT_THAT(message_of<nvshmem::CommunicationError>([&] { (void)nvshmem::LinkedCode(session, code()); }),
                AllOf(HasSubstr("LinkedCode of PE 2"), HasSubstr("nvshmemx_culibrary_init")));
    EXPECT_EQ(stand_in().codes, 0);
    stand_in().status = nvshmem::NVSHMEMX_SUCCESS;
}

/// Tests with a folder that has the parts of a package.
class PackageTest : public ::testing::Test {
protected:
    PackageTest() : folder_(::testing::TempDir() + "/nvshmem-package-" + std::to_string(::getpid())) {
        fs::create_directories(folder_ / "include");
        fs::create_directories(folder_ / "lib");
        std::ofstream(folder_ / "include/nvshmem.h") << "// empty\n";
        std::ofstream(folder_ / "lib/libnvshmem_device.a") << "!<arch>\n";
    }
    ~PackageTest() override { fs::remove_all(folder_); }

    fs::path folder_;
};

TEST_F(PackageTest, UsesTheFilesThatVariablesName) {
    ::setenv("CUBIND_NVSHMEM_HEADERS", (folder_ / "include").c_str(), 1);
    ::setenv("CUBIND_NVSHMEM_DEVICE_STATIC_LIBRARY", (folder_ / "lib/libnvshmem_device.a").c_str(), 1);
    EXPECT_EQ(nvshmem::include_folder(), folder_ / "include");
    EXPECT_EQ(nvshmem::device_library(), folder_ / "lib/libnvshmem_device.a");
    const ProgramOptions options = nvshmem::program("int i;", {.include_path = {"/first"}, .pre_include = {"own.h"}}).options();
    EXPECT_THAT(options.include_path, ElementsAre("/first", (folder_ / "include").string()));
    EXPECT_THAT(options.pre_include, ElementsAre(HasSubstr("prelude"), "own.h"));
    EXPECT_EQ(options.std, "c++17");
    EXPECT_EQ(options.relocatable_device_code, true);
    const ProgramOptions other = nvshmem::program("int i;", {.std = "c++20", .link_time_optimization = true}).options();
    EXPECT_EQ(other.std, "c++20");
    EXPECT_EQ(other.relocatable_device_code, std::nullopt);
}

TEST_F(PackageTest, NamesThePackageOfAMissingFile) {
    ::setenv("CUBIND_NVSHMEM_DEVICE_STATIC_LIBRARY", (folder_ / "absent.a").c_str(), 1);
    ::setenv("CUBIND_NVSHMEM_LIBRARY", (folder_ / "absent.so").c_str(), 1);
    EXPECT_THAT(message_of<LoadError>([] { static_cast<void>(nvshmem::device_library()); }),
                AllOf(HasSubstr("libnvshmem_device.a"), HasSubstr("nvidia-nvshmem-cu13"), HasSubstr("absent.a")));
    const auto code = ObjectCode::from_bytes(CodeType::ptx, empty_kernel);
    EXPECT_THROW(static_cast<void>(nvshmem::link_device_library(code, {.arch = "sm_90"})), LoadError);
}

}  // namespace
}  // namespace cubind::testing
