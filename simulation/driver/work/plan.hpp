// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "objects/event/event.hpp"
#include "objects/stream/work_queue.hpp"
#include "work/graph_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The steps of one launch of a graph. The plan owns all that it needs, so that the graph may change or be destroyed in
/// the meantime.
struct Plan {
    Plan(std::shared_ptr<const Context> own_context, bool own_frees_first)
        : context(std::move(own_context)), memory(context->memory), frees_first(own_frees_first) {}

    /// Publishes the records of events and marks memory as being freed, once the launch can no longer fail.
    void commit();
    /// Frees the memory that was allocated for a launch that failed.
    void roll_back();

    const std::shared_ptr<const Context> context;  ///< context of the launch; loops end when it is destroyed
    MemoryMap& memory;
    const bool frees_first;               ///< whether memory of previous launches is freed first
    std::vector<WorkQueue::Work> starts;  ///< performed before the steps
    std::vector<WorkQueue::Work> steps;
    std::vector<std::pair<std::shared_ptr<Event>, Event::Record>> records;
    std::vector<std::shared_ptr<Allocation>> allocated;
    std::vector<driver::CUdeviceptr> freed;
};

/// Performs the steps in order.
void run_steps(const std::vector<WorkQueue::Work>& steps);

}  // namespace CUBIND_NAMESPACE::sim
