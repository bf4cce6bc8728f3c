// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>
#include <sys/types.h>
#include <unistd.h>

#include "platform/write_signals.hpp"

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
/// Returns another descriptor of the file, which programs that this process starts do not inherit, or -1.
int duplicate_descriptor(int file) noexcept;

/// Writes a value at a position in bytes. Returns false on failure.
template <class Value>
bool write_at(int file, std::uint64_t position, const Value& value) noexcept {
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed = pwrite(file, &value, sizeof value, static_cast<off_t>(position)) != static_cast<ssize_t>(sizeof value);
    return !signals.has_failed;
}

/// Reads a value from a position in bytes. Returns false on failure.
template <class Value>
bool read_at(int file, std::uint64_t position, Value& value) noexcept {
    return pread(file, &value, sizeof value, static_cast<off_t>(position)) == static_cast<ssize_t>(sizeof value);
}

}  // namespace CUBIND_NAMESPACE::sim
