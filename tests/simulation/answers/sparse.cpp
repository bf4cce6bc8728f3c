// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Sparse arrays and arrays with a deferred mapping: tiles, tails, and mappings of memory.
#include <cubind/driver/constants.hpp>

#include <vector>

#include "groups.hpp"

namespace answers {

namespace {

constexpr std::size_t tile = 65536;

CUmemGenericAllocationHandle create_memory(int usage) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.allocFlags.usage = static_cast<unsigned short>(usage);
    return cuMemCreate(std::size_t{8} << 20, &properties, 0).value;
}

CUDA_ARRAY3D_DESCRIPTOR shape(std::size_t width, std::size_t height, std::size_t depth, int flags) {
    return {width, height, depth, CU_AD_FORMAT_FLOAT, 1, static_cast<unsigned>(flags)};
}

std::string text_of_properties(const CUDA_ARRAY_SPARSE_PROPERTIES& found) {
    const auto& tile_of = found.tileExtent;
    return std::to_string(tile_of.width) + " x " + std::to_string(tile_of.height) + " x " + std::to_string(tile_of.depth) +
           ", tail from " + std::to_string(found.miptailFirstLevel) + " of " + std::to_string(found.miptailSize) + ", flags " +
           std::to_string(found.flags);
}

void ask_about_tiles() {
    constexpr unsigned sparse = CUDA_ARRAY3D_SPARSE;
    constexpr unsigned layered = CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED;
    std::vector<CUDA_ARRAY3D_DESCRIPTOR> shapes;
    for (const CUarray_format format : {CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_FLOAT}) {
        for (const unsigned channels : {1u, 2u, 4u}) {
            shapes.push_back({2048, 2048, 0, format, channels, sparse});
            shapes.push_back({300, 300, 300, format, channels, sparse});
        }
    }
    for (const CUarray_format format : {CU_AD_FORMAT_BC1_UNORM, CU_AD_FORMAT_BC3_UNORM, CU_AD_FORMAT_BC7_UNORM})
        shapes.push_back({2048, 2048, 0, format, 4, sparse});
    for (const std::vector<std::size_t>& size : std::vector<std::vector<std::size_t>>{
             {1000, 700, 0}, {100, 100, 0}, {4096, 64, 0}, {129, 128, 0}, {64, 64, 64}, {300, 300, 8}, {32, 32, 16}, {512, 0, 0}})
        shapes.push_back(shape(size[0], size[1], size[2], static_cast<int>(sparse)));
    for (const std::size_t size : {std::size_t{1000}, std::size_t{100}})
        shapes.push_back(shape(size, size, 3, static_cast<int>(layered)));
    shapes.push_back(shape(256, 256, 0, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_SURFACE_LDST));
    shapes.push_back(shape(256, 256, 0, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_TEXTURE_GATHER));
    shapes.push_back(shape(256, 256, 0, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING));
    shapes.push_back(shape(256, 256, 6, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_CUBEMAP));
    for (const CUDA_ARRAY3D_DESCRIPTOR& each : shapes) {
        const std::string name = text_of(each);
        const auto array = ask(("array " + name).c_str(), [&] { return cuArray3DCreate(&each); });
        if (array.ok()) {
            report(("tiles of array " + name).c_str(), text_of_properties(cuArrayGetSparseProperties(array.value).value).c_str());
            cuArrayDestroy(array.value);
        }
        const auto levels = ask(("levels " + name).c_str(), [&] { return cuMipmappedArrayCreate(&each, 20); });
        if (!levels.ok()) continue;
        const auto found = cuMipmappedArrayGetSparseProperties(levels.value).value;
        report(("tiles of levels " + name).c_str(), text_of_properties(found).c_str());
        const CUarray level = cuMipmappedArrayGetLevel(levels.value, 0).value;
        ask(("tiles of level " + name).c_str(), [&] { return cuArrayGetSparseProperties(level); });
        cuMipmappedArrayDestroy(levels.value);
    }
}

void ask_about_sizes() {
    for (const CUDA_ARRAY3D_DESCRIPTOR& each :
         {shape(64, 64, 0, CUDA_ARRAY3D_DEFERRED_MAPPING), shape(512, 0, 0, CUDA_ARRAY3D_DEFERRED_MAPPING),
          shape(300, 300, 0, CUDA_ARRAY3D_DEFERRED_MAPPING), shape(100, 100, 20, CUDA_ARRAY3D_DEFERRED_MAPPING),
          shape(512, 512, 3, CUDA_ARRAY3D_DEFERRED_MAPPING | CUDA_ARRAY3D_LAYERED),
          shape(64, 64, 6, CUDA_ARRAY3D_DEFERRED_MAPPING | CUDA_ARRAY3D_CUBEMAP)}) {
        const CUarray array = cuArray3DCreate(&each).value;
        report(("bytes of array " + text_of(each)).c_str(), cuArrayGetMemoryRequirements(array, 0).value.size);
        const CUmipmappedArray levels = cuMipmappedArrayCreate(&each, 20).value;
        report(("bytes of levels " + text_of(each)).c_str(), cuMipmappedArrayGetMemoryRequirements(levels, 0).value.size);
    }
}

/// Asks for a mapping of the first tile of an array after `change`.
template <class Change>
void ask_to_map(const char* text, const CUarrayMapInfo& base, const CUstream stream, Change change) {
    CUarrayMapInfo info = base;
    change(info, info.subresource.sparseLevel, info.subresource.miptail);
    ask(text, [&] { return cuMemMapArrayAsync(&info, 1, stream); });
}

#define ASK_TO_MAP(...)             \
    ask_to_map(                     \
        #__VA_ARGS__, base, stream, \
        [&]([[maybe_unused]] CUarrayMapInfo& info, [[maybe_unused]] auto& level, [[maybe_unused]] auto& tail) { __VA_ARGS__; })

CUarrayMapInfo map_of(CUmemGenericAllocationHandle memory) {
    CUarrayMapInfo base{};
    base.memOperationType = CU_MEM_OPERATION_TYPE_MAP;
    base.memHandleType = CU_MEM_HANDLE_TYPE_GENERIC;
    base.memHandle.memHandle = memory;
    base.deviceBitMask = 1;
    return base;
}

void ask_about_regions(CUmemGenericAllocationHandle memory, CUstream stream) {
    const CUDA_ARRAY3D_DESCRIPTOR sparse = shape(300, 256, 0, CUDA_ARRAY3D_SPARSE);
    CUarrayMapInfo base = map_of(memory);
    base.resource.array = cuArray3DCreate(&sparse).value;
    base.subresource.sparseLevel = {0, 0, 0, 0, 0, 128, 128, 1};
    const CUmemGenericAllocationHandle other = create_memory(0);
    ASK_TO_MAP(info.offset = 0);
    ASK_TO_MAP(info.offset = 4096);
    ASK_TO_MAP(info.offset = 8 << 20);
    ASK_TO_MAP(info.offset = (8 << 20) - tile, level.extentWidth = 300);
    ASK_TO_MAP(level.extentWidth = 300);
    ASK_TO_MAP(level.extentWidth = 384);
    ASK_TO_MAP(level.extentWidth = 100);
    ASK_TO_MAP(level.extentWidth = 0);
    ASK_TO_MAP(level.offsetX = 64);
    ASK_TO_MAP(level.offsetX = 256);
    ASK_TO_MAP(level.offsetX = 256, level.extentWidth = 44);
    ASK_TO_MAP(level.offsetX = 384);
    ASK_TO_MAP(level.extentHeight = 384);
    ASK_TO_MAP(level.extentDepth = 0);
    ASK_TO_MAP(level.extentDepth = 2);
    ASK_TO_MAP(level.offsetZ = 1);
    ASK_TO_MAP(level.layer = 1);
    ASK_TO_MAP(level.level = 1);
    ASK_TO_MAP(info.deviceBitMask = 0);
    ASK_TO_MAP(info.deviceBitMask = 2);
    ASK_TO_MAP(info.deviceBitMask = 3);
    ASK_TO_MAP(info.flags = 1);
    ASK_TO_MAP(info.reserved[0] = 1);
    ASK_TO_MAP(info.memHandleType = static_cast<CUmemHandleType>(1));
    ASK_TO_MAP(info.memOperationType = static_cast<CUmemOperationType>(0));
    ASK_TO_MAP(info.memOperationType = static_cast<CUmemOperationType>(3));
    ASK_TO_MAP(info.memHandle.memHandle = other);
    ASK_TO_MAP(info.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL);
    ASK_TO_MAP(info.subresourceType = static_cast<CUarraySparseSubresourceType>(2));
    ASK_TO_MAP(info.resourceType = CU_RESOURCE_TYPE_LINEAR);
    ASK_TO_MAP(info.resourceType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY);
    ASK_TO_MAP(info.resource.array = nullptr);
    ASK(cuMemMapArrayAsync(&base, 0, stream));
    ASK(cuMemMapArrayAsync(nullptr, 1, stream));
    ASK(cuMemMapArrayAsync(&base, 1, nullptr));
    ASK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    ASK(cuMemMapArrayAsync(&base, 1, stream));
    ASK(cuStreamEndCapture(stream));
    base.memOperationType = CU_MEM_OPERATION_TYPE_UNMAP;
    ASK(cuMemMapArrayAsync(&base, 1, stream));
    base.memHandle.memHandle = 0;
    ASK(cuMemMapArrayAsync(&base, 1, stream));
    ASK_TO_MAP(info.offset = 123);
    ASK_TO_MAP(info.deviceBitMask = 0);
    ASK_TO_MAP(level.offsetX = 64);
}

void ask_about_tails(CUmemGenericAllocationHandle memory, CUstream stream, std::size_t side) {
    const CUDA_ARRAY3D_DESCRIPTOR sparse = shape(side, side, 3, CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_LAYERED);
    CUarrayMapInfo base = map_of(memory);
    base.resourceType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    base.resource.mipmap = cuMipmappedArrayCreate(&sparse, 20).value;
    base.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL;
    base.subresource.miptail = {0, 0, cuMipmappedArrayGetSparseProperties(base.resource.mipmap).value.miptailSize};
    ASK_TO_MAP(tail.layer = 0);
    ASK_TO_MAP(tail.layer = 1);
    ASK_TO_MAP(tail.layer = 3);
    ASK_TO_MAP(tail.size = 0);
    ASK_TO_MAP(tail.size = 4096);
    ASK_TO_MAP(tail.size = tile);
    ASK_TO_MAP(tail.size *= 2);
    ASK_TO_MAP(tail.offset = tile);
    ASK_TO_MAP(tail.offset = tile, tail.size = tile);
    base.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
    base.subresource.sparseLevel = {0, 0, 0, 0, 0, 128, 128, 1};
    ASK_TO_MAP(level.level = 0);
    ASK_TO_MAP(level.level = 1);
    ASK_TO_MAP(level.level = 20);
    ASK_TO_MAP(level.layer = 2);
    ASK_TO_MAP(level.layer = 3);
    base.resourceType = CU_RESOURCE_TYPE_ARRAY;
    base.resource.array = cuMipmappedArrayGetLevel(base.resource.mipmap, 0).value;
    ASK_TO_MAP(level.level = 0);
}

void ask_about_deferred_mappings(CUmemGenericAllocationHandle memory, CUstream stream) {
    const CUDA_ARRAY3D_DESCRIPTOR deferred = shape(300, 300, 0, CUDA_ARRAY3D_DEFERRED_MAPPING);
    CUarrayMapInfo base = map_of(memory);
    base.resource.array = cuArray3DCreate(&deferred).value;
    base.subresourceType = static_cast<CUarraySparseSubresourceType>(7);
    base.subresource.sparseLevel = {9, 9, 9, 9, 9, 9, 9, 9};
    ASK_TO_MAP(info.offset = 0);
    ASK_TO_MAP(info.offset = 4096);
    ASK_TO_MAP(info.offset = 2 << 20);
    ASK_TO_MAP(info.offset = (8 << 20) - tile);
}

}  // namespace

void ask_about_sparse_arrays() {
    use_device();
    const CUmemGenericAllocationHandle memory = create_memory(CU_MEM_CREATE_USAGE_TILE_POOL);
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUdeviceptr address = cuMemAddressReserve(std::size_t{8} << 20, 0, 0, 0).value;
    ASK(cuMemMap(address, std::size_t{8} << 20, 0, memory, 0));
    ask_about_tiles();
    ask_about_sizes();
    ask_about_regions(memory, stream);
    ask_about_tails(memory, stream, 1024);
    ask_about_tails(memory, stream, 100);
    ask_about_deferred_mappings(memory, stream);
    ASK(cuStreamSynchronize(stream));
}

}  // namespace answers
