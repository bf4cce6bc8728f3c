// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/os_loader_places.hpp"

#include <algorithm>
#include <cstddef>
#include <dlfcn.h>
#include <iterator>
#include <link.h>
#include <memory>
#include <string_view>

#include "platform/dynamic_library.hpp"
#include "platform/dynamic_string_token.hpp"
#include "platform/loader_error.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Opens the program or the shared library that contains this function: dlopen() searches the run path of its caller.
void* open_self() {
    Dl_info info = {};
    void* map = nullptr;
    if (dladdr1(reinterpret_cast<void*>(&os_loader_places), &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return nullptr;
    const char* const name = static_cast<const link_map*>(map)->l_name;
    // dlopen() would replace a token in the name. The program's run paths are then the best answer.
    return dlopen(*name != '\0' && dynamic_string_token(name).empty() ? name : nullptr, RTLD_NOW | RTLD_NOLOAD);
}

#if defined(__aarch64__)
constexpr std::string_view system_folders[] = {
    "/lib", "/usr/lib", "/lib64", "/usr/lib64", "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu"};
#else
constexpr std::string_view system_folders[] = {
    "/lib", "/usr/lib", "/lib64", "/usr/lib64", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu"};
#endif

bool is_system_folder(std::string_view folder) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
    return std::find(std::begin(system_folders), std::end(system_folders), folder) != std::end(system_folders);
}

}  // namespace

OsLoaderPlaces os_loader_places() {
    OsLoaderPlaces places;
    const LibraryHandle self(open_self());
    Dl_serinfo header = {};
    if (self == nullptr || dlinfo(self.get(), RTLD_DI_SERINFOSIZE, &header) != 0) {
        take_loader_error();
        return places;
    }
    // The first dlinfo call returns the size in bytes; the second one writes the paths after the header.
    const auto storage = std::make_unique<std::max_align_t[]>(header.dls_size / sizeof(std::max_align_t) + 1);
    auto* const answer = reinterpret_cast<Dl_serinfo*>(storage.get());
    *answer = header;
    if (dlinfo(self.get(), RTLD_DI_SERINFO, answer) != 0) {
        take_loader_error();
        return places;
    }
    const Dl_serpath* const paths = answer->dls_serpath;
    // The list ends with the system's folders. glibc leaves dls_flags, which would mark them, at 0.
    unsigned first_system_folder = answer->dls_cnt;
    while (first_system_folder > 0 && is_system_folder(paths[first_system_folder - 1].dls_name)) --first_system_folder;
    for (unsigned i = 0; i < answer->dls_cnt; ++i) {
        if (paths[i].dls_name[0] != '/') {
            places.ignored.emplace_back(paths[i].dls_name);
        } else {
            (i >= first_system_folder ? places.system_folders : places.folders).emplace_back(paths[i].dls_name);
        }
    }
    return places;
}

}  // namespace CUBIND_NAMESPACE::detail
