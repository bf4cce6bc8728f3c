// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/exhausted.hpp"
#include "platform/os_loader_places.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// The format of the cache that ldconfig of glibc 2.2 and newer writes.
constexpr std::string_view magic = "glibc-ld.so.cache1.1";
struct CacheHeader {
    char magic[20];
    uint32_t entry_count;
    uint32_t text_size;
    uint32_t unused[5];
};
struct CacheEntry {
    int32_t flags;
    uint32_t name;  // positions of texts are counted from the start of the file
    uint32_t path;
    uint32_t os_version;
    uint64_t required_hardware;
};
#if defined(__aarch64__)
constexpr int32_t native_flags = 0x0a03;  // a library of glibc for AArch64
#else
constexpr int32_t native_flags = 0x0303;  // a library of glibc for x86-64
#endif

// The content of a file, mapped into memory; empty if the file cannot be read.
class MappedFile {
public:
    explicit MappedFile(const char* path) {
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0) {
            throw_if_exhausted(errno);
            return;
        }
        int error = 0;
        struct stat facts = {};
        if (fstat(file, &facts) == 0 && facts.st_size > 0) {
            const auto size = static_cast<std::size_t>(facts.st_size);
            void* const bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
            if (bytes != MAP_FAILED) content_ = {static_cast<const char*>(bytes), size};
            error = bytes != MAP_FAILED ? 0 : errno;
        }
        close(file);
        throw_if_exhausted(error);
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile() {
        if (!content_.empty()) munmap(const_cast<char*>(content_.data()), content_.size());
    }

    std::string_view content() const { return content_; }

private:
    std::string_view content_;
};

// Returns the text at a position up to its NUL; empty if the position is not in the cache.
std::string_view text_at(std::string_view cache, uint32_t position) {
    if (position >= cache.size()) return {};
    const std::string_view rest = cache.substr(position);
    return rest.substr(0, rest.find('\0'));
}

}  // namespace

std::vector<std::string> paths_in_ld_cache(const std::string& soname, const char* cache) {
    std::vector<std::string> paths;
    const MappedFile file(cache);
    const std::string_view content = file.content();
    CacheHeader header = {};
    if (content.size() < sizeof header || !content.starts_with(magic)) return paths;
    memcpy(&header, content.data(), sizeof header);
    const std::size_t max_count = (content.size() - sizeof header) / sizeof(CacheEntry);
    for (std::size_t i = 0; i < header.entry_count && i < max_count; ++i) {
        CacheEntry entry = {};
        memcpy(&entry, content.data() + sizeof header + i * sizeof entry, sizeof entry);
        if (entry.flags != native_flags || entry.required_hardware != 0 || text_at(content, entry.name) != soname) continue;
        const std::string_view path = text_at(content, entry.path);
        if (path.starts_with('/')) paths.emplace_back(path);
    }
    return paths;
}

}  // namespace CUBIND_NAMESPACE::detail
