// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "link/backend_choice.hpp"

#include <cubind/failure.hpp>
#include <cubind/nvjitlink/linking.hpp>
#include <cubind/nvjitlink/loading.hpp>

namespace cubind::detail {

// Its first three releases neither tell their version nor link what later compilers make.
BackendChoice choose_backend() {
    const char* const path = library_path(nvjitlink::library());
    if (path == nullptr) {
        (void)nvjitlink::nvJitLinkVersion();  // says why
        return {LinkerBackend::driver, last_failure().detail};
    }
    if (version(nvjitlink::library()) == 0) {
        return {LinkerBackend::driver, std::string("nvJitLink at ").append(path).append(" is older than CUDA 12.3")};
    }
    return {LinkerBackend::nvjitlink, {}};
}

}  // namespace cubind::detail
