// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/loaded_path.hpp"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/exhausted.hpp"
#include "platform/file_handle.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// A line that getline() allocates.
struct Line {
    char* text = nullptr;
    size_t capacity = 0;
    ~Line() { free(text); }
};

// Returns the path that Linux reports for the file that is mapped at this address. Unlike realpath() of the OS loader's name,
// it is correct even if the working directory has changed since the file was opened.
std::string mapped_file(const void* address) {
    std::string path;
    const FileHandle maps(fopen("/proc/self/maps", "re"));
    if (maps == nullptr) throw_if_exhausted(errno);
    Line line;
    errno = 0;
    while (maps != nullptr && path.empty() && getline(&line.text, &line.capacity, maps.get()) > 0) {
        uintptr_t begin = 0;
        uintptr_t end = 0;
        int path_begin = 0;
        const int parsed = sscanf(line.text, "%zx-%zx %*s %*s %*s %*s %n", &begin, &end, &path_begin);
        const auto target = reinterpret_cast<uintptr_t>(address);
        if (parsed == 2 && begin <= target && target < end && line.text[path_begin] == '/') {
            path = line.text + path_begin;
            path.pop_back();  // the newline
        }
        errno = 0;
    }
    throw_if_exhausted(errno);
    return path;
}

}  // namespace

std::string loaded_path(void* handle) {
    link_map* map = nullptr;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) {
        return "";
    }
    // The name may be relative: the host program may have opened a relative path, and LD_LIBRARY_PATH may have relative folders.
    return map->l_name[0] == '/' ? map->l_name : mapped_file(map->l_ld);
}

}  // namespace CUBIND_NAMESPACE::detail
