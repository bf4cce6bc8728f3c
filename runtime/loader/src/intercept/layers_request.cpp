// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "intercept/layers_request.hpp"

#include <stdio.h>

#include "platform/environment.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Whether the request was taken or reported; atomic.
constinit bool is_settled = false;

}  // namespace

const char* take_layers_request() noexcept {
    __atomic_store_n(&is_settled, true, __ATOMIC_RELAXED);
    return environment_variable("CUBIND_LAYERS");
}

void report_unused_layers_request() noexcept {
    if (__atomic_exchange_n(&is_settled, true, __ATOMIC_RELAXED)) return;
    const char* const layers = environment_variable("CUBIND_LAYERS");
    if (layers == nullptr || *layers == '\0') return;
    fprintf(
        stderr,
        "cubind: CUBIND_LAYERS=%s has no effect, because this program does not link the layers; link cubind::layers with CMake "
        "or cubind-layers with pkg-config\n",
        layers);
}

}  // namespace CUBIND_NAMESPACE::detail
