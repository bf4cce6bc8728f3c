// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A library for LD_AUDIT: the dynamic linker tells it which libraries a program loads, also by dlopen() and by their paths. It
// replaces the functions of NVRTC and nvJitLink that hand out machine code. All others stay those of the real libraries. It
// redirects NVIDIA's runtime library in programs that contain it.
#include <cstdint>
#include <link.h>
#include <new>
#include <string_view>

#include "compilers/replacements/compiler.hpp"
#include "compilers/replacements/linux/mapped_library.hpp"
#ifdef CUBIND_SIM_REDIRECTS_STATIC_RUNTIME
#include "compilers/static_runtime/linux/redirect.hpp"
#endif

namespace {

using namespace cubind::sim;

FindReplacement* find_replacements(std::string_view path) noexcept {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    return name.starts_with("libnvrtc.so")       ? find_nvrtc_replacement
           : name.starts_with("libnvJitLink.so") ? find_nvjitlink_replacement
                                                 : nullptr;
}

}  // namespace

extern "C" {

[[gnu::visibility("default")]] unsigned la_version(unsigned version) {
    return version < LAV_CURRENT ? version : LAV_CURRENT;
}

// Returns no flags, so that the dynamic linker binds calls as fast as without this library.
[[gnu::visibility("default")]] unsigned la_objopen(link_map* object, [[maybe_unused]] Lmid_t name_space, std::uintptr_t* cookie) {
    *cookie = reinterpret_cast<std::uintptr_t>(object);
    FindReplacement* const find = find_replacements(object->l_name);
    try {
#ifdef CUBIND_SIM_REDIRECTS_STATIC_RUNTIME
        if (name_space == LM_ID_BASE) redirect_static_runtime(*object);
#endif
        if (find == nullptr) return 0;
        for (int i = 0; i < max_compilers; ++i) {
            if (compilers[i].begin(mapped_library(*object), i, find)) return 0;
        }
    } catch (const std::bad_alloc&) {
        return 0;  // with the functions of the library
    }
    return 0;
}

[[gnu::visibility("default")]] unsigned la_objclose(std::uintptr_t* cookie) {
    for (Compiler& each : compilers) {
        if (each.is_of(reinterpret_cast<const MappedLibrary*>(*cookie))) each.end();
    }
    return 0;
}

}  // extern "C"
