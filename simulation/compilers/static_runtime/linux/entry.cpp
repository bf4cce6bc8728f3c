// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "compilers/static_runtime/linux/entry.hpp"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>

#include "compilers/object/linux/elf_file.hpp"

using cubind::sim::RuntimeEntry;

// The code that a patched function reaches at its first call. The register r11 has the address of the entry. The code keeps all
// registers that can hold arguments, so that the function that is found receives them.
asm(R"(
    .text
    .p2align 4
    .globl cubind_enter_static_runtime
    .hidden cubind_enter_static_runtime
    .type cubind_enter_static_runtime, @function
cubind_enter_static_runtime:
    push %rbp
    mov %rsp, %rbp
    push %rax
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %r10
    sub $128, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    mov %r11, %rdi
    call cubind_find_runtime_function
    mov %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    add $128, %rsp
    pop %r10
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    pop %rax
    pop %rbp
    jmp *%r11
    .size cubind_enter_static_runtime, . - cubind_enter_static_runtime
)");

extern "C" {

void cubind_enter_static_runtime();

// Finds a function in the simulated library, which it loads into the namespace of the program. Without a lock: a thread that
// initializes a library and holds the dynamic linker's lock can arrive here, too.
[[gnu::visibility("hidden"), gnu::used]] void* cubind_find_runtime_function(RuntimeEntry* entry) noexcept;

}  // extern "C"

namespace CUBIND_NAMESPACE::sim {

namespace {

std::string path_of_runtime() {
    Dl_info self{};
    if (dladdr(reinterpret_cast<void*>(&runtime_entries), &self) == 0 || self.dli_fname == nullptr) return {};
    const std::string path = self.dli_fname;
    return path.substr(0, path.rfind('/') + 1) + "libcudart.so.13";
}

// The following functions take the place of those of the simulated library while it cannot be loaded. The value is
// cudaErrorSharedObjectInitFailed.
int fail_to_load() {
    return 303;
}

const char* name_failure(int) {
    return "cudaErrorSharedObjectInitFailed";
}

const char* describe_failure(int) {
    return "the simulated runtime library cannot be loaded";
}

/// cudaChannelFormatDesc.
struct ChannelFormat {
    int x, y, z, w, kind;
};

ChannelFormat fail_to_describe_channel(int, int, int, int, int) {
    constexpr int none = 3;  // cudaChannelFormatKindNone
    return {0, 0, 0, 0, none};
}

// Returns no error code only where a function returns something else.
void* find_failure(std::string_view name) noexcept {
    if (name == "cudaGetErrorName") return reinterpret_cast<void*>(&name_failure);
    if (name == "cudaGetErrorString") return reinterpret_cast<void*>(&describe_failure);
    if (name == "cudaCreateChannelDesc") return reinterpret_cast<void*>(&fail_to_describe_channel);
    return reinterpret_cast<void*>(&fail_to_load);
}

void add_functions(RuntimeEntries& entries, const char* path) {
    const ElfFile library(path);
    const ElfFile::Symbols symbols = library.symbols(SHT_DYNSYM);
    for (const Elf64_Sym& symbol : symbols.all) {
        const std::string_view name = symbols.function_name(symbol);
        if (name.empty()) continue;
        const auto [place, is_new] = entries.try_emplace(std::string(name));
        if (!is_new) continue;
        place->second.target = reinterpret_cast<void*>(&cubind_enter_static_runtime);
        place->second.name = place->first.c_str();
    }
}

}  // namespace

RuntimeEntries& runtime_entries() {
    static auto& entries = *new RuntimeEntries;
    if (entries.empty()) {
        RuntimeEntries all;  // so that a lack of memory leaves no part of the functions
        add_functions(all, path_of_runtime().c_str());
        entries.swap(all);
    }
    return entries;
}

void patch(void* function, const RuntimeEntry& entry) noexcept {
    // movabs $entry, %r11; jmp *(%r11)
    unsigned char code[patch_size] = {0x49, 0xbb, 0, 0, 0, 0, 0, 0, 0, 0, 0x41, 0xff, 0x23};
    const void* const address = &entry.target;
    std::memcpy(code + 2, &address, sizeof address);
    std::memcpy(function, code, sizeof code);
}

}  // namespace CUBIND_NAMESPACE::sim

void* cubind_find_runtime_function(RuntimeEntry* entry) noexcept {
    using namespace cubind::sim;
    void* function = nullptr;
    std::string reason = "no memory is left";
    try {
        void* const library = dlmopen(LM_ID_BASE, path_of_runtime().c_str(), RTLD_LAZY | RTLD_LOCAL);
        function = library != nullptr ? dlsym(library, entry->name) : nullptr;
        const char* const error = function == nullptr ? dlerror() : nullptr;
        if (error != nullptr) reason = error;
    } catch (const std::bad_alloc&) {
    }
    if (function == nullptr) {
        static std::atomic_flag is_reported;
        if (!is_reported.test_and_set()) {
            std::fprintf(stderr, "cubind: cubind-sim: %s of the simulated runtime library cannot be called: %s\n", entry->name,
                         reason.c_str());
        }
        return find_failure(entry->name);  // the next call searches again, because files or memory may be left by then
    }
    entry->target = function;
    return function;
}
