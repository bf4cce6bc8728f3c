// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compilers/static_runtime/redirect.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "compilers/static_runtime/elf_file.hpp"
#include "compilers/static_runtime/entry.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// The beginning of names that only objects with the static library have.
constexpr std::string_view mark = "libcudart_static_";
/// A function of the runtime libraries before CUDA 13, whose structs have another layout.
constexpr std::string_view older_function = "cudaGetDeviceProperties_v2";
/// Functions begin at multiples of this number, so that the space of a short one ends there, too.
constexpr std::uintptr_t function_alignment = 16;

struct Patch {
    std::uintptr_t function;
    const RuntimeEntry* entry;
};

bool has_space(const Elf64_Sym& function) noexcept {
    return function.st_size >= patch_size || function.st_value % function_alignment == 0;
}

// Returns nothing if the object contains another version of the library.
std::vector<Patch> find_patches(const ElfFile::Symbols& symbols, std::uintptr_t base) {
    RuntimeEntries& entries = runtime_entries();
    std::vector<Patch> patches;
    for (const Elf64_Sym& symbol : symbols.all) {
        const std::string_view name = symbols.function_name(symbol);
        if (name == older_function) return {};
        if (name.empty() || !has_space(symbol)) continue;
        const auto found = entries.find(name);
        if (found != entries.end()) patches.push_back({base + symbol.st_value, &found->second});
    }
    return patches;
}

}  // namespace

void redirect_static_runtime(const link_map& object) {
    const char* const path = object.l_name[0] != '\0' ? object.l_name : "/proc/self/exe";
    const ElfFile file(path);
    const ElfFile::Symbols symbols = file.symbols(SHT_SYMTAB);
    // A search of bytes costs a fraction of the search by symbols, which few objects need.
    if (memmem(symbols.names.data(), symbols.names.size(), mark.data(), mark.size()) == nullptr) return;
    const std::vector<Patch> patches = find_patches(symbols, object.l_addr);
    if (patches.empty()) return;
    const auto [low, high] = std::minmax_element(patches.begin(), patches.end(),
                                                 [](const Patch& a, const Patch& b) { return a.function < b.function; });
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const std::uintptr_t first = low->function / page * page;
    const std::size_t size = high->function + patch_size - first;
    if (mprotect(reinterpret_cast<void*>(first), size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        std::fprintf(stderr, "cubind: cubind-sim: cannot redirect the runtime library in %s: %s\n", path, std::strerror(errno));
        return;
    }
    for (const Patch& each : patches) patch(reinterpret_cast<void*>(each.function), *each.entry);
    mprotect(reinterpret_cast<void*>(first), size, PROT_READ | PROT_EXEC);
}

}  // namespace CUBIND_NAMESPACE::sim
