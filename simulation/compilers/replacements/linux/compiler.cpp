// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compilers/replacements/compiler.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>

#include "compilers/object/linux/mapped_object.hpp"
#include "compilers/replacements/linux/mapped_library.hpp"
#include "platform/pages.hpp"
#include "shared/escaped.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// Returns the address of a table of a library by an entry of its dynamic section. The dynamic linker has added the library's
/// address to the entries, except where the section cannot be written.
template <class Table>
const Table* find_table(const link_map& library, std::int64_t tag) noexcept {
    for (const Elf64_Dyn* entry = library.l_ld; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag != tag) continue;
        const Elf64_Addr address = entry->d_un.d_ptr;
        return reinterpret_cast<const Table*>(address < library.l_addr ? library.l_addr + address : address);
    }
    return nullptr;
}

/// The table of the symbols that a library exports.
struct SymbolTable {
    explicit SymbolTable(const link_map& library)
        : symbols(find_table<Elf64_Sym>(library, DT_SYMTAB)), names(find_table<char>(library, DT_STRTAB)) {
        const auto* const hash = find_table<Elf64_Word>(library, DT_HASH);
        if (symbols != nullptr && names != nullptr && hash != nullptr) count = hash[1];
    }
    std::string_view name(std::size_t i) const noexcept { return names + symbols[i].st_name; }
    bool is_exported(std::size_t i) const noexcept { return symbols[i].st_shndx != SHN_UNDEF; }

    const Elf64_Sym* symbols;
    const char* names;
    std::size_t count = 0;
};

// Functions of nvJitLink have names of releases, such as __nvJitLinkCreate_12_4, which NVIDIA's header calls.
std::string_view without_release(std::string_view name) noexcept {
    constexpr std::string_view prefix = "__";
    if (!name.starts_with(prefix)) return name;
    name.remove_prefix(prefix.size());
    return name.substr(0, name.find('_'));
}

// Returns the protection of the segment of a library that has an address.
int protection_at(const link_map& library, std::uintptr_t address) noexcept {
    for (const Elf64_Phdr& segment : headers_of(library).segments) {
        const std::uintptr_t begin = library.l_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && address >= begin && address - begin < segment.p_memsz) return protection_of(segment);
    }
    return PROT_READ;
}

}  // namespace

Compiler compilers[max_compilers];

// The symbols are in memory that only the dynamic linker of this process reads, and no thread uses the library yet.
bool Compiler::begin(const MappedLibrary& mapped, int index, FindReplacement* find_replacement) {
    const MappedLibrary* expected = nullptr;
    if (!library_.compare_exchange_strong(expected, &mapped)) return false;
    const link_map& library = link_map_of(mapped);
    replaced_.clear();
    const SymbolTable table(library);
    const std::uintptr_t page = cubind::detail::page_size();
    const auto first = reinterpret_cast<std::uintptr_t>(table.symbols) / page * page;
    const std::size_t size = reinterpret_cast<std::uintptr_t>(table.symbols + table.count) - first;
    if (table.count == 0 || mprotect(reinterpret_cast<void*>(first), size, PROT_READ | PROT_WRITE) != 0) {
        std::fprintf(stderr, "cubind: cubind-sim: cannot replace functions of %s: %s\n", escaped(library.l_name).c_str(),
                     table.count == 0 ? "it has no table of symbols" : std::strerror(errno));
        return true;
    }
    for (std::size_t i = 0; i < table.count; ++i) {
        void* const replacement = table.is_exported(i) ? find_replacement(index, without_release(table.name(i))) : nullptr;
        if (replacement == nullptr) continue;
        Elf64_Addr& value = const_cast<Elf64_Sym&>(table.symbols[i]).st_value;
        replaced_.push_back({table.name(i), library.l_addr + value});
        value = reinterpret_cast<Elf64_Addr>(replacement) - library.l_addr;  // to which the dynamic linker adds the address
    }
    mprotect(reinterpret_cast<void*>(first), size, protection_at(library, first));
    return true;
}

void* Compiler::find(std::string_view name) const noexcept {
    const MappedLibrary* const mapped = library_;
    if (mapped == nullptr) return nullptr;
    const link_map& library = link_map_of(*mapped);
    // nvJitLink of CUDA 12.0 has only names of the release.
    Elf64_Addr of_release = 0;
    for (const Replaced& each : replaced_) {
        if (each.name == name) return reinterpret_cast<void*>(each.address);
        if (without_release(each.name) == name) of_release = each.address;
    }
    if (of_release != 0) return reinterpret_cast<void*>(of_release);
    const SymbolTable table(library);
    for (std::size_t i = 0; i < table.count; ++i) {
        if (!table.is_exported(i)) continue;
        const Elf64_Addr address = library.l_addr + table.symbols[i].st_value;
        if (name == table.name(i)) return reinterpret_cast<void*>(address);
        if (name == without_release(table.name(i))) of_release = address;
    }
    return reinterpret_cast<void*>(of_release);
}

}  // namespace CUBIND_NAMESPACE::sim
