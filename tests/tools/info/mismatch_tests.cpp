// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Compatibility of versions, tested with made-up facts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mismatches.hpp"

namespace cubind::testing {
namespace {

using namespace cubind::info;

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MismatchTest : public ::testing::Test {
protected:
    MismatchTest() {
        for (const char* name : {"driver", "runtime", "nvrtc", "nvjitlink"}) {
            LibraryFacts library;
            library.name = name;
            library.found = true;
            library.path = std::string("/lib/lib") + name + ".so";
            library.version = 13000;
            facts_.libraries.push_back(library);
        }
        facts_.driver.usable = true;
        facts_.driver.devices = {{0, "GPU", 90}};
        facts_.compiler.ptx_isa = 9000;
        facts_.compiler.architectures = {75, 90, 120};
    }

    LibraryFacts& library(const std::string& name) { return const_cast<LibraryFacts&>(facts_.library(name)); }
    void set(const std::string& name, Release version) { library(name).version = version; }
    void make_missing(const std::string& name) {
        LibraryFacts missing;
        missing.name = name;
        library(name) = missing;
    }
    std::vector<std::string> ids() const {
        std::vector<std::string> list;
        for (const auto& mismatch : find_mismatches(facts_)) list.push_back(mismatch.id);
        return list;
    }
    std::string text() const { return find_mismatches(facts_).at(0).text; }

    Facts facts_;
};

TEST_F(MismatchTest, AcceptsOneRelease) {
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MismatchTest, AcceptsANewerDriver) {
    set("driver", 14020);
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MismatchTest, ReportsPtxForAnOlderDriverOfTheSameMajor) {
    for (const char* name : {"runtime", "nvrtc", "nvjitlink"}) set(name, 13040);
    facts_.compiler.ptx_isa = 9040;
    EXPECT_THAT(ids(), ElementsAre("ptx_too_new"));
    for (const char* part : {"NVRTC of CUDA 13.4", "PTX ISA 9.4", "the driver, of CUDA 13.0, accepts 9.0 at most",
                             "--gpu-architecture=sm_90", "a driver for CUDA 13.4 or newer", "NVRTC of CUDA 13.0"}) {
        EXPECT_THAT(text(), HasSubstr(part));
    }
}

TEST_F(MismatchTest, AcceptsReleasesWithTheSamePtxIsa) {
    for (const char* name : {"runtime", "nvrtc", "nvjitlink"}) set(name, 12060);
    set("driver", 12050);
    facts_.compiler.ptx_isa = 8050;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MismatchTest, ReportsTheRuntimeForADriverOfAnOlderMajor) {
    set("driver", 12090);
    EXPECT_THAT(ids(), ElementsAre("runtime_too_new", "ptx_too_new"));
    EXPECT_THAT(text(), HasSubstr("of CUDA 13.0, but the driver of CUDA 12.9"));
    EXPECT_THAT(find_mismatches(facts_).at(1).text, Not(HasSubstr("sm_90"))) << "no cubin of CUDA 13 runs there";
}

TEST_F(MismatchTest, AcceptsPtxForADriverThatIsNotInTheTable) {
    set("driver", 13090);
    set("nvrtc", 13090);
    set("nvjitlink", 13090);
    facts_.compiler.ptx_isa = 9090;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MismatchTest, ReportsADriverFromBeforeCuda12) {
    set("driver", 11080);
    EXPECT_THAT(ids(), ElementsAre("driver_too_old", "runtime_too_new"));
    EXPECT_THAT(text(), AllOf(HasSubstr("CUDA 11.8"), HasSubstr("CUDA 12.0 or newer")));
}

TEST_F(MismatchTest, ReportsHeadersOfAnotherReleaseThanTheCompiler) {
    facts_.compiler.headers_path = "/opt/cuda/include";
    facts_.compiler.headers = facts_.library("nvrtc").version;
    facts_.compiler.refused_headers = "/opt/include can be written by others";
    EXPECT_THAT(ids(), IsEmpty()) << "there are others";
    facts_.compiler.headers = 0;
    EXPECT_THAT(ids(), IsEmpty()) << "of an unknown release";
    facts_.compiler.headers = 12040;
    EXPECT_THAT(ids(), ElementsAre("headers_of_another_release"));
    EXPECT_THAT(text(), AllOf(HasSubstr("/opt/cuda/include are of CUDA 12.4"), HasSubstr("nvidia-cuda-runtime")));
    facts_.compiler.headers_path.clear();
    EXPECT_THAT(ids(), ElementsAre("headers_refused"));
    EXPECT_THAT(text(), HasSubstr("/opt/include can be written by others"));
}

TEST_F(MismatchTest, ReportsALinkerThatIsOlderThanTheCompiler) {
    set("nvjitlink", 13010);
    EXPECT_THAT(ids(), IsEmpty()) << "a newer linker is valid";
    set("nvrtc", 13020);
    facts_.compiler.ptx_isa = 9000;
    EXPECT_THAT(ids(), ElementsAre("nvjitlink_older_than_nvrtc"));
    EXPECT_THAT(text(), HasSubstr("nvJitLink, of CUDA 13.1, is older than NVRTC, of CUDA 13.2"));
}

TEST_F(MismatchTest, ReportsALinkerOfAnotherMajor) {
    set("nvjitlink", 12090);
    EXPECT_THAT(ids(), ElementsAre("nvjitlink_of_another_major"));
    set("nvrtc", 12090);
    set("nvjitlink", 13000);
    facts_.compiler.ptx_isa = 8080;
    EXPECT_THAT(ids(), ElementsAre("nvjitlink_of_another_major"));
}

TEST_F(MismatchTest, TreatsALinkerWithoutVersionAsOlderThan12_3) {
    set("nvjitlink", 0);
    EXPECT_THAT(ids(), ElementsAre("nvjitlink_older_than_nvrtc"));
    set("nvrtc", 12020);
    facts_.compiler.ptx_isa = 8020;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MismatchTest, ReportsADeviceThatIsTooOldForNvrtc) {
    facts_.driver.devices = {{0, "Old GPU", 70}};
    EXPECT_THAT(ids(), ElementsAre("gpu_too_old_for_nvrtc"));
    EXPECT_THAT(text(), AllOf(HasSubstr("Device 0, Old GPU, "), HasSubstr("compute capability 7.0"),
                              HasSubstr("NVRTC of CUDA 13.0"), HasSubstr("oldest is 7.5")));
}

TEST_F(MismatchTest, ReportsADeviceThatIsTooNewForNvrtc) {
    facts_.driver.devices = {{0, "GPU", 90}, {1, "New GPU", 130}};
    EXPECT_THAT(ids(), ElementsAre("gpu_too_new_for_nvrtc"));
    EXPECT_THAT(text(), AllOf(HasSubstr("Device 1, New GPU, "), HasSubstr("compute capability 13.0"),
                              HasSubstr("NVRTC of CUDA 13.0"), HasSubstr("newest is 12.0"), HasSubstr("compute_120")));
}

TEST_F(MismatchTest, ReportsADeviceBetweenSupportedArchitectures) {
    facts_.driver.devices = {{0, "GPU", 89}};
    EXPECT_THAT(ids(), ElementsAre("gpu_too_new_for_nvrtc"));
    EXPECT_THAT(text(), HasSubstr("compute_75"));
}

TEST_F(MismatchTest, ReportsAMissingDriver) {
    make_missing("driver");
    library("driver").why_missing = "No CUDA driver found: libcuda.so.1 could not be loaded. Remedy.\nTried, in this order:\n";
    facts_.driver = {};
    EXPECT_THAT(ids(), ElementsAre("driver_missing"));
    EXPECT_EQ(text(), "No CUDA driver found: libcuda.so.1 could not be loaded. Remedy.");
}

TEST_F(MismatchTest, ReportsMissingDevices) {
    facts_.driver.devices.clear();
    EXPECT_THAT(ids(), ElementsAre("no_device"));
    facts_.driver.usable = false;
    EXPECT_THAT(ids(), ElementsAre("driver_unusable"));
}

TEST_F(MismatchTest, AcceptsMissingToolkitLibraries) {
    for (const char* name : {"runtime", "nvrtc", "nvjitlink"}) make_missing(name);
    facts_.compiler = {};
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(MismatchTest, ReportsOnlyTheDriverWithoutAnyFacts) {
    facts_ = {};
    EXPECT_THAT(ids(), ElementsAre("driver_missing"));
}

}  // namespace
}  // namespace cubind::testing
