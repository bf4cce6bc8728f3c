// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <cstdint>
#include <string_view>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// What the dynamic linker of the process knows about a library that it has mapped.
struct MappedLibrary;

/// Returns the function that replaces one of a compiler, by its name, or null.
using FindReplacement = void*(int compiler, std::string_view name) noexcept;

/// A copy of NVRTC or nvJitLink that the process has loaded. A process can load several, for example of two releases.
class Compiler {
public:
    /// Takes a library that was mapped and has not been used. In its table of symbols, replaces the addresses of functions, so
    /// that the process calls the replacements, also through pointers and dlsym(). Returns false if this object has another
    /// library.
    bool begin(const MappedLibrary& library, int index, FindReplacement* find_replacement);
    /// Forgets the library, which the process unloads.
    void end() noexcept { library_ = nullptr; }
    bool is_of(const MappedLibrary* library) const noexcept { return library_ == library; }

    /// Finds a function that the library exports, not its replacement. Returns null if it has none of this name.
    void* find(std::string_view name) const noexcept;
    template <class Function>
    Function* function(std::string_view name) const noexcept {
        return reinterpret_cast<Function*>(find(name));
    }

private:
    struct Replaced {
        std::string_view name;
        std::uintptr_t address;
    };

    std::atomic<const MappedLibrary*> library_{nullptr};
    std::vector<Replaced> replaced_;
};

/// Copies of NVRTC and of nvJitLink whose functions are replaced. Those that a process loads beyond this number are not.
inline constexpr int max_compilers = 4;
extern Compiler compilers[max_compilers];

FindReplacement find_nvrtc_replacement;
FindReplacement find_nvjitlink_replacement;

}  // namespace CUBIND_NAMESPACE::sim
