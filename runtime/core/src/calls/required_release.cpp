// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "calls/required_release.hpp"

#include <cubind/detail/ptx_isa.hpp>
#include <cubind/driver/version.hpp>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {

void require_release(const char* feature, int release) {
    const int version = check(driver::cuDriverGetVersion());
    if (version >= release) return;
    throw_misuse(feature, " needs a driver of CUDA ", release_text(release), " or newer, but this driver is of CUDA ",
                 release_text(version));
}

}  // namespace CUBIND_NAMESPACE::detail
