// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/session.hpp"

namespace CUBIND_NAMESPACE::sim::management {

extern "C" {

nvmlReturn_t sim_nvmlInit() {
    return begin_session(0);
}

nvmlReturn_t sim_nvmlInit_v2() {
    return begin_session(0);
}

nvmlReturn_t sim_nvmlInitWithFlags(unsigned int flags) {
    return begin_session(flags);
}

nvmlReturn_t sim_nvmlShutdown() {
    return end_session();
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
