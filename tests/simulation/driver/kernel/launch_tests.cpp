// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include <cstdint>
#include <cstring>

#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

class SimLaunchTest : public KernelTest {
protected:
    struct Shape {
        sim::Extent3 grid;
        sim::Extent3 block;
        unsigned shared = 0;
    };
    CUresult launch_shape(const char* name, const Shape& shape) const {
        const auto& [grid, block, shared] = shape;
        return cuLaunchKernel(function(name), grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr, nullptr,
                              nullptr)
            .status;
    }
    CUresult launch_extra(void** parameters, void** extra) const {
        return cuLaunchKernel(function("saxpy"), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, extra).status;
    }
    CUresult launch_with(const char* name, CUlaunchAttribute attribute, unsigned blocks = 1) const {
        CUlaunchConfig config{blocks, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
        return cuLaunchKernelEx(&config, function(name), nullptr, nullptr).status;
    }
    CUresult launch_clusters(const char* name, sim::Extent3 cluster, unsigned blocks) const {
        CUlaunchAttribute attribute{};
        attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute.value.clusterDim = {cluster.x, cluster.y, cluster.z};
        return launch_with(name, attribute, blocks);
    }
};

TEST_F(SimLaunchTest, EnforcesLimits) {
    constexpr CUresult invalid = CUDA_ERROR_INVALID_VALUE;
    EXPECT_EQ(launch_shape("empty", {{0x7fffffff, 65535, 65535}, {1024, 1, 1}, 49152}), CUDA_SUCCESS);
    EXPECT_EQ(launch_shape("empty", {{0, 1, 1}, {}}), invalid);
    EXPECT_EQ(launch_shape("empty", {{}, {1, 0, 1}}), invalid);
    EXPECT_EQ(launch_shape("empty", {{0x80000000, 1, 1}, {}}), invalid);
    EXPECT_EQ(launch_shape("empty", {{1, 65536, 1}, {}}), invalid);
    EXPECT_EQ(launch_shape("empty", {{}, {1025, 1, 1}}), invalid);
    EXPECT_EQ(launch_shape("empty", {{}, {32, 33, 1}}), invalid);
    EXPECT_EQ(launch_shape("empty", {{}, {1, 1, 65}}), invalid);
    EXPECT_EQ(launch_shape("empty", {{}, {}, 49153}), invalid);
    EXPECT_EQ(launch_shape("tiled", {{}, {}, 48128}), CUDA_SUCCESS);
    EXPECT_EQ(launch_shape("tiled", {{}, {}, 48129}), invalid);
    EXPECT_EQ(launch_shape("vast", {{}, {}}), CUDA_SUCCESS) << "static shared memory needs no opt-in";
    EXPECT_EQ(launch_shape("vast", {{}, {}, 1}), invalid);
    EXPECT_EQ(cuFuncSetAttribute(function("vast"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 183297).status, invalid);
    EXPECT_TRUE(cuFuncSetAttribute(function("vast"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 183296).ok());
    EXPECT_EQ(launch_shape("vast", {{}, {}, 183296}), CUDA_SUCCESS);
    EXPECT_EQ(launch_shape("vast", {{}, {}, 183297}), invalid);
    EXPECT_EQ(launch_shape("bounded", {{}, {16, 16, 1}}), CUDA_SUCCESS);
    EXPECT_EQ(launch_shape("bounded", {{}, {257, 1, 1}}), invalid);
    EXPECT_EQ(launch_shape("required", {{}, {64, 1, 1}}), CUDA_SUCCESS);
    EXPECT_EQ(launch_shape("required", {{}, {8, 8, 1}}), invalid);
    EXPECT_EQ(cuFuncSetAttribute(function("empty"), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_shape("empty", {{}, {}, 60000}), CUDA_SUCCESS);
    EXPECT_EQ(launch_shape("empty", {{}, {}, 60001}), invalid);
}

TEST_F(SimLaunchTest, RejectsInvalidHandles) {
    EXPECT_EQ(launch(nullptr), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(launch(reinterpret_cast<CUfunction>(module)), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(launch(function("empty"), nullptr, reinterpret_cast<CUstream>(module)), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuLaunchKernelEx(nullptr, function("empty"), nullptr, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    const CUfunction function_of_context = function("empty");
    const CUstream stream = create_stream();
    ASSERT_TRUE(cuCtxCreate_v2(0, 0).ok());
    EXPECT_EQ(launch(function_of_context), CUDA_ERROR_INVALID_HANDLE) << "the function belongs to another context";
    EXPECT_EQ(launch(function_of_context, nullptr, stream), CUDA_SUCCESS) << "the stream selects the context";
}

TEST_F(SimLaunchTest, CopiesArgumentsWhenItIsCalled) {
    const CUstream stream = create_stream();
    struct {
        float a;
        CUdeviceptr x, y;
        std::size_t n;
    } arguments = {2.5f, 1, 2, 3};
    void* parameters[] = {&arguments.a, &arguments.x, &arguments.y, &arguments.n};
    std::size_t size = sizeof arguments;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    const auto before = arguments;
    {
        const Gate gate(stream);
        EXPECT_EQ(launch(function("saxpy"), parameters, stream), CUDA_SUCCESS);
        EXPECT_EQ(cuLaunchKernel(function("saxpy"), 2, 3, 4, 32, 2, 1, 100, stream, nullptr, extra).status, CUDA_SUCCESS);
        arguments = {};
    }
    const std::vector<sim::Launch> launches = sim::launches();
    ASSERT_EQ(launches.size(), 2u);
    for (const sim::Launch& launch : launches) {
        ASSERT_EQ(launch.arguments.size(), 32u);
        EXPECT_EQ(std::memcmp(launch.arguments.data(), &before.a, sizeof before.a), 0);
        EXPECT_EQ(std::memcmp(launch.arguments.data() + 8, &before.x, 24), 0);
    }
    EXPECT_EQ(launches[1].name, "saxpy");
    EXPECT_EQ(launches[1].grid, (sim::Extent3{2, 3, 4}));
    EXPECT_EQ(launches[1].block, (sim::Extent3{32, 2, 1}));
    EXPECT_EQ(launches[1].shared_bytes, 100u);
    EXPECT_EQ(launches[1].stream, stream);
}

TEST_F(SimLaunchTest, RejectsMissingArguments) {
    unsigned char bytes[64] = {};
    std::size_t size = 32;
    void* end[] = {CU_LAUNCH_PARAM_END};
    void* whole[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    void* no_size[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes, CU_LAUNCH_PARAM_END};
    void* no_pointer[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    void* unknown[] = {reinterpret_cast<void*>(std::uintptr_t{77}), &size, CU_LAUNCH_PARAM_END};
    void* parameters[] = {bytes, bytes, nullptr, bytes};
    EXPECT_EQ(launch_extra(nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(launch_extra(parameters, nullptr), CUDA_ERROR_INVALID_VALUE);
    for (void** invalid_extra : {end, no_size, no_pointer, unknown})
        EXPECT_EQ(launch_extra(nullptr, invalid_extra), CUDA_ERROR_INVALID_VALUE);
    parameters[2] = bytes;
    EXPECT_EQ(launch_extra(parameters, whole), CUDA_ERROR_INVALID_VALUE) << "both kinds of arguments at once";
    EXPECT_EQ(launch_extra(nullptr, whole), CUDA_SUCCESS);
    std::vector<std::byte> large(40'000);
    whole[1] = large.data();
    size = large.size();
    EXPECT_EQ(launch_extra(nullptr, whole), CUDA_ERROR_INVALID_VALUE) << "more bytes than any kernel has";
    whole[1] = bytes;
    size = 33;
    EXPECT_EQ(launch_extra(nullptr, whole), CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
    size = 12;
    EXPECT_EQ(launch_extra(nullptr, whole), CUDA_SUCCESS) << "missing bytes are zero";
    size = 0;
    EXPECT_EQ(launch_extra(nullptr, whole), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLaunchKernel(function("empty"), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, end).status, CUDA_SUCCESS);
}

TEST_F(SimLaunchTest, SupportsTheDeprecatedStepwiseFunctions) {
    const CUfunction saxpy = function("saxpy");
    EXPECT_EQ(cuLaunchGrid(saxpy, 1, 1).status, CUDA_ERROR_INVALID_VALUE) << "no block shape and no arguments";
    EXPECT_EQ(cuFuncSetBlockShape(saxpy, 0, 1, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncSetBlockShape(saxpy, 2000, 1, 1).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncSetBlockShape(saxpy, 64, 2, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuFuncSetSharedSize(saxpy, 49153).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncSetSharedSize(saxpy, 100).status, CUDA_SUCCESS);
    std::size_t n = 5;
    EXPECT_EQ(cuParamSetv(saxpy, 0, &n, 0).status, CUDA_SUCCESS) << "zero bytes before any parameter is set";
    EXPECT_EQ(cuParamSetSize(saxpy, 32).status, CUDA_SUCCESS);
    EXPECT_EQ(cuParamSetf(saxpy, 0, 2.0f).status, CUDA_SUCCESS);
    EXPECT_EQ(cuParamSetv(saxpy, 24, &n, sizeof n).status, CUDA_SUCCESS);
    EXPECT_EQ(cuParamSetv(saxpy, 32760, &n, sizeof n).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuParamSetSize(saxpy, 32765).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuParamSetv(saxpy, 5000, &n, sizeof n).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLaunch(saxpy).status, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES) << "more bytes than the parameters of the kernel have";
    EXPECT_EQ(cuParamSetSize(saxpy, 32).status, CUDA_SUCCESS);
    EXPECT_EQ(cuParamSeti(saxpy, -1, 1).status, CUDA_ERROR_INVALID_VALUE);
    float a = 0;
    sim::define_kernel("saxpy", [&](const sim::Launch&, float given, void*, void*, std::size_t count) {
        a = given * static_cast<float>(count);
    });
    EXPECT_EQ(cuLaunchGrid(saxpy, 3, 2).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(a, 10.0f);
    EXPECT_EQ(sim::launches().back().grid, (sim::Extent3{3, 2, 1}));
    EXPECT_EQ(sim::launches().back().block, (sim::Extent3{64, 2, 1}));
}

TEST_F(SimLaunchTest, RejectsCooperativeGridsThatDoNotFit) {
    const auto cooperate = [&](unsigned blocks) {
        return cuLaunchCooperativeKernel(function("empty"), blocks, 1, 1, 1024, 1, 1, 0, nullptr, nullptr).status;
    };
    EXPECT_EQ(cooperate(264), CUDA_SUCCESS);
    EXPECT_EQ(cooperate(265), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    EXPECT_EQ(cuLaunchCooperativeKernel(function("empty"), 0x7fffffff, 65535, 65535, 1, 1, 1, 0, nullptr, nullptr).status,
              CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

TEST_F(SimLaunchTest, RequiresClustersThatDivideTheGrid) {
    constexpr CUresult invalid = CUDA_ERROR_INVALID_CLUSTER_SIZE;
    EXPECT_EQ(launch_clusters("empty", {4, 1, 1}, 8), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(sim::launches().back().cluster, (sim::Extent3{4, 1, 1}));
    EXPECT_EQ(launch_clusters("empty", {2, 1, 1}, 3), invalid);
    EXPECT_EQ(launch_clusters("empty", {0, 1, 1}, 4), invalid);
    EXPECT_EQ(launch_clusters("empty", {0, 0, 0}, 3), CUDA_SUCCESS) << "requests no cluster";
    EXPECT_EQ(launch_clusters("empty", {16, 1, 1}, 16), invalid);
    EXPECT_EQ(launch_clusters("ranked", {8, 1, 1}, 8), invalid);
    EXPECT_EQ(launch_clusters("clustered", {2, 1, 1}, 4), CUDA_SUCCESS);
    EXPECT_EQ(launch_clusters("clustered", {4, 1, 1}, 4), invalid);
    EXPECT_EQ(launch_shape("clustered", {{4, 1, 1}, {}}), CUDA_SUCCESS);
    EXPECT_EQ(launch_shape("clustered", {{3, 1, 1}, {}}), invalid);
    EXPECT_EQ(cuFuncSetAttribute(function("empty"), CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1).status, CUDA_SUCCESS);
    EXPECT_EQ(launch_clusters("empty", {16, 1, 1}, 16), CUDA_SUCCESS);
}

TEST_F(SimLaunchTest, RejectsInvalidAttributes) {
    CUlaunchAttribute attribute{};
    attribute.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    EXPECT_EQ(launch_with("empty", attribute), CUDA_SUCCESS);
    attribute.id = CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
    EXPECT_EQ(launch_with("empty", attribute), CUDA_ERROR_INVALID_VALUE);
    attribute.id = static_cast<CUlaunchAttributeID>(99);
    EXPECT_EQ(launch_with("empty", attribute), CUDA_ERROR_INVALID_VALUE);
    attribute.id = CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
    attribute.value.sharedMemCarveout = 101;
    EXPECT_EQ(launch_with("empty", attribute), CUDA_ERROR_INVALID_VALUE);
    attribute.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
    attribute.value.launchCompletionEvent = {create_event(CU_EVENT_DISABLE_TIMING), 0};
    EXPECT_EQ(launch_with("empty", attribute), CUDA_SUCCESS);
    EXPECT_EQ(cuEventSynchronize(attribute.value.launchCompletionEvent.event).status, CUDA_SUCCESS);
    EXPECT_EQ(sim::launches().size(), 2u) << "the event completes after the launch";
    attribute.value.launchCompletionEvent.event = reinterpret_cast<CUevent>(module);
    EXPECT_EQ(launch_with("empty", attribute), CUDA_ERROR_INVALID_HANDLE);
    attribute.value.launchCompletionEvent.event = nullptr;
    EXPECT_EQ(launch_with("empty", attribute), CUDA_ERROR_INVALID_HANDLE);
    attribute.id = CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE;
    EXPECT_EQ(launch_with("empty", attribute), CUDA_ERROR_NOT_SUPPORTED) << "not a graph node";
    CUlaunchConfig config{1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, 1};
    EXPECT_EQ(cuLaunchKernelEx(&config, function("empty"), nullptr, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    CUlaunchAttribute twice[2]{};
    for (CUlaunchAttribute& each : twice) each.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    config.attrs = twice;
    config.numAttrs = 2;
    EXPECT_EQ(cuLaunchKernelEx(&config, function("empty"), nullptr, nullptr).status, CUDA_SUCCESS);
}

TEST(SimLaunchReleaseTest, AcceptsAttributesFromTheirReleaseOn) {
    struct Row {
        CUlaunchAttributeID id;
        const char* last_without;
        const char* first_with;
    };
    const Row rows[] = {{CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, "12.4", "12.5"},
                        {CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION, "12.6", "12.8"},
                        {CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING, "12.9", "13.0"},
                        {CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE, "13.1", "13.2"},
                        {CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE, "13.1", "13.2"}};
    const auto launch_on = [](const char* release, CUlaunchAttributeID id) {
        cubind::sim::install({.release = release});
        EXPECT_TRUE(cuInit(0).ok());
        EXPECT_TRUE(cuCtxCreate_v2(0, 0).ok());
        const CUfunction empty = cuModuleGetFunction(cuModuleLoadData(test_ptx).value, "empty").value;
        CUlaunchAttribute attribute{};
        attribute.id = id;
        const CUlaunchConfig config{1, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
        return cuLaunchKernelEx(&config, empty, nullptr, nullptr).status;
    };
    for (const Row& row : rows) {
        EXPECT_EQ(launch_on(row.last_without, row.id), CUDA_ERROR_INVALID_VALUE) << row.id;
        EXPECT_EQ(launch_on(row.first_with, row.id), CUDA_SUCCESS) << row.id;
    }
    cubind::sim::uninstall();
}

}  // namespace
}  // namespace cubind::testing
