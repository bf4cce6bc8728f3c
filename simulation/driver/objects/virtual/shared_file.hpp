// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "objects/virtual/physical_store.hpp"
#include "support/owned_file.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The type of the handles by which processes share memory.
inline constexpr auto shareable_type = driver::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// Physical memory in an anonymous file that other processes can map. The file ends with a description of the memory, and its
/// size cannot be changed, so a process that receives its descriptor can map it safely. The memory exists until the last
/// descriptor and mapping of any process is closed.
class SharedFile {
public:
    /// Creates a file. Returns null if the process cannot have another file.
    static std::unique_ptr<SharedFile> create(std::size_t bytes, const driver::CUmemAllocationProp& properties);
    /// Opens the file of a descriptor, which the caller may close. Returns null if create() did not create the file.
    static std::unique_ptr<SharedFile> open(int descriptor);

    SharedFile(const SharedFile&) = delete;  // owns its descriptor
    SharedFile& operator=(const SharedFile&) = delete;
    ~SharedFile();

    std::size_t size() const noexcept { return size_; }
    const driver::CUmemAllocationProp& properties() const noexcept { return properties_; }
    /// Checks whether both refer to the same memory.
    bool is_same(const SharedFile& other) const noexcept { return file_.is_same(other.file_); }

    /// Returns a new descriptor of the file, or -1 if the process cannot have another descriptor.
    int share() const;
    /// Maps the memory at an address. Children of fork() do not inherit the mapping. Returns false on failure.
    bool map(std::uintptr_t address) const;

private:
    SharedFile(OwnedFile file, std::size_t size, const driver::CUmemAllocationProp& properties);

    const OwnedFile file_;
    const std::size_t size_;
    const driver::CUmemAllocationProp properties_;
    PhysicalStore& store_;
};

}  // namespace CUBIND_NAMESPACE::sim
