// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compilers/static_runtime/linux/redirect.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <vector>

#include "compilers/object/linux/elf_file.hpp"
#include "compilers/object/linux/mapped_object.hpp"
#include "compilers/static_runtime/linux/entry.hpp"
#include "platform/pages.hpp"
#include "shared/escaped.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// The beginning of names that only objects with the static library have.
constexpr std::string_view mark = "libcudart_static_";
/// A function of the runtime libraries before CUDA 13, whose structs have another layout.
constexpr std::string_view older_function = "cudaGetDeviceProperties_v2";
/// Functions begin at multiples of this number, so that the space of a short one ends there, too.
constexpr std::uintptr_t function_alignment = 16;

/// A function that is overwritten.
struct Patch {
    std::uintptr_t function;
    const RuntimeEntry* entry;
};

/// The functions of one segment, and its protection.
struct Patches {
    int protection = 0;
    std::vector<Patch> all;

    /// Makes the pages of the functions writable, or gives them their protection again. Returns false and sets errno if the
    /// system refuses it.
    bool allow_writes(bool is_allowed) const noexcept {
        const auto [low, high] =
            std::minmax_element(all.begin(), all.end(), [](const Patch& a, const Patch& b) { return a.function < b.function; });
        const std::uintptr_t page = cubind::detail::page_size();
        const std::uintptr_t first = low->function / page * page;
        const int wanted = is_allowed ? PROT_READ | PROT_WRITE | PROT_EXEC : protection;
        return mprotect(reinterpret_cast<void*>(first), high->function + patch_size - first, wanted) == 0;
    }
};

/// Prints one line about an object whose functions remain as they are.
void report(const char* path, const char* reason) noexcept {
    constexpr const char* format = "cubind: cubind-sim: cannot redirect the runtime library in %s: %s\n";
    try {
        std::fprintf(stderr, format, escaped(path).c_str(), reason);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, format, "an object", reason);
    }
}

bool has_space(const Elf64_Sym& function) noexcept {
    return function.st_size >= patch_size || function.st_value % function_alignment == 0;
}

/// Whether a segment has code of the file that can be read, from the function to the end of a patch.
bool has_code(const Elf64_Phdr& segment, const Elf64_Sym& function) noexcept {
    constexpr Elf64_Word needed = PF_R | PF_X;
    return segment.p_type == PT_LOAD && (segment.p_flags & needed) == needed && function.st_value >= segment.p_vaddr &&
           segment.p_filesz >= patch_size && function.st_value - segment.p_vaddr <= segment.p_filesz - patch_size;
}

// Another file can have taken the place of the one that was mapped.
bool is_mapped(const ElfFile& file, const MappedHeaders& headers) noexcept {
    return headers.file != nullptr && file.has(0, headers.file, sizeof *headers.file) &&
           file.has(headers.file->e_phoff, headers.segments.data(), headers.segments.size_bytes());
}

// Returns nothing if the object contains another version of the library, or if its table of symbols is wrong.
std::vector<Patches> find_patches(const ElfFile& file, const ElfFile::Symbols& symbols, const link_map& object,
                                  const char* path) {
    const MappedHeaders headers = headers_of(object);
    if (!is_mapped(file, headers)) {
        report(path, "the file has been replaced since it was loaded, or does not begin with its headers");
        return {};
    }
    RuntimeEntries& entries = runtime_entries();
    std::vector<Patches> patches(headers.segments.size());
    for (const Elf64_Sym& symbol : symbols.all) {
        const std::string_view name = symbols.function_name(symbol);
        if (name == older_function) return {};
        if (name.empty() || !has_space(symbol)) continue;
        const auto found = entries.find(name);
        if (found == entries.end()) continue;
        const auto segment = std::ranges::find_if(headers.segments, [&](const auto& each) { return has_code(each, symbol); });
        const std::uintptr_t function = object.l_addr + symbol.st_value;
        if (segment == headers.segments.end() || !file.has(segment->p_offset + (symbol.st_value - segment->p_vaddr),
                                                           reinterpret_cast<const void*>(function), patch_size)) {
            report(path, ("the table of symbols is damaged: " + found->first + " is not in the code").c_str());
            return {};
        }
        Patches& of_segment = patches[static_cast<std::size_t>(segment - headers.segments.begin())];
        of_segment.protection = protection_of(*segment);
        of_segment.all.push_back({function, &found->second});
    }
    std::erase_if(patches, [](const Patches& each) { return each.all.empty(); });
    return patches;
}

// Overwrites all functions or none, because those of two libraries do not work together.
void overwrite(const std::vector<Patches>& patches, const char* path) noexcept {
    const auto refused = std::ranges::find_if(patches, [](const Patches& each) { return !each.allow_writes(true); });
    if (refused != patches.end()) {
        report(path, std::strerror(errno));
    } else {
        for (const Patches& segment : patches) {
            for (const Patch& each : segment.all) patch(reinterpret_cast<void*>(each.function), *each.entry);
        }
    }
    std::for_each(patches.begin(), refused, [](const Patches& each) { each.allow_writes(false); });
}

}  // namespace

void redirect_static_runtime(const link_map& object) noexcept {
    const char* const path = object.l_name[0] != '\0' ? object.l_name : "/proc/self/exe";
    if (std::strchr(path, '/') == nullptr) return;  // linux-vdso.so.1, which has no file; the working directory may have one
    const ElfFile file(path);
    const ElfFile::Symbols symbols = file.symbols(SHT_SYMTAB);
    // A search of bytes costs a fraction of the search by symbols, which few objects need.
    if (memmem(symbols.names.data(), symbols.names.size(), mark.data(), mark.size()) == nullptr) return;
    try {
        overwrite(find_patches(file, symbols, object, path), path);
    } catch (const std::bad_alloc&) {
        report(path, "no memory is left");
    }
}

}  // namespace CUBIND_NAMESPACE::sim
