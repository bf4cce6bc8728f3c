// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>

/// Anonymous files that processes share by their descriptors. After sealing, no process can shrink the file, so that a process
/// that received its descriptor can map it safely.
namespace CUBIND_NAMESPACE::sim {

enum class FileGrowth { possible, prevented };

/// Creates an empty file that is not sealed. Returns its descriptor, which is not that of a standard stream, or -1 if the process
/// cannot have another file.
int create_anonymous_file(const char* name) noexcept;
/// Prevents shrinking, other seals, and growing if `growth` says so. Returns false on failure.
bool seal(int file, FileGrowth growth) noexcept;
/// Returns whether seal() was applied to the file. Returns false for files of other kinds.
bool is_sealed(int file, FileGrowth growth) noexcept;
/// Sets the size in bytes. Returns false on failure.
bool set_file_size(int file, std::uint64_t size) noexcept;
/// Returns the size in bytes, or 0 on failure.
std::uint64_t file_size(int file) noexcept;
/// Makes bytes zero and gives back their memory.
void free_range(int file, std::uint64_t offset, std::uint64_t size) noexcept;
/// Opens the file that a descriptor of another process means. Returns a descriptor of this process, or -1.
int open_file_of(int process, int descriptor) noexcept;
/// Returns whether the process has a file with this descriptor.
bool is_open(int file) noexcept;
/// Returns another descriptor of the file, which programs that this process starts do not inherit, or -1.
int duplicate_descriptor(int file) noexcept;

/// Writes bytes at a position in bytes. Returns false on failure.
bool write_at(int file, std::uint64_t position, const void* bytes, std::size_t size) noexcept;
template <class Value>
bool write_at(int file, std::uint64_t position, const Value& value) noexcept {
    return write_at(file, position, &value, sizeof value);
}

/// Reads bytes from a position in bytes. Returns false on failure, or if the file ends before.
bool read_at(int file, std::uint64_t position, void* bytes, std::size_t size) noexcept;
template <class Value>
bool read_at(int file, std::uint64_t position, Value& value) noexcept {
    return read_at(file, position, &value, sizeof value);
}

}  // namespace CUBIND_NAMESPACE::sim
