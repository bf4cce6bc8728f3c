// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Records an event.
struct RecordOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_EVENT_RECORD;

    driver::CUresult check() const noexcept { return event != nullptr ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_VALUE; }
    driver::CUresult plan(Plan& plan) const;
    bool can_update_to(const RecordOperation&) const noexcept { return true; }

    std::shared_ptr<Event> event;
};

/// Waits for the record that an event has when the graph is launched.
struct WaitOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_WAIT_EVENT;

    driver::CUresult check() const noexcept { return event != nullptr ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_VALUE; }
    driver::CUresult plan(Plan& plan) const;
    bool can_update_to(const WaitOperation&) const noexcept { return true; }

    std::shared_ptr<Event> event;
};

}  // namespace CUBIND_NAMESPACE::sim
