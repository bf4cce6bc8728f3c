// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Modules with mistakes: the status of a driver, and a log that names the line and the problem. NVIDIA's ptxas 13.0 for sm_90
// accepts and rejects the same texts.
#include <gmock/gmock.h>

#include "bad_modules.hpp"
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;
using SimBadInputTest = SimTest;

TEST_F(SimBadInputTest, ReturnsTheStatusAndTheLogOfADriver) {
    for (const bad_modules::Case& each : bad_modules::cases()) {
        SCOPED_TRACE(each.name);
        char log[1000] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
        const auto [status, module] = cuModuleLoadDataEx(each.text.c_str(), 2, options, values);
        EXPECT_EQ(static_cast<int>(status), each.status) << log;
        EXPECT_EQ(status == CUDA_SUCCESS, log[0] == '\0') << log;
        EXPECT_THAT(std::string(log), HasSubstr(each.log));
        EXPECT_THAT(std::string(log), HasSubstr(each.line));
        EXPECT_EQ(cuModuleUnload(module).ok(), status == CUDA_SUCCESS);
    }
}

TEST_F(SimBadInputTest, IsReportedByALinkExceptForExternalFunctions) {
    for (const bad_modules::Case& each : bad_modules::cases()) {
        if (each.text.empty()) continue;
        SCOPED_TRACE(each.name);
        const CUlinkState link = cuLinkCreate(0, nullptr, nullptr).value;
        const auto added = cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(each.text.c_str()), each.text.size() + 1,
                                         "name", 0, nullptr, nullptr);
        const bool is_external = each.name == "external function";
        EXPECT_EQ(static_cast<int>(added.status), is_external ? bad_modules::success : each.status);
        EXPECT_EQ(cuLinkComplete(link).status, is_external ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS);
        EXPECT_TRUE(cuLinkDestroy(link).ok());
    }
}

TEST_F(SimBadInputTest, IsReportedByALibraryWhenItIsUsed) {
    const std::string text = bad_modules::kernel("bra nowhere;");
    const CUlibrary library = cuLibraryLoadData(text.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0).value;
    EXPECT_EQ(cuLibraryGetKernel(library, "k").status, CUDA_ERROR_INVALID_PTX);
    EXPECT_EQ(cuLibraryGetModule(library).status, CUDA_ERROR_INVALID_PTX);
}

}  // namespace
}  // namespace cubind::testing
