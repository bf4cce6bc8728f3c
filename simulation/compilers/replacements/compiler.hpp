// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <cstdint>
#include <elf.h>
#include <link.h>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

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

/// Returns the function that replaces one of a compiler, by its name, or null.
using FindReplacement = void*(int compiler, std::string_view name) noexcept;

/// A copy of NVRTC or nvJitLink that the process has loaded. A process can load several, for example of two releases.
class Compiler {
public:
    /// Takes a library that was mapped and has not been used. In its table of symbols, replaces the addresses of functions, so
    /// that the process calls the replacements, also through pointers and dlsym(). Returns false if this object has another
    /// library.
    bool begin(const link_map& library, int index, FindReplacement* find_replacement);
    /// Forgets the library, which the process unloads.
    void end() noexcept { library_ = nullptr; }
    bool is_of(const link_map* library) const noexcept { return library_ == library; }

    /// Finds a function that the library exports, not its replacement. Returns null if it has none of this name.
    void* find(std::string_view name) const noexcept;
    template <class Function>
    Function* function(std::string_view name) const noexcept {
        return reinterpret_cast<Function*>(find(name));
    }

private:
    struct Replaced {
        std::string_view name;
        Elf64_Addr address;
    };

    std::atomic<const link_map*> library_{nullptr};
    std::vector<Replaced> replaced_;
};

/// Copies of NVRTC and of nvJitLink whose functions are replaced. Those that a process loads beyond this number are not.
inline constexpr int max_compilers = 4;
extern Compiler compilers[max_compilers];

FindReplacement find_nvrtc_replacement;
FindReplacement find_nvjitlink_replacement;

}  // namespace CUBIND_NAMESPACE::sim
