// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <dlfcn.h>

#include "scale.cu.hpp"

/// Prints the kernel of the program and that of the plugin, and returns 0 if the plugin was unloaded.
int main() {
    std::printf("%s\n", kernels::scale<float>.symbol().c_str());
    void* const plugin = dlopen(PLUGIN, RTLD_NOW);
    if (plugin == nullptr) return 1;
    reinterpret_cast<void (*)()>(dlsym(plugin, "print_kernel"))();
    dlclose(plugin);
    return dlopen(PLUGIN, RTLD_NOW | RTLD_NOLOAD) == nullptr ? 0 : 2;
}
