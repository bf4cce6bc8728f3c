// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/pool/pool_file.hpp"

#include <new>
#include <utility>

#include "shared/round_up.hpp"
#include "support/sealed_file.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// The beginning of the file.
struct Description {
    std::uint64_t mark;
    PoolPlace place;
};

constexpr std::uint64_t mark = 0x6375'6269'6e64'706f;

// A piece is described in the page before its memory.
std::uint64_t description_of(std::uint64_t offset) noexcept {
    return offset - file_page;
}

}  // namespace

std::unique_ptr<PoolFile> PoolFile::create(const PoolPlace& place) {
    OwnedFile file(create_anonymous_file("cubind-shared-pool"));
    const int descriptor = file.descriptor();
    const bool is_complete = descriptor >= 0 && set_file_size(descriptor, file_page) &&
                             write_at(descriptor, 0, Description{mark, place}) && seal(descriptor, FileGrowth::possible);
    return is_complete ? std::unique_ptr<PoolFile>(new PoolFile(std::move(file), place, false)) : nullptr;
}

std::unique_ptr<PoolFile> PoolFile::open(int descriptor) {
    Description found{};
    if (!is_sealed(descriptor, FileGrowth::possible) || !read_at(descriptor, 0, found) || found.mark != mark) return nullptr;
    OwnedFile file(duplicate_descriptor(descriptor));
    return file.descriptor() < 0 ? nullptr : std::unique_ptr<PoolFile>(new PoolFile(std::move(file), found.place, true));
}

PoolFile::PoolFile(OwnedFile file, const PoolPlace& place, bool is_opened)
    : file_(std::move(file)), place_(place), is_opened_(is_opened), size_(file_page) {}

int PoolFile::share() {
    const int descriptor = duplicate_descriptor(file_.descriptor());
    if (descriptor >= 0) is_shared_.store(true, std::memory_order_relaxed);
    return descriptor;
}

std::optional<PoolFile::Piece> PoolFile::allocate(std::size_t bytes) {
    const std::uint64_t taken = file_page + round_up(bytes, file_page);
    const int file = file_.descriptor();
    const std::lock_guard lock(mutex_);
    Piece piece{0, bytes, last_id_ + 1};
    const auto found = free_.find(taken);
    const bool is_reused = found != free_.end() && !found->second.empty();
    if (is_reused) {
        piece.offset = found->second.front();
    } else {
        if (!set_file_size(file, size_ + taken)) return std::nullopt;
        piece.offset = size_ + file_page;
        size_ += taken;
    }
    if (!write_at(file, description_of(piece.offset), piece)) {
        if (!is_reused) free_[taken].push_back(piece.offset);
        return std::nullopt;
    }
    if (is_reused) found->second.pop_front();
    last_id_ = piece.id;
    return piece;
}

void PoolFile::free(const Piece& piece) noexcept {
    const std::uint64_t taken = file_page + round_up(piece.size, file_page);
    free_range(file_.descriptor(), description_of(piece.offset), taken);  // clears the description, too
    const std::lock_guard lock(mutex_);
    try {
        free_[taken].push_back(piece.offset);
    } catch (const std::bad_alloc&) {  // the piece is not reused
    }
}

bool PoolFile::has(const Piece& piece) const {
    const int file = file_.descriptor();
    const std::uint64_t end = file_size(file);  // other processes can write to the file, but not shrink it
    const bool can_exist = piece.id != 0 && piece.size != 0 && piece.offset >= 2 * file_page && piece.offset % file_page == 0 &&
                           piece.offset < end && piece.size <= end - piece.offset;
    Piece found{};
    return can_exist && read_at(file, description_of(piece.offset), found) && found == piece;
}

std::uintptr_t PoolFile::mapped_address(const Piece& piece) const {
    const std::lock_guard lock(mutex_);
    const auto found = mapped_addresses_.find(piece.offset);
    return found != mapped_addresses_.end() ? found->second : 0;
}

void PoolFile::set_mapped_address(const Piece& piece, std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    if (address == 0) {
        mapped_addresses_.erase(piece.offset);
    } else {
        mapped_addresses_[piece.offset] = address;
    }
}

}  // namespace CUBIND_NAMESPACE::sim
