// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: host PLUGIN...
// Loads the plugins with global symbols, the mode in which plugins share equal symbols, and calls each.
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
