// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "launch_shapes.hpp"
#include "runtime/groups.hpp"

namespace answers {

namespace {

void ask_about_attributes(const void* nothing, cudaStream_t stream) {
    cudaLaunchAttribute attribute{};
    cudaLaunchConfig_t config{};
    config.gridDim = {8, 1, 1};
    config.blockDim = {128, 1, 1};
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    const auto launch = [&](const char* name) { ask(name, [&] { return cudaLaunchKernelExC(&config, nothing, nullptr); }); };
    attribute.id = cudaLaunchAttributeIgnore;
    launch("ignored attribute");
    for (const unsigned width : {1u, 2u, 3u, 4u, 8u, 16u, 0u}) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {width, 1, 1};
        launch(("clusters of " + std::to_string(width)).c_str());
    }
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val = {};
    attribute.val.cooperative = 1;
    launch("cooperative");
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = -1;
    launch("priority -1");
    attribute.val.priority = 99;
    launch("priority 99");
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    launch("programmatic serialization");
    attribute.id = cudaLaunchAttributeMemSyncDomain;
    attribute.val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    launch("remote domain");
    attribute.val.memSyncDomain = static_cast<cudaLaunchMemSyncDomain>(99);
    launch("domain 99");
    attribute.id = cudaLaunchAttributePreferredSharedMemoryCarveout;
    attribute.val.sharedMemCarveout = 101;
    launch("carveout 101");
    attribute.id = static_cast<cudaLaunchAttributeID>(999);
    launch("attribute 999");
    config.numAttrs = 0;
    launch("no attribute");
    config.attrs = nullptr;
    launch("no attributes");
    config.numAttrs = 1;
    launch("null attributes");
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaGetLastError());
}

}  // namespace

void ask_about_runtime_launches() {
    const cudaStream_t stream = cudaStreamCreateWithFlags(cudaStreamNonBlocking).value;
    const cudaLibrary_t library = load_library();
    const void* const nothing = get_kernel(library, "nothing");
    const void* const two = get_kernel(library, "two");
    const void* const limited = get_kernel(library, "limited");
    void* pointer = nullptr;
    unsigned count = 0;
    void* arguments[] = {&pointer, &count};
    const auto ask_about = [&](const LaunchShape& shape) {
        const std::string name = shape.name();
        const dim3 grid{shape.grid[0], shape.grid[1], shape.grid[2]};
        const dim3 block{shape.block[0], shape.block[1], shape.block[2]};
        ask(name.c_str(), [&] { return cudaLaunchKernel(nothing, grid, block, nullptr, shape.shared, stream); });
        ask(("error after " + name).c_str(), [] { return cudaGetLastError(); });
    };
    for (const LaunchShape& shape : launch_shapes) ask_about(shape);
    ask_about({{1, 1, 1}, {1, 1, 1}, std::size_t{1} << 40});
    ASK(cudaLaunchKernel(limited, {1, 1, 1}, {128, 1, 1}, nullptr, 0, stream));
    ASK(cudaLaunchKernel(limited, {1, 1, 1}, {129, 1, 1}, nullptr, 0, stream));
    ASK(cudaLaunchKernel(limited, {1, 1, 1}, {64, 2, 1}, nullptr, 0, stream));
    ASK(cudaLaunchKernel(two, {1, 1, 1}, {1, 1, 1}, arguments, 0, stream));
    ASK(cudaLaunchKernel(two, {1, 1, 1}, {1, 1, 1}, arguments, 0, nullptr));
    ASK(cudaLaunchKernel(two, {1, 1, 1}, {1, 1, 1}, arguments, 0, cudaStreamLegacy));
    ASK(cudaLaunchKernel(two, {1, 1, 1}, {1, 1, 1}, arguments, 0, cudaStreamPerThread));
    ASK(cudaLaunchCooperativeKernel(nothing, {1, 1, 1}, {32, 1, 1}, nullptr, 0, stream));
    ASK(cudaLaunchCooperativeKernel(nothing, {1 << 20, 1, 1}, {32, 1, 1}, nullptr, 0, stream));
    ASK(cudaLaunchCooperativeKernel(nothing, {0, 1, 1}, {32, 1, 1}, nullptr, 0, stream));
    // A CUfunction of the driver API.
    const CUmodule module = cuModuleLoadData(runtime_ptx).value;
    ASK(cuLaunchKernel(cuModuleGetFunction(module, "nothing").value, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cuLaunchKernel(cudaGetFuncBySymbol(nothing).value, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr));
    ASK(cudaStreamSynchronize(stream));
    ASK(cudaGetLastError());
    ask_about_attributes(nothing, stream);
    ASK(cudaLaunchKernel(nullptr, {1, 1, 1}, {1, 1, 1}, nullptr, 0, stream));
    ASK(cudaLaunchCooperativeKernel(nullptr, {1, 1, 1}, {32, 1, 1}, nullptr, 0, stream));
    ASK(cudaLaunchKernelExC(nullptr, nothing, nullptr));
    ASK(cudaLaunchKernel(two, {1, 1, 1}, {1, 1, 1}, nullptr, 0, stream));
    ASK(cudaStreamSynchronize(stream));
}

}  // namespace answers
