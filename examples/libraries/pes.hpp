// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/library.hpp>
#include <cubind/nvshmem/loading.hpp>

#include "example.hpp"

namespace example {

/// Runs an example of NVSHMEM like run(). Without NVSHMEM, it is skipped.
template <class Body>
int run_with_nvshmem(Body body) {
    if (cubind::library_path(cubind::nvshmem::library()) == nullptr)
        return skip("NVSHMEM was not found. It is in the Python package nvidia-nvshmem-cu13.");
    return run(body);
}

}  // namespace example
