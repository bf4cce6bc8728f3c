// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/process_memory.hpp"

#include <cstdio>
#include <memory>
#include <string_view>

#include "platform/readable_page.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

struct Closer {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// A line of /proc/self/maps.
struct MappedPart {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    bool is_readable = false;
    bool is_writable = false;
};

// Reads the next line. Its end, a path, may be longer than the buffer.
bool read_mapping(std::FILE* file, MappedPart& mapping) {
    char line[128];
    if (std::fgets(line, sizeof line, file) == nullptr) return false;
    unsigned long long begin = 0;
    unsigned long long end = 0;
    char rights[5] = "";
    if (std::sscanf(line, "%llx-%llx %4s", &begin, &end, rights) != 3) return false;
    mapping = {static_cast<std::uintptr_t>(begin), static_cast<std::uintptr_t>(end), rights[0] == 'r', rights[1] == 'w'};
    for (std::string_view part = line; !part.ends_with('\n');) {
        if (std::fgets(line, sizeof line, file) == nullptr) break;
        part = line;
    }
    return true;
}

}  // namespace

RangeAccess find_access(std::uintptr_t address, std::size_t bytes) {
    const std::unique_ptr<std::FILE, Closer> maps(std::fopen("/proc/self/maps", "re"));
    if (maps == nullptr) {
        const bool is_readable = cubind::detail::readable_bytes(address, bytes) == bytes;
        return {.can_read = is_readable, .can_write = is_readable};
    }
    const std::uintptr_t last = address + (bytes - 1);
    std::uintptr_t covered = address;  // the range is accessible up to here
    RangeAccess access{.can_read = true, .can_write = true};
    for (MappedPart mapping; read_mapping(maps.get(), mapping);) {
        if (mapping.end <= covered) continue;
        if (mapping.begin > covered) return {};
        access.can_read &= mapping.is_readable;
        access.can_write &= mapping.is_writable;
        if (mapping.end > last) return access;
        covered = mapping.end;
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::sim
