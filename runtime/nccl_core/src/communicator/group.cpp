// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nccl/collectives.hpp>
#include <cubind/nccl/groups.hpp>
#include <cubind/nccl_core/group.hpp>

#include <exception>
#include <utility>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::nccl {

Group::Group() : exceptions_(std::uncaught_exceptions()) {
    detail::checked(ncclGroupStart(), {"Group"});
}

Group::~Group() {
    if (!is_open_) return;
    if (std::uncaught_exceptions() > exceptions_) {
        // NCCL has no call that discards a group. It discards one with a failed call: this call, which has no communicator.
        (void)ncclAllReduce(nullptr, nullptr, 0, ncclInt8, ncclSum, nullptr, nullptr);
        (void)ncclGroupEnd();
        return;
    }
    detail::report(ncclGroupEnd(), "end a group of NCCL calls");
}

void Group::end() {
    if (std::exchange(is_open_, false)) detail::checked(ncclGroupEnd(), {"Group::end"});
}

}  // namespace CUBIND_NAMESPACE::nccl
