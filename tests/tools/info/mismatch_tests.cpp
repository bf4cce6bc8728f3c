// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Which versions fit together, by facts that no machine has to have.
#include "mismatches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cubind::info {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Mismatches : public ::testing::Test {
protected:
    Mismatches() {
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
    void lose(const std::string& name) {
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

TEST_F(Mismatches, OneReleaseFits) {
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(Mismatches, ANewerDriverFitsEverything) {
    set("driver", 14020);
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(Mismatches, AnOlderDriverOfTheSameMajorMissesOnlyPtx) {
    for (const char* name : {"runtime", "nvrtc", "nvjitlink"}) set(name, 13040);
    facts_.compiler.ptx_isa = 9040;
    EXPECT_THAT(ids(), ElementsAre("ptx_too_new"));
    EXPECT_EQ(text(), "NVRTC of CUDA 13.4 emits PTX ISA 9.4, but the driver, of CUDA 13.0, accepts 9.0 at most, so what is compiled "
                      "to PTX will not load: compile for the GPU itself (--gpu-architecture=sm_90), or install a driver for "
                      "CUDA 13.4 or newer, or NVRTC of CUDA 13.0.");
}

TEST_F(Mismatches, ReleasesWithOnePtxIsaFit) {
    for (const char* name : {"runtime", "nvrtc", "nvjitlink"}) set(name, 12060);
    set("driver", 12050);
    facts_.compiler.ptx_isa = 8050;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(Mismatches, ADriverOfAnOlderMajorMissesTheRuntimeToo) {
    set("driver", 12090);
    EXPECT_THAT(ids(), ElementsAre("runtime_too_new", "ptx_too_new"));
    EXPECT_THAT(text(), HasSubstr("of CUDA 13.0, but the driver of CUDA 12.9"));
    EXPECT_THAT(find_mismatches(facts_).at(1).text, Not(HasSubstr("sm_90"))) << "no cubin of CUDA 13 runs there";
}

TEST_F(Mismatches, ADriverThatTheTableDoesNotHaveIsNotBlamedForWhatItMayAccept) {
    set("driver", 13090);
    set("nvrtc", 13090);
    set("nvjitlink", 13090);
    facts_.compiler.ptx_isa = 9090;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(Mismatches, ADriverFromBeforeCuda12) {
    set("driver", 11080);
    EXPECT_THAT(ids(), ElementsAre("driver_too_old", "runtime_too_new"));
    EXPECT_THAT(text(), HasSubstr("of CUDA 11.8, and cubind is made for CUDA 12.0 and newer"));
}

TEST_F(Mismatches, TheLinkerHasToBeAsNewAsTheCompiler) {
    set("nvjitlink", 13010);
    EXPECT_THAT(ids(), IsEmpty()) << "newer is fine";
    set("nvrtc", 13020);
    facts_.compiler.ptx_isa = 9000;
    EXPECT_THAT(ids(), ElementsAre("nvjitlink_older_than_nvrtc"));
    EXPECT_THAT(text(), HasSubstr("nvJitLink, of CUDA 13.1, is older than NVRTC, of CUDA 13.2"));
}

TEST_F(Mismatches, TheLinkerHasToBeOfTheSameMajor) {
    set("nvjitlink", 12090);
    EXPECT_THAT(ids(), ElementsAre("nvjitlink_of_another_major"));
    set("nvrtc", 12090);
    set("nvjitlink", 13000);
    facts_.compiler.ptx_isa = 8080;
    EXPECT_THAT(ids(), ElementsAre("nvjitlink_of_another_major"));
}

TEST_F(Mismatches, ALinkerThatTellsNoVersionIsFromBefore12_3) {
    set("nvjitlink", 0);
    EXPECT_THAT(ids(), ElementsAre("nvjitlink_older_than_nvrtc"));
    set("nvrtc", 12020);
    facts_.compiler.ptx_isa = 8020;
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(Mismatches, ADeviceThatNvrtcNoLongerCompilesFor) {
    facts_.driver.devices = {{0, "Old GPU", 70}};
    EXPECT_THAT(ids(), ElementsAre("gpu_too_old_for_nvrtc"));
    EXPECT_THAT(text(), HasSubstr("Device 0, Old GPU, is of compute capability 7.0, which NVRTC of CUDA 13.0 no longer compiles for "
                                  "(its oldest is 7.5)"));
}

TEST_F(Mismatches, ADeviceThatNvrtcDoesNotYetCompileFor) {
    facts_.driver.devices = {{0, "GPU", 90}, {1, "New GPU", 130}};
    EXPECT_THAT(ids(), ElementsAre("gpu_too_new_for_nvrtc"));
    EXPECT_THAT(text(), HasSubstr("Device 1, New GPU, is of compute capability 13.0, which NVRTC of CUDA 13.0 does not compile for yet "
                                  "(its newest is 12.0): compile to PTX for compute_120"));
}

TEST_F(Mismatches, ADeviceBetweenThoseThatNvrtcKnows) {
    facts_.driver.devices = {{0, "GPU", 89}};
    EXPECT_THAT(ids(), ElementsAre("gpu_too_new_for_nvrtc"));
    EXPECT_THAT(text(), HasSubstr("does not compile for itself: compile to PTX for compute_75"));
}

TEST_F(Mismatches, ADriverIsNeeded) {
    lose("driver");
    library("driver").why_missing = "The library driver could not be loaded. Remedy.\nTried, in this order:\n";
    facts_.driver = {};
    EXPECT_THAT(ids(), ElementsAre("driver_missing"));
    EXPECT_EQ(text(), "The library driver could not be loaded. Remedy.");
}

TEST_F(Mismatches, ADeviceIsNeeded) {
    facts_.driver.devices.clear();
    EXPECT_THAT(ids(), ElementsAre("no_device"));
    facts_.driver.usable = false;
    EXPECT_THAT(ids(), ElementsAre("driver_unusable"));
}

TEST_F(Mismatches, ToolkitLibrariesAreNotNeeded) {
    for (const char* name : {"runtime", "nvrtc", "nvjitlink"}) lose(name);
    facts_.compiler = {};
    EXPECT_THAT(ids(), IsEmpty());
}

TEST_F(Mismatches, NothingAtAllIsOneMismatch) {
    facts_ = {};
    EXPECT_THAT(ids(), ElementsAre("driver_missing"));
}

}  // namespace
}  // namespace cubind::info
