// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/context/primary.hpp"

namespace CUBIND_NAMESPACE::sim {

bool is_primary(const Context& context) {
    const std::lock_guard lock(context.device.primary_mutex);
    return context.device.primary.get() == &context;
}

}  // namespace CUBIND_NAMESPACE::sim
