// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "groups.hpp"
#include "launch_shapes.hpp"

namespace answers {

namespace {

void ask_about_attributes(CUfunction nothing, CUstream stream) {
    CUlaunchAttribute attribute{};
    CUlaunchConfig config{8, 1, 1, 128, 1, 1, 0, stream, &attribute, 1};
    ASK(cuLaunchKernelEx(nullptr, nothing, nullptr, nullptr));
    attribute.id = CU_LAUNCH_ATTRIBUTE_IGNORE;
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    ASK(cuLaunchKernelEx(&config, nullptr, nullptr, nullptr));
    for (const unsigned width : {1u, 2u, 3u, 4u, 8u, 16u, 0u}) {
        attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
        attribute.value.clusterDim = {width, 1, 1};
        ask(("launch in clusters of " + std::to_string(width)).c_str(),
            [&] { return cuLaunchKernelEx(&config, nothing, nullptr, nullptr); });
    }
    attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    attribute.value = {};
    attribute.value.cooperative = 1;
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    attribute.id = CU_LAUNCH_ATTRIBUTE_PRIORITY;
    attribute.value.priority = -1;
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    attribute.value.priority = 99;
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    attribute.id = CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN;
    attribute.value.memSyncDomain = CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    attribute.id = static_cast<CUlaunchAttributeID>(999);
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    config.attrs = nullptr;
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    config.numAttrs = 0;
    ASK(cuLaunchKernelEx(&config, nothing, nullptr, nullptr));
    ASK(cuCtxSynchronize());
}

void ask_about_legacy_launches(CUfunction two) {
    ASK(cuFuncSetBlockShape(two, 32, 1, 1));
    ASK(cuFuncSetBlockShape(two, 0, 1, 1));
    ASK(cuFuncSetBlockShape(two, 2048, 1, 1));
    ASK(cuFuncSetSharedSize(two, 1024));
    ASK(cuParamSetSize(two, 12));
    ASK(cuParamSeti(two, 8, 0));
    unsigned long long zero = 0;
    ASK(cuParamSetv(two, 0, &zero, 8));
    ASK(cuParamSetf(two, 8, 0));
    ASK(cuLaunch(two));
    ASK(cuLaunchGrid(two, 2, 2));
    ASK(cuLaunchGrid(two, 0, 2));
    ASK(cuLaunchGridAsync(two, 2, 2, nullptr));
    ASK(cuParamSetSize(two, 1 << 20));
    ASK(cuParamSetSize(nullptr, 4));
    ASK(cuLaunch(nullptr));
    ASK(cuCtxSynchronize());
}

}  // namespace

void ask_about_launches() {
    use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUmodule module = cuModuleLoadData(ptx).value;
    const CUfunction nothing = cuModuleGetFunction(module, "nothing").value;
    const CUfunction two = cuModuleGetFunction(module, "two").value;
    const CUfunction limited = cuModuleGetFunction(module, "limited").value;
    CUdeviceptr pointer = 0;
    unsigned count = 0;
    void* arguments[] = {&pointer, &count};
    for (const LaunchShape& shape : launch_shapes) {
        const auto& [grid, block, shared] = shape;
        ask(("launch " + shape.name()).c_str(), [&, g = grid, b = block, s = static_cast<unsigned>(shared)] {
            return cuLaunchKernel(nothing, g[0], g[1], g[2], b[0], b[1], b[2], s, stream, nullptr, nullptr);
        });
    }
    ASK(cuLaunchKernel(limited, 1, 1, 1, 128, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(limited, 1, 1, 1, 129, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(limited, 1, 1, 1, 64, 2, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr));
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, CU_STREAM_LEGACY, arguments, nullptr));
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, CU_STREAM_PER_THREAD, arguments, nullptr));
    struct {
        CUdeviceptr pointer;
        unsigned count;
    } packed{};
    std::size_t bytes = 12;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, extra));
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, stream, arguments, extra));
    bytes = 4;
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, extra));
    bytes = 64;
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, extra));
    void* unknown[] = {reinterpret_cast<void*>(std::intptr_t{9}), &packed, CU_LAUNCH_PARAM_END};
    ASK(cuLaunchKernel(two, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, unknown));
    ASK(cuLaunchCooperativeKernel(nothing, 1, 1, 1, 32, 1, 1, 0, stream, nullptr));
    ASK(cuLaunchCooperativeKernel(nothing, 1 << 20, 1, 1, 32, 1, 1, 0, stream, nullptr));
    ASK(cuLaunchCooperativeKernel(nothing, 0, 1, 1, 32, 1, 1, 0, stream, nullptr));
    ASK(cuLaunchCooperativeKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, stream, nullptr));
    ASK(cuStreamSynchronize(stream));
    ask_about_attributes(nothing, stream);
    ask_about_legacy_launches(two);
}

}  // namespace answers
