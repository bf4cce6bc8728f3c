// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/unsafe_call.hpp"
#include "objects/virtual/shared_file.hpp"
#include "objects/virtual/shared_pool.hpp"
#include "support/sealed_file.hpp"

/// Pools and their memory that processes share by file descriptors.
namespace CUBIND_NAMESPACE::sim {

namespace {

/// The content of CUmemPoolPtrExportData.
struct SharedPointer {
    std::uint64_t mark;
    std::uint64_t device;  ///< with `number`, identifies the pool's file
    std::uint64_t number;
    PoolFile::Piece piece;
};
static_assert(sizeof(SharedPointer) <= sizeof(CUmemPoolPtrExportData));

constexpr std::uint64_t mark = 0x6375'6269'6e64'7070;

CUresult check_call() {
    const CUresult status = check_initialized();
    return status != CUDA_SUCCESS ? status : check_unsafe_call();
}

}  // namespace

extern "C" {

CUresult sim_cuMemPoolExportToShareableHandle(void* handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType,
                                              unsigned long long flags) {
    if (const CUresult status = check_call()) return status;
    const auto found = machine().pools.find(pool);
    const bool may_be_shared =
        found != nullptr && found->file != nullptr && !found->is_imported() && handleType == shareable_type;
    if (handle_out == nullptr || flags != 0 || !may_be_shared) return CUDA_ERROR_INVALID_VALUE;
    const int descriptor = found->file->share();
    return descriptor < 0 ? CUDA_ERROR_OPERATING_SYSTEM : write_output(static_cast<int*>(handle_out), descriptor);
}

CUresult sim_cuMemPoolImportFromShareableHandle(CUmemoryPool* pool_out, void* handle, CUmemAllocationHandleType handleType,
                                                unsigned long long flags) {
    if (const CUresult status = check_call()) return status;
    if (pool_out == nullptr || flags != 0 || handleType != shareable_type) return CUDA_ERROR_INVALID_VALUE;
    const auto descriptor = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
    if (!is_open(descriptor)) return CUDA_ERROR_UNKNOWN;
    std::shared_ptr<PoolFile> file = PoolFile::open(descriptor);
    if (file == nullptr) return CUDA_ERROR_INVALID_VALUE;
    // The ordinals of devices are the same in all processes of the simulation.
    const PoolPlace place = file->place();
    if (!exists(place, machine().devices)) return CUDA_ERROR_INVALID_DEVICE;
    Device& device = device_at(place, machine().devices);
    return write_output(pool_out, add_new(machine().pools, place, device, false, std::size_t{0}, std::move(file))->handle);
}

// As with the driver, the pool must have been exported before its memory is.
CUresult sim_cuMemPoolExportPointer(CUmemPoolPtrExportData* shareData_out, CUdeviceptr ptr) {
    if (const CUresult status = check_call()) return status;
    const auto found = machine().memory.find(ptr);
    const bool is_shareable = found != nullptr && found->base == ptr && found->pool != nullptr && found->pool->file != nullptr &&
                              found->pool->file->is_shared() && !found->is_being_freed;
    if (shareData_out == nullptr || !is_shareable) return CUDA_ERROR_INVALID_VALUE;
    const PoolFile& file = *found->pool->file;
    const SharedPointer content{mark, file.device(), file.number(), piece_of(*found)};
    CUmemPoolPtrExportData data{};
    std::memcpy(&data, &content, sizeof content);
    return write_output(shareData_out, data);
}

// As with the driver, a second import of device memory returns the address of the first, and one free ends both.
CUresult sim_cuMemPoolImportPointer(CUdeviceptr* ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData* shareData) {
    if (const CUresult status = check_call()) return status;
    const auto found = machine().pools.find(pool);
    if (ptr_out == nullptr || shareData == nullptr || found == nullptr || !found->is_imported()) return CUDA_ERROR_INVALID_VALUE;
    SharedPointer content{};
    std::memcpy(&content, shareData, sizeof content);
    PoolFile& file = *found->file;
    const bool is_of_pool = content.mark == mark && content.device == file.device() && content.number == file.number();
    if (!is_of_pool || !file.has(content.piece)) return CUDA_ERROR_INVALID_VALUE;
    if (const std::uintptr_t address = file.mapped_address(content.piece)) {
        return found->kind == MemoryKind::device ? write_output(ptr_out, CUdeviceptr{address}) : CUDA_ERROR_ALREADY_MAPPED;
    }
    const NewMemory memory = import_shared(machine().memory, found, content.piece);
    return memory.status != CUDA_SUCCESS ? memory.status : write_output(ptr_out, CUdeviceptr{memory.allocation->base});
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
