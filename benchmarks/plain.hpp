// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>

#include <cstdlib>
#include <dlfcn.h>

/// Returns the address of a function or variable of a library that cubind finds. Ends the program if there is none.
inline void* symbol_of(cubind::Library& library, const char* symbol) {
    const char* const path = cubind::library_path(library);
    void* const handle = path == nullptr ? nullptr : dlopen(path, RTLD_NOW);
    void* const address = handle == nullptr ? nullptr : dlsym(handle, symbol);
    if (address == nullptr) std::abort();
    return address;
}

/// Returns a function of a library, to be called through a pointer as in a program that is linked with the library.
template <class Function>
Function* plain(cubind::Library& library, const char* symbol) {
    return reinterpret_cast<Function*>(symbol_of(library, symbol));
}
