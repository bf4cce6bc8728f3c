// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/unsafe_call.hpp"
#include "objects/array/array.hpp"

/// Memory of another interface. There is no graphics driver in a simulation, so a program imports files; see ExternalFile.
namespace CUBIND_NAMESPACE::sim {

namespace {

/// Imported memory, found by its handle, and the current context.
struct ExternalCheck {
    explicit ExternalCheck(CUexternalMemory handle) : status(current.status) {
        if (status != CUDA_SUCCESS) return;
        memory = machine().external_memories.find(handle);
        if (memory == nullptr) status = CUDA_ERROR_INVALID_HANDLE;
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }

    CurrentCheck current;
    CUresult status;
    std::shared_ptr<ExternalMemory> memory;
};

/// Returns memory at an address of the view, which it retains. No lookup finds the memory by its address.
std::shared_ptr<Allocation> make_memory(const Context& context, const std::shared_ptr<FileView>& view, std::size_t into,
                                        std::size_t bytes) {
    auto allocation = std::make_shared<Allocation>();
    allocation->kind = MemoryKind::device;
    allocation->base = view->address() + into;
    allocation->size = bytes;
    allocation->device = &context.device;
    allocation->context = context.handle;
    allocation->id = new_handle_value() / 16;
    allocation->address_owner = view;
    return allocation;
}

// In the simulation, the levels follow each other without gaps. On a GPU, only the driver knows the layout.
CUresult map_levels(const ExternalMemory& memory, const std::shared_ptr<Context>& owner, unsigned long long offset,
                    const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned count, std::vector<std::shared_ptr<Array>>& levels) {
    std::size_t bytes = 0;
    for (unsigned level = 0; level < count; ++level) {
        const auto shape = shape_of(level_of(descriptor, level));
        if (!shape) return CUDA_ERROR_INVALID_VALUE;
        bytes += shape->bytes();
    }
    if (offset > memory.file->size() || bytes > memory.file->size() - offset) return CUDA_ERROR_INVALID_VALUE;
    const auto view = memory.file->map(offset, bytes);
    if (view == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    std::size_t into = 0;
    for (unsigned level = 0; level < count; ++level) {
        const CUDA_ARRAY3D_DESCRIPTOR reduced = level_of(descriptor, level);
        const Shape shape = *shape_of(reduced);
        levels.push_back(add_new(machine().arrays, owner, reduced, shape, make_memory(*owner, view, into, shape.bytes()), true));
        into += shape.bytes();
    }
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult sim_cuImportExternalMemory(CUexternalMemory* extMem_out, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* memHandleDesc) {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_unsafe_call()) return status;
    if (extMem_out == nullptr || memHandleDesc == nullptr || memHandleDesc->size == 0) return CUDA_ERROR_INVALID_VALUE;
    if (memHandleDesc->type != CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD) return CUDA_ERROR_NOT_SUPPORTED;
    if ((memHandleDesc->flags & ~unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED}) != 0) return CUDA_ERROR_INVALID_VALUE;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    const auto file = ExternalFile::open(memHandleDesc->handle.fd, memHandleDesc->size);
    if (file == nullptr) return CUDA_ERROR_UNKNOWN;
    const auto made = add_new(machine().external_memories, owner, file);
    file->own_descriptor();
    return write_output(extMem_out, made->handle);
}

CUresult sim_cuDestroyExternalMemory(CUexternalMemory extMem) {
    if (const CUresult status = check_initialized()) return status;
    if (const CUresult status = check_unsafe_call()) return status;
    return machine().external_memories.remove(extMem) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult sim_cuExternalMemoryGetMappedBuffer(CUdeviceptr* devPtr, CUexternalMemory extMem,
                                             const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* bufferDesc) {
    const Valid<ExternalCheck> external(extMem);
    if (const CUresult status = check_unsafe_call()) return status;
    if (devPtr == nullptr || bufferDesc == nullptr || bufferDesc->flags != 0) return CUDA_ERROR_INVALID_VALUE;
    const std::uint64_t size = external.memory->file->size();
    const bool is_inside = bufferDesc->offset <= size && bufferDesc->size <= size - bufferDesc->offset;
    if (bufferDesc->size == 0 || !is_inside) return CUDA_ERROR_INVALID_VALUE;
    const auto view = external.memory->file->map(bufferDesc->offset, bufferDesc->size);
    if (view == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    const auto allocation = make_memory(*external.current.context, view, 0, bufferDesc->size);
    external.current->memory.add(allocation);
    return write_output(devPtr, CUdeviceptr{allocation->base});
}

CUresult sim_cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray* mipmap, CUexternalMemory extMem,
                                                     const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC* mipmapDesc) {
    const Valid<ExternalCheck> external(extMem);
    if (const CUresult status = check_unsafe_call()) return status;
    if (mipmap == nullptr || mipmapDesc == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR descriptor = mipmapDesc->arrayDesc;
    descriptor.Flags &= ~unsigned{CUDA_ARRAY3D_COLOR_ATTACHMENT};  // no one renders to the image
    const unsigned count = mipmapDesc->numLevels;
    if (count == 0 || count > max_levels(descriptor)) return CUDA_ERROR_INVALID_VALUE;
    const auto owner = machine().contexts.find(external.current->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    std::vector<std::shared_ptr<Array>> levels;
    if (const CUresult status = map_levels(*external.memory, owner, mipmapDesc->offset, descriptor, count, levels)) return status;
    return write_output(mipmap, add_new(machine().mipmapped_arrays, owner, descriptor, std::move(levels))->handle);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
