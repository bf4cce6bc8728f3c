// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/dynamic_library.hpp"

#include <dlfcn.h>
#include <link.h>

namespace CUBIND_NAMESPACE::detail {

namespace {

int flag_of(Binding binding) noexcept {
    return binding == Binding::at_once ? RTLD_NOW : RTLD_LAZY;
}

}  // namespace

void* open_library(const char* path, Binding binding, bool binds_itself_first) noexcept {
    return ::dlopen(path, flag_of(binding) | RTLD_LOCAL | (binds_itself_first ? RTLD_DEEPBIND : 0));
}

void* find_loaded_library(const char* name, Binding binding) noexcept {
    return ::dlopen(name, flag_of(binding) | RTLD_LOCAL | RTLD_NOLOAD);
}

void* find_library_of(const void* address) noexcept {
    Dl_info info{};
    link_map* map = nullptr;
    const int is_found = ::dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP);
    const bool is_program = is_found == 0 || map == nullptr || *map->l_name == '\0';
    return is_program ? nullptr : find_loaded_library(map->l_name);
}

void close_library(void* library) noexcept {
    ::dlclose(library);
}

void* find_symbol(void* library, const char* name) noexcept {
    return ::dlsym(library, name);
}

void* find_global_symbol(const char* name) noexcept {
    return ::dlsym(RTLD_DEFAULT, name);
}

const char* file_of_address(const void* address) noexcept {
    Dl_info info{};
    return ::dladdr(address, &info) != 0 ? info.dli_fname : nullptr;
}

const char* loader_error() noexcept {
    return ::dlerror();
}

}  // namespace CUBIND_NAMESPACE::detail
