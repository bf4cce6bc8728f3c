// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <unistd.h>
#include <vector>

#ifdef HAS_PROFILE
#include "cupti_stand_in.hpp"
#endif
#include "use.hpp"

namespace cubind::testing {

/// A target of layer 3, and its use.
struct Target {
    const char* name;
    void (*use)(const std::string& folder);
};

inline void PrintTo(const Target& target, std::ostream* stream) {
    *stream << target.name;
}

/// Returns the targets of TARGETS, a list such as ENTRY(nvtx) ENTRY(sweep).
inline std::vector<Target> targets() {
#define ENTRY(name) {#name, use_##name},
    return {TARGETS};
#undef ENTRY
}

inline std::string name_of(const ::testing::TestParamInfo<Target>& target) {
    return target.param.name;
}

/// Makes the stand-in for CUPTI record what the simulated driver does.
inline void observe_driver() {
#ifdef HAS_PROFILE
    cupti_stand_in::reset();
    EXPECT_TRUE(cupti_stand_in::observe(&sim::cubindSimulatedObserver));
#endif
}

/// A folder that exists as long as the object.
struct UseFolder {
    UseFolder() { std::filesystem::create_directories(path); }
    ~UseFolder() { std::filesystem::remove_all(path); }
    UseFolder(const UseFolder&) = delete;
    UseFolder& operator=(const UseFolder&) = delete;

    const std::string path = std::filesystem::temp_directory_path() / ("cubind_use." + std::to_string(::getpid()));
};

}  // namespace cubind::testing
