// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/copies.hpp"

#include <bit>
#include <cstddef>

#include "convert/formats.hpp"
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

CUarray driver_array(cudaArray_const_t array) noexcept {
    return as<CUarray>(array);
}

// A copy between memory and memory has bytes as elements.
cudaError_t element_size_of(const cudaMemcpy3DParms& parameters, std::size_t& from, std::size_t& to) noexcept {
    from = to = 1;
    if (parameters.srcArray != nullptr) {
        if (const cudaError_t status = read_element_size(parameters.srcArray, from)) return status;
    }
    return parameters.dstArray != nullptr ? read_element_size(parameters.dstArray, to) : cudaSuccess;
}

Side to_side(cudaArray_t array, const cudaPitchedPtr& memory, const cudaPos& position, std::size_t size) noexcept {
    Side side = array != nullptr ? array_side(array, 0, 0) : memory_side(memory.ptr, memory.pitch, memory.ysize);
    side.x = position.x * size;
    side.y = position.y;
    side.z = position.z;
    return side;
}

bool is_from_host(cudaMemcpyKind kind) noexcept {
    return kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
}

bool is_to_host(cudaMemcpyKind kind) noexcept {
    return kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
}

// Arrays are on devices.
bool contradicts_arrays(const BoxCopy& copy, cudaMemcpyKind kind) noexcept {
    return (copy.from.type == CU_MEMORYTYPE_ARRAY && is_from_host(kind)) ||
           (copy.to.type == CU_MEMORYTYPE_ARRAY && is_to_host(kind));
}

cudaMemcpyKind direction_of(CUmemorytype from, CUmemorytype to) noexcept {
    if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
    if (from == CU_MEMORYTYPE_HOST) return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

void* pointer_of(CUmemorytype type, const void* host, CUdeviceptr device) noexcept {
    if (type == CU_MEMORYTYPE_ARRAY) return nullptr;
    return type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : reinterpret_cast<void*>(device);
}

}  // namespace

Side memory_side(const void* pointer, std::size_t pitch, std::size_t height) noexcept {
    Side side;
    side.pointer = const_cast<void*>(pointer);
    side.pitch = pitch;
    side.height = height;
    return side;
}

Side array_side(cudaArray_const_t array, std::size_t x, std::size_t y) noexcept {
    Side side;
    side.type = CU_MEMORYTYPE_ARRAY;
    side.array = driver_array(array);
    side.x = x;
    side.y = y;
    return side;
}

cudaError_t set_direction(BoxCopy& copy, cudaMemcpyKind kind) noexcept {
    if (kind > cudaMemcpyDefault || contradicts_arrays(copy, kind)) return cudaErrorInvalidMemcpyDirection;
    const auto set = [&](Side& side, bool is_host) {
        if (side.type == CU_MEMORYTYPE_ARRAY) return;
        side.type = kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED : is_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    };
    set(copy.from, is_from_host(kind));
    set(copy.to, is_to_host(kind));
    return cudaSuccess;
}

CUDA_MEMCPY3D to_driver(const BoxCopy& copy) noexcept {
    CUDA_MEMCPY3D box = {};
    box.srcXInBytes = copy.from.x;
    box.srcY = copy.from.y;
    box.srcZ = copy.from.z;
    box.srcMemoryType = copy.from.type;
    box.srcHost = copy.from.pointer;
    box.srcDevice = as<CUdeviceptr>(copy.from.pointer);
    box.srcArray = copy.from.array;
    box.srcPitch = copy.from.pitch;
    box.srcHeight = copy.from.height;
    box.dstXInBytes = copy.to.x;
    box.dstY = copy.to.y;
    box.dstZ = copy.to.z;
    box.dstMemoryType = copy.to.type;
    box.dstHost = copy.to.pointer;
    box.dstDevice = as<CUdeviceptr>(copy.to.pointer);
    box.dstArray = copy.to.array;
    box.dstPitch = copy.to.pitch;
    box.dstHeight = copy.to.height;
    box.WidthInBytes = copy.width;
    box.Height = copy.height;
    box.Depth = copy.depth;
    return box;
}

// The contexts are in the place of reserved members.
CUDA_MEMCPY3D_PEER as_peers(const CUDA_MEMCPY3D& copy) noexcept {
    static_assert(sizeof(CUDA_MEMCPY3D_PEER) == sizeof copy);
    static_assert(offsetof(CUDA_MEMCPY3D_PEER, srcContext) == offsetof(CUDA_MEMCPY3D, reserved0));
    static_assert(offsetof(CUDA_MEMCPY3D_PEER, dstContext) == offsetof(CUDA_MEMCPY3D, reserved1));
    return std::bit_cast<CUDA_MEMCPY3D_PEER>(copy);
}

cudaError_t run(const BoxCopy& copy, const cudaStream_t* stream) {
    if (const cudaError_t status = bind_context()) return status;
    if (copy.is_empty()) return cudaSuccess;
    const CUDA_MEMCPY3D box = to_driver(copy);
    if (stream != nullptr) return status_of(cuMemcpy3DAsync_v2(&box, driver_stream(*stream)));
    return status_of(thread_state.uses_per_thread_stream ? cuMemcpy3D_v2_ptds(&box) : cuMemcpy3D_v2(&box));
}

cudaError_t read_element_size(cudaArray_const_t array, std::size_t& size) noexcept {
    CUDA_ARRAY3D_DESCRIPTOR description = {};
    if (const CUresult status = cuArray3DGetDescriptor_v2(&description, driver_array(array))) return status_of(status);
    size = element_size({description.Format, description.NumChannels});
    return size != 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t to_box(const cudaMemcpy3DParms& parameters, BoxCopy& copy) noexcept {
    const bool has_from = (parameters.srcArray != nullptr) != (parameters.srcPtr.ptr != nullptr);
    const bool has_to = (parameters.dstArray != nullptr) != (parameters.dstPtr.ptr != nullptr);
    if (!has_from || !has_to) return cudaErrorInvalidValue;
    std::size_t from_size = 1;
    std::size_t to_size = 1;
    if (const cudaError_t status = element_size_of(parameters, from_size, to_size)) return status;
    const bool has_two_arrays = parameters.srcArray != nullptr && parameters.dstArray != nullptr;
    if (has_two_arrays && from_size != to_size) return cudaErrorInvalidValue;
    copy.from = to_side(parameters.srcArray, parameters.srcPtr, parameters.srcPos, from_size);
    copy.to = to_side(parameters.dstArray, parameters.dstPtr, parameters.dstPos, to_size);
    copy.width = parameters.extent.width * (parameters.srcArray != nullptr ? from_size : to_size);
    copy.height = parameters.extent.height;
    copy.depth = parameters.extent.depth;
    if (contradicts_arrays(copy, parameters.kind)) return cudaErrorInvalidValue;
    return set_direction(copy, parameters.kind);
}

cudaError_t from_driver(const CUDA_MEMCPY3D& copy, cudaMemcpy3DParms& parameters) noexcept {
    parameters = {};
    if (copy.srcMemoryType == CU_MEMORYTYPE_ARRAY) parameters.srcArray = as<cudaArray_t>(copy.srcArray);
    if (copy.dstMemoryType == CU_MEMORYTYPE_ARRAY) parameters.dstArray = as<cudaArray_t>(copy.dstArray);
    std::size_t from_size = 1;
    std::size_t to_size = 1;
    if (const cudaError_t status = element_size_of(parameters, from_size, to_size)) return status;
    parameters.srcPos = {copy.srcXInBytes / from_size, copy.srcY, copy.srcZ};
    parameters.dstPos = {copy.dstXInBytes / to_size, copy.dstY, copy.dstZ};
    if (parameters.srcArray == nullptr) {
        void* const pointer = pointer_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice);
        parameters.srcPtr = {pointer, copy.srcPitch, 0, copy.srcHeight};
    }
    if (parameters.dstArray == nullptr) {
        void* const pointer = pointer_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice);
        parameters.dstPtr = {pointer, copy.dstPitch, 0, copy.dstHeight};
    }
    const std::size_t size = parameters.srcArray != nullptr ? from_size : to_size;
    parameters.extent = {copy.WidthInBytes / size, copy.Height, copy.Depth};
    const auto kind_of = [](CUmemorytype type) { return type == CU_MEMORYTYPE_ARRAY ? CU_MEMORYTYPE_DEVICE : type; };
    parameters.kind = direction_of(kind_of(copy.srcMemoryType), kind_of(copy.dstMemoryType));
    return cudaSuccess;
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
