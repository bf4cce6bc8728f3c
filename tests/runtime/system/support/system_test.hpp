// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvml.hpp>
#include <cubind/system.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

namespace cubind::testing {

using nvml::NVML_SUCCESS;
using nvml::nvmlDevice_t;
using nvml::nvmlReturn_t;

/// The handle of a GPU of the stand-in for NVML.
inline nvmlDevice_t gpu_handle(unsigned int index) {
    return reinterpret_cast<nvmlDevice_t>(std::uintptr_t{0x1000} + index);
}

/// The handle of a part of GPU 1.
inline nvmlDevice_t part_handle(unsigned int index) {
    return reinterpret_cast<nvmlDevice_t>(std::uintptr_t{0x2000} + index);
}

/// Copies a text as NVML's functions do.
inline nvmlReturn_t write_text(char* buffer, unsigned int size, const char* text) {
    if (std::strlen(text) >= size) return nvml::NVML_ERROR_INSUFFICIENT_SIZE;
    std::strcpy(buffer, text);
    return NVML_SUCCESS;
}

/// Tests with a stand-in for NVML that has two GPUs; the second is divided into two parts with the indices 0 and 2. The functions
/// of the stand-in return values that occur nowhere else, so that a test notices if two are confused.
class SystemTest : public ::testing::Test {
protected:
    SystemTest();
    ~SystemTest() override;

    /// Replaces a function of the stand-in.
    template <class Function>
    void define(const char* symbol, Function function) {
        replace(symbol, reinterpret_cast<void*>(+function));
    }
    /// Removes a function from the stand-in, as if the library were older.
    void remove(const char* symbol) { replace(symbol, nullptr); }

    /// Returns how often NVML was initialized.
    static int initializations();
    /// Returns the number of sets of events that exist.
    static int living_sets();

    const system::Device gpu_{gpu_handle(0)};
    const system::Device divided_{gpu_handle(1)};

private:
    static void replace(const char* symbol, void* function);
};

/// Returns the Error that `query` throws.
template <class Query>
Error error_of(Query query) {
    try {
        query();
    } catch (const Error& error) {
        return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return {"", "", 0, "", ""};
}

}  // namespace cubind::testing
