// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/common.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

Handler find_builtin(std::string_view) noexcept {
    return nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
