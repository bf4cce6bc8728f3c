// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/records.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// Files of records: one for each program that a process executes. The program appends parts to its file; the command reads
/// the file when the process has ended in any way. A part that was not written to its end is ignored.
namespace cubind::prof {

/// The begin of a file.
struct SpoolHead {
    char magic[8] = {'C', 'B', 'P', 'R', 'O', 'F', '0', '2'};
    std::uint32_t process = 0;
    std::int32_t error = 0;         ///< errno of the last part that could not be written
    std::uint64_t lost = 0;         ///< records that could not be written
    std::uint64_t kernels = 0;      ///< executions of kernels in all parts, for the progress
    std::uint64_t records = 0;      ///< records in all parts, for the progress
    std::uint64_t is_complete = 0;  ///< 1 if the process ended as it wanted, so that no records are missing at the end
    char program[208] = {};         ///< name of the program's file
};
static_assert(sizeof(SpoolHead) == 256);

/// The begin of a part, which the content follows.
struct PartHead {
    std::uint64_t magic = 0x5452415046525043;
    std::uint64_t size = 0;      ///< bytes of the content
    std::uint64_t hash = 0;      ///< of the content
    std::uint32_t is_first = 0;  ///< whether the texts are numbered from 0 again
    std::uint32_t reserved = 0;
};
static_assert(sizeof(PartHead) == 32);

constexpr std::uint64_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3;
    return hash;
}

/// Writes the file of a process. It opens the file for each part, because a program may close all of its descriptors.
class SpoolWriter {
public:
    /// Creates the file in a folder, whose path is absolute. Throws std::system_error.
    SpoolWriter(const std::string& folder, std::uint32_t process, std::string_view program);

    /// Appends records. If this fails, for example because the disk is full, they are lost, and the head of the file says so.
    void append(const profile::Records& records);
    /// Says that the process ends as it wants.
    void complete() noexcept;

private:
    friend class PartWriter;

    int write(std::uint64_t offset, std::string_view text, const SpoolHead& head) noexcept;

    std::string path_;
    SpoolHead head_;
    std::uint64_t end_ = sizeof(SpoolHead);
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
    };
    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> texts_;
};

/// The records of one file.
struct SpoolContent {
    SpoolHead head;
    profile::Records records;
};

/// Reads the head of a file. Returns false if it is none.
bool read_head(const std::string& path, SpoolHead& head);
/// Reads a file up to its last complete part. Throws std::bad_alloc, and std::runtime_error if the file is no file of records.
SpoolContent read_spool(const std::string& path);
/// Returns the files of a folder, sorted by name.
std::vector<std::string> spool_files(const std::string& folder);

}  // namespace cubind::prof
