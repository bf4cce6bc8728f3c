// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: host PLUGIN...
// Loads each plugin with global symbols, so that the plugins share symbols of the same name, and calls it.
#include <cstdio>
#include <dlfcn.h>

int main(int count, char** arguments) {
    for (int index = 1; index < count; ++index) {
        void* const plugin = dlopen(arguments[index], RTLD_NOW | RTLD_GLOBAL);
        if (plugin == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        reinterpret_cast<void (*)()>(dlsym(plugin, "print_failure"))();
    }
}
