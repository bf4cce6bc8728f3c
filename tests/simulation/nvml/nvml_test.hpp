// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/nvml.hpp>

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <string>

namespace cubind::testing {

using namespace cubind::nvml;

/// Returns a symbol of the loaded management library; null if the library lacks it.
template <class Function>
Function* nvml_symbol(const char* name) {
    void* const library = dlopen(library_path(nvml::library()), RTLD_NOW);
    return reinterpret_cast<Function*>(library != nullptr ? dlsym(library, name) : nullptr);
}

/// A session of the simulated management library.
class SimNvmlTest : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(nvmlInit_v2().status, NVML_SUCCESS); }
    void TearDown() override { EXPECT_EQ(nvmlShutdown().status, NVML_SUCCESS); }

    /// Returns the handle of a device.
    static nvmlDevice_t device(unsigned int index = 0) { return nvmlDeviceGetHandleByIndex_v2(index).value; }
    /// Calls `test(device, ordinal)` for each device.
    template <class Test>
    static void each_device(Test test) {
        const unsigned int count = nvmlDeviceGetCount_v2().value;
        EXPECT_GE(count, 1u);
        for (unsigned int index = 0; index < count; ++index) test(device(index), static_cast<int>(index));
    }
};

/// Returns the text that `write(buffer, length)` writes.
template <class Write>
std::string text_of(Write write) {
    char buffer[128] = {};
    EXPECT_EQ(write(buffer, static_cast<unsigned int>(sizeof buffer)).status, NVML_SUCCESS);
    return buffer;
}

}  // namespace cubind::testing
