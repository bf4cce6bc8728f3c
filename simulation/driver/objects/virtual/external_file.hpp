// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "support/owned_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A part of a file that is mapped at addresses of the driver. The destructor removes the mapping, and frees the addresses.
class FileView {
public:
    /// Maps bytes of a file.
    FileView(int descriptor, std::uint64_t offset, std::size_t bytes);
    FileView(const FileView&) = delete;
    FileView& operator=(const FileView&) = delete;
    ~FileView();

    /// Returns the address of the first byte that was requested, or 0 if the file cannot be mapped.
    std::uintptr_t address() const noexcept { return mapped_ != 0 ? mapped_ + into_ : 0; }

private:
    const std::size_t into_;          ///< position of the first byte in its page
    const std::size_t size_;          ///< bytes of the mapped pages
    const std::uintptr_t allocated_;  ///< 0 if there are no free addresses
    std::uintptr_t mapped_ = 0;
};

/// A file that another interface has exported to the driver: the memory of an allocation, or the state of a semaphore. Real
/// drivers import objects of a graphics driver. In the simulation, these are anonymous files that cannot shrink, so that they can
/// be mapped safely: memory that the simulated driver has exported, and files of memfd_create() with MFD_ALLOW_SEALING.
class ExternalFile {
public:
    /// Opens the file of a descriptor, and prevents that it shrinks. Returns null if the file is of another kind or has fewer
    /// than `size` bytes. The caller owns the descriptor until own_descriptor().
    static std::shared_ptr<ExternalFile> open(int descriptor, std::uint64_t size);

    ExternalFile(const ExternalFile&) = delete;
    ExternalFile& operator=(const ExternalFile&) = delete;

    /// Takes ownership of the descriptor. The call that imports the file must not fail afterwards, because a program closes the
    /// descriptor of a failed call.
    void own_descriptor() noexcept { file_.take(); }
    /// Returns the bytes that the program has stated.
    std::uint64_t size() const noexcept { return size_; }
    /// Maps a part of the file, which lies within size(). Returns null if that fails. The view does not need this object.
    std::shared_ptr<FileView> map(std::uint64_t offset, std::size_t bytes) const;

private:
    ExternalFile(int descriptor, std::uint64_t size) noexcept : file_(descriptor), size_(size) { file_.release(); }

    OwnedFile file_;
    const std::uint64_t size_;
};

}  // namespace CUBIND_NAMESPACE::sim
