// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/pool/pool_file.hpp"

#include <cubind/detail/write_signals.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/round_up.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// The beginning of the file.
struct Description {
    std::uint64_t mark;
    PoolPlace place;
};

constexpr std::uint64_t mark = 0x6375'6269'6e64'706f;
constexpr int seals = F_SEAL_SHRINK | F_SEAL_SEAL;

template <class Value>
bool write_at(int file, std::uint64_t offset, const Value& value) {
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = pwrite(file, &value, sizeof value, static_cast<off_t>(offset)) != static_cast<ssize_t>(sizeof value);
    return !signals.has_failed;
}

template <class Value>
bool read_at(int file, std::uint64_t offset, Value& value) {
    return pread(file, &value, sizeof value, static_cast<off_t>(offset)) == static_cast<ssize_t>(sizeof value);
}

bool set_size(int file, std::uint64_t size) {
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = ftruncate(file, static_cast<off_t>(size)) != 0;
    return !signals.has_failed;
}

// A piece is described in the page before its memory.
std::uint64_t description_of(std::uint64_t offset) noexcept {
    return offset - file_page;
}

}  // namespace

std::unique_ptr<PoolFile> PoolFile::create(const PoolPlace& place) {
    const int file = memfd_create("cubind-shared-pool", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return nullptr;
    if (!set_size(file, file_page) || !write_at(file, 0, Description{mark, place}) || fcntl(file, F_ADD_SEALS, seals) != 0) {
        close(file);
        return nullptr;
    }
    return std::unique_ptr<PoolFile>(new PoolFile(file, place, false));
}

std::unique_ptr<PoolFile> PoolFile::open(int descriptor) {
    const int found_seals = fcntl(descriptor, F_GET_SEALS);  // fails for files of other kinds
    if (found_seals < 0 || (found_seals & seals) != seals) return nullptr;
    Description found{};
    if (!read_at(descriptor, 0, found) || found.mark != mark) return nullptr;
    const int file = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    return file < 0 ? nullptr : std::unique_ptr<PoolFile>(new PoolFile(file, found.place, true));
}

PoolFile::PoolFile(int file, const PoolPlace& place, bool is_opened)
    : file_(file), place_(place), is_opened_(is_opened), size_(file_page) {
    struct stat status {};
    if (fstat(file, &status) == 0) {
        device_ = status.st_dev;
        number_ = status.st_ino;
    }
}

PoolFile::~PoolFile() {
    close(file_);
}

int PoolFile::share() {
    const int descriptor = fcntl(file_, F_DUPFD_CLOEXEC, 0);
    if (descriptor >= 0) is_shared_.store(true, std::memory_order_relaxed);
    return descriptor;
}

std::optional<PoolFile::Piece> PoolFile::allocate(std::size_t bytes) {
    const std::uint64_t taken = file_page + round_up(bytes, file_page);
    const std::lock_guard lock(mutex_);
    Piece piece{0, bytes, last_id_ + 1};
    const auto found = free_.find(taken);
    const bool is_reused = found != free_.end() && !found->second.empty();
    if (is_reused) {
        piece.offset = found->second.front();
    } else {
        if (!set_size(file_, size_ + taken)) return std::nullopt;
        piece.offset = size_ + file_page;
        size_ += taken;
    }
    if (!write_at(file_, description_of(piece.offset), piece)) {
        if (!is_reused) free_[taken].push_back(piece.offset);
        return std::nullopt;
    }
    if (is_reused) found->second.pop_front();
    last_id_ = piece.id;
    return piece;
}

void PoolFile::free(const Piece& piece) {
    const std::uint64_t taken = file_page + round_up(piece.size, file_page);
    const auto from = static_cast<off_t>(description_of(piece.offset));
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, static_cast<off_t>(taken));  // clears the description, too
    const std::lock_guard lock(mutex_);
    free_[taken].push_back(piece.offset);
}

bool PoolFile::has(const Piece& piece) const {
    Piece found{};
    const bool can_exist = piece.id != 0 && piece.offset >= 2 * file_page && piece.offset % file_page == 0;
    return can_exist && read_at(file_, description_of(piece.offset), found) && found == piece;
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
