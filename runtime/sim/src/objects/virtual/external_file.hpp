// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace CUBIND_NAMESPACE::sim {

/// A part of a file that is mapped at addresses of the driver. The destructor removes the mapping, and frees the addresses.
class FileView {
public:
    /// Takes ownership of addresses that the address space has allocated, and of the mapping of `size` bytes at `address`.
    FileView(std::uintptr_t allocated, std::size_t allocated_size, std::uintptr_t address, std::size_t size, std::size_t into);
    FileView(const FileView&) = delete;
    FileView& operator=(const FileView&) = delete;
    ~FileView();

    /// Returns the address of the first byte that was requested.
    std::uintptr_t address() const noexcept { return address_ + into_; }

private:
    const std::uintptr_t allocated_;
    const std::size_t allocated_size_;
    const std::uintptr_t address_;
    const std::size_t size_;
    const std::size_t into_;
};

/// A file that another interface has exported to the driver: the memory of an allocation, or the state of a semaphore. Real
/// drivers import objects of a graphics driver. In the simulation, these are anonymous files that cannot shrink, so that they can
/// be mapped safely: memory that the simulated driver has exported, and files of memfd_create() with MFD_ALLOW_SEALING.
class ExternalFile {
public:
    /// Opens the file of a descriptor, and prevents that it shrinks. Owns the descriptor afterwards. Returns null, and owns
    /// nothing, if the file is of another kind or has fewer than `size` bytes.
    static std::shared_ptr<ExternalFile> open(int descriptor, std::uint64_t size);

    ExternalFile(const ExternalFile&) = delete;
    ExternalFile& operator=(const ExternalFile&) = delete;
    ~ExternalFile();

    /// Returns the bytes that the program has stated.
    std::uint64_t size() const noexcept { return size_; }
    /// Maps a part of the file, which lies within size(). Returns null if that fails. The view does not need this object.
    std::shared_ptr<FileView> map(std::uint64_t offset, std::size_t bytes) const;

private:
    ExternalFile(int descriptor, std::uint64_t size) noexcept : descriptor_(descriptor), size_(size) {}

    const int descriptor_;
    const std::uint64_t size_;
};

}  // namespace CUBIND_NAMESPACE::sim
