// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/cache/entry_file.hpp"

#include <cerrno>

#include "files/hash.hpp"
#include "platform/file.hpp"
#include "platform/path_trust.hpp"
#include "program/cache/compile_lock.hpp"
#include "program/cache/folder_content.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// ---- content -------------------------------------------------------------------------------------------------------------

/// The beginning of a program's file; the program follows. Numbers are in the byte order of the machine. On a machine with
/// another byte order, the magic number does not match.
struct EntryHeader {
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t reserved;
    std::uint64_t length;
    CacheKey key;
    /// The hash of the fields above and of the program.
    Hash checksum;
};
static_assert(sizeof(EntryHeader) == 88);

constexpr std::uint64_t magic = 0x4d474f5250425543;  // "CUBPROGM" in little-endian order

Hash checksum(const EntryHeader& header, const void* program) noexcept {
    RunningHash hash;
    hash.add(&header, offsetof(EntryHeader, checksum));
    hash.add(program, header.length);
    return hash.value();
}

EntryHeader make_entry_header(const CacheKey& key, const Bytes& program) noexcept {
    EntryHeader header{magic, entry_format_version, 0, program.size(), key, {}};
    header.checksum = checksum(header, program.data());
    return header;
}

// Whether a file with this header can contain a program of this key and length. This is checked before the program is
// read.
bool matches(const EntryHeader& header, const CacheKey& key, std::uint64_t length) noexcept {
    return header.magic == magic && header.version == entry_format_version && header.length == length && header.key == key;
}

// Whether header and program are unchanged since they were written.
bool is_intact(const EntryHeader& header, const void* program) noexcept {
    return header.checksum == checksum(header, program);
}

// ---- files ---------------------------------------------------------------------------------------------------------------

/// Stores the time of the last use as the time of the last change: many file systems do not store times of access, and backups
/// change them.
void mark_as_used(int file) noexcept {
    mark_as_changed(file);
}

int write_file(int file, const CacheKey& key, const Bytes& program) {
    const EntryHeader header = make_entry_header(key, program);
    if (const int error = set_permissions(file, 0600); error != 0) return error;
    if (const int error = write_all(file, &header, sizeof header).error; error != 0) return error;
    if (const int error = write_all(file, program.data(), program.size()).error; error != 0) return error;
    mark_as_used(file);
    return store_durably(file);  // otherwise, a power failure could preserve the name of the file and lose its bytes
}

}  // namespace

std::size_t entry_file_size(const Bytes& program) noexcept {
    return sizeof(EntryHeader) + program.size();
}

bool can_be_entry(const FileStatus& status) {
    return status.kind == FileKind::regular && is_trusted_file(status) && status.size >= sizeof(EntryHeader);
}

ReadEntry read_entry(int folder, const std::string& name, const CacheKey& key) {
    const Descriptor file = open_entry_to_read(folder, name.c_str());
    if (!file) {
        if (errno == ENOENT) return {EntryState::absent};
        if (errno == ELOOP || errno == ENXIO) return {EntryState::damaged};  // a symbolic link, a socket
        return {EntryState::unreadable, {}, errno};
    }
    FileStatus status;
    if (const int error = status_of_file(file.number(), status)) return {EntryState::unreadable, {}, error};
    if (!can_be_entry(status)) return {EntryState::damaged};

    EntryHeader header;
    const std::size_t size = status.size - sizeof header;
    const ReadResult head = read_all(file.number(), &header, sizeof header);
    if (head.error != 0) return {EntryState::unreadable, {}, head.error};
    if (head.bytes != sizeof header || !matches(header, key, size)) return {EntryState::damaged};

    std::shared_ptr<std::byte[]> bytes(new std::byte[size]);
    const ReadResult body = read_all(file.number(), bytes.get(), size);
    if (body.error != 0) return {EntryState::unreadable, {}, body.error};
    if (body.bytes != size || !is_intact(header, bytes.get())) return {EntryState::damaged};
    if (status.owner == effective_user()) mark_as_used(file.number());
    return {EntryState::intact, Bytes(std::move(bytes), size)};
}

int write_entry(int folder, const std::string& name, const CacheKey& key, const Bytes& program) {
    for (;;) {
        const std::string temporary = temporary_name(key);
        const Descriptor file = open_entry_to_write(folder, temporary.c_str(), Creation::always);
        if (!file) return errno;
        // The lock shows other processes that the file is being written.
        if (!lock_new_file(file.number(), folder, temporary)) continue;
        int error = write_file(file.number(), key, program);
        if (error == 0) error = rename_entry(folder, temporary.c_str(), name.c_str());
        if (error != 0) remove_entry(folder, temporary.c_str());
        return error;
    }
}

}  // namespace CUBIND_NAMESPACE::detail
