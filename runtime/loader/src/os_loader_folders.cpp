// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "os_loader_folders.hpp"

#include <cstddef>
#include <dlfcn.h>
#include <memory>

namespace CUBIND_NAMESPACE::detail {

std::vector<std::string> os_loader_folders() {
    void* const program = dlopen(nullptr, RTLD_NOW);
    Dl_serinfo header = {};
    if (program == nullptr || dlinfo(program, RTLD_DI_SERINFOSIZE, &header) != 0) {
        return {};
    }
    // The first dlinfo call returns the size in bytes; the second one writes the paths after the header.
    const auto storage = std::make_unique<std::max_align_t[]>(header.dls_size / sizeof(std::max_align_t) + 1);
    auto* const answer = reinterpret_cast<Dl_serinfo*>(storage.get());
    *answer = header;
    std::vector<std::string> folders;
    if (dlinfo(program, RTLD_DI_SERINFO, answer) == 0) {
        const Dl_serpath* const paths = answer->dls_serpath;
        for (unsigned i = 0; i < answer->dls_cnt; ++i) {
            if (paths[i].dls_name[0] == '/') {
                folders.emplace_back(paths[i].dls_name);
            }
        }
    }
    return folders;
}

}  // namespace CUBIND_NAMESPACE::detail
