// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/library_build.hpp"

#include <cubind/detail/ptx_isa.hpp>

#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <vector>

#include "errors/misuse.hpp"
#include "files/hash.hpp"
#include "platform/descriptor.hpp"
#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

template <class Value>
bool read_at(int file, std::uint64_t offset, Value& value) {
    return ::pread(file, &value, sizeof value, static_cast<off_t>(offset)) == sizeof value;
}

/// Returns the build id among the notes of a segment, or an empty string.
std::string build_id_of(const std::vector<std::byte>& notes) {
    const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
        Elf64_Nhdr note;
        std::memcpy(&note, notes.data() + at, sizeof note);
        const std::size_t name = at + sizeof note, content = name + padded(note.n_namesz);
        if (content + note.n_descsz > notes.size()) return {};
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes.data() + name, ELF_NOTE_GNU, 4) == 0) {
            return hexadecimal(std::span(notes).subspan(content, note.n_descsz));
        }
        at = content + padded(note.n_descsz);
    }
    return {};
}

std::string build_id(int file) {
    constexpr std::size_t max_size = 1 << 16;
    Elf64_Ehdr header;
    if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        if (!read_at(file, header.e_phoff + i * sizeof segment, segment)) return {};
        if (segment.p_type != PT_NOTE || segment.p_filesz > max_size) continue;
        std::vector<std::byte> notes(segment.p_filesz);
        const ssize_t size = ::pread(file, notes.data(), notes.size(), static_cast<off_t>(segment.p_offset));
        if (size != static_cast<ssize_t>(notes.size())) return {};
        if (std::string id = build_id_of(notes); !id.empty()) return id;
    }
    return {};
}

std::string content_hash(int file) {
    RunningHash hash;
    std::vector<std::byte> block(1 << 20);
    for (;;) {
        const ssize_t size = ::read(file, block.data(), block.size());
        if (size < 0) return {};
        if (size == 0) break;
        hash.add(block.data(), static_cast<std::size_t>(size));
    }
    return hexadecimal(hash.value());
}

/// Returns the path of a library that this process has loaded, or an empty string.
std::string loaded_path(const std::string& name) {
    void* const library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    link_map* map = nullptr;
    std::string path;
    if (library != nullptr && ::dlinfo(library, RTLD_DI_LINKMAP, &map) == 0) path = map->l_name;
    if (library != nullptr) ::dlclose(library);
    return path;
}

}  // namespace

std::string file_build(const std::string& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status;
    if (!file || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
    std::string id = build_id(file.number());
    return id.empty() ? content_hash(file.number()) : id;
}

std::string library_build(const std::string& path) {
    if (path.empty()) return {};
    static std::mutex mutex;
    static const ForkHook fork_hook(&mutex);
    static auto& builds = *new std::map<std::string, std::string>;  // never destroyed: code that runs at exit may use it
    const std::lock_guard guard(mutex);
    std::string& build = builds[path];
    if (build.empty()) build = file_build(path);
    return build;
}

std::string nvrtc_build(const std::string& path, int version) {
    const std::string name = concat("libnvrtc-builtins.so.", release_text(version));
    std::string builtins = library_build(concat(path.substr(0, path.rfind('/') + 1), name));
    if (builtins.empty()) builtins = library_build(loaded_path(name));
    const std::string compiler = library_build(path);
    return compiler.empty() || builtins.empty() ? std::string() : concat(compiler, " ", builtins);
}

}  // namespace CUBIND_NAMESPACE::detail
