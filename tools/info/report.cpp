// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <cubind/driver/constants.hpp>

namespace cubind::info {

const char* cubind_version() {
    return CUBIND_VERSION;
}

Release bound_release() {
    return driver::CUDA_VERSION;
}

}  // namespace cubind::info
