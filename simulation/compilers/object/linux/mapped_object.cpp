// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compilers/object/linux/mapped_object.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>

namespace CUBIND_NAMESPACE::sim {

MappedHeaders headers_of(const link_map& object) noexcept {
    constexpr std::size_t min_page = 4096;
    Dl_info info{};
    link_map* found = nullptr;
    if (object.l_ld == nullptr || dladdr1(object.l_ld, &info, reinterpret_cast<void**>(&found), RTLD_DL_LINKMAP) == 0) return {};
    if (found != &object || info.dli_fbase == nullptr) return {};
    const auto* const header = static_cast<const Elf64_Ehdr*>(info.dli_fbase);
    const bool is_header = std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_phentsize == sizeof(Elf64_Phdr) &&
                           header->e_phoff % alignof(Elf64_Phdr) == 0 && header->e_phoff <= min_page &&
                           header->e_phnum <= (min_page - header->e_phoff) / sizeof(Elf64_Phdr);
    if (!is_header) return {};
    const auto address = reinterpret_cast<std::uintptr_t>(header) + header->e_phoff;
    return {header, {reinterpret_cast<const Elf64_Phdr*>(address), header->e_phnum}};
}

int protection_of(const Elf64_Phdr& segment) noexcept {
    return ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) | ((segment.p_flags & PF_W) != 0 ? PROT_WRITE : 0) |
           ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
}

}  // namespace CUBIND_NAMESPACE::sim
