// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/virtual/shared_pool.hpp"

#include <new>

#include "objects/memory/address_space.hpp"
#include "objects/memory/memory_map.hpp"
#include "objects/pool/pool.hpp"
#include "objects/virtual/physical_store.hpp"
#include "shared/round_up.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

/// A piece of the file of a pool at an address. In the process that has allocated the piece, the object owns it.
class MappedPiece {
public:
    MappedPiece(std::shared_ptr<PoolFile> file, const PoolFile::Piece& own_piece) : piece(own_piece), file_(std::move(file)) {
        const std::size_t bytes = round_up(piece.size, file_page);
        allocated_base_ = AddressSpace::instance().allocate(bytes + file_page);
        if (allocated_base_ == 0) return;
        const std::uintptr_t aligned = round_up(allocated_base_, file_page);
        if (!PhysicalStore::map_file(file_->descriptor(), aligned, bytes, piece.offset)) return;
        PhysicalStore::instance().add_use(bytes);
        address = aligned;
    }
    ~MappedPiece() {
        const std::size_t bytes = round_up(piece.size, file_page);
        if (file_->is_opened()) file_->set_mapped_address(piece, 0);
        if (address != 0) {
            PhysicalStore::unmap(address, bytes);
            PhysicalStore::instance().remove_use(bytes);
        }
        if (allocated_base_ != 0) AddressSpace::instance().free(allocated_base_, bytes + file_page);
        if (!file_->is_opened()) file_->free(piece);
    }
    MappedPiece(const MappedPiece&) = delete;  // owns its addresses
    MappedPiece& operator=(const MappedPiece&) = delete;

    const PoolFile::Piece piece;
    std::uintptr_t address = 0;  ///< 0 if the piece could not be mapped

private:
    const std::shared_ptr<PoolFile> file_;
    std::uintptr_t allocated_base_ = 0;
};

// Frees a piece that this process has allocated if memory is exhausted before an object owns it.
std::shared_ptr<MappedPiece> make_mapped(const std::shared_ptr<PoolFile>& file, const PoolFile::Piece& piece) {
    try {
        return std::make_shared<MappedPiece>(file, piece);
    } catch (const std::bad_alloc&) {
        if (!file->is_opened()) file->free(piece);
        throw;
    }
}

NewMemory map_piece(MemoryMap& memory, const std::shared_ptr<Pool>& pool, const PoolFile::Piece& piece) {
    auto mapped = make_mapped(pool->file, piece);
    auto allocation = std::make_shared<Allocation>();
    if (mapped->address == 0) return {CUDA_ERROR_OUT_OF_MEMORY, nullptr};
    if (!pool->allocate(piece.size)) return {CUDA_ERROR_OUT_OF_MEMORY, nullptr};
    allocation->pool = pool;
    allocation->charged = piece.size;
    allocation->kind = pool->kind;
    allocation->device = &pool->device;
    allocation->id = new_handle_value() / 16;
    allocation->base = mapped->address;
    allocation->size = piece.size;
    if (pool->file->is_opened()) pool->file->set_mapped_address(piece, mapped->address);
    allocation->address_owner = std::move(mapped);
    memory.add(allocation);
    return {CUDA_SUCCESS, std::move(allocation)};
}

}  // namespace

NewMemory allocate_shared(MemoryMap& memory, const std::shared_ptr<Pool>& pool, std::size_t bytes) {
    if (bytes > pool->device.memory) return {CUDA_ERROR_OUT_OF_MEMORY, nullptr};
    const auto piece = pool->file->allocate(bytes);
    return piece ? map_piece(memory, pool, *piece) : NewMemory{CUDA_ERROR_OUT_OF_MEMORY, nullptr};
}

NewMemory import_shared(MemoryMap& memory, const std::shared_ptr<Pool>& pool, const PoolFile::Piece& piece) {
    return map_piece(memory, pool, piece);
}

const PoolFile::Piece& piece_of(const Allocation& allocation) noexcept {
    return static_cast<const MappedPiece*>(allocation.address_owner.get())->piece;
}

}  // namespace CUBIND_NAMESPACE::sim
