// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "runtime/groups.hpp"

namespace answers {

namespace {

void ask_about_formats() {
    struct Format {
        const char* name;
        cudaChannelFormatDesc format;
    };
    const Format formats[] = {{"float", {32, 0, 0, 0, cudaChannelFormatKindFloat}},
                              {"half", {16, 0, 0, 0, cudaChannelFormatKindFloat}},
                              {"float of 8 bits", {8, 0, 0, 0, cudaChannelFormatKindFloat}},
                              {"2 unsigned bytes", {8, 8, 0, 0, cudaChannelFormatKindUnsigned}},
                              {"3 unsigned bytes", {8, 8, 8, 0, cudaChannelFormatKindUnsigned}},
                              {"4 signed shorts", {16, 16, 16, 16, cudaChannelFormatKindSigned}},
                              {"different widths", {32, 16, 0, 0, cudaChannelFormatKindSigned}},
                              {"a gap", {32, 0, 32, 0, cudaChannelFormatKindSigned}},
                              {"64 bits", {64, 0, 0, 0, cudaChannelFormatKindSigned}},
                              {"7 bits", {7, 0, 0, 0, cudaChannelFormatKindSigned}},
                              {"no bits", {0, 0, 0, 0, cudaChannelFormatKindSigned}},
                              {"negative bits", {-8, 0, 0, 0, cudaChannelFormatKindSigned}},
                              {"kind none", {32, 0, 0, 0, cudaChannelFormatKindNone}},
                              {"kind 999", {32, 0, 0, 0, static_cast<cudaChannelFormatKind>(999)}},
                              {"NV12", {8, 8, 8, 0, cudaChannelFormatKindNV12}},
                              {"normalized bytes", {8, 8, 8, 8, cudaChannelFormatKindUnsignedNormalized8X4}},
                              {"normalized bytes, too few", {8, 8, 0, 0, cudaChannelFormatKindUnsignedNormalized8X4}},
                              {"normalized shorts", {16, 16, 0, 0, cudaChannelFormatKindSignedNormalized16X2}},
                              {"block compressed", {8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed1}}};
    for (const Format& each : formats) {
        const cudaArray_t array =
            ask((std::string("array of ") + each.name).c_str(), [&] { return cudaMallocArray(&each.format, 32, 32); }).value;
        if (array == nullptr) continue;
        ask((std::string("information about array of ") + each.name).c_str(), [&] { return cudaArrayGetInfo(array); });
        ask((std::string("format of array of ") + each.name).c_str(), [&] { return cudaGetChannelDesc(array); });
        ask((std::string("free array of ") + each.name).c_str(), [&] { return cudaFreeArray(array); });
    }
}

void ask_about_shapes(const cudaChannelFormatDesc& format) {
    struct Shape {
        cudaExtent extent;
        unsigned flags;
    };
    const Shape shapes[] = {{{32, 0, 0}, 0},
                            {{32, 16, 0}, 0},
                            {{32, 16, 8}, 0},
                            {{0, 0, 0}, 0},
                            {{0, 16, 0}, 0},
                            {{32, 0, 8}, 0},
                            {{std::size_t{1} << 31, 0, 0}, 0},
                            {{32, std::size_t{1} << 31, 0}, 0},
                            {{32, 0, 8}, cudaArrayLayered},
                            {{32, 16, 8}, cudaArrayLayered},
                            {{32, 16, 0}, cudaArrayLayered},
                            {{32, 32, 6}, cudaArrayCubemap},
                            {{32, 16, 6}, cudaArrayCubemap},
                            {{32, 32, 5}, cudaArrayCubemap},
                            {{32, 32, 12}, cudaArrayCubemap | cudaArrayLayered},
                            {{32, 32, 13}, cudaArrayCubemap | cudaArrayLayered},
                            {{32, 16, 0}, cudaArraySurfaceLoadStore},
                            {{32, 16, 0}, cudaArrayTextureGather},
                            {{32, 16, 8}, cudaArrayTextureGather},
                            {{32, 16, 0}, cudaArrayColorAttachment},
                            {{32, 16, 0}, 0x100},
                            {{32, 16, 0}, 0xffff}};
    for (const auto& [extent, flags] : shapes) {
        const std::string name = text_of(extent) + " flags " + std::to_string(flags);
        const cudaArray_t array =
            ask(("array " + name).c_str(), [&, e = extent, f = flags] { return cudaMalloc3DArray(&format, e, f); }).value;
        if (array == nullptr) continue;
        ask(("information " + name).c_str(), [&] { return cudaArrayGetInfo(array); });
        ask(("sparse " + name).c_str(), [&] { return cubind::Result<cudaError_t>{cudaArrayGetSparseProperties(array).status}; });
        ask(("plane " + name).c_str(), [&] { return cudaArrayGetPlane(array, 0); });
        ask(("free " + name).c_str(), [&] { return cudaFreeArray(array); });
    }
}

void ask_about_array_copies(const cudaChannelFormatDesc& format) {
    static float host[32 * 16];
    constexpr std::size_t row = 32 * sizeof(float);
    const cudaArray_t array = cudaMallocArray(&format, 32, 16).value;
    const cudaArray_t other = cudaMallocArray(&format, 32, 16).value;
    void* const memory = cudaMalloc(sizeof host).value;
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, row, row, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 0, 0, memory, row, row, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2DToArray(array, 0, 0, memory, row, row, 16, cudaMemcpyDefault));
    ASK(cudaMemcpy2DToArray(array, 4, 1, host, row, row - 4, 15, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 4, 1, host, row, row, 15, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 2, 1, host, row, 4, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, row, 3, 1, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, row, row, 17, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, 4, row, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, row, 0, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, row, row, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2DToArray(array, 0, 0, host, row, row, 16, static_cast<cudaMemcpyKind>(9)));
    ASK(cudaMemcpy2DFromArray(host, row, array, 0, 0, row, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2DFromArray(host, row, array, 0, 0, row, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpy2DFromArray(host, row, array, 4, 0, row, 16, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpy2DArrayToArray(array, 0, 0, other, 0, 0, row, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2DArrayToArray(array, 0, 0, other, 0, 0, row, 17, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy2DArrayToArray(array, 0, 0, other, 0, 0, row, 16, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyToArray(array, 0, 0, host, sizeof host, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyToArray(array, 4, 0, host, row, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyToArray(array, 0, 0, host, sizeof host + 4, cudaMemcpyHostToDevice));
    ASK(cudaMemcpyFromArray(host, array, 0, 0, sizeof host, cudaMemcpyDeviceToHost));
    ASK(cudaMemcpyArrayToArray(array, 0, 0, other, 0, 0, row, cudaMemcpyDeviceToDevice));
    cudaMemcpy3DParms copy{};
    copy.srcArray = array;
    copy.dstArray = other;
    copy.extent = {32, 16, 1};
    copy.kind = cudaMemcpyDeviceToDevice;
    ASK(cudaMemcpy3D(&copy));
    copy.extent = {33, 16, 1};
    ASK(cudaMemcpy3D(&copy));
    copy.extent = {32, 16, 1};
    copy.dstPtr = {memory, row, 32, 16};
    ASK(cudaMemcpy3D(&copy));
    copy.dstArray = nullptr;
    ASK(cudaMemcpy3D(&copy));
    copy.kind = cudaMemcpyHostToDevice;
    ASK(cudaMemcpy3D(&copy));
    ASK(cudaGetLastError());
}

}  // namespace

void ask_about_runtime_arrays() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    ask_about_formats();
    ask_about_shapes(format);
    ask_about_array_copies(format);
    const cudaArray_t array = ASK(cudaMallocArray(&format, 32, 16)).value;
    ask("cudaArrayGetMemoryRequirements(array, 0)",
        [&] { return cubind::Result<cudaError_t>{cudaArrayGetMemoryRequirements(array, 0).status}; });
    ASK(cudaArrayGetPlane(array, 1));
    ASK(cudaFreeArray(array));
    ASK(cudaGetLastError());
    ASK(cudaFreeArray(nullptr));
    ASK(cudaMallocArray(nullptr, 32, 16));
    ASK(cudaArrayGetInfo(nullptr));
    ASK(cudaGetChannelDesc(nullptr));
}

void ask_about_runtime_levels() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    for (const unsigned levels : {0u, 1u, 5u, 6u, 7u, 99u}) {
        ask((std::to_string(levels) + " levels").c_str(), [&] { return cudaMallocMipmappedArray(&format, {32, 16, 0}, levels); });
    }
    const cudaMipmappedArray_t levels = ASK(cudaMallocMipmappedArray(&format, {32, 16, 0}, 4)).value;
    for (const unsigned level : {0u, 1u, 3u, 4u, 99u}) {
        const auto found =
            ask(("level " + std::to_string(level)).c_str(), [&] { return cudaGetMipmappedArrayLevel(levels, level); });
        if (found.ok()) ASK(cudaArrayGetInfo(found.value));
    }
    ASK(cudaFreeArray(ASK(cudaGetMipmappedArrayLevel(levels, 0)).value));
    ask("sparse", [&] { return cubind::Result<cudaError_t>{cudaMipmappedArrayGetSparseProperties(levels).status}; });
    ASK(cudaMallocMipmappedArray(&format, {0, 0, 0}, 1));
    ASK(cudaMallocMipmappedArray(&format, {32, 16, 0}, 4, 0x100));
    ASK(cudaMallocMipmappedArray(&format, {32, 16, 8}, 4, cudaArrayLayered));
    ASK(cudaFreeMipmappedArray(levels));
    ASK(cudaGetLastError());
    ASK(cudaFreeMipmappedArray(nullptr));
    ASK(cudaGetMipmappedArrayLevel(nullptr, 0));
}

}  // namespace answers
