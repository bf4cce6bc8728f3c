// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// What code tells of its kernels, on a GPU with a toolkit.

#include <cubind/core.hpp>
#include <cubind/find.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "device_gpu_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class KernelGpuTest : public DeviceGpuTest {
protected:
    ObjectCode compile(CodeType kind) const {
        return Program(
                   "__device__ int counter; __constant__ float table[4];\n"
                   "__global__ void scale(float* x, int n, float f) { if (n > 0) x[0] = f * table[0]; counter = n; }\n"
                   "extern \"C\" __global__ void plain(double* x, float f) { *x = f; }\n",
                   {.arch = "sm_" + device->arch()})
            .compile(kind);
    }
};

TEST_F(KernelGpuTest, ComparesTypes) {
    for (const CodeType kind : {CodeType::ptx, CodeType::cubin}) {
        const ObjectCode code = compile(kind);
        const Kernel scale = code.kernel("_Z5scalePfif");
        EXPECT_EQ(scale.signature(), "scale(float*, int, float)");
        EXPECT_EQ(code.kernels().size(), 2u);
        auto floats = device->allocate<float>(stream, 4);
        auto doubles = device->allocate<double>(stream, 4);
        launch(stream, {}, scale, floats, 1, 2.0f);
        launch(stream, {}, scale, floats, 1, 2.0f);
        EXPECT_THROW(launch(stream, {}, scale, doubles, 1, 2.0f), std::invalid_argument);
        EXPECT_THROW(launch(stream, {}, scale, floats, 1, 2), std::invalid_argument);
        EXPECT_THROW(launch(stream, {}, scale, floats, 1), std::invalid_argument);
        if (kind == CodeType::ptx) {
            EXPECT_THROW(launch(stream, {}, code.kernel("plain"), doubles, 1), std::invalid_argument);
        }
        stream.synchronize();
    }
}

TEST_F(KernelGpuTest, StatesWhyCodeHasNoKernels) {
    const auto ptx = [](const std::string& version) {
        return ObjectCode::from_bytes(CodeType::ptx,
                                      ".version " + version + "\n.target sm_75\n.address_size 64\n.global .u32 x;\n");
    };
    EXPECT_TRUE(ptx("7.0").kernels().empty());
    try {
        (void)ptx("99.0").kernels();
        ADD_FAILURE() << "nothing was thrown";
    } catch (const LoadError& error) {
        EXPECT_THAT(error.what(), HasSubstr("it is PTX 99.0"));
    }
}

TEST_F(KernelGpuTest, KnowsVariables) {
    for (const CodeType kind : {CodeType::ptx, CodeType::cubin}) {
        const ObjectCode code = compile(kind);
        EXPECT_THAT(code.globals(), UnorderedElementsAre("counter", "table"));
        EXPECT_EQ(code.global("counter", *device).size, sizeof(int));
        EXPECT_EQ(code.global("table", *device).size, 4 * sizeof(float));
    }
}

TEST_F(KernelGpuTest, ShowsMachineCode) {
    if (!locate(ArtifactKind::program, "nvdisasm").ok()) GTEST_SKIP() << "nvdisasm was not found";
    const ObjectCode code = compile(CodeType::cubin);
    EXPECT_THAT(code.disassemble(), HasSubstr(".text.plain"));
    EXPECT_THAT(code.kernel("plain").sass(), HasSubstr("EXIT"));
}

}  // namespace
}  // namespace cubind::testing
