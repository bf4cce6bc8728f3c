// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/object_code.hpp>
#include <cubind/driver/context.hpp>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core_test.hpp"

namespace cubind::testing {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
namespace faults = cubind::layers::faults;
namespace leaks = cubind::layers::leaks;

/// Code with kernels and variables of several kinds.
inline constexpr const char* code_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .const .align 4 .b8 coefficients[64] = {1, 2, 3};
.visible .global .align 4 .u32 counter = 7;
.visible .global .attribute(.managed) .align 4 .u32 shared_counter = 3;
.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u64 n) { ret; }
.visible .entry _Z5scaleIfEvPT_(.param .u64 x) { ret; }
.visible .entry tiled() .maxntid 256, 1, 1 { .shared .align 8 .b8 tile[1024]; ret; }
.visible .entry clustered() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
)";

/// A test that loads code_ptx.
class CodeTest : public CoreTest {
protected:
    /// Functions whose failure is tolerated: if the current device cannot be queried, device 0 is used.
    static inline const std::vector<std::string> current_device = {"cuCtxGetDevice"};

    static ObjectCode code() {
        return ObjectCode::from_bytes(CodeType::ptx, code_ptx,
                                      {.name = "tests", .symbol_mapping = {{"scale<float>", "_Z5scaleIfEvPT_"}}});
    }

    /// Creates the objects that exist once per process.
    static void use_devices() {
        for (const Device device : Device::all()) (void)device.primary_context();
    }
};

}  // namespace cubind::testing
